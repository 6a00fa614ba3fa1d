"""The dictionary of a column is what a loop over its values finds, and is worked out once while a run is on."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.io import dictionaries
from shoal.io.dictionaries import dictionary_of, each_text_once, forget_dictionaries, kept_dictionaries
from shoal.io.text_layout import types_as_read

TEXTS = st.lists(st.none() | st.sampled_from(["", "a", "b", "a longer text than a view holds", "é"]), max_size=12)


def slowly(values: list[str | None]) -> tuple[list[int], list[str]]:
    """The same, one value at a time."""
    seen: dict[str, int] = {}
    codes = [-1 if value is None else seen.setdefault(value, len(seen)) for value in values]
    return codes, list(seen)


@given(TEXTS, st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_codes_and_distinct_values_are_those_of_a_loop_whole_and_in_part(values: list[str | None], start: int) -> None:
    whole = pl.Series("column", values, pl.String)
    with kept_dictionaries():
        for column in (whole, whole, whole.slice(start), whole.slice(0, start), whole.rename("other")):
            codes, distinct = dictionary_of(column)
            assert (codes.tolist(), distinct.to_list()) == slowly(column.to_list())
            assert distinct.name == column.name


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The columns whose dictionary was worked out."""
    found: list[str] = []
    plain = dictionaries._worked_out
    monkeypatch.setattr(dictionaries, "_worked_out", lambda values: (found.append(values.name), plain(values))[1])  # type: ignore[func-returns-value]
    return found


def test_a_column_is_worked_out_once_inside_a_run_and_anew_outside(worked_out: list[str]) -> None:
    frame = pl.DataFrame({"a": ["x", "y", None, "x"], "b": ["x", "y", None, "y"]})
    with kept_dictionaries(), kept_dictionaries():
        for _ in range(3):
            dictionary_of(frame["a"])
            dictionary_of(frame.select("b", "a")["b"])
    assert worked_out == ["a", "b"]
    assert not dictionaries._KEPT
    dictionary_of(frame["a"])
    dictionary_of(frame["a"])
    assert worked_out == ["a", "b", "a", "a"]


def test_what_is_forgotten_is_worked_out_anew(worked_out: list[str]) -> None:
    column = pl.Series("a", ["x", "y"])
    with kept_dictionaries():
        dictionary_of(column)
        forget_dictionaries()
        dictionary_of(column)
    assert worked_out == ["a", "a"]


def test_memory_that_is_used_again_for_other_values_is_not_mistaken_for_what_it_held() -> None:
    with kept_dictionaries():
        for number in range(50):
            values = [f"{number} and something that does not fit into a view", None, "same"]
            assert dictionary_of(pl.Series("a", values))[1].to_list() == [values[0], "same"]


def test_every_text_once_has_the_types_of_all_rows() -> None:
    frame = pl.DataFrame({"a": ["1", "02", None, "1"], "n": [1, 2, 3, 4], "b": [None, None, None, "x"]})
    once = each_text_once(frame)
    assert once.schema == frame.schema
    assert {name: set(once[name].drop_nulls()) for name in "ab"} == {"a": {"1", "02"}, "b": {"x"}}
    assert types_as_read(once.lazy(), Path("r.csv")) == types_as_read(frame.lazy(), Path("r.csv"))


@given(
    st.lists(st.sampled_from(["1", "-2", "1.5", "2020-01-02", "true", "x", "", None]), min_size=1), st.integers(1, 5)
)
def test_types_are_told_by_each_text_as_by_all(texts: list[str | None], n: int) -> None:
    frame = pl.DataFrame({"t": texts * n, "u": texts[:1] * len(texts) * n}, schema={"t": pl.String, "u": pl.String})
    assert types_as_read(each_text_once(frame).lazy(), Path("r.csv")) == types_as_read(frame.lazy(), Path("r.csv"))


def test_a_column_whose_values_begin_late_has_the_type_of_its_values() -> None:
    late, many = ["7", "8"], [None] * 1_000
    frame = pl.DataFrame({"number": many + late, "text": [*many, "7", "x"], "none": [*many, None, None]}).cast(
        pl.String
    )
    found = types_as_read(frame.lazy(), Path("r.csv"))
    assert found == {"number": pl.Int64(), "text": pl.String(), "none": pl.String()}
