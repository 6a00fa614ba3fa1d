from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import shoal
from shoal import algorithms, errors, models
from shoal.core import builders

NAMES = [
    "Audit", "BrokenPromise", "Comparison", "Dates", "Deprecated", "FanOut", "GoalNotMet", "Grouping", "Hierarchy",
    "Icd10", "ImpossibleGoal", "InputError", "Intervals", "Mask", "Prefixes", "Result", "ShoalError", "Verification",
    "__version__", "anonymize", "anonymize_file", "anonymize_tables", "apply", "audit_release", "compare", "fold",
    "inspect", "list_patterns", "list_policies", "policy_job", "pool_estimates", "read_record", "read_release",
    "usefulness", "verify",
]  # fmt: skip


def test_the_public_names():
    plug_ins = [*algorithms.ALL.values(), *models.ALL.values()]
    assert shoal.__all__ == dir(shoal) == sorted([*NAMES, *(plug_in.__name__ for plug_in in plug_ins)])
    for plug_in in plug_ins:
        assert getattr(shoal, plug_in.__name__) is plug_in
    for name in NAMES:
        assert getattr(shoal, name) is not None


def test_every_builder_and_error_is_public():
    found = [thing for thing in vars(errors).values() if isinstance(thing, type) and issubclass(thing, Exception)]
    for thing in [*found, *builders.BUILDERS.values()]:
        assert getattr(shoal, thing.__name__) is thing


def test_all_of_them_at_once():
    names: dict[str, object] = {}
    exec("from shoal import *", names)
    assert names["Mondrian"] is algorithms.Mondrian
    assert names["anonymize"] is shoal.anonymize


def test_the_version():
    assert shoal.__version__ == version("shoal")


@pytest.mark.parametrize("name", ["anonymise", "Mondrain", "_secret"])
def test_a_name_that_does_not_exist(name):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'") as caught:
        getattr(shoal, name)
    assert (caught.value.name, caught.value.obj) == (name, shoal)  # Python then adds "Did you mean: 'anonymize'?"


def test_the_import_is_light():
    code = """
import sys
before = set(sys.modules)
import shoal
found = set(sys.modules) - before
heavy = {"numba", "numpy", "polars", "pyarrow", "pydantic", "typer", "rich"} & found
sys.exit(f"{len(found)} {heavy}" if heavy or len(found) > 30 else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
