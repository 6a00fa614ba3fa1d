"""What an address says, and what it may not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.errors import InputError
from shoal.io.databases import Address, address_of
from shoal.io.location import location_of
from shoal.io.place import place_at


@pytest.mark.parametrize(
    ("text", "location", "table"),
    [
        ("postgresql://me@db.example:5433/health#people", "postgresql://me@db.example:5433/health", ("people",)),
        ("postgres://db/health#ward.people", "postgresql://db/health", ("ward", "people")),
        ('postgresql:///health#"a.b"."c d"', "postgresql:///health", ("a.b", "c d")),
        ("postgresql://db/health?sslmode=require", "postgresql://db/health?sslmode=require", ()),
        ("sqlite:///people.db#people", "people.db", ("people",)),
        ("sqlite:////var/people.db#people%20all", "/var/people.db", ("people all",)),
        ("duckdb:///a/b.duckdb#t", "a/b.duckdb", ("t",)),
    ],
)
def test_addresses(text: str, location: str, table: tuple[str, ...]) -> None:
    address = address_of(text)
    assert address is not None
    assert (address.location, address.table) == (location, table)


@pytest.mark.parametrize("text", ["people.csv", "s3://bucket/people.parquet", "C:\\people.csv", 5, Path("sqlite:///x")])
def test_other_things_are_no_addresses(text: object) -> None:
    assert address_of(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://me:hunter2@db/health#people",
        "postgresql://db/health?password=hunter2#people",
        "postgresql://db/health?sslpassword=hunter2",
    ],
)
def test_passwords_are_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(InputError, match="PGPASSWORD") as caught:
        address_of(text)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("text", ["sqlite://people.db", "sqlite:///", "postgresql://db/x#a.b.c", "duckdb:///x#a..b"])
def test_addresses_that_cannot_be_understood(text: str) -> None:
    with pytest.raises(InputError):
        address_of(text)


def test_what_is_shown_names_no_user() -> None:
    address = address_of("postgresql://me@db:5433/health?sslmode=require#ward.people")
    assert address is not None
    assert address.shown == place_at(address).name == "postgresql://db:5433/health#ward.people"


def test_files_start_at_the_folder() -> None:
    made = location_of("sqlite:///people.db#t", Path("/jobs"))
    assert isinstance(made, Address)
    assert made.location == "/jobs/people.db"
    assert location_of("sqlite:////people.db#t", Path("/jobs")) == Address("sqlite", "/people.db", ("t",))
    assert location_of("people.csv", Path("/jobs")) == Path("/jobs/people.csv")


def test_urls_that_no_path_could_hold() -> None:
    from shoal.engine.targets import Targets

    place = location_of("s3a://bucket/people.parquet", Path("/jobs"))
    assert str(place) == "s3a://bucket/people.parquet"
    assert place_at(place).name == "people.parquet"
    assert isinstance(location_of("people.csv"), Path)
    hadoop = location_of("hdfs:///data/people.parquet")
    assert str(hadoop) == "hdfs:///data/people.parquet"
    Targets().check([place])
    with pytest.raises(InputError, match="use --backend spark"):
        Targets().check([hadoop])
