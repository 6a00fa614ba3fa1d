"""Refinement: read cells more finely than they were published."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from shoal.audit.adversary_view import Pace, Scene
from shoal.audit.contract import Attack, Risk, needs_everybody
from shoal.audit.finer_cells import RULES, ColumnView, read_finer, views
from shoal.audit.links import Links
from shoal.audit.matches import Matches
from shoal.audit.number_wording import counted, percent
from shoal.audit.scorer import Referee


class CellRefinement(Attack):
    """Conclude from how algorithms choose cells that some records of a class have finer ones: downcoding.

    Three rules, each of which holds for many algorithms: cells are no wider than their classes need (so someone has
    each end of a range, each value of a set, each of two branches); rows are published as finely as possible (so a
    coarse class has no value of a finer one next to it); and what could have been a class of its own was made one (so
    fewer than k of a class share a branch, and what the others cannot hold is in this one). Whether a rule holds for
    this release is tested: its readings stand only if all records can still be given an owner, column by column. The
    rate is the share of generalized cells that can be read more finely, the baseline 0. It finds nobody, but coarse
    cells hide less than they seem to.

    Stopped by: cells that are wider than they need to be, such as one level per column.

    Cost: one assignment of the records to people per rule and column.

    Reference: Cohen 2022, Attacks on Deidentification's Defenses (downcoding of minimal hierarchical releases);
    Chhillar, Righi, Sutter and Kornaropoulos 2025, Exposing Privacy Risks in Anonymizing Clinical Data: Combinatorial
    Refinement Attacks on k-Anonymity Without Auxiliary Information.
    """

    name: ClassVar[str] = "refinement"
    story: ClassVar[str] = (
        "An adversary who knows that nothing is generalized more than necessary, but knows nobody in the table, "
        "concludes which finer values the records of a class must have."
    )
    remedy: ClassVar[str] = "Publish every column on one level: such cells are not fitted to their classes."
    pace: ClassVar[Pace] = "usual"

    def lacks(self, scene: Scene) -> str:
        """Requires a release that stems from the known people."""
        return needs_everybody(scene)

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Refine by each rule, test, count."""
        links = scene.links
        firsts = np.unique(links.shapes, return_index=True)[1].astype(np.int32)
        cells = [column.take(firsts) for column in scene.seen.cells]
        sizes = links.records[: links.n_shapes]
        seen = views(scene.seen.quasi, cells, sizes, scene.ends, scene.k or scene.smallest_class)
        n_coarse = sum(int(sizes[column.sizes[column.ids] > 1].sum()) for column in cells)
        found = {rule: np.array([_stands(scene, view, j, rule) for j, view in enumerate(seen)]) for rule in RULES}
        finer = {rule: np.maximum(0, cells) for rule, cells in found.items()}
        n = int(np.max([*finer.values()], axis=0).sum())
        figures: dict[str, float] = {"generalized cells": n_coarse, "cells that can be read more finely": n}
        for rule in RULES:
            figures[f"read more finely by rule: {rule}"] = int(finer[rule].sum())
            figures[f"columns that refute the rule: {rule}"] = int((found[rule] < 0).sum())
        if not n:
            says = "Nothing finer follows from how cells were cut."
            if any((cells < 0).any() for cells in found.values()):
                says = "Reading cells more finely would leave records without an owner: they were not cut to fit."
            return [Risk(self.name, "stopped", says, figures=figures)]
        rate = n / max(1, n_coarse)
        why = RULES[max(RULES, key=lambda rule: int(finer[rule].sum()))][1]
        says = (
            f"{n:,} of {counted(n_coarse, 'generalized cell')} ({percent(rate)}) can be read more finely than "
            f"published: {why}."
        )
        return [Risk(self.name, "weak", says, rate, 0.0, figures=figures)]


def _stands(scene: Scene, view: ColumnView, j: int, rule: str) -> int:
    """The number of cells of a column that a rule refines; negative if records are then left without an owner."""
    pieces = RULES[rule][0](view)
    if not pieces:
        return 0 if pieces is not None else -1
    cells, n = read_finer(view.cells, scene.links.shapes, pieces)
    read = replace(scene.seen, cells=tuple(cells if i == j else c for i, c in enumerate(scene.seen.cells)))
    return -n if Matches.of(Links.of(read, scene.known)).n_unplaced else n
