"""What other tools get wrong on bad input, as ours must get it right."""

from __future__ import annotations

import collections
import csv
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal as library


def write(*rows: tuple[object, ...]) -> None:
    with Path("t.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def test_missing_quasi_identifiers_are_neither_dropped_nor_left_alone(shoal, folder):
    write(("a", "b"), ("1", "x"), ("1", "x"), ("", "x"), ("2", "y"), ("2", "y"), ("", "y"))
    assert shoal("anonymize", "t.csv", "--quasi", "a,b", "--k", "2", "-o", "o.csv").status == 0
    published = pl.read_csv("o.csv", infer_schema=False)
    assert published.height == 6
    assert min(collections.Counter(published.iter_rows()).values()) >= 2


def test_a_unique_record_with_a_missing_value_is_seen(shoal, folder):
    Path("t.csv").write_text('a\n1\n1\n1\n""\n')
    assert shoal("verify", "t.csv", "--quasi", "a", "--k", "3").status == 1


@pytest.mark.parametrize("k", ["0", "-3"])
def test_k_of_zero_or_less_returns_at_once(shoal, folder, k):
    assert shoal("anonymize", "people.csv", "--quasi", "age", "--k", k).status == 2
    assert shoal("verify", "people.csv", "--quasi", "age", "--k", k).status == 2


def test_k_above_n_is_refused_and_no_empty_table_comes_out(shoal, folder):
    answer = shoal("anonymize", "people.csv", "--identifiers", "name", "--quasi", "age", "--k", "61", "-o", "o.csv")
    assert (answer.status, Path("o.csv").exists()) == (2, False)


def test_a_hierarchy_that_lacks_a_value_is_named_with_its_rows(shoal, folder):
    Path("age.csv").write_text("20;*\n21;*\n")
    answer = shoal(
        "anonymize",
        "people.csv",
        "--identifiers",
        "name",
        "--quasi",
        "age",
        "--others",
        "zip,sex,disease",
        "--k",
        "2",
        "--hierarchy",
        "age=age.csv",
    )
    assert answer.status == 2
    assert "lacks 18 values" in answer.err
    assert "(3 rows)" in answer.err


def test_labels_with_commas_stay_apart(shoal, folder):
    write(("job", "x"), *[("a, b", "1"), ("a", "1"), ("b", "1"), ("c, {d}", "1")] * 2)
    assert shoal("anonymize", "t.csv", "--quasi", "job", "--k", "4", "-o", "o.csv").status == 0
    with Path("o.csv").open(newline="", encoding="utf-8") as file:
        labels = {row["job"] for row in csv.DictReader(file)}
    assert labels == {'{a, "a, b"}', '{b, "c, {d}"}'}


def test_numbers_written_as_texts_are_ordered_as_numbers(shoal, folder):
    write(("a", "x"), *[(text, "1") for text in ("2", "3", "10", "11", "100", "101", "300", "301")])
    assert shoal("anonymize", "t.csv", "--quasi", "a", "--k", "2", "-o", "o.csv").status == 0
    counts = collections.Counter(pl.read_csv("o.csv", infer_schema=False)["a"])
    assert sorted(counts.values()) == [2, 2, 2, 2]
    assert not any("2" in label and "10" in label for label in counts)  # as texts 10 < 100 < 101 < 11 < 2


def test_codes_with_leading_zeros_stay_codes(shoal, folder):
    write(("zip", "x"), *[("02139", "1"), ("02138", "1")] * 2)
    assert shoal("anonymize", "t.csv", "--quasi", "zip", "--k", "2", "-o", "o.csv").status == 0
    assert set(pl.read_csv("o.csv", infer_schema=False)["zip"]) == {"02138", "02139"}


def test_duplicate_index_labels():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 2, 1, 2, 3, 3], "s": list("xyxyxy")}, index=[7, 7, 7, 0, 0, 1])
    result = library.anonymize(
        frame, quasi_identifiers=["a"], sensitive=["s"], privacy=[library.KAnonymity(2), library.LDiversity(2)]
    )
    published = result.to_frame()
    assert isinstance(published, pandas.DataFrame)
    assert list(published.index) == list(range(6))
    assert published.groupby("a", dropna=False)["s"].agg(["size", "nunique"]).min().tolist() >= [2, 2]
    assert list(frame.index) == [7, 7, 7, 0, 0, 1]


def test_the_verdict_does_not_depend_on_the_order_of_rows():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 1, 2, 2], "s": ["x", "x", "y", "z"]})
    words: dict[str, Any] = {"quasi_identifiers": ["a"], "sensitive": ["s"], "privacy": library.LDiversity(2)}
    for order in ([0, 1, 2, 3], [2, 0, 3, 1]):
        assert not library.verify(frame.iloc[order], **words).holds


def test_an_empty_table(shoal, folder):
    Path("t.csv").write_text("a,b\n")
    for command in ("anonymize", "verify"):
        assert shoal(command, "t.csv", "--quasi", "a", "--k", "2").status == 2
    with pytest.raises(library.InputError):
        library.anonymize(pl.DataFrame({"a": []}), quasi_identifiers=["a"], privacy=library.KAnonymity(2))
