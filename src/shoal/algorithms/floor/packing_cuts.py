"""The cuts of an ascent: which boxes lie inside, which tolls they pay, and where the next ones are found."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array  # type: ignore[import-untyped]

from shoal.algorithms.floor.node_costs import WholeNumbers
from shoal.core.arrays import Codes, Flags, Floats
from shoal.kernels.floor_ascent import Within
from shoal.kernels.floor_boxes import Boxes
from shoal.kernels.floor_cuts import Cuts, Shares, overfull

_WIDEST, _STEPS = 8, 5
"""The most rows of a cut, in multiples of k, and how many boxes are added to the first one."""

_USED = 1e-3
"""Boxes that are used less do not help to find cuts."""

_A_ROW = 20
"""In how many new cuts a row may be per cycle; those that are exceeded most are taken first."""


@dataclass(eq=False)
class PackingCuts:
    """The cuts so far, for groups of k rows or more; a row is a distinct row, which counts with its weight."""

    weights: WholeNumbers
    k: int
    rows: list[Codes] = field(default_factory=list)
    tolls: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def most(self) -> WholeNumbers:
        """How many groups fit into each cut."""
        return np.array([int(self.weights[rows].sum()) // self.k for rows in self.rows], np.int64)

    @property
    def returned(self) -> float:
        """What the bound gives back: each toll as often as groups fit into its cut."""
        return float(self.tolls @ self.most)

    def around(self, boxes: Boxes, is_whole: Flags) -> Within:
        """The cuts that contain each box, for boxes whose rows are all listed. O(members · cuts of a row)."""
        n_boxes, n_cuts, sizes = boxes.costs.size, len(self.rows), np.diff(boxes.offsets)
        if not n_cuts:
            return Within(np.zeros(n_boxes + 1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))
        is_small = is_whole & (sizes <= _WIDEST * self.k)
        small, ends = np.flatnonzero(is_small), np.concatenate([[0], np.cumsum(sizes[is_small])])
        members, shape = boxes.members[np.repeat(is_small, sizes)], (small.size, self.weights.size)
        held = csr_array((np.ones(members.size, np.int32), members, ends), shape=shape)
        common = (held @ _matrix(self.rows, self.weights.size).T).tocoo()
        inside = common.data == sizes[small][common.row]
        box, cut = small[common.row[inside]], common.col[inside]
        order = np.lexsort([cut, box])
        offsets = np.concatenate([[0], np.cumsum(np.bincount(box, minlength=n_boxes))])
        return Within(offsets.astype(np.int64), cut[order].astype(np.int64), self.most)

    def settle(self, tolls: Floats) -> None:
        """Keep the cuts that have a toll."""
        self.rows = [rows for rows, toll in zip(self.rows, tolls, strict=True) if toll > 0]
        self.tolls = tolls[tolls > 0]

    def extend(self, boxes: Boxes, is_whole: Flags, uses: Floats) -> None:
        """Add sets of rows in which boxes are used more often, in parts, than groups fit; tolls begin at 0."""
        rows_of = np.bincount(np.repeat(np.arange(uses.size), np.diff(boxes.offsets)), self.weights[boxes.members])
        widest = _WIDEST * self.k
        shares = _shares(boxes, is_whole & (uses > _USED) & (rows_of <= widest), uses, self.weights.size)
        n = shares.uses.size
        found, counts, excess = np.zeros((n, widest), np.int32), np.zeros(n, np.int64), np.zeros(n)
        overfull(shares, self.weights, self.k, widest, _STEPS, found, counts, excess)
        known, times = {rows.tobytes() for rows in self.rows}, np.zeros(self.weights.size, np.int64)
        for box in np.argsort(-excess, kind="stable")[: int((counts > 0).sum())]:
            rows = np.sort(found[box, : counts[box]])
            if times[rows].max() < _A_ROW and rows.tobytes() not in known:
                known.add(rows.tobytes())
                times[rows] += 1
                self.rows.append(rows)
        self.tolls = np.concatenate([self.tolls, np.zeros(len(self.rows) - self.tolls.size)])

    def cuts(self, tolls: npt.NDArray[np.generic]) -> Cuts:
        """All cuts with these tolls, as the check reads them."""
        by_row = _matrix(self.rows, self.weights.size).T.tocsr()
        return Cuts(self.most, tolls, by_row.indptr.astype(np.int64), by_row.indices.astype(np.int64))


def _matrix(sets: list[Codes], n_rows: int) -> csr_array:
    """Sets of rows as a matrix with a line per set."""
    ends = np.concatenate([[0], np.cumsum([rows.size for rows in sets])]).astype(np.int64)
    members = np.concatenate([*sets, np.zeros(0, np.int32)])
    return csr_array((np.ones(members.size, np.int32), members, ends), shape=(len(sets), n_rows))


def _shares(boxes: Boxes, chosen: Flags, uses: Floats, n_rows: int) -> Shares:
    """The chosen boxes with their rows, and the boxes of each row."""
    sizes = np.diff(boxes.offsets)
    members = boxes.members[np.repeat(chosen, sizes)]
    offsets = np.concatenate([[0], np.cumsum(sizes[chosen])]).astype(np.int64)
    order = np.argsort(members, kind="stable")
    at = np.concatenate([[0], np.cumsum(np.bincount(members, minlength=n_rows))]).astype(np.int64)
    of = np.repeat(np.arange(offsets.size - 1), sizes[chosen])[order]
    return Shares(offsets, members, uses[chosen], at, of)
