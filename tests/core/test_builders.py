"""Builders: the worked rules of each, what they refuse, and the promise that all of them keep."""

from __future__ import annotations

from datetime import date, datetime
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.builders import BUILDERS, Dates, FanOut, Grouping, Icd10, Intervals, Mask, Prefixes
from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.core.schema import HierarchyBuilder
from shoal.errors import InputError

CODES = ["", "*", "0", "02138", "02139", "021", "9", "a.b", "a.b.c", "a", "..", "{a, a.b}", "[a..a.b]", '"', "J45.0"]

patient = settings(deadline=None)
"""The first call loads a compiled kernel."""


def node_sets(hierarchy: Hierarchy, level: int) -> list[list[str]]:
    """The nodes of a level as lists of leaves."""
    spans = dict.fromkeys(zip(hierarchy.low[level].tolist(), hierarchy.high[level].tolist(), strict=True))
    return [list(hierarchy.leaves[low : high + 1]) for low, high in spans]


def assert_keeps_the_promise(hierarchy: Hierarchy, texts: list[str]) -> None:
    """Leaves exactly the texts, level 0 the identity, the star on top, nodes nested or disjoint, cover smallest."""
    n, levels = len(texts), hierarchy.n_levels
    assert sorted(hierarchy.leaves) == sorted(texts)
    assert hierarchy.low[0].tolist() == hierarchy.high[0].tolist() == list(range(n))
    assert set(hierarchy.labels[-1]) == {"*"}
    assert (hierarchy.low[-1] == 0).all()
    assert (hierarchy.high[-1] == n - 1).all()
    nodes = {frozenset(node) for level in range(levels) for node in node_sets(hierarchy, level)}
    assert all(one <= other or other <= one or not one & other for one, other in combinations(nodes, 2))
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    low, high, _ = hierarchy.cover(*np.array(pairs, np.int32).T)
    for place, (i, j) in enumerate(pairs):
        ends = {hierarchy.leaves[i], hierarchy.leaves[j]}
        assert set(hierarchy.leaves[low[place] : high[place] + 1]) == min((v for v in nodes if ends <= v), key=len)


def distinct(texts: st.SearchStrategy[str], most: int = 12) -> st.SearchStrategy[list[str]]:
    """Sorted distinct texts, at least one."""
    return st.lists(texts, min_size=1, max_size=most, unique=True).map(sorted)


anything = distinct(st.sampled_from(CODES) | st.text('01.ab*,{}[]" \\', max_size=5))
wholes = st.lists(st.integers(-60, 120), min_size=1, max_size=12, unique=True).map(sorted)
decimals = st.lists(st.integers(-500, 500), min_size=1, max_size=12, unique=True).map(
    lambda tenths: [str(tenth / 10) for tenth in sorted(tenths)]
)


class TestEveryBuilder:
    def test_is_in_the_registry_under_its_name(self) -> None:
        classes = [Intervals, Mask, Dates, FanOut, Prefixes, Grouping, Icd10]
        assert (
            dict(zip(["intervals", "mask", "dates", "fanout", "prefixes", "grouping", "icd10"], classes, strict=True))
            == BUILDERS
        )

    @pytest.mark.parametrize("builder", [Intervals(), Mask(), Dates(), FanOut(), Prefixes(), Grouping({"g": ["a"]})])
    def test_refuses_a_column_without_values(self, builder: HierarchyBuilder) -> None:
        with pytest.raises(InputError, match="'zip' has no values"):
            builder.build("zip", [], "nominal")

    @pytest.mark.parametrize("builder", [Intervals(), Mask(), FanOut(), Prefixes(), Grouping({"g": ["7"]})])
    def test_takes_a_column_of_one_value(self, builder: HierarchyBuilder) -> None:
        assert_keeps_the_promise(builder.build("x", ["7"], "nominal"), ["7"])


class TestIntervals:
    def test_bins_double_twice_by_default(self) -> None:
        hierarchy = Intervals().build("age", ["3", "17", "20", "24", "25", "39", "40"], "numeric")
        assert hierarchy.to_rows() == [
            ["3", "[0..4]", "[0..9]", "[0..19]", "*"],
            ["17", "[15..19]", "[10..19]", "[0..19]", "*"],
            ["20", "[20..24]", "[20..29]", "[20..39]", "*"],
            ["24", "[20..24]", "[20..29]", "[20..39]", "*"],
            ["25", "[25..29]", "[20..29]", "[20..39]", "*"],
            ["39", "[35..39]", "[30..39]", "[20..39]", "*"],
            ["40", "[40..44]", "[40..49]", "[40..59]", "*"],
        ]

    def test_negative_numbers_and_an_origin(self) -> None:
        hierarchy = Intervals(10, factors=[3], origin=-5).build("t", ["-16", "-15", "-6", "-5", "4", "5"], "numeric")
        assert hierarchy.labels[1] == ("[-25..-16]", "[-15..-6]", "[-15..-6]", "[-5..4]", "[-5..4]", "[5..14]")
        assert hierarchy.labels[2] == ("[-35..-6]",) * 3 + ("[-5..24]",) * 3

    def test_decimals_are_half_open_and_exact(self) -> None:
        hierarchy = Intervals(0.1, factors=[5]).build("x", ["-0.1", "0.29", "0.3", "0.7", "1.0"], "numeric")
        assert hierarchy.labels[1] == ("[-0.1..0)", "[0.2..0.3)", "[0.3..0.4)", "[0.7..0.8)", "[1..1.1)")
        assert hierarchy.labels[2] == ("[-0.5..0)", "[0..0.5)", "[0..0.5)", "[0.5..1)", "[1..1.5)")
        assert Intervals(1, [], 0.5).build("x", ["1.5", "2.4"], "numeric").labels[1] == ("[1.5..2.5)",) * 2

    def test_one_decimal_makes_all_labels_half_open(self) -> None:
        assert Intervals(5, []).build("x", ["1", "7.5"], "numeric").labels[1] == ("[0..5)", "[5..10)")

    def test_whole_numbers_may_be_written_as_floats(self) -> None:
        assert Intervals(5.0, []).build("x", ["1.0", "7.0"], "numeric").labels[1] == ("[0..4]", "[5..9]")

    def test_bins_of_width_one_are_the_number(self) -> None:
        assert Intervals(1, [2]).build("x", ["-1", "3"], "numeric").labels[1:3] == (("-1", "3"), ("[-2..-1]", "[2..3]"))

    def test_cuts_have_open_ends_and_merge_from_the_first(self) -> None:
        ages = ["-1", "0", "17", "18", "64", "65", "99"]
        hierarchy = Intervals(cuts=[0, 18, 30, 65], factors=[2]).build("age", ages, "numeric")
        assert hierarchy.labels[1] == ("[..-1]", "[0..17]", "[0..17]", "[18..29]", "[30..64]", "[65..]", "[65..]")
        assert hierarchy.labels[2] == ("[..-1]", *["[0..29]"] * 3, *["[30..]"] * 3)

    def test_decimal_cuts(self) -> None:
        hierarchy = Intervals(cuts=[0.5, 2], factors=[]).build("x", ["0", "0.5", "1.9", "2"], "numeric")
        assert hierarchy.labels[1] == ("[..0.5)", "[0.5..2)", "[0.5..2)", "[2..]")

    def test_huge_and_tiny_numbers(self) -> None:
        texts = ["-1e300", "0.0", "1e-300", "1e300"]
        assert len(node_sets(Intervals().build("x", texts, "numeric"), 1)) == 3

    def test_text_order_becomes_value_order(self) -> None:
        assert Intervals().build("x", ["10", "5", "7"], "nominal").leaves == ("5", "7", "10")

    @pytest.mark.parametrize("text", ["old", "", "nan", "inf", "1e999", "1/2", "12 years"])
    def test_refuses_what_is_no_finite_number_by_name(self, text: str) -> None:
        with pytest.raises(InputError, match=rf"finite numbers in the column 'age', got '{text}'"):
            Intervals().build("age", ["1", text], "numeric")

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"width": 0}, "width must be above 0, got 0"),
            ({"width": "wide"}, "width must be a finite number, got 'wide'"),
            ({"width": True}, "width must be a finite number, got True"),
            ({"origin": float("nan")}, "origin must be a finite number"),
            ({"factors": [2, 1]}, "factor of Intervals must be at least 2, got 1"),
            ({"factors": {"a": 1}}, "factors must be a list"),
            ({"cuts": []}, "at least one cut"),
            ({"cuts": [0, 5, 5]}, "must ascend, but 5 follows 5"),
            ({"cuts": [1], "width": 5}, "not both"),
            ({"cuts": [1], "origin": 5}, "not both"),
        ],
    )
    def test_refuses_bad_parameters_when_made(self, parameters: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            Intervals(**parameters)

    @patient
    @given(wholes, st.integers(1, 9), st.lists(st.integers(2, 4), max_size=3), st.integers(-7, 7))
    def test_whole_bins_are_what_floor_division_says(
        self, values: list[int], width: int, factors: list[int], origin: int
    ) -> None:
        texts = [str(value) for value in values]
        hierarchy = Intervals(width, factors, origin).build("x", texts, "numeric")
        assert_keeps_the_promise(hierarchy, texts)
        assert list(hierarchy.leaves) == texts
        for level in range(1, hierarchy.n_levels - 1):
            span = width * int(np.prod(factors[: level - 1]))
            low = [origin + (value - origin) // span * span for value in values]
            labels = [str(a) if span == 1 else f"[{a}..{a + span - 1}]" for a in low]
            assert list(hierarchy.labels[level]) == labels

    @patient
    @given(decimals, st.sampled_from([0.1, 0.5, 3, 12.5]), st.lists(st.integers(2, 3), max_size=2))
    def test_decimals_keep_the_promise_and_their_order(
        self, texts: list[str], width: float, factors: list[int]
    ) -> None:
        hierarchy = Intervals(width, factors).build("x", texts, "numeric")
        assert_keeps_the_promise(hierarchy, texts)
        assert list(hierarchy.leaves) == texts

    @patient
    @given(decimals, st.lists(st.integers(-40, 40), min_size=1, max_size=6, unique=True).map(sorted))
    def test_cuts_keep_the_promise_and_separate(self, texts: list[str], cuts: list[int]) -> None:
        hierarchy = Intervals(cuts=cuts).build("x", texts, "numeric")
        assert_keeps_the_promise(hierarchy, texts)
        assert list(hierarchy.leaves) == texts
        bins = [sum(cut <= float(text) for cut in cuts) for text in texts]
        assert [len(node) for node in node_sets(hierarchy, 1)] == [bins.count(b) for b in sorted(set(bins))]


class TestMask:
    def test_digit_by_digit_from_the_right(self) -> None:
        hierarchy = Mask().build("zip", ["02138", "02139", "94103"], "nominal")
        assert hierarchy.to_rows()[0] == ["02138", "0213*", "021**", "02***", "0****", "*"]
        assert node_sets(hierarchy, 1) == [["02138", "02139"], ["94103"]]

    def test_from_the_left_with_another_character_and_fewer_levels(self) -> None:
        hierarchy = Mask(char="x", from_right=False, levels=2).build("id", ["A17", "B17", "A28"], "nominal")
        assert hierarchy.to_rows() == [
            ["A17", "x17", "xx7", "*"],
            ["B17", "x17", "xx7", "*"],
            ["A28", "x28", "xx8", "*"],
        ]

    def test_shorter_texts_stay_themselves_until_the_mask_reaches_them(self) -> None:
        hierarchy = Mask().build("zip", ["021", "02139", "03"], "nominal")
        assert hierarchy.to_rows() == [
            ["021", "021", "021**", "02***", "0****", "*"],
            ["02139", "0213*", "021**", "02***", "0****", "*"],
            ["03", "03", "03", "03***", "0****", "*"],
        ]

    def test_padding_restores_leading_zeros(self) -> None:
        hierarchy = Mask(pad="0", levels=2).build("zip", ["2138", "2139", "94103"], "nominal")
        assert hierarchy.to_rows()[0] == ["2138", "0213*", "021**", "*"]

    def test_numeric_columns_are_padded_and_keep_their_order(self) -> None:
        hierarchy = Mask(levels=4).build("zip", ["2139", "10001", "20000"], "numeric")
        assert hierarchy.leaves == ("2139", "10001", "20000")
        assert hierarchy.labels[4] == ("0****", "1****", "2****")

    @pytest.mark.parametrize("text", ["-5", "2139.0", "1e5"])
    def test_refuses_numbers_that_are_no_codes(self, text: str) -> None:
        with pytest.raises(InputError, match=f"whole numbers without a sign in the numeric column 'zip', got '{text}'"):
            Mask().build("zip", ["1", text], "numeric")

    def test_refuses_free_text_unless_levels_are_given(self) -> None:
        with pytest.raises(InputError, match="'note' would have 998 levels"):
            Mask().build("note", ["a" * 999, "b"], "nominal")
        assert Mask(levels=3).build("note", ["a" * 999, "b"], "nominal").n_levels == 5

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"char": "**"}, "char must be a single character"),
            ({"char": 0}, "char must be a single character, got 0"),
            ({"pad": ""}, "pad must be a single character"),
            ({"levels": 0}, "levels must be at least 1"),
            ({"from_right": "left"}, "from_right must be true or false, got 'left'"),
        ],
    )
    def test_refuses_bad_parameters_when_made(self, parameters: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            Mask(**parameters)

    @patient
    @given(anything, st.booleans(), st.none() | st.integers(1, 4), st.none() | st.sampled_from("0*a"))
    def test_any_texts_keep_the_promise(
        self, texts: list[str], from_right: bool, levels: int | None, pad: str | None
    ) -> None:
        assert_keeps_the_promise(Mask("*", from_right, levels, pad).build("x", texts, "nominal"), texts)

    @patient
    @given(st.lists(st.text("01", max_size=4), min_size=1, unique=True).map(sorted), st.booleans())
    def test_nodes_are_the_texts_with_the_same_kept_part(self, texts: list[str], from_right: bool) -> None:
        hierarchy = Mask(from_right=from_right).build("x", texts, "nominal")
        longest = max(map(len, texts))
        filled = {text: text.ljust(longest, "_") if from_right else text.rjust(longest, "_")[::-1] for text in texts}
        for level in range(1, hierarchy.n_levels - 1):
            for node in node_sets(hierarchy, level):
                kept = {filled[text][: longest - level] for text in node}
                assert len(kept) == 1
                assert set(node) == {text for text in texts if filled[text][: longest - level] in kept}


class TestDates:
    def test_day_to_decade(self) -> None:
        hierarchy = Dates().build("born", ["2019-12-31", "2024-02-29", "2024-03-01", "2024-04-01"], "date")
        assert hierarchy.to_rows() == [
            ["2019-12-31", "2019-12", "2019-Q4", "2019", "2010s", "*"],
            ["2024-02-29", "2024-02", "2024-Q1", "2024", "2020s", "*"],
            ["2024-03-01", "2024-03", "2024-Q1", "2024", "2020s", "*"],
            ["2024-04-01", "2024-04", "2024-Q2", "2024", "2020s", "*"],
        ]

    @pytest.mark.parametrize(
        "text",
        ["2024-03-01 09:30:00", "2024-03-01T09:30:00", "2024-03-01 09:30:00.000123", "2024-03-01T23:30:00+02:00"],
    )
    def test_datetimes(self, text: str) -> None:
        hierarchy = Dates(levels=["day", "year"]).build("seen", [text], "date")
        assert hierarchy.to_rows() == [[text, "2024-03-01", "2024", "*"]]

    @pytest.mark.parametrize(
        "text", ["01/03/2024", "2024-02-30", "2024-3-1", "20240301", "2024-03-01 at 9", "", "2024-W09-5"]
    )
    def test_refuses_other_texts_by_name(self, text: str) -> None:
        with pytest.raises(InputError, match=rf"dates such as 2024-03-01 in the column 'born', got '{text}'"):
            Dates().build("born", ["2024-01-01", text], "date")

    @pytest.mark.parametrize(
        ("levels", "message"),
        [
            (["month", "week"], "weeks do not nest in months"),
            (["month", "yaer"], "no level 'yaer'. Did you mean 'year'"),
            (["year", "month"], "from short to long, but 'month' follows 'year'"),
            (["year", "year"], "from short to long"),
            ([], "at least one level"),
            ([3], "no level 3"),
        ],
    )
    def test_refuses_bad_levels_when_made(self, levels: list[Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            Dates(levels)

    @patient
    @given(
        st.lists(st.dates() | st.datetimes(), min_size=1, max_size=12, unique_by=str),
        st.lists(st.sampled_from(["day", "month", "quarter", "year", "decade"]), min_size=1, unique=True),
    )
    def test_any_dates_keep_the_promise_and_their_order(self, days: list[date | datetime], levels: list[str]) -> None:
        order = ["day", "month", "quarter", "year", "decade"]
        texts = sorted(str(day) for day in days)
        hierarchy = Dates(sorted(levels, key=order.index)).build("x", texts, "date")
        assert_keeps_the_promise(hierarchy, texts)
        assert list(hierarchy.leaves) == texts

    @patient
    @given(st.lists(st.dates(), min_size=1, max_size=12, unique=True).map(sorted))
    def test_periods_are_those_of_the_calendar(self, days: list[date]) -> None:
        hierarchy = Dates().build("x", [str(day) for day in days], "date")
        periods: list[list[Any]] = [
            [(d.year, d.month) for d in days],
            [(d.year, (d.month - 1) // 3) for d in days],
            [d.year for d in days],
            [d.year // 10 for d in days],
        ]
        for level, keys in enumerate(periods, 1):
            starts = [keys.index(key) for key in keys]
            assert hierarchy.low[level].tolist() == starts


class TestFanOut:
    def test_neighbours_merge_until_one_group_remains(self) -> None:
        hierarchy = FanOut(3).build("grade", [*"123456789", "10"], "numeric")
        assert hierarchy.n_levels == 4
        assert node_sets(hierarchy, 1) == [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["10"]]
        assert node_sets(hierarchy, 2) == [list("123456789"), ["10"]]
        assert [*dict.fromkeys(hierarchy.labels[1])] == ["[1..3]", "[4..6]", "[7..9]", "10"]
        assert [*dict.fromkeys(hierarchy.labels[2])] == ["[1..9]", "10"]

    def test_nominal_values_are_labelled_as_sets(self) -> None:
        hierarchy = FanOut(3).build("job", list("abcdefghij"), "nominal")
        assert [*dict.fromkeys(hierarchy.labels[1])] == ["{a, b, c}", "{d, e, f}", "{g, h, i}", "j"]
        assert [*dict.fromkeys(hierarchy.labels[2])] == ["{a, ..., i}", "j"]

    def test_a_given_order_makes_ranges(self) -> None:
        hierarchy = FanOut(2, order=["low", "mid", "high", "top"]).build("risk", ["high", "low", "mid"], "nominal")
        assert hierarchy.to_rows() == [["low", "[low..mid]", "*"], ["mid", "[low..mid]", "*"], ["high", "high", "*"]]

    def test_few_values_are_directly_under_the_star(self) -> None:
        assert FanOut(3).build("x", ["a", "b", "c"], "nominal").n_levels == 2

    def test_texts_that_look_like_labels_are_quoted(self) -> None:
        hierarchy = FanOut(2).build("x", ["a", "b", "{a, b}"], "nominal")
        assert hierarchy.labels[1] == ("{a, b}", "{a, b}", '"{a, b}"')

    def test_groups_with_dots_in_their_texts_stay_apart(self) -> None:
        hierarchy = FanOut(2).build("x", ["a", "b..c", "a..b", "c", "d"], "ordinal")
        assert hierarchy.labels[1] == ('[a.."b..c"]',) * 2 + ('["a..b"..c]',) * 2 + ("d",)

    def test_refuses_a_value_outside_the_order(self) -> None:
        with pytest.raises(InputError, match="lacks the value 'odd' of the column 'risk'"):
            FanOut(order=["low", "high"]).build("risk", ["low", "odd"], "nominal")

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"fanout": 1}, "fanout must be at least 2"),
            ({"fanout": 2.5}, "fanout must be a whole number"),
            ({"order": ["a", "b", "a"]}, "names 'a' twice"),
        ],
    )
    def test_refuses_bad_parameters_when_made(self, parameters: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            FanOut(**parameters)

    @patient
    @given(anything, st.integers(2, 4), st.sampled_from(["nominal", "ordinal"]))
    def test_any_texts_keep_the_promise_and_groups_have_fanout_members(
        self, texts: list[str], fanout: int, kind: Kind
    ) -> None:
        hierarchy = FanOut(fanout).build("x", texts, kind)
        assert_keeps_the_promise(hierarchy, texts)
        assert list(hierarchy.leaves) == texts
        for level in range(1, hierarchy.n_levels - 1):
            sizes = [len(node) for node in node_sets(hierarchy, level)]
            assert set(sizes[:-1]) == {fanout**level}
            assert sizes[-1] <= fanout**level


class TestPrefixes:
    def test_first_characters(self) -> None:
        hierarchy = Prefixes((3, 1)).build("icd", ["I1", "I10", "J45.0", "J45.1", "J46"], "nominal")
        assert hierarchy.to_rows() == [
            ["I1", "I1", "I*", "*"],
            ["I10", "I10*", "I*", "*"],
            ["J45.0", "J45*", "J*", "*"],
            ["J45.1", "J45*", "J*", "*"],
            ["J46", "J46*", "J*", "*"],
        ]
        assert Prefixes().build("icd", ["J45.0"], "nominal").n_levels == 4

    def test_parts_before_separators(self) -> None:
        hierarchy = Prefixes(separator=".").build("unit", ["a", "a.b.c", "a.b.d", "a.e", "b.c"], "nominal")
        assert hierarchy.to_rows() == [
            ["a", "a", "a.*", "*"],
            ["a.b.c", "a.b", "a.*", "*"],
            ["a.b.d", "a.b", "a.*", "*"],
            ["a.e", "a.e", "a.*", "*"],
            ["b.c", "b.c", "b", "*"],
        ]

    def test_refuses_free_text(self) -> None:
        with pytest.raises(InputError, match=r"'note' would have 60 levels.*choose another separator"):
            Prefixes(separator=" ").build("note", ["so " * 59], "nominal")

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"lengths": [1, 3]}, "must descend, but 3 follows 1"),
            ({"lengths": [2, 2]}, "must descend"),
            ({"lengths": [0]}, "must be at least 1"),
            ({"lengths": []}, "at least one length"),
            ({"lengths": [3], "separator": "."}, "not both"),
            ({"separator": ""}, "separator must be a text such as '.'"),
        ],
    )
    def test_refuses_bad_parameters_when_made(self, parameters: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            Prefixes(**parameters)

    @patient
    @given(anything, st.lists(st.integers(1, 5), min_size=1, unique=True).map(lambda x: sorted(x, reverse=True)))
    def test_any_texts_keep_the_promise(self, texts: list[str], lengths: list[int]) -> None:
        hierarchy = Prefixes(lengths).build("x", texts, "nominal")
        assert_keeps_the_promise(hierarchy, texts)
        for level, length in enumerate(lengths, 1):
            assert sorted(node_sets(hierarchy, level)) == sorted(
                [text for text in texts if text[:length] == start] for start in {text[:length] for text in texts}
            )

    @patient
    @given(anything, st.sampled_from([".", "a", "aa", ", "]))
    def test_separators_keep_the_promise(self, texts: list[str], separator: str) -> None:
        hierarchy = Prefixes(separator=separator).build("x", texts, "nominal")
        assert_keeps_the_promise(hierarchy, texts)
        for level in range(1, hierarchy.n_levels - 1):
            kept = hierarchy.n_levels - 1 - level
            starts = [text.split(separator)[:kept] for text in hierarchy.leaves]
            assert hierarchy.low[level].tolist() == [starts.index(start) for start in starts]


STATES = {"north": ["ME", "VT"], "south": {"gulf": ["TX", "LA"], "inland": ["TN"]}}


class TestGrouping:
    def test_groups_may_be_nested_and_unbalanced(self) -> None:
        hierarchy = Grouping(STATES).build("state", ["LA", "ME", "TN"], "nominal")
        assert hierarchy.to_rows() == [
            ["LA", "gulf", "south", "*"],
            ["TN", "inland", "south", "*"],
            ["ME", "ME", "north", "*"],
        ]

    def test_order_is_kept_where_groups_are_neighbours(self) -> None:
        grouping = Grouping({"big": ["8", "9"], "small": ["1", "2"]})
        assert grouping.build("x", ["1", "2", "8", "9"], "ordinal").leaves == ("1", "2", "8", "9")

    def test_numbers_may_be_listed(self) -> None:
        assert Grouping({"small": [1, 2.5]}).build("x", ["1", "2.5"], "numeric").labels[1] == ("small", "small")

    def test_a_value_in_no_group_is_named(self) -> None:
        with pytest.raises(InputError, match=r"'TXX' of the column 'state' is in no group.* Did you mean 'TX'"):
            Grouping(STATES).build("state", ["ME", "TXX"], "nominal")

    def test_others_catch_the_rest(self) -> None:
        hierarchy = Grouping(STATES, others="other").build("state", ["ME", "TX", "XY", "ZZ"], "nominal")
        assert hierarchy.to_rows()[2:] == [["XY", "XY", "other", "*"], ["ZZ", "ZZ", "other", "*"]]
        joined = Grouping(STATES, others="north").build("state", ["ME", "XY"], "nominal")
        assert node_sets(joined, 2) == [["ME", "XY"]]

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"groups": ["a"]}, "must map names to lists"),
            ({"groups": {}}, "is empty"),
            ({"groups": {"g": ["a"], "h": ["a"]}}, "the value 'a' has two rows"),
            ({"groups": {"g": {"x": ["a"]}, "h": {"x": ["b"]}}}, "'x' on level 1 has two parents, 'g' and 'h'"),
            ({"groups": {"g": ["a"]}, "others": ""}, "others must be the name of a group"),
        ],
    )
    def test_refuses_bad_parameters_when_made(self, parameters: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            Grouping(**parameters)

    @patient
    @given(st.data())
    def test_any_groups_keep_the_promise(self, data: st.DataObject) -> None:
        texts = data.draw(distinct(st.sampled_from("abcdefgh")))
        of = {text: data.draw(st.sampled_from(["g1", "g2", "g3/x", "g3/y", "none"])) for text in texts}
        groups: dict[str, Any] = {"g1": ["z"], "g2": [], "g3": {"x": [], "y": []}}
        for text, place in of.items():
            outer, _, inner = place.partition("/")
            if outer != "none":
                (groups[outer][inner] if inner else groups[outer]).append(text)
        hierarchy = Grouping(groups, others="none").build("x", texts, "nominal")
        assert_keeps_the_promise(hierarchy, texts)
        outer_of = [of[text].split("/")[0] for text in hierarchy.leaves]
        assert list(hierarchy.labels[-2]) == outer_of


def test_dates_before_the_earliest_year_are_one_group_on_every_level() -> None:
    texts = ["1899-01-01", "1934-12-31", "1935-01-01", "1935-02-01", "1936-05-05"]
    made = Dates(levels=["month", "year", "decade"], earliest=1935).build("born", texts, "date")
    assert_keeps_the_promise(made, texts)
    assert made.to_rows()[0] == ["1899-01-01", *["[..1934-12-31]"] * 3, "*"]
    assert made.to_rows()[2] == ["1935-01-01", "1935-01", "1935", "1930s", "*"]
    with pytest.raises(InputError, match="The earliest year must be a whole number"):
        Dates(earliest="long ago")  # type: ignore[arg-type]


def test_hidden_prefixes_are_one_group_of_zeros() -> None:
    texts = ["03601", "05901", "10001", "10002"]
    made = Prefixes(lengths=[3], hidden="036/059").build("zip", texts, "nominal")
    assert_keeps_the_promise(made, texts)
    assert dict(zip(made.leaves, made.labels[1], strict=True)) == {
        "03601": "000", "05901": "000", "10001": "100*", "10002": "100*",
    }  # fmt: skip
    with pytest.raises(InputError, match="not parts between separators"):
        Prefixes(separator=".", hidden=["a"])
