"""Hierarchies: made from rows, levels and dicts, and what they answer."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.hierarchy import MISSING, Hierarchy
from shoal.errors import InputError

ROWS = [["a", "vowel", "*"], ["b", "other", "*"], ["e", "vowel", "*"], ["c", "other", "*"]]


def family(hierarchy: Hierarchy) -> set[frozenset[str]]:
    """The nested family of sets of leaves that a hierarchy stands for."""
    return {
        frozenset(hierarchy.leaves[low : high + 1])
        for low, high in zip(hierarchy.low.ravel(), hierarchy.high.ravel(), strict=True)
    }


def named_family(hierarchy: Hierarchy) -> set[tuple[int, str, frozenset[str]]]:
    """The same, with the level and label of each set."""
    return {
        (level, label, frozenset(hierarchy.leaves[low : high + 1]))
        for level in range(hierarchy.n_levels)
        for low, high, label in zip(hierarchy.low[level], hierarchy.high[level], hierarchy.labels[level], strict=True)
    }


@st.composite
def trees(draw: st.DrawFn, most_leaves: int = 9, most_levels: int = 3) -> list[list[str]]:
    """Rows of a random laminar hierarchy in random order, perhaps unbalanced."""
    n = draw(st.integers(1, most_leaves))
    ids = list(range(n))
    levels = [[f"v{i}" for i in range(n)]]
    for level in range(draw(st.integers(0, most_levels))):
        merged = draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
        ids = [merged[i] for i in ids]
        levels.append([f"g{level}.{i}" for i in ids])
    rows = [list(row) for row in zip(*levels, ["*"] * n, strict=True)]
    return draw(st.permutations(rows))


def test_leaves_are_numbered_depth_first_groups_in_order_of_appearance() -> None:
    hierarchy = Hierarchy.from_rows(ROWS)
    assert hierarchy.leaves == ("a", "e", "b", "c")
    assert hierarchy.low.tolist() == [[0, 1, 2, 3], [0, 0, 2, 2], [0, 0, 0, 0]]
    assert hierarchy.high.tolist() == [[0, 1, 2, 3], [1, 1, 3, 3], [3, 3, 3, 3]]
    assert hierarchy.low.dtype == hierarchy.high.dtype == np.int32
    assert hierarchy.code_of == {"a": 0, "e": 1, "b": 2, "c": 3}


def test_rows_in_depth_first_order_keep_it() -> None:
    rows = [["z", "late", "*"], ["y", "late", "*"], ["a", "early", "*"]]
    assert Hierarchy.from_rows(rows).to_rows() == rows


def test_levels_and_rows_say_the_same() -> None:
    by_rows, by_levels = Hierarchy.from_rows(ROWS), Hierarchy.from_levels([*zip(*ROWS, strict=True)])
    assert by_rows.to_rows() == by_levels.to_rows()


def test_rows_of_one_label_get_a_star() -> None:
    assert Hierarchy.from_rows([["a"], ["b"]]).to_rows() == [["a", "*"], ["b", "*"]]
    assert Hierarchy.flat(["a", "b"]).to_rows() == [["a", "*"], ["b", "*"]]


def test_nested_dicts_may_end_at_different_depths() -> None:
    hierarchy = Hierarchy.from_dict({"one": ["x"], "more": {"inner": ["y", "z"], "rest": 7}}, root="all")
    assert hierarchy.to_rows() == [
        ["x", "x", "one", "all"],
        ["y", "inner", "more", "all"],
        ["z", "inner", "more", "all"],
        ["7", "rest", "more", "all"],
    ]


def test_booleans_in_dicts_are_written_as_tables_print_them() -> None:
    assert Hierarchy.from_dict({"any": [True, False]}).leaves == ("true", "false")


def test_labels_come_from_the_lowest_level_unless_one_is_asked_for() -> None:
    hierarchy = Hierarchy.from_rows([["a", "a", "A", "*"], ["b", "bc", "A", "*"], ["c", "bc", "A", "*"]])
    assert hierarchy.label(0, 0) == "a"
    assert hierarchy.label(1, 2) == "bc"
    assert hierarchy.label(0, 2) == "A"
    assert hierarchy.label(0, 2, 3) == "*"


@pytest.mark.parametrize(("low", "high", "level"), [(1, 2, -1), (0, 2, -1), (0, 1, 0), (0, 3, 1)])
def test_only_nodes_have_labels(low: int, high: int, level: int) -> None:
    hierarchy = Hierarchy.from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]])
    with pytest.raises(InputError, match="not a node"):
        hierarchy.label(low, high, level)


@given(trees())
def test_any_two_nodes_are_nested_or_disjoint(rows: list[list[str]]) -> None:
    sets = family(Hierarchy.from_rows(rows))
    assert all(one <= other or other <= one or not one & other for one, other in combinations(sets, 2))


@given(trees(), st.randoms())
def test_the_family_does_not_depend_on_the_order_of_rows(rows: list[list[str]], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert named_family(Hierarchy.from_rows(rows)) == named_family(Hierarchy.from_rows(shuffled))


@given(trees())
def test_each_node_holds_exactly_the_leaves_whose_rows_name_it(rows: list[list[str]]) -> None:
    expected = {
        (level, label, frozenset(row[0] for row in rows if row[level] == label))
        for level in range(len(rows[0]))
        for label in {row[level] for row in rows}
    }
    assert named_family(Hierarchy.from_rows(rows)) == expected


@settings(deadline=None)  # the first call loads a compiled kernel
@given(trees())
def test_cover_is_the_smallest_node_around_both_ends(rows: list[list[str]]) -> None:
    hierarchy = Hierarchy.from_rows(rows)
    pairs = [(i, j) for i in range(hierarchy.n_leaves) for j in range(i, hierarchy.n_leaves)]
    low, high, level = hierarchy.cover(*np.array(pairs, np.int32).T)
    for place, (i, j) in enumerate(pairs):
        ends = {hierarchy.leaves[i], hierarchy.leaves[j]}
        smallest = min((node for node in family(hierarchy) if ends <= node), key=len)
        assert set(hierarchy.leaves[low[place] : high[place] + 1]) == smallest
        assert hierarchy.low[level[place], i] == low[place]


@settings(deadline=None)
@given(trees())
def test_missing_is_one_more_leaf_directly_under_the_root(rows: list[list[str]]) -> None:
    plain = Hierarchy.from_rows(rows)
    hierarchy = plain.with_missing()
    n = plain.n_leaves
    assert hierarchy.leaves == (*plain.leaves, MISSING)
    assert hierarchy.n_levels == plain.n_levels
    assert family(hierarchy) >= {*family(plain) - {frozenset(plain.leaves)}, frozenset([MISSING])}
    assert (hierarchy.low[:-1, n] == n).all()
    assert (hierarchy.high[:-1, :n] < n).all()
    assert (hierarchy.low[-1] == 0).all()
    assert (hierarchy.high[-1] == n).all()
    assert set(hierarchy.labels[-1]) == {"*"}
    assert hierarchy.cover(np.array([0], np.int32), np.array([n], np.int32))[2].tolist() == [plain.n_levels - 1]


def test_a_value_that_reads_like_missing_keeps_its_own_code() -> None:
    assert Hierarchy.flat([MISSING, "a"]).with_missing().code_of[MISSING] == 0


def test_every_value_of_the_column_has_to_be_a_leaf() -> None:
    hierarchy = Hierarchy.flat(["a", "b", "c"])
    assert hierarchy.require("x", ["a", "c"], [1, 2]) is hierarchy
    with pytest.raises(InputError) as caught:
        hierarchy.require("zip", ["a", "02138", "02139", "02140"], [9, 1, 1200, 7])
    assert str(caught.value) == (
        "The hierarchy of 'zip' lacks 3 values of the table: "
        "'02139' (1,200 rows), '02140' (7 rows), '02138' (1 row); add them."
    )


def test_of_many_lacking_values_the_most_frequent_are_named() -> None:
    with pytest.raises(InputError, match=r"lacks 9 values .*'v8' \(8 rows\), .*'v4' \(4 rows\), …; add them\.$"):
        Hierarchy.flat(["a"]).require("x", [f"v{i}" for i in range(9)], list(range(9)))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], r"^The hierarchy of 'zip' is empty; it needs one row per value\.$"),
        ([[]], "is empty"),
        ([["a", "*"], ["b", "x", "*"]], "row 2 has 3 levels where row 1 has 2; repeat a label"),
        ([["a", "*"], ["b", "*"], ["a", "*"]], "the value 'a' has two rows, 1 and 3, so two parents"),
        (
            [["a", "x", "N", "*"], ["b", "y", "S", "*"], ["c", "x", "S", "*"]],
            "'x' on level 1 has two parents, 'N' and 'S'",
        ),
        ([["a", "N"], ["b", "S"]], r"has no root: its last level has 2 labels \('N', 'S'\)"),
        ([["a", "N"], ["b", "S"], ["c", "W"]], r"3 labels \('N', 'S', …\); add a last level"),
    ],
)
def test_bad_rows_are_refused_in_a_sentence(rows: list[list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Hierarchy.from_rows(rows, "zip")


def test_a_large_hierarchy_is_made_at_once() -> None:
    n = 100_000
    rows = [[str(i), f"{i // 10}*", f"{i // 100}**", f"{i // 1000}***", "*"] for i in range(n)]
    hierarchy = Hierarchy.from_rows(rows)
    assert hierarchy.high[1, 12_345] - hierarchy.low[1, 12_345] == 9
    assert hierarchy.label(12_000, 12_999) == "12***"
