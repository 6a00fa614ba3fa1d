"""The data package beside a release."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.engine.datapackage import datapackage
from shoal.engine.job import run_job

ROWS = pl.DataFrame(
    {"age": [31, 32, 33, 34, 61, 62, 63, 64], "town": list("aabbccdd"), "ill": ["x", "y"] * 4, "income": [1.5] * 8}
)


def released(**words: object) -> shoal.Result:
    return shoal.anonymize(
        ROWS, quasi_identifiers=["age", "town"], sensitive=["ill"], others=["income"], privacy=shoal.KAnonymity(4),
        quick=True, **words,  # type: ignore[arg-type]
    )  # fmt: skip


def fields(package: dict[str, object]) -> dict[str, dict[str, object]]:
    resources = package["resources"]
    assert isinstance(resources, list)
    return {field["name"]: field for field in resources[0]["schema"]["fields"]}


def test_types_roles_and_promises_are_said(tmp_path: Path) -> None:
    made = released(hierarchies={"town": {"ab": ["a", "b"], "cd": ["c", "d"]}})
    made.save_datapackage(tmp_path / "datapackage.json", "release.csv")
    package = json.loads((tmp_path / "datapackage.json").read_text())
    told = fields(package)
    assert list(told) == made.to_frame().columns
    assert told["age"]["type"] == "string"
    assert told["age"]["role"] == "quasi-identifier"
    assert "[a..b]" in str(told["age"]["description"])
    assert told["town"]["hierarchy_levels"] == 3
    assert told["income"] == {
        "name": "income", "type": "number", "role": "other", "description": "Published as it was, records shuffled.",
    }  # fmt: skip
    assert package["promises"] == ["4-anonymity"]
    assert package["resources"][0]["path"] == "release.csv"


def test_numbers_that_stay_numbers_are_numbers() -> None:
    made = shoal.anonymize(
        ROWS.select("age"), quasi_identifiers=["age"], privacy=shoal.KAnonymity(4), cells="bounds", quick=True
    )
    told = fields(json.loads(datapackage(made, None)))
    assert {name: field["type"] for name, field in told.items()} == {"age_low": "integer", "age_high": "integer"}
    assert all(field["role"] == "quasi-identifier" for field in told.values())


@pytest.mark.parametrize("value", ["age", "town"])
def test_values_of_the_original_that_are_not_printed_are_not_in_it(value: str) -> None:
    made = released()
    printed = made.to_frame()[value].cast(pl.String).to_list()
    text = datapackage(made, Path("release.csv"))
    hidden = [str(v) for v in ROWS[value] if len(str(v)) > 1 and not any(str(v) in str(label) for label in printed)]
    assert not [v for v in hidden if v in text]


def test_a_job_writes_it_with_the_release(tmp_path: Path) -> None:
    ROWS.write_csv(tmp_path / "people.csv")
    (tmp_path / "job.toml").write_text(
        'input = "people.csv"\noutput = "release.csv"\ndatapackage = "datapackage.json"\nquick = true\n'
        'quasi_identifiers = ["age", "town"]\nsensitive = ["ill"]\nothers = ["income"]\n[privacy]\nk = 4\n'
    )
    run_job(tmp_path / "job.toml")
    package = json.loads((tmp_path / "datapackage.json").read_text())
    assert package["resources"][0]["path"] == "release.csv"
    assert list(fields(package)) == pl.read_csv(tmp_path / "release.csv").columns
