"""Parts of rows in which every draw of owners satisfies the privacy models about sensitive values."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Flags
from shoal.core.contracts import Goal
from shoal.core.goal_feasibility import require_possible
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.kernels.grouping import members_of
from shoal.kernels.rings import deal


@dataclass(frozen=True, eq=False)
class Pieces:
    """Rows in consecutive parts. Where ``is_whole``, a part satisfies the models only if all its rows match."""

    groups: Groups
    is_whole: Flags


def pieces_for(table: Table, goal: Goal, parts: Groups, k: int, column: SensitiveColumn | None) -> Pieces:
    """Split and join parts until every privacy model on groups holds in each, whatever is drawn there.

    What an adversary learns about a person are the sensitive values of the records among the person's matches, which
    are the values of some ``k`` rows of the part; the draw decides which. So a part is safe if no ``k`` of its rows
    violate a model. That is the case if no value of ``column``, the one that is judged, occurs more than ``m`` times,
    for a small enough ``m`` (``cap``); parts are joined with their neighbours until their rows can be dealt out to such
    pieces, as many as possible. If the whole table cannot be dealt out so, or no column is given, parts are joined
    until they satisfy the models as a whole.

    Differs from section 6 of Wong et al., who order a part so that no l consecutive rows share a value and draw along
    the ring: a record's rows then differ, but the records among a person's matches may still carry one value.

    Raises:
        GoalNotMet: not even the table as a whole satisfies the models.
    """
    if not goal.group_models:
        return Pieces(parts, np.zeros(len(parts), bool))
    require_possible(table, goal)
    most = cap(table, goal, k, column) if column else 0
    if column and most and _eligible(column, k, most)(Groups.whole(table.n_rows)).all():
        joined = join_until(_eligible(column, k, most), parts)
        cut = _dealt(joined, column, k, most)
        return Pieces(cut, np.zeros(len(cut), bool))
    joined = join_until(lambda groups: goal.accepts(table, groups), parts)
    return Pieces(joined, np.ones(len(joined), bool))


def cap(table: Table, goal: Goal, k: int, column: SensitiveColumn) -> int:
    """How often ``k`` rows may share a value without violating a model; 0 if even once is too often.

    Tests the worst possible ``k`` rows: ``m`` of the most frequent value, ``m`` of the next, and so on.
    """
    counts = np.bincount(column.codes, minlength=column.domain.n_leaves)
    by_value = Groups.from_ids(column.codes, column.domain.n_leaves)
    order = np.argsort(-counts, kind="stable")

    def holds(most: int) -> bool:
        rows = np.concatenate([by_value.of(int(value))[:most] for value in order])[:k]
        return rows.size < k or bool(goal.accepts(table, Groups(np.array([0, k], np.int64), rows)).all())

    return bisect_left(range(1, k + 1), True, key=lambda most: not holds(most))


def keeping(table: Table, goal: Goal) -> Callable[[Groups], Flags]:
    """A function that tells which parts satisfy all models, also merged with parts published with equal cells.

    Parts with equal cells form one class, and if a model is not monotone, two parts may satisfy it and their union not.
    """
    is_monotone = all(model.is_monotone or model.is_about_size for model in goal.group_models)

    def fine(parts: Groups) -> Flags:
        good = goal.accepts(table, parts)
        if is_monotone or not good.all():
            return good
        classes = Release.from_groups(table, parts).classes
        homes = classes.ids(table.n_rows)[parts.members[parts.offsets[:-1]]]
        return np.asarray(goal.accepts(table, classes)[homes], bool)

    return fine


def join_until(fine: Callable[[Groups], Flags], parts: Groups) -> Groups:
    """Join each part that is not fine with the next one, the last with the one before, until all are fine."""
    while not (good := fine(parts)).all() and len(parts) > 1:
        begins = np.ones(len(parts), bool)
        for part in np.flatnonzero(~good):
            other = part if part + 1 == len(parts) else part + 1
            if begins[part] or part + 1 == len(parts):
                begins[other] = False
        parts = Groups(np.append(parts.offsets[:-1][begins], parts.offsets[-1]), parts.members)
    return parts


def _eligible(column: SensitiveColumn, k: int, most: int) -> Callable[[Groups], Flags]:
    """Tests whether groups split into pieces of at least ``k`` rows with each value at most ``most`` times."""

    def fine(groups: Groups) -> Flags:
        tallies = Tallies.of(groups, column.codes, column.domain.n_leaves)
        return tallies.largest(tallies.counts) <= most * (groups.sizes // k)

    return fine


def _dealt(parts: Groups, column: SensitiveColumn, k: int, most: int) -> Groups:
    """The pieces of all parts; rows keep their order within a piece."""
    n_pieces = parts.sizes // k
    values = column.codes[parts.members]
    piece_of = deal(values, parts.offsets, column.domain.n_leaves, n_pieces, most)
    offsets, order = members_of(piece_of, int(n_pieces.sum()))
    return Groups(offsets, parts.members[order])
