"""Suggestions are graded: roles, kinds and orders are right in at least 95% of columns."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import shoal
from messy.tables import TEN, Switches, switches
from messy.truth import TRUTH
from shoal.io.inspect.findings import Inspection

FILES = Path(__file__).parent / "files"
EXPECTED: dict[str, Any] = tomllib.loads((FILES / "expected.toml").read_text(encoding="utf-8"))
PASSED = 0.95
POSTCODES = {"PLZ", "zip code", "code postal", "código postal", "CAP", "postcode"}
"""Digits, which may count as numbers or as names: both are masked digit by digit."""


def graded(found: Inspection, truth: Mapping[str, tuple[str, str, list[str] | None]]) -> Iterator[str]:
    """What is wrong, a line per column."""
    for column in found.columns:
        role, kind, order = truth[column.name]
        is_kind = column.kind == kind or column.name in POSTCODES or (role == "identifier" and kind != "free text")
        said = found.words.get("orders", {}).get(column.name)
        if column.role != role or not is_kind or said != order:
            wrong = f"{column.name}: {column.role}, {column.kind}, {said}; in truth {role}, {kind}, {order}"
            print(wrong)
            yield wrong


def inspected(folder: Path, mess: Switches) -> Inspection:
    path = folder / "t.csv"
    path.write_bytes(mess.table().content)
    return shoal.inspect(path)


def test_ten_messy_tables_in_six_languages(tmp_path: Path) -> None:
    n_wrong = n_columns = 0
    for mess in TEN:
        found, truth = inspected(tmp_path, mess), mess.table().truth
        n_wrong += len(list(graded(found, truth)))
        n_columns += len(truth)
        assert not found.questions, found.questions
    assert n_wrong <= (1 - PASSED) * n_columns


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(switches())
def test_any_mess(tmp_path_factory: pytest.TempPathFactory, mess: Switches) -> None:
    wrong = list(graded(inspected(tmp_path_factory.mktemp("mess"), mess), mess.table().truth))
    assert len(wrong) <= 1, (mess, wrong)


@pytest.mark.nightly
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(switches())
def test_any_mess_at_length(tmp_path_factory: pytest.TempPathFactory, mess: Switches) -> None:
    wrong = list(graded(inspected(tmp_path_factory.mktemp("mess"), mess), mess.table().truth))
    assert len(wrong) <= 1, (mess, wrong)


@pytest.mark.skipif("SHOAL_DATA" not in os.environ, reason="SHOAL_DATA does not say where the data sets are")
def test_data_sets_of_the_field() -> None:
    wrong: dict[str, list[str]] = {}
    for name, truth in TRUTH.items():
        columns = {c.name: c for c in shoal.inspect(Path(os.environ["SHOAL_DATA"]) / "datasets" / name).columns}
        told = {column: (columns[column].role, columns[column].kind) for column in truth}
        wrong[name] = [
            f"{name} {column}: {told[column]}, in truth {roles}, {kind}"
            for column, (roles, kind) in truth.items()
            if told[column][0] not in roles.split("|") or told[column][1] != kind
        ]
    print(*(line for lines in wrong.values() for line in lines), sep="\n")
    for files in (list(TRUTH), [name for name in TRUTH if "coil" not in name]):  # whose 86 columns are much alike
        n_wrong, n_columns = sum(len(wrong[name]) for name in files), sum(len(TRUTH[name]) for name in files)
        assert n_wrong <= (1 - PASSED) * n_columns, f"{n_wrong} of {n_columns}"


@pytest.mark.parametrize("name", EXPECTED)
def test_files_by_hand(name: str) -> None:
    found, expected = shoal.inspect(FILES / name), EXPECTED[name]
    assert contains(found.words, expected["words"])
    roles = {column.name: column.role for column in found.columns}
    assert {column: roles[column] for column in expected["roles"]} == expected["roles"]
    assert len(found.questions) == expected["questions"]


def contains(found: Any, wanted: Any) -> bool:
    """Whether everything that is wanted was found; mappings may hold more."""
    if isinstance(wanted, dict):
        return all(key in found and contains(found[key], value) for key, value in wanted.items())
    return bool(found == wanted)
