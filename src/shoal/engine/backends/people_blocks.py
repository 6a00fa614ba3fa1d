"""Blocks of people: all rows of a person in one block, together with similar people with equally many rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.histories.alignment import order_by
from shoal.algorithms.histories.grouping import too_few
from shoal.core.arrays import Codes, Offsets
from shoal.core.block_tree import Cuts, learn_cuts
from shoal.core.contracts import Goal
from shoal.core.histories import HistoryForms, numbered_within, owners_of
from shoal.core.history_forms import fit_forms
from shoal.core.table import Table
from shoal.errors import GoalNotMet


@dataclass(frozen=True, eq=False)
class PeopleBlocks:
    """People with m rows keep ``kept[m]`` of them, the first by ``column``, so that enough people keep equally many.

    People who keep m rows are in block ``starts[m]`` or, if that would be too large, in one of the next few, according
    to ``cuts[m]`` and their first rows.
    """

    kept: Offsets
    column: int
    starts: Offsets
    cuts: Mapping[int, Cuts]
    n_blocks: int
    n_lost: int

    def place(self, table: Table) -> Codes:
        """The block of each row of a table that has all rows of its people; −1 for suppressed rows."""
        owners = owners_of(table)
        places = numbered_within(owners, order_by(table, self.column))
        kept = self.kept[np.bincount(owners, minlength=table.n_people)]
        blocks = self.starts[kept]
        firsts = first_rows(table, places)
        for length, cuts in self.cuts.items():
            people = np.flatnonzero(kept == length)
            blocks[people] += cuts.place(np.ascontiguousarray(table.codes[:, firsts[people]]))
        return np.where(places < kept[owners], blocks[owners], -1).astype(np.int32)


def learn_people_blocks(some: Table, by_length: Offsets, goal: Goal, column: int, block: int) -> PeopleBlocks:
    """How many rows everybody keeps, and where to cut, so that each block has about ``block`` rows.

    ``some`` has all rows of some people, in order of ``column``; ``by_length`` is the number of people with m rows.

    Raises:
        GoalNotMet: more rows would have to be suppressed than the goal allows.
    """
    kept, n_lost = _kept(by_length, goal)
    owners = owners_of(some)
    firsts = first_rows(some, numbered_within(owners, order_by(some, column)))
    theirs = kept[np.minimum(np.bincount(owners), kept.size - 1)]
    people = np.bincount(kept, by_length).astype(np.int64)
    starts, cuts, n_blocks, room = np.zeros(people.size, np.int64), dict[int, Cuts](), 0, 0
    for length in range(1, people.size):
        rows = int(people[length]) * length
        sample = firsts[theirs == length]
        starts[length] = n_blocks
        if rows > block and sample.size:
            most = block / length * sample.size / people[length]
            cuts[length] = learn_cuts(some.quasi, np.ascontiguousarray(some.codes[:, sample]), max(1.0, most))
            n_blocks, room = n_blocks + cuts[length].n_blocks, 0
        elif rows and rows <= room:
            starts[length], room = n_blocks - 1, room - rows
        elif rows:
            n_blocks, room = n_blocks + 1, block - rows
    return PeopleBlocks(kept, column, starts, cuts, n_blocks, n_lost)


def first_rows(table: Table, places: Codes) -> Codes:
    """The row of each person at the first place."""
    firsts = np.zeros(table.n_people, np.int32)
    rows = np.flatnonzero(places == 0)
    firsts[owners_of(table)[rows]] = rows
    return firsts


def _kept(by_length: Offsets, goal: Goal) -> tuple[Offsets, int]:
    """How many of m rows a person keeps, for each m, and how many rows are suppressed in total."""
    lengths = np.flatnonzero(by_length)
    n_people = by_length[lengths]
    forms = HistoryForms(
        tuple(np.arange(length, dtype=np.int32) for length in lengths),
        np.repeat(np.arange(lengths.size, dtype=np.int32), n_people),
    )
    fit, n_rows = fit_forms(forms, goal.floor), int(lengths @ n_people)
    if fit.n_lost > goal.most_suppressed(n_rows):
        raise GoalNotMet(too_few(fit, n_rows, goal))
    sizes = np.array([*(places.size for places in fit.places), 0], np.int64)
    kept = np.zeros(by_length.size, np.int64)
    kept[lengths] = sizes[fit.of_person[np.cumsum(n_people) - n_people]]
    return kept, fit.n_lost
