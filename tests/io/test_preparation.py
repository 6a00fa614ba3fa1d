"""Every step of preparation does what it says to each row, as typed columns and as texts, and refuses the rest."""

from __future__ import annotations

import hashlib
import hmac
import stat
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.errors import InputError
from shoal.io.preparation import (
    Banding,
    BottomCoding,
    Preparation,
    Pseudonyms,
    RareCategories,
    Rounding,
    SecretKey,
    ShiftedDates,
    TopCoding,
)
from shoal.io.preparation.bands import band_order
from shoal.io.preparation.contract import Step, tally_of
from support.effort import examples

KEY = SecretKey(Path("key"), bytes(range(32)))


def done(step: Step, values: list[Any], dtype: Any = None) -> list[Any]:
    return step.apply(pl.DataFrame({"x": pl.Series(values, dtype=dtype)}))["x"].to_list()


@pytest.mark.parametrize(
    ("step", "values", "expected"),
    [
        (TopCoding("x", "10"), [3, 10, 11, None], [3, 10, 10, None]),
        (TopCoding("x", "10"), ["3", "010", "11.5", None], ["3", "010", "10", None]),
        (TopCoding("x", "9.5"), [3, 10], [3.0, 9.5]),
        (BottomCoding("x", "-5"), [-6.5, -5.0, 2.5], [-5.0, -5.0, 2.5]),
        (TopCoding("x", "2020-01-31"), [date(2020, 2, 1), date(2019, 1, 1)], [date(2020, 1, 31), date(2019, 1, 1)]),
        (BottomCoding("x", "2020-01-31"), ["2019-05-05", "2021-01-01"], [date(2020, 1, 31), date(2021, 1, 1)]),
        (Rounding("x", "10"), [4, 5, 15, 25, -5, None], [0, 0, 20, 20, 0, None]),
        (Rounding("x", "1000"), ["1499", "1500", "2500"], ["1000", "2000", "2000"]),
        (Rounding("x", "0.1"), ["1.26", "-0.04", "7"], ["1.3", "0.0", "7.0"]),
        (Rounding("x", "5"), [12.6, 2.5, 7.5], [15.0, 0.0, 10.0]),
        (Rounding("x", "10"), ["12.6", "15"], ["10", "20"]),
        (Banding("x", "10"), [0, 9, 10, -1, None], ["0 to under 10"] * 2 + ["10 to under 20", "-10 to under 0", None]),
        (Banding("x", "10"), [9.5, 10.0], ["0 to under 10", "10 to under 20"]),
        (Rounding("x", "0.1"), [0.15, 0.25, None], [0.2, 0.2, None]),
        (Banding("x", "0.1"), [0.3, 0.7], ["0.3 to under 0.4", "0.7 to under 0.8"]),
        (Banding("x", "0.5"), ["0.7"], ["0.5 to under 1.0"]),
        (Banding("x", "0,18,65"), [-1, 0, 17, 18, 65, None],
         ["under 0", "0 to under 18", "0 to under 18", "18 to under 65", "65 and over", None]),
        (Banding("x", "1.5,3"), [1.0, 1.5, 3.0], ["under 1.5", "1.5 to under 3", "3 and over"]),
        (Banding("x", "month"), ["2024-03-31", None], ["2024-03", None]),
        (Banding("x", "quarter"), [date(2024, 5, 1)], ["2024-Q2"]),
        (Banding("x", "year"), [datetime(2024, 5, 1, 3)], ["2024"]),
        (Banding("x", "decade"), [date(1999, 5, 1)], ["1990s"]),
    ],
)  # fmt: skip
def test_a_step_changes_each_value_as_it_says(step: Step, values: list[Any], expected: list[Any]) -> None:
    assert done(step, values) == expected


@given(
    st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=20), st.integers(1, 1000), st.integers(-(10**4), 10**4)
)
@settings(max_examples=examples(1.5), deadline=None)
def test_whole_numbers_are_changed_as_python_would(values: list[int], step: int, limit: int) -> None:
    assert done(Rounding("x", str(step)), values) == [round(Fraction(v, step)) * step for v in values]
    assert done(TopCoding("x", str(limit)), values) == [min(v, limit) for v in values]
    assert done(BottomCoding("x", str(limit)), [str(v) for v in values]) == [str(max(v, limit)) for v in values]
    bands = done(Banding("x", str(step)), values)
    for value, band in zip(values, bands, strict=True):
        low, high = map(int, band.split(" to under "))
        assert low <= value < high
        assert high - low == step


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: TopCoding("x", "much"), "needs a number, got 'much'"),
        (lambda: Rounding("x", "0"), "a number above 0"),
        (lambda: Banding("x", "10,5"), "must increase"),
        (lambda: Banding("x", "fortnight"), "got 'fortnight'"),
        (lambda: RareCategories("x", 0), "at least 1"),
        (lambda: done(TopCoding("x", "3"), ["1", "two"]), "holds 'two', which is no number"),
        (lambda: done(Rounding("x", "3"), ["nan"]), "holds 'nan', which is no number"),
        (lambda: done(TopCoding("x", "3"), [date(2020, 1, 1)]), "holds dates"),
        (lambda: done(Banding("x", "10"), [date(2020, 1, 1)]), "holds dates; use one of month"),
        (lambda: done(Banding("x", "year"), ["31.3.2024"]), "say how its dates are written"),
        (lambda: done(Rounding("x", "3"), [True]), "no number"),
        (lambda: done(Rounding("x", "3"), [None], pl.Boolean), "is of type Boolean, which it cannot change"),
        (lambda: done(TopCoding("x", "2020-01-31"), [None], pl.Boolean), "is of type Boolean"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(make: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()


def test_bands_are_ordered_by_their_lower_ends() -> None:
    values = list(range(-30, 130, 7))
    for spec in ("10", "0,18,65"):
        bands = done(Banding("x", spec), values)
        assert list(dict.fromkeys(bands)) == [*band_order(set(bands))]


def test_rare_categories_are_joined_and_missing_stays() -> None:
    frame = pl.DataFrame({"x": ["a", "a", "b", "b", "b", "c", None], "who": [1, 2, 3, 3, 3, 4, 5]})
    rows = RareCategories("x", 2).learn(tally_of(frame)).apply(frame)["x"].to_list()
    assert rows == ["a", "a", "b", "b", "b", "other", None]
    people = RareCategories("x", 2, "who").learn(tally_of(frame)).apply(frame)["x"].to_list()
    assert people == ["a", "a", "other", "other", "other", "other", None]


def test_pseudonyms_are_hmac_of_the_text_and_the_same_for_numbers_and_texts() -> None:
    expected = hmac.new(bytes(range(32)), b"shoal pseudonym\x0017", hashlib.sha256).hexdigest()[:24]
    assert done(Pseudonyms("x", KEY), [17, None]) == [expected, None]
    assert done(Pseudonyms("x", KEY), ["17"]) == [expected]
    assert done(Pseudonyms("x", SecretKey(Path("other"), bytes(32))), ["17"]) != [expected]


def test_dates_of_a_person_move_together_and_keep_their_distances() -> None:
    frame = pl.DataFrame(
        {
            "who": ["a", "a", "b", "b"] * 50,
            "came": [date(2020, 1, day) for day in (1, 9, 3, 4)] * 50,
            "left": [datetime(2020, 2, day, 13, 5) for day in (1, 9, 3, 4)] * 50,
        }
    )
    frame = frame.with_columns(pl.col("who") + pl.Series([str(i // 4) for i in range(200)]))
    moved = frame
    for column in ("came", "left"):
        moved = ShiftedDates(column, "who", 30, KEY).apply(moved)
    days = (moved["came"] - frame["came"]).dt.total_days()
    assert days.equals((moved["left"] - frame["left"]).dt.total_days())
    assert days.abs().to_numpy().max() <= 30
    assert days.n_unique() > 20
    assert (pl.DataFrame({"who": frame["who"], "days": days}).group_by("who").n_unique()["days"] == 1).all()
    with pytest.raises(InputError, match="nobody in 'who'"):
        ShiftedDates("came", "who", 30, KEY).apply(frame.with_columns(pl.lit(None, pl.String).alias("who")))


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "key"
    made = SecretKey.at(path)
    assert made.is_new
    assert not path.exists()
    made.save()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SecretKey.at(path).bits == made.bits
    assert made.bits.hex() not in repr(made)
    with pytest.raises(InputError, match="was created by another program during the run"):
        made.save()
    path.chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        SecretKey.at(path)
    path.chmod(0o600)
    path.write_text("hunter2")
    with pytest.raises(InputError, match="not a key file"):
        SecretKey.at(path)


def test_a_sample_keeps_rows_or_whole_people_also_in_pieces() -> None:
    frame = pl.DataFrame({"who": [i // 5 for i in range(10_000)], "x": range(10_000)})
    rows = Preparation(share=0.3).whole(frame, Randomness(1))
    assert 2_700 < rows.height < 3_300
    take = Preparation(share=0.3, person="who").sampled(Randomness(1))
    people = pl.concat([take(frame[start : start + 7]) for start in range(0, 10_000, 7)])
    assert 480 < people["who"].n_unique() < 720
    assert people.height == 5 * people["who"].n_unique()
    with pytest.raises(InputError, match="sample has no rows"):
        Preparation(share=1e-9).whole(frame, Randomness(1))


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (TopCoding("name", "3"), "an identifier, which is dropped"),
        (TopCoding("id", "3"), "the person column"),
        (Pseudonyms("age", KEY), "a quasi-identifier, which is recoded"),
        (Rounding("agee", "3"), "no column 'agee'. Did you mean 'age'"),
    ],
)
def test_a_role_that_does_not_go_with_a_step_is_refused(step: Step, says: str) -> None:
    schema = Schema(("age",), identifiers=("name",), person="id")
    with pytest.raises(InputError, match=says):
        Preparation((step,)).check(schema, ["age", "name", "id"])
