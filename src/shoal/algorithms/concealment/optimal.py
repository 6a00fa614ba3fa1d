"""(k,1)-anonymity at minimum loss: the cheapest permitted cells around each row that hold k rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms.concealment.draft_release import Draft, empty
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.arrays import Codes, Flags, Whole, Words64
from shoal.kernels.concealment_records import Records
from shoal.kernels.distinct import number_rows
from shoal.kernels.expansion_optimal import Ladders, cheapest_classes
from shoal.kernels.planes import AT, BOUNDS, CLIMB, KIND, PRICES, TABLE, WIDTH
from shoal.kernels.tariff import HIGH, LOW, NODES, PARENT

MOST_WORK = 2_000_000_000
"""How many classes are merged before the search for the optimum is given up: about a minute."""


def can_be_optimal(field: RowTree) -> bool:
    """Whether all columns are trees, so that cells are combinations of levels."""
    return bool((field.tariff.planes[KIND, :-1] <= CLIMB).all())


@dataclass(frozen=True, eq=False)
class Climb:
    """A ``RowTree`` prepared for the roll-up: its columns in the order in which classes are merged."""

    field: RowTree
    order: Whole
    ladders: Ladders
    codes: Codes

    @classmethod
    def of(cls, field: RowTree) -> Climb:
        """Choose the order of columns. O(types · columns²)."""
        order = _telling_first(field)
        return cls(field, order, _ladders(field, order), np.ascontiguousarray(field.codes[:, order]))

    def cheapest(self, free: Whole, most: Whole, k: int, users: int, work: int) -> tuple[Flags, Records, bool]:
        """For each type, the cheapest cells that hold k rows, ``users`` of them free, and cost less than ``most``.

        Returns which types have any, the records of those, and whether they are proven to be the cheapest.
        """
        field, ladders = self.field, self.ladders
        _, where, is_proven = cheapest_classes(ladders, self.codes, field.people, free, most, k, users, work)
        found = where >= 0
        nodes = np.empty((int(found.sum()), self.order.size), np.int64)
        nodes[:, self.order] = _nodes(self.codes[found], ladders, where[found])
        at = field.tariff.planes[NODES, :-1]
        records = empty(field, nodes.shape[0])
        records.node[:] = nodes
        records.low[:] = field.tariff.nodes[LOW][at + nodes]
        records.high[:] = field.tariff.nodes[HIGH][at + nodes]
        return found, records, bool(is_proven)


def optimal(field: RowTree, k: int, start: Draft | None = None, work: int = MOST_WORK) -> tuple[Draft, bool]:
    """The cheapest cells for every record that hold its row and k rows in total, and whether that is proven.

    Exact and yet not quadratic: one roll-up over the combinations of levels. ``start``, if given, is any
    (k,1)-anonymous draft; it bounds the search, and its records stay where nothing cheaper was found in time. Unlike
    Algorithm 1 of the paper, which tries all sets of k rows, this also finds the cheapest cells for measures that are
    not monotone.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithm 1,
    Proposition 8); the roll-up is ours.
    """
    if start is None:
        paid, records = np.full(field.n_types, np.iinfo(np.int64).max // 4), empty(field, field.n_types)
    else:
        paid, records = np.zeros(field.n_types, np.int64), Records(*(part[field.names] for part in start.records))
        np.maximum.at(paid, field.types, start.costs())
    found, better, is_proven = Climb.of(field).cheapest(field.people, paid, k, 0, work)
    for part, there in zip(records, better, strict=True):
        part[found] = there
    return Draft.of_types(field, records), is_proven


def _telling_first(field: RowTree) -> Whole:
    """The columns, starting with those whose removal leaves the fewest distinct rows, so that classes merge early."""
    codes = field.codes
    left = [number_rows(np.ascontiguousarray(np.delete(codes, c, axis=1).T))[1].size for c in range(codes.shape[1])]
    return np.argsort(left, kind="stable")


def _ladders(field: RowTree, order: Whole) -> Ladders:
    """The nodes above each leaf, height by height."""
    tariff, above, places = field.tariff, [], []
    for c in order.tolist():
        kind, width, at = (int(tariff.planes[row, c]) for row in (KIND, WIDTH, AT))
        parents = tariff.nodes[PARENT, tariff.planes[NODES, c] : tariff.planes[NODES, c + 1]]
        above.append(_rungs(parents, width))
        places.append(at + (above[-1] * width + np.arange(width) if kind == TABLE else above[-1]))
    sizes = [rungs.size for rungs in above]
    nodes, entries = (np.concatenate([one.ravel() for one in parts]) for parts in (above, places))
    marks = _marks(tariff.nodes.shape[1])[nodes + np.repeat(tariff.planes[NODES, order], sizes)]
    return Ladders(
        np.cumsum([0, *sizes[:-1]]), tariff.planes[WIDTH, order], np.array([len(rungs) for rungs in above]), nodes,
        tariff.entries[PRICES][entries], tariff.entries[BOUNDS][entries], marks,
    )  # fmt: skip


def _marks(n: int) -> Words64:
    """Pseudo-random hashes of nodes by splitmix64. Rows are compared in full if the sums of their hashes agree."""
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def _rungs(parents: Whole, n_leaves: int) -> Whole:
    """``[height, leaf]``: the largest node of at most that height above each leaf, so that each height is a partition.

    Heights are counted from the leaves: if the branches of a tree differ in length, all leaves of a node must reach it
    at once.
    """
    heights = np.zeros(parents.size, np.int64)
    while (rising := (parents != np.arange(parents.size)) & (heights[parents] <= heights)).any():
        np.maximum.at(heights, parents[rising], heights[rising] + 1)
    rungs = [np.arange(n_leaves, dtype=np.int64)]
    for height in range(1, int(heights.max(initial=0)) + 1):
        above = parents[rungs[-1]].astype(np.int64)
        rungs.append(np.where(heights[above] <= height, above, rungs[-1]))
    return np.array(rungs)


def _nodes(codes: Codes, ladders: Ladders, where: Whole) -> Whole:
    """The nodes of rows at combinations of levels."""
    nodes = np.empty(codes.shape, np.int64)
    for c in reversed(range(ladders.at.size)):
        where, level = where // ladders.levels[c], where % ladders.levels[c]
        nodes[:, c] = ladders.above[ladders.at[c] + level * ladders.widths[c] + codes[:, c]]
    return nodes
