"""The data package beside a release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
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


def package_of(made: shoal.Result) -> dict[str, object]:
    tables = {name: frame.lazy() for name, frame in made.tables.items()}
    package: dict[str, object] = json.loads(datapackage(made, tables, Path("release.csv")))
    return package


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
        "name": "income",
        "type": "number",
        "role": "other",
        "description": "Published unchanged; the records are shuffled.",
    }
    assert package["promises"] == ["4-anonymity"]
    assert package["resources"][0]["path"] == "release.csv"


def test_numbers_that_stay_numbers_are_numbers() -> None:
    made = shoal.anonymize(
        ROWS.select("age"), quasi_identifiers=["age"], privacy=shoal.KAnonymity(4), cells="bounds", quick=True
    )
    told = fields(package_of(made))
    assert {name: field["type"] for name, field in told.items()} == {"age_low": "integer", "age_high": "integer"}
    assert all(field["role"] == "quasi-identifier" for field in told.values())


@pytest.mark.parametrize("value", ["age", "town"])
def test_values_of_the_original_that_are_not_printed_are_not_in_it(value: str) -> None:
    made = released()
    printed = made.to_frame()[value].cast(pl.String).to_list()
    text = json.dumps(package_of(made))
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


SAID: dict[str, Any] = {
    "quasi_identifiers": ["age", "town"], "sensitive": ["ill"], "others": ["income"], "privacy": {"k": 4},
    "algorithm": "mondrian",
}  # fmt: skip


def read(path: Path) -> dict[str, Any]:
    package: dict[str, Any] = json.loads(path.read_text())
    return package


def test_it_lies_beside_every_file_unless_it_is_left_out_and_beside_no_database(tmp_path: Path) -> None:
    made = released()
    for name in ("a.csv", "b.parquet", "c.xlsx"):
        made.write(tmp_path / name)
        package = read(tmp_path / f"{name[0]}.datapackage.json")
        assert package["name"] == name[0]
        assert package["resources"][0]["path"] == name
    made.write(tmp_path / "d.csv", datapackage="off")
    made.write(tmp_path / "e.csv", datapackage=tmp_path / "datapackage.json")
    made.write(f"sqlite:///{tmp_path}/f.db#f", folder=tmp_path)
    packages = {path.name for path in tmp_path.glob("*datapackage.json")}
    assert packages == {"a.datapackage.json", "b.datapackage.json", "c.datapackage.json", "datapackage.json"}
    assert read(tmp_path / "datapackage.json")["resources"][0]["path"] == "e.csv"


@pytest.mark.parametrize("cells", ["labels", "bounds", "codes", "sampled"])
def test_within_a_memory_limit_it_says_the_same(tmp_path: Path, cells: str) -> None:
    ROWS.write_csv(tmp_path / "people.csv")
    more: dict[str, Any] = {"cells": cells, "draws": 2 if cells == "sampled" else 1}
    shoal.anonymize(tmp_path / "people.csv", audit="off", **more, **SAID).write(tmp_path / "first.csv")
    done = shoal.anonymize_file(tmp_path / "people.csv", tmp_path / "two.csv", memory="8GiB", **more, **SAID)
    assert done.package == tmp_path / "two.datapackage.json"
    first, two = (read(tmp_path / f"{name}.datapackage.json") for name in ("first", "two"))
    assert json.loads(json.dumps(first).replace("first", "two")) == two
    for resource in two["resources"]:
        header = (tmp_path / resource["path"]).read_text().splitlines()[0]
        assert [field["name"] for field in resource["schema"]["fields"]] == header.split(",")


def test_how_texts_are_laid_out_is_said(tmp_path: Path) -> None:
    released().write(tmp_path / "r.csv", delimiter=";", decimal=",", encoding="cp1252")
    (resource,) = read(tmp_path / "r.datapackage.json")["resources"]
    assert resource["dialect"] == {"delimiter": ";"}
    assert resource["encoding"] == "cp1252"
    assert [field.get("decimalChar") for field in resource["schema"]["fields"]] == [None, None, None, ","]


def test_several_tables_are_one_package_with_their_keys(tmp_path: Path) -> None:
    patients = pl.DataFrame({"id": [1, 2, 3, 4], "sex": ["m", "m", "f", "f"]})
    visits = pl.DataFrame({"id": [1, 2, 3, 4], "ward": ["A", "A", "B", "C"]})
    tables = {
        "patients": {"input": patients, "key": "id", "quasi_identifiers": ["sex"]},
        "Visits of 2024": {"input": visits, "links": {"id": "patients"}, "quasi_identifiers": ["ward"]},
    }
    release = shoal.anonymize_tables(tables, privacy={"k": 2}, quick=True)
    release.write({"patients": tmp_path / "p.csv", "Visits of 2024": tmp_path / "v.csv"})
    people, hanging = read(tmp_path / "p.datapackage.json")["resources"]
    assert (people["path"], hanging["path"]) == ("p.csv", "v.csv")
    assert people["schema"]["primaryKey"] == ["id"]
    reference = {"resource": people["name"], "fields": ["id"]}
    assert hanging["schema"]["foreignKeys"] == [{"fields": ["id"], "reference": reference}]
    assert [field["name"] for field in hanging["schema"]["fields"]] == ["id", "ward"]
    assert "fresh random key" in people["schema"]["fields"][0]["description"]
    release.write({"patients": tmp_path / "q.csv", "Visits of 2024": tmp_path / "w.csv"}, datapackage="off")
    assert not (tmp_path / "q.datapackage.json").exists()


def test_originals_that_are_swapped_within_cells_leave_no_trace_in_it(tmp_path: Path) -> None:
    """Towns of a group are exchanged, one of them is gone, and codes grow longer: the release stays as it was."""
    trees = {"town": {"ab": ["a", "b"], "cd": ["c", "d"]}, "age": "intervals:width=10"}
    said = {**SAID, "algorithm": "lattice", "hierarchies": trees, "levels": [1, 1], "seed": 1, "audit": "off"}
    other = ROWS.with_columns(
        town=pl.col("town").replace({"b": "a", "c": "d"}), age=pl.col("age") // 10 * 10 + 5, income=pl.lit(1.5)
    )
    one, two = (shoal.anonymize(rows, **said) for rows in (ROWS, other))
    assert one.frame.equals(two.frame)
    assert package_of(one) == package_of(two)


def test_a_job_and_the_command_line_can_leave_it_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ROWS.write_csv("people.csv")
    words = ["people.csv", "--quasi", "age,town", "--others", "ill,income", "--k", "4", "--audit", "off", "-q"]
    assert main(["anonymize", *words, "-o", "r.csv"]) == 0
    assert Path("r.datapackage.json").exists()
    assert main(["verify", "r.csv", "--quasi", "age,town", "--k", "4", "-q"]) == 0
    assert main(["read", "r.csv", "--quasi", "age,town", "--cells", "center", "-o", "read.csv", "-q"]) == 0
    assert main(["anonymize", *words, "-o", "r.csv", "--datapackage", "off"]) == 0
    assert not Path("r.datapackage.json").exists(), "that of an earlier release is not left beside this one"
    assert main(["anonymize", *words, "-o", "r.csv", "--datapackage", "people.csv"]) == 2
