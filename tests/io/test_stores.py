"""Objects of a store on loopback, read and written by polars' own readers."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.errors import InputError
from shoal.io.location import Remote
from shoal.io.stores import read_store, write_store
from support.object_store import object_store

PEOPLE = pl.DataFrame(
    {"name": [f"p{n}" for n in range(40)], "age": [20 + n % 10 for n in range(40)], "ill": ["a", "b"] * 20}
)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, dict[str, bytes]]]:
    """A bucket that no other test has, since polars remembers where buckets are, and its objects."""
    with object_store() as (address, objects):
        usual = {"ENDPOINT_URL": address, "ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b", "REGION": "us-east-1"}
        for name, value in {**usual, "ALLOW_HTTP": "true"}.items():
            monkeypatch.setenv(f"AWS_{name}", value)
        yield f"s3://ward-{address.rpartition(':')[2]}", objects


def test_from_store_to_store(
    store: tuple[str, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket, objects = store
    monkeypatch.chdir(tmp_path)
    path = "/" + bucket.removeprefix("s3://")
    write_store(PEOPLE, Remote(f"{bucket}/people.parquet"))
    said = ["anonymize", f"{bucket}/people.parquet", "--identifiers", "name", "--quasi", "age", "--sensitive", "ill"]
    assert main([*said, "--k", "5", "-q", "-o", f"{bucket}/out/release.parquet"]) == 0
    release = pl.read_parquet(io.BytesIO(objects[f"{path}/out/release.parquet"]))
    assert release.columns == ["age", "ill"]
    assert Counter(release["ill"]) == Counter(PEOPLE["ill"])
    assert release.group_by("age").len()["len"].min() >= 5  # type: ignore[operator]
    record = json.loads((tmp_path / "release.run.json").read_text())
    assert record["output"] == {"path": f"{bucket}/out/release.parquet"}
    assert main([*said, "--k", "50", "-q", "-o", f"{bucket}/none.parquet"]) == 2
    assert main([*said, "--k", "5", "-q", "-o", f"{bucket}/none.csv"]) == 2
    assert sorted(objects) == [f"{path}/out/release.parquet", f"{path}/people.parquet"]
    objects[f"{path}/people.csv"] = b"age,ill\n01,a\n01,b\n02,\n"
    assert shoal.inspect(f"{bucket}/people.csv").n_rows == 3
    assert read_store(Remote(f"{bucket}/people.csv"))["age"].to_list() == ["01", "01", "02"]


def test_bad_input(store: tuple[str, dict[str, bytes]]) -> None:
    bucket, objects = store
    objects["/" + bucket.removeprefix("s3://") + "/no.parquet"] = b"nothing"
    pl.DataFrame({"a": []}, schema={"a": pl.Int64}).write_parquet(f"{bucket}/empty.parquet")
    for name, message in (
        ("nowhere.parquet", "There is no object"),
        ("no.parquet", "cannot be read"),
        ("empty.parquet", "has columns but no rows"),
        ("people.xlsx", r"a table is read from \.parquet, \.csv, \.tsv"),
    ):
        with pytest.raises(InputError, match=message):
            shoal.inspect(f"{bucket}/{name}")
    with pytest.raises(InputError, match="use --backend spark"):
        shoal.inspect("hdfs:///people.parquet")
    with pytest.raises(InputError, match="does not apply to an object store"):
        read_store(Remote(f"{bucket}/people.csv"), sheet="x")
    with pytest.raises(InputError, match=r"a table is written as \.parquet"):
        write_store(PEOPLE, Remote(f"{bucket}/x.csv"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"name,name,q\na,b,1\n", "twice|same name|'name'"),
        (b"a,b\n1,2\n1,2,3\n", "field|column"),
        (b"a,b\n1,2\n3\n", "field|column"),
    ],
)
def test_text_in_a_store_is_read_by_the_rules_of_files(
    store: tuple[str, dict[str, bytes]], tmp_path: Path, text: bytes, says: str
) -> None:
    bucket, objects = store
    objects[f"/{bucket.removeprefix('s3://')}/people.csv"] = text
    (tmp_path / "people.csv").write_bytes(text)
    for place in (tmp_path / "people.csv", f"{bucket}/people.csv"):
        with pytest.raises(InputError, match=says):
            shoal.inspect(place)
