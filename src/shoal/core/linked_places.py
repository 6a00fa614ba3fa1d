"""Places in histories that span several tables: a person, their visits, the prescriptions of each visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.core.histories import Histories, numbered_within
from shoal.core.table import Table


@dataclass(frozen=True, eq=False)
class Branch:
    """A table whose rows are children of another's: row ``i`` of row ``above[i]`` of the table numbered ``parent``.

    The first table of a tree has people as rows and no parent. ``order`` ranks the rows of one parent row.
    """

    table: Table
    parent: int | None
    above: Codes
    order: Offsets


def linked_histories(branches: Sequence[Branch]) -> Histories:
    """The histories of the people who are the rows of the first table; parent tables come before their children.

    A row's place is the place of its parent row plus its rank among the parent's children: rows with the most children
    first, so that people with different numbers of rows share more places, then by ``order``. The parents of two rows
    at the same place are at the same place, too, so a form never has a row without its parent. O(rows log rows).
    """
    people: list[Codes] = []
    places: list[Codes] = []
    start = 0
    for number, branch in enumerate(branches):
        if branch.parent is None:
            people.append(np.arange(branch.table.n_rows, dtype=np.int32))
            places.append(np.zeros(branch.table.n_rows, np.int32))
        else:
            people.append(people[branch.parent][branch.above])
            ranks = numbered_within(branch.above, _ranked(branches, number))
            paths = places[branch.parent][branch.above].astype(np.int64) * (int(ranks.max(initial=0)) + 1) + ranks
            places.append((np.unique(paths, return_inverse=True)[1] + start).astype(np.int32))
        start = int(places[-1].max(initial=start - 1)) + 1
    tables = [branch.table.with_people(own) for branch, own in zip(branches, people, strict=True)]
    return Histories(tuple(tables), tuple(places), branches[0].table.n_rows)


def _ranked(branches: Sequence[Branch], number: int) -> Offsets:
    """Rank rows with more children first, then by their own order."""
    branch = branches[number]
    hanging = np.zeros(branch.table.n_rows, np.int64)
    for other in branches:
        if other.parent == number:
            hanging += np.bincount(other.above, minlength=hanging.size)
    order = np.lexsort((branch.order, -hanging))
    ranks = np.empty(order.size, np.int64)
    ranks[order] = np.arange(order.size)
    return ranks
