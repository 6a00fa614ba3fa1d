"""Each kind of place says of itself what the others would have to ask about."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from shoal.errors import InputError
from shoal.io.location import location_of
from shoal.io.place import files_of, place_at


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    place = place_at(path)
    assert (place.path, place.file, place.is_protected) == (path, path, False)
    path.write_text("age\n30\n")
    assert place.is_protected
    assert (place.shown, place.name, place.form) == (str(path), "people.csv", ".csv")
    assert place.recorded() == {"path": str(path), "sha256": hashlib.sha256(b"age\n30\n").hexdigest()}
    assert place.record_path(Path("elsewhere")) == tmp_path / "people.run.json"
    assert place.beside("sensitive") == tmp_path / "people.sensitive.csv"
    assert place.read(None).frame["age"].to_list() == ["30"]
    with pytest.raises(InputError, match="overwrite"):
        place.check([path])
    with pytest.raises(InputError, match="A query is for databases"):
        place.read("SELECT 1")


def test_a_table_of_a_database_without_its_user(tmp_path: Path) -> None:
    place = place_at("postgresql://me@db:5433/health#ward.people")
    assert place.shown == place.name == place.form == "postgresql://db:5433/health#ward.people"
    assert "me@" in place.spelled
    assert place.recorded() == {"database": place.shown}
    assert place.record_path(tmp_path) == tmp_path / "ward.people.run.json"
    assert (place.path, place.file, place.is_protected, place.is_seen_at_once) == (None, None, True, True)
    with pytest.raises(InputError, match="several tables is written to files"):
        place.beside("sensitive")
    in_file = place_at(location_of("sqlite:///people.db#t", tmp_path))
    assert (in_file.path, in_file.file) == (None, tmp_path / "people.db")


def test_an_object_of_a_store(tmp_path: Path) -> None:
    place = place_at("s3://bucket/folder/people.parquet")
    assert (place.shown, place.name) == ("s3://bucket/folder/people.parquet", "people.parquet")
    assert place.recorded() == {"path": place.shown}
    assert place.record_path(tmp_path) == tmp_path / "people.run.json"
    assert (place.path, place.file, place.is_protected) == (None, None, False)
    place.refuse()
    with pytest.raises(InputError, match="--backend spark"):
        place_at("hdfs:///people.parquet").refuse()
    with pytest.raises(InputError, match="another ending"):
        place_at("s3://bucket/people.csv").check([])


def test_the_files_that_no_output_may_overwrite(tmp_path: Path) -> None:
    places: list[Path | str] = [tmp_path / "a.csv", "duckdb:////b.db#t", "s3://bucket/c.parquet"]
    assert files_of([*map(Path, places[:1])]) == [tmp_path / "a.csv"]
    assert [place_at(one).file for one in places] == [tmp_path / "a.csv", Path("/b.db"), None]
