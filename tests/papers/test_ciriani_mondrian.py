"""Ciriani et al., k-Anonymity: the Mondrian example of figures 1, 15 and 17, and the claims about partitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.plain import records_of
from shoal.algorithms import Mondrian
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.models import KAnonymity
from support.chapter import FIGURE_1
from support.strategies import tables
from support.tables import coded, goal_of, lists_of, sets_of_rows

MARITAL = ["single", "divorced", "widow", "married"]
"""Cutting at ‘single’ and at ‘widow’ gives the chapter's regions only if the values lie in this order."""

FIGURE_15 = {
    frozenset({0, 1}): ({"married"}, {"F"}),
    frozenset({2, 3, 4}): ({"single"}, {"M"}),
    frozenset({5, 9}): ({"widow", "divorced", "single"}, {"F"}),
    frozenset({6, 7, 8}): ({"married", "widow", "divorced"}, {"M"}),
}
"""The four regions of figure 15(b), which are also those of figure 17(d)."""


def figure_1() -> Table:
    columns = dict(zip(("ZIP", "MaritalStatus", "Sex", "Disease"), map(list, zip(*FIGURE_1, strict=True)), strict=True))
    return coded(
        columns,
        ["MaritalStatus", "Sex"],
        sensitive=("Disease",),
        identifiers=("ZIP",),
        orders={"MaritalStatus": MARITAL, "Sex": ["M", "F"]},
    )


def _partition(table: Table, k: int) -> list[list[int]]:
    return lists_of(Mondrian().partition(table, goal_of(KAnonymity(k)), Silent()))


def test_the_four_regions() -> None:
    release = Mondrian().run(figure_1(), goal_of(KAnonymity(2)), Randomness(0), Silent())
    assert sets_of_rows(release.classes) == set(FIGURE_15)


def test_the_cells_lie_inside_the_regions() -> None:
    """The chapter prints whole regions; a cell here is the smallest range that holds the rows in it."""
    table = figure_1()
    release = Mondrian().run(table, goal_of(KAnonymity(2)), Randomness(0), Silent())
    for record in records_of(release):
        (region,) = [region for rows, region in FIGURE_15.items() if record.owner in rows]
        for column, leaves, wanted in zip(table.quasi, record.cells, region, strict=True):
            assert {column.domain.texts[leaf] for leaf in leaves} <= wanted


def test_figure_15_is_minimal() -> None:
    table = figure_1()
    assert not any(_allowable_cuts(table, sorted(rows), 2) for rows in FIGURE_15)


def test_the_first_cut_is_at_male() -> None:
    """Figure 17(b): for k = 4 it is the only one."""
    assert {frozenset(rows) for rows in _partition(figure_1(), 4)} == {
        frozenset({2, 3, 4, 6, 7, 8}),
        frozenset({0, 1, 5, 9}),
    }


def _allowable_cuts(table: Table, rows: Sequence[int], k: int) -> list[tuple[int, int]]:
    """Every cut of one column that leaves at least k rows on both sides."""
    found = []
    for j, codes in enumerate(table.codes.tolist()):
        for code in sorted({codes[row] for row in rows}):
            n_left = sum(codes[row] <= code for row in rows)
            if min(n_left, len(rows) - n_left) >= k:
                found.append((j, code))
    return found


@given(tables(), st.integers(1, 6))
def test_definition_4_3_strict_partitions_are_minimal(table: Table, k: int) -> None:
    k = min(k, table.n_rows)
    assert not any(_allowable_cuts(table, rows, k) for rows in _partition(table, k))


@given(tables(), st.integers(1, 6))
def test_definition_4_2_strict_partitions_do_not_overlap(table: Table, k: int) -> None:
    """Every row is in one region, and equal rows are in the same."""
    parts = _partition(table, min(k, table.n_rows))
    assert sorted(row for rows in parts for row in rows) == list(range(table.n_rows))
    homes = [(tuple(table.codes[:, row].tolist()), home) for home, rows in enumerate(parts) for row in rows]
    assert len(set(homes)) == len({point for point, _ in homes})


@pytest.mark.parametrize("forms", [("numeric", "ordinal", "nominal", "date"), ("tree", "suppress")], ids=str)
@given(data=st.data(), k=st.integers(1, 6))
def test_regions_are_no_larger_than_the_bound(forms: Sequence[str], data: st.DataObject, k: int) -> None:
    """2 · columns · (k − 1) + the most copies of a row, as LeFevre et al. proved."""
    table = data.draw(tables(forms=forms))
    k = min(k, table.n_rows)
    copies = max(Counter(zip(*table.codes.tolist(), strict=True)).values())
    assert max(map(len, _partition(table, k))) <= 2 * table.n_quasi * (k - 1) + copies
