"""Tables, cuts and groups for tests of the linear program over groups."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from naive.relaxation import Box, Cut, Group, Price, boxes
from shoal.algorithms.relaxation.group_pool import GroupPool
from shoal.core.contracts import CellMetric
from shoal.core.table import Table
from shoal.kernels.relaxation_boxes import Boxes, Lattice
from shoal.kernels.relaxation_groups import Cuts
from support.tables import coded, partitioned

NESTED = ("tree", "suppress")
"""The forms of columns whose cells are nodes."""


def starred(*columns: Sequence[object]) -> Table:
    """A table whose cells are exact or stars; its columns are called a, b, c, …"""
    named = dict(zip("abcdefgh", columns, strict=False))
    return coded(named, [*named], recodings=dict.fromkeys(named, "suppress"))


def grid(n_rows: int) -> Table:
    """Rows of three random values out of six."""
    return starred(
        *([f"{value}" for value in column] for column in np.random.default_rng(4).integers(0, 6, (3, n_rows)))
    )


def three_pairs() -> Table:
    """Any two of three rows share one value of three, and all three share none: a pair costs 4/3, all rows cost 3."""
    return starred(["1", "1", "2"], ["1", "2", "1"], ["2", "1", "1"])


def priced(table: Table, metric: CellMetric) -> Price:
    """The cost of the cells around some rows, for each of them."""

    def price(rows: Sequence[int]) -> float:
        lost = partitioned(table, [list(rows)])
        return float((metric.score(lost) * table.n_rows - (table.n_rows - len(rows))) / len(rows))

    return price


def boxes_of(lattice: Lattice) -> list[Box]:
    """Every box of a lattice."""
    columns = [range(start, stop) for start, stop in pairwise(lattice.first.tolist())]
    ends = [*lattice.at.tolist(), lattice.costs.size]
    nodes = [[lattice.nodes[level].tolist() for level in column] for column in columns]
    return [*boxes(nodes, [[lattice.costs[ends[lv] : ends[lv + 1]].tolist() for lv in column] for column in columns])]


def listed_cuts(cuts: Sequence[Cut], n_rows: int, dtype: type) -> Cuts:
    """Cuts as kernels read them."""
    by_row = [[number for number, cut in enumerate(cuts) if row in cut.rows] for row in range(n_rows)]
    return Cuts(
        np.cumsum([0, *map(len, by_row)]),
        np.array([number for some in by_row for number in some], np.int64),
        np.array([cut.divisor for cut in cuts], np.int64),
        np.array([cut.toll for cut in cuts], dtype),
    )


def listed_boxes(some: Sequence[Box]) -> Boxes:
    """Boxes as kernels read them."""
    return Boxes(
        np.cumsum([0, *(len(rows) for rows, _ in some)]),
        np.array([row for rows, _ in some for row in rows], np.int32),
        np.array([cost for _, cost in some], np.float64),
    )


def listed_groups(groups: Sequence[Group]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where groups start, their distinct rows, and how many of each."""
    rows = [sorted({*group}) for group in groups]
    counts = [group.count(row) for group, some in zip(groups, rows, strict=True) for row in some]
    starts = np.cumsum([0, *map(len, rows)])
    return starts, np.array([row for some in rows for row in some], np.int32), np.array(counts, np.int32)


@st.composite
def drawn_cuts(draw: st.DrawFn, n_rows: int, tolls: st.SearchStrategy[float]) -> list[Cut]:
    """Up to four cuts of up to ``n_rows`` rows."""
    sets = st.sets(st.integers(0, n_rows - 1), min_size=1)
    return draw(st.lists(st.builds(Cut, sets, st.integers(1, 4), tolls), max_size=4))


@st.composite
def drawn_groups(draw: st.DrawFn, weights: Sequence[int], k: int) -> list[Group]:
    """One to eight groups of k to 2k − 1 rows, each with no more copies of a row than there are."""
    copies = [row for row, weight in enumerate(weights) for _ in range(weight)]
    some = st.permutations(copies).flatmap(
        lambda order: st.integers(k, min(2 * k - 1, len(order))).map(lambda size: tuple(sorted(order[:size])))
    )
    return draw(st.lists(some, min_size=1, max_size=8))


def pool_of(groups: Sequence[Group], costs: Sequence[float], uses: Sequence[float]) -> GroupPool:
    """A pool of groups that all pay tolls."""
    starts, rows, counts = listed_groups(groups)
    pays, keys = np.ones(len(groups), np.bool_), [hash(pair) for pair in zip(groups, costs, strict=True)]
    return GroupPool(starts, rows, counts, np.array(costs), pays, np.array(keys, np.int64), np.array(uses))
