"""Refinement: read cells more finely than they were published."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from shoal.audit.contract import NEEDS_EVERYBODY, Attack, Risk
from shoal.audit.links import Links
from shoal.audit.matches import Matches
from shoal.audit.pace import Pace
from shoal.audit.referee import Referee
from shoal.audit.scene import Scene
from shoal.audit.words import counted, percent
from shoal.core.arrays import Codes, Flags
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.kernels.distinct import number_rows


class Refinement(Attack):
    """Take out of a cell what finer cells of other records, equal in all other columns, already cover.

    Many algorithms publish each row as finely as they can and leave to coarser cells only the rows that fit no finer
    class; then nobody in a coarse class has a value of a fine one, and the coarse cell says more than is
    printed. Whether that holds is tested: the finer cells stand only if all records can still be given an owner. The
    rate is the share of records with a cell that can be read more finely, the baseline 0. Stopped by cells that
    overlap for real, or never nest.

    Reference: the idea is that of downcoding (Cohen 2022) and of its later use on local recoding, for classes that
    nest in one column.
    """

    name: ClassVar[str] = "refinement"
    story: ClassVar[str] = (
        "Somebody who knows that rows are published as finely as possible concludes that a record in a coarse class "
        "has none of the values that finer classes beside it stand for."
    )
    remedy: ClassVar[str] = "Publish every column on one level, or leave no finer class beside a coarse one."
    pace: ClassVar[Pace] = "usual"

    def lacks(self, scene: Scene) -> str:
        """A release that stems from the people who are known."""
        if not scene.known.is_complete:
            return NEEDS_EVERYBODY
        return "It needs a release that stems from these people." if scene.matches.n_unplaced else ""

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Refine, test, count."""
        links = scene.links
        shapes = np.unique(links.shapes, return_index=True)[1]
        cells = [column.take(shapes.astype(np.int32)) for column in scene.seen.cells]
        finer = [_refined(cells, j) for j in range(len(cells))]
        changed = np.array([cut for _, cut in finer]).any(axis=0)
        n = int(links.records[: links.n_shapes][changed].sum())
        rate, n_records = n / max(1, scene.seen.n_records), scene.seen.n_records
        figures = {"records with a cell that nests": n}
        if not n:
            return [
                Risk(
                    self.name, "stopped", "No cell nests in another, so none can be read more finely.", figures=figures
                )
            ]
        seen = replace(scene.seen, cells=tuple(column.take(links.shapes) for column, _ in finer))
        n_left = Matches.of(Links.of(seen, scene.known)).n_unplaced
        if n_left:
            figures["records without an owner if read so"] = n_left
            without = counted(n_left, "record")
            says = f"Reading {counted(n, 'record')} more finely would leave {without} without an owner, so it is wrong."
            return [Risk(self.name, "stopped", says, 0.0, 0.0, figures=figures)]
        says = (
            f"{n:,} of {counted(n_records, 'record')} ({percent(rate)}) can be read more finely than published: "
            "finer classes beside them already cover a part of their cells."
        )
        return [Risk(self.name, "weak", says, rate, 0.0, figures=figures)]


def _refined(cells: list[Cells], j: int) -> tuple[Cells, Flags]:
    """Column ``j`` without what finer cells beside each cover, and which shapes lost something. O(shapes · leaves)."""
    others = [column.ids for i, column in enumerate(cells) if i != j]
    beside = number_rows(np.array(others, np.int32))[0] if others else np.zeros(len(cells[j]), np.int32)
    column, groups = cells[j], Groups.from_ids(beside, int(beside.max(initial=-1)) + 1)
    leaves = [set(column.leaves(int(cell)).tolist()) for cell in range(column.n_distinct)]
    lists: list[Codes] = [column.leaves(int(cell)) for cell in column.ids]
    cut = np.zeros(len(column), bool)
    for g in np.flatnonzero(groups.sizes > 1):
        members = sorted(groups.of(int(g)).tolist(), key=lambda s: len(leaves[column.ids[s]]))
        for at, s in enumerate(members):
            own = leaves[column.ids[s]]
            inside = [leaves[column.ids[o]] for o in members[:at] if leaves[column.ids[o]] < own]
            left = own.difference(*inside)
            if inside and left:
                lists[s], cut[s] = np.array(sorted(left), np.int32), True
    if not cut.any():
        return column, cut
    n_leaves = int(max(found[-1] for found in lists)) + 1
    offsets = np.concatenate([[0], np.cumsum([found.size for found in lists])]).astype(np.int64)
    made = Cells.of_sets(Groups(offsets, np.concatenate(lists)), np.arange(n_leaves, dtype=np.int32), n_leaves)
    return made, cut
