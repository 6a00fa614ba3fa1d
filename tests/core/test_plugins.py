"""Families of plug-ins: found by name, imported when used, complete."""

from __future__ import annotations

import inspect
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import shoal
from shoal import algorithms, audit, metrics, models
from shoal.algorithms.best import Best
from shoal.algorithms.clustering import Refined, Specialization
from shoal.algorithms.histories import WholeHistories
from shoal.audit.contract import Attack
from shoal.core.contracts import Algorithm, Metric, PrivacyModel
from shoal.core.plugins import Family
from shoal.models.of_histories import OfHistories
from shoal.models.of_people import OfPeople
from shoal.models.people_matches import PeopleMatched, PeopleWeighed

AROUND_OTHERS = {Best, Refined, WholeHistories, OfHistories, OfPeople, PeopleMatched, PeopleWeighed}
"""Algorithms and models that are made around others; nobody asks for them by name."""

STARTS = {Specialization}
"""Algorithms that only the default and clustering begin with: they need a hierarchy for every column."""

SOURCE = Path(__file__).parent.parent.parent / "src"
FAMILIES = [(algorithms, Algorithm), (audit, Attack), (metrics, Metric), (models, PrivacyModel)]


@pytest.mark.parametrize(("package", "kind"), FAMILIES)
def test_the_table_of_a_family_holds_every_class_in_its_folder_under_its_own_name(
    package: ModuleType, kind: type
) -> None:
    named = {name: made for name, made in package.ALL.items() if made.__module__.startswith(f"{package.__name__}.")}
    assert all(made.name == name for name, made in named.items())
    assert {*named.values()} == _concrete(package, kind) - AROUND_OTHERS - STARTS


def _concrete(package: ModuleType, kind: type) -> set[type]:
    """The classes below a folder that can be made and say what they are called."""
    modules = [import_module(found.name) for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    defined = [
        made
        for module in modules
        for made in vars(module).values()
        if isinstance(made, type) and made.__module__ == module.__name__
    ]
    return {
        made
        for made in defined
        if issubclass(made, kind) and not inspect.isabstract(made) and "name" in vars(made) and made.name  # type: ignore[attr-defined]
    }


def test_naming_the_plug_ins_imports_none_of_them() -> None:
    code = (
        "import sys; from shoal import algorithms, audit, metrics; assert 'mondrian' in algorithms.ALL; "
        "names = [*algorithms.ALL, *audit.ALL, *metrics.ALL]; assert len(names) > 50; "
        "print(*(name for name in ('shoal.algorithms.mondrian', 'shoal.audit.linking', 'shoal.metrics.lm') "
        "if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []


def test_one_public_class_is_found_without_importing_the_others() -> None:
    code = "import sys, shoal; shoal.Mondrian; print('shoal.algorithms.lattice.optimal' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False"]


def test_a_name_that_nobody_has_is_not_in_a_package() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Mondrain'"):
        _ = algorithms.Mondrain
    with pytest.raises(AttributeError, match="has no attribute 'Mondrain'"):
        _ = shoal.Mondrain


def test_a_family_can_be_added_to_and_taken_from() -> None:
    family = Family[type]("shoal.nothing", {"lm": "shoal.metrics.lm:LM"})
    assert family["lm"] is metrics.LM
    family["gcp"] = metrics.GCP
    assert {**family} == {"lm": metrics.LM, "gcp": metrics.GCP}
    assert family.classes() == {"LM": "lm", "GCP": "gcp"}
    del family["lm"]
    assert "lm" not in family
    assert len(family) == 1


def test_no_name_that_is_imported_when_used_is_that_of_a_module_beside_it() -> None:
    """Importing that module by itself would put the module in the name's place."""
    for package in SOURCE.rglob("__init__.py"):
        named = re.findall(r'"[\w.]+:(\w+)"', package.read_text(encoding="utf-8"))
        beside = {path.stem for path in package.parent.iterdir()}
        assert not beside.intersection(named), package
