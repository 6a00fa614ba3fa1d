"""The verb ``verify``: any table, as it stands."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import polars as pl
import pytest

import shoal

RELEASED = pl.DataFrame(
    {
        "zip": ["2203*"] * 6 + ["2204*"] * 3,
        "marital": ["been", "been", "never", "never", "never", "been", "been", "been", "been"],
        "sex": ["F", "F", "M", "M", "M", "F", "M", "M", "M"],
        "disease": ["hyper", "hyper", "obesity", "HIV", "obesity", "hyper", "obesity", "HIV", "HIV"],
    }
)
QUASI = ["zip", "marital", "sex"]


def test_figure_18_is_three_anonymous_but_one_class_has_a_single_disease() -> None:
    checked = shoal.verify(
        RELEASED, quasi_identifiers=QUASI, sensitive=["disease"], privacy=[shoal.KAnonymity(3), shoal.LDiversity(2)]
    )
    k, diversity = checked.verdicts
    assert (k.holds, k.achieved, k.n_groups) == (True, 3, 3)
    assert (diversity.holds, diversity.achieved, diversity.n_failing) == (False, 1, 1)
    assert not checked.holds
    worst = next(entry for entry in checked.worst if entry.promise.startswith("2-diversity"))
    assert worst.labels == {"zip": "2203*", "marital": "been", "sex": "F"}
    assert (worst.size, worst.measure) == (3, 1)


def test_a_missing_quasi_identifier_is_a_value_and_not_a_reason_to_look_away() -> None:
    frame = pl.DataFrame({"age": [30, 30, 30, None], "zip": ["a", "a", "a", "a"]})
    checked = shoal.verify(frame, quasi_identifiers=["age", "zip"], privacy=shoal.KAnonymity(3))
    assert not checked.holds
    assert checked.verdicts[0].achieved == 1


def test_the_order_of_rows_and_the_index_do_not_matter() -> None:
    frame = RELEASED.to_pandas()
    for seed in range(5):
        shuffled = frame.sample(frac=1, random_state=seed)
        checked = shoal.verify(shuffled, quasi_identifiers=QUASI, sensitive=["disease"], privacy=[shoal.LDiversity(2)])
        assert checked.verdicts[0].achieved == 1


def test_a_column_of_nothing_but_missing_is_constant() -> None:
    frame = pl.DataFrame({"x": [None, None], "y": ["a", "a"]}, schema={"x": pl.String, "y": pl.String})
    assert shoal.verify(frame, quasi_identifiers=["x", "y"], privacy=shoal.KAnonymity(2)).holds


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"quasi_identifiers": ["zipp"]}, "Did you mean 'zip'"),
        ({"quasi_identifiers": []}, "No quasi-identifier"),
        ({"privacy": []}, "No privacy model was named"),
        ({"privacy": [shoal.LDiversity(2)], "sensitive": []}, "needs a sensitive column"),
    ],
)
def test_bad_questions_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(shoal.InputError, match=says):
        shoal.verify(RELEASED, **{"quasi_identifiers": QUASI, "privacy": shoal.KAnonymity(2), **change})


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(shoal.InputError, match="0 rows"):
        shoal.verify(RELEASED.clear(), quasi_identifiers=QUASI, privacy=shoal.KAnonymity(2))


class TestOrderedDistances:
    """The classes {9, 80}, {10, 100}: with numbers as texts 10 and 100 would come first."""

    FRAME = pl.DataFrame({"q": ["a", "a", "b", "b"], "pay": [9, 10, 80, 100]})
    WORDS: ClassVar[dict[str, Any]] = {"quasi_identifiers": ["q"], "sensitive": ["pay"]}

    def achieved(self, data: object, **more: Any) -> float:
        promise = shoal.TCloseness(0.25, "ordered")
        return shoal.verify(data, privacy=promise, **self.WORDS, **more).verdicts[0].achieved

    def test_numbers_are_ordered_by_size_in_every_format(self, tmp_path: Path) -> None:
        self.FRAME.write_csv(tmp_path / "r.csv")
        self.FRAME.write_parquet(tmp_path / "r.parquet")
        found = [self.achieved(data) for data in (self.FRAME, tmp_path / "r.csv", tmp_path / "r.parquet")]
        assert found == pytest.approx([1 / 3] * 3)

    def test_texts_need_an_order(self) -> None:
        frame = self.FRAME.with_columns(pay=pl.Series(["low", "mid", "high", "top"]))
        with pytest.raises(shoal.InputError, match=r"needs an order of 'pay'.*--order pay=VALUES"):
            self.achieved(frame)
        assert self.achieved(frame, orders={"pay": ["low", "mid", "high", "top"]}) == pytest.approx(1 / 3)
        assert self.achieved(frame, orders={"pay": ["low", "high", "mid", "top"]}) == pytest.approx(1 / 6)

    def test_a_hierarchical_distance_takes_the_hierarchy(self) -> None:
        with pytest.raises(shoal.InputError, match="needs a hierarchy of 'pay'"):
            shoal.verify(self.FRAME, privacy=shoal.TCloseness(0.5, "hierarchical"), **self.WORDS)
        found = shoal.verify(
            self.FRAME,
            privacy=shoal.TCloseness(0.5, "hierarchical"),
            hierarchies={"pay": "intervals:width=50"},
            **self.WORDS,
        )
        assert found.verdicts[0].achieved > 0

    def test_numbers_that_cannot_be_compared_are_values_all_the_same(self) -> None:
        frame = self.FRAME.with_columns(pay=pl.Series([1.0, float("inf"), 2.0, 2.0]))
        found = shoal.verify(frame, privacy=shoal.LDiversity(2), **self.WORDS)
        assert [verdict.achieved for verdict in found.verdicts] == [1]


class TestTwoTables:
    ROWS = pl.DataFrame({"age": [1, 2, 3, 4, 5], "bucket": ["1", "1", "1", "2", "2"]})
    VALUES = pl.DataFrame({"bucket": ["1", "1", "2", "2"], "ill": ["a", "b", "a", "b"], "count": [1, 2, 1, 1]})

    def verify(self, rows: pl.DataFrame, values: pl.DataFrame) -> bool:
        words: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "privacy": shoal.LDiversity(2)}
        return shoal.verify(rows, sensitive_table=values, **words).holds

    def test_they_are_joined(self) -> None:
        assert self.verify(self.ROWS, self.VALUES)

    @pytest.mark.parametrize(
        ("counts", "says"),
        [
            ([1, 3, 1, 1], "equally many rows"),
            ([1, 2, 1, 4_000_000_000_000], "equally many rows"),
            ([1, 2, 1, 2**63 - 1], "equally many rows"),
            ([1, 2, 3, -1], "at least 1 row in 'count'"),
            ([1, 2, 2, 0], "at least 1 row in 'count'"),
            ([1, 2, 1, None], "at least 1 row in 'count'"),
            (["1", "2", "1", "one"], "in whole numbers"),
        ],
    )
    def test_counts_that_cannot_be_are_refused_before_room_is_made(self, counts: list[object], says: str) -> None:
        with pytest.raises(shoal.InputError, match=says):
            self.verify(self.ROWS, self.VALUES.with_columns(pl.Series("count", counts)))

    def test_every_row_has_a_bucket(self) -> None:
        with pytest.raises(shoal.InputError, match="first table has a row without a value in 'bucket'"):
            self.verify(self.ROWS.with_columns(pl.Series("bucket", ["1", "1", None, "2", "2"])), self.VALUES)
        with pytest.raises(shoal.InputError, match="second table has a row without a value in 'bucket'"):
            self.verify(self.ROWS, self.VALUES.with_columns(pl.Series("bucket", ["1", None, "2", "2"])))


class TestMatches:
    ORIGINAL = pl.DataFrame({"age": [20, 21, 22, 23], "zip": ["a", "b", "a", "b"]})
    RING = pl.DataFrame({"age": ["[20..21]", "[21..22]", "[22..23]", "*"], "zip": ["{a, b}"] * 4})
    QUASI = ("age", "zip")

    def verify(self, *promises: shoal.PrivacyModel, **more: Any) -> shoal.Verification:
        return shoal.verify(self.RING, quasi_identifiers=self.QUASI, privacy=promises, **more)

    def test_they_are_read_from_the_labels_with_the_original(self) -> None:
        assert self.verify(shoal.KK(2), shoal.KConcealment(2), original=self.ORIGINAL).holds
        assert self.verify(shoal.KK(3), original=self.ORIGINAL).is_broken

    def test_without_it_nothing_is_denied(self) -> None:
        found = self.verify(shoal.KK(2), shoal.KAnonymity(1))
        assert (found.holds, found.is_broken, len(found.verdicts)) == (False, False, 1)
        assert [one.promise for one in found.untold] == ["(2,2)-anonymity"]
        assert "--original" in found.untold[0].why

    def test_the_worst_are_named_by_their_labels(self) -> None:
        worst = self.verify(shoal.KOne(3), original=self.ORIGINAL).worst
        assert {entry.labels["age"] for entry in worst if entry.measure < 3} == {"[20..21]", "[21..22]", "[22..23]"}

    def test_which_rows_were_left_out_cannot_be_seen(self) -> None:
        more = pl.concat([self.ORIGINAL, pl.DataFrame({"age": [22], "zip": ["a"]})])
        found = self.verify(shoal.KK(2), original=more)
        assert "1 records fewer" in found.untold[0].why
        assert "only the rows that were published" in found.untold[0].why

    @pytest.mark.parametrize(
        ("original", "says"),
        [
            (ORIGINAL.with_columns(age=pl.Series([20, 20, 20, 20])), "have no row"),
            (ORIGINAL.head(3), "only 3 rows"),
            (ORIGINAL.drop("zip"), "no column 'zip'"),
        ],
    )
    def test_another_table_is_refused(self, original: pl.DataFrame, says: str) -> None:
        with pytest.raises(shoal.InputError, match=says):
            self.verify(shoal.KK(2), original=original)

    def test_a_population_is_asked_for(self) -> None:
        found = self.verify(shoal.KMap(2), shoal.DeltaPresence(0.5), original=self.ORIGINAL)
        assert [one.why.count("--population") for one in found.untold] == [1, 1]
        everybody = pl.concat([self.ORIGINAL, self.ORIGINAL])
        assert self.verify(shoal.KMap(2), population=everybody).holds
        assert self.verify(shoal.DeltaPresence(0.5), population=everybody, original=self.ORIGINAL).holds
        assert self.verify(shoal.DeltaPresence(0.4), population=everybody, original=self.ORIGINAL).is_broken


def test_releases_of_ours_are_seen_to_keep_their_matches() -> None:
    people = pl.DataFrame({"age": [20 + 7 * i % 23 for i in range(40)], "zip": [f"z{i * i % 7}" for i in range(40)]})
    for promise in (shoal.KConcealment(3), shoal.KK(3), shoal.KOne(3), shoal.OneK(3), shoal.UniformMatching(3)):
        release = shoal.anonymize(people, quasi_identifiers=["age", "zip"], privacy=promise, seed=1).to_frame()
        found = shoal.verify(release, quasi_identifiers=["age", "zip"], privacy=promise, original=people)
        assert found.holds, promise


@pytest.mark.parametrize("texts", [["0.0", "-0.0"], ["1", "1.0"], ["1e3", "1000"]])
def test_equal_numbers_spelled_differently_are_one_sensitive_value(texts: list[str]) -> None:
    table = pl.DataFrame({"q": ["a", "a"], "s": texts})
    found = shoal.verify(table, quasi_identifiers=["q"], sensitive=["s"], privacy=shoal.LDiversity(2))
    assert not found.holds
    with pytest.raises(shoal.ImpossibleGoal):
        shoal.anonymize(table, quasi_identifiers=["q"], sensitive=["s"], privacy=shoal.LDiversity(2))


@pytest.mark.parametrize("values", [[0.0, -0.0, 1.0, 1.0], [None, math.nan, 1.0, 1.0]])
@pytest.mark.parametrize("kind", ["frame", "parquet", "duckdb"])
def test_quasi_identifiers_that_a_reader_can_tell_apart_are_not_alike(
    values: list[float | None], kind: str, tmp_path: Path
) -> None:
    table = pl.DataFrame({"q": pl.Series(values, dtype=pl.Float64), "s": pl.Series(values, dtype=pl.Float64)})
    at: pl.DataFrame | str = table
    if kind == "parquet":
        at = str(tmp_path / "release.parquet")
        table.write_parquet(at)
    if kind == "duckdb":
        at = f"duckdb:///{tmp_path}/release.db#release"
        with duckdb.connect(tmp_path / "release.db") as database:
            database.register("made", table.to_arrow())
            database.execute("CREATE TABLE release AS SELECT * FROM made")
    found = shoal.verify(at, quasi_identifiers=["q"], privacy=shoal.KAnonymity(2))
    assert found.is_broken
    assert found.verdicts[0].achieved == 1
    assert {one.labels["q"] for one in found.worst if one.size == 1} in ({"0.0", "-0.0"}, {"NaN", None})


def test_zeros_of_either_sign_are_one_sensitive_value() -> None:
    table = pl.DataFrame({"q": [0.0, 0.0], "s": [0.0, -0.0]})
    found = shoal.verify(table, quasi_identifiers=["q"], sensitive=["s"], privacy=shoal.LDiversity(2))
    assert found.is_broken
