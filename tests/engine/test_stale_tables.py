"""A codebook or drawn tables of an earlier release do not lie beside a newer one that has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

import shoal
from shoal.engine.backends.anonymize_file import anonymize_file

PEOPLE = pl.DataFrame({"age": [20 + i % 9 for i in range(60)], "town": ["Ely", "Ripon"] * 30})
SAID: dict[str, Any] = {
    "quasi_identifiers": ["age", "town"], "privacy": {"k": 5}, "algorithm": "mondrian", "audit": "off",
}  # fmt: skip


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_tables_of_an_earlier_release_go_with_it(tmp_path: Path) -> None:
    target = tmp_path / "release.csv"
    (tmp_path / "release.notes.csv").write_text("mine")
    shoal.anonymize(PEOPLE, **SAID, cells="codes").write(target)
    assert "release.codes.csv" in names(tmp_path)
    shoal.anonymize(PEOPLE, **SAID, cells="sampled", draws=3).write(target)
    assert names(tmp_path) == {
        "release.csv", "release.run.json", "release.datapackage.json", "release.draw2.csv", "release.draw3.csv",
        "release.notes.csv",
    }  # fmt: skip
    shoal.anonymize(PEOPLE, **SAID, cells="sampled", draws=2).write(target)
    assert "release.draw3.csv" not in names(tmp_path)
    shoal.anonymize(PEOPLE, **SAID).write(target, datapackage="off")
    assert names(tmp_path) == {"release.csv", "release.run.json", "release.notes.csv"}


def test_on_disk_too(tmp_path: Path) -> None:
    shoal.anonymize(PEOPLE, **SAID, cells="codes").write(tmp_path / "release.csv")
    PEOPLE.write_csv(tmp_path / "people.csv")
    words = {name: value for name, value in SAID.items() if name != "audit"}
    anonymize_file(tmp_path / "people.csv", tmp_path / "release.csv", memory="8GiB", **words)
    assert names(tmp_path) == {"release.csv", "release.run.json", "release.datapackage.json", "people.csv"}
    anonymize_file(tmp_path / "people.csv", tmp_path / "release.csv", memory="8GiB", datapackage="off", **words)
    assert names(tmp_path) == {"release.csv", "release.run.json", "people.csv"}


def test_a_release_keeps_its_codebook_when_one_of_another_kind_is_written_beside_it(tmp_path: Path) -> None:
    made = shoal.anonymize(PEOPLE, **SAID, cells="codes")
    made.write(tmp_path / "release.csv")
    made.write(tmp_path / "release.parquet")
    assert {"release.csv", "release.codes.csv", "release.parquet", "release.codes.parquet"} <= names(tmp_path)


def test_a_file_that_no_run_wrote_stays(tmp_path: Path) -> None:
    (tmp_path / "release.codes.csv").write_text("mine")
    shoal.anonymize(PEOPLE, **SAID).write(tmp_path / "release.csv")
    assert (tmp_path / "release.codes.csv").read_text() == "mine"
