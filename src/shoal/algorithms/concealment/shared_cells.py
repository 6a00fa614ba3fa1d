"""Cells that hold k rows and are shared by enough records that none of them can be linked too surely.

None of m records with equal cells can belong to any one person with a chance above 1 / m, whatever the other records
are. So a bound on chances is kept, exactly, if every record shares its cells with enough others; and classes of half
the size are enough for twice the bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from shoal.algorithms.concealment.draft_release import Draft, Shapes
from shoal.algorithms.concealment.optimal import Climb, can_be_optimal
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.arrays import Whole
from shoal.core.groups import Groups
from shoal.core.progress import Progress, Silent
from shoal.kernels.compiled import working_time
from shoal.kernels.concealment_query import list_inside
from shoal.kernels.concealment_records import Records, costs
from shoal.kernels.concealment_share import Offers, move_in, pull

_MOST = np.iinfo(np.int64).max // 4
_PASSES = 20


@dataclass(frozen=True, eq=False)
class Shares:
    """Row ``i`` uses box ``homes[i]``; ``loads`` counts the users of each box: none, or at least ``users``.

    Box ``root`` holds all rows; it is the last one, unless an equal box comes before it.
    """

    field: RowTree
    boxes: Records
    offers: Offers
    homes: Whole
    loads: Whole
    users: int
    root: int

    @classmethod
    def of(cls, field: RowTree, candidates: Records, homes: Whole, users: int) -> Shares:
        """Rows that use these boxes; equal boxes are merged. O(boxes · columns + rows that fit)."""
        everybody = Draft.of_groups(field, Groups.whole(field.n_rows)).records
        every = Records(*(np.concatenate([part, whole[:1]]) for part, whole in zip(candidates, everybody, strict=True)))
        shapes = Shapes.of(field, every)
        boxes = Records(*(np.ascontiguousarray(part[shapes.firsts]) for part in every))
        inside, rows = shapes.inside, field.rows_of
        offers = Offers(costs(field.tariff, boxes), inside.offsets, inside.members, rows.offsets, rows.members)
        taken = shapes.ids[homes].astype(np.int64)
        loads = np.bincount(taken, minlength=shapes.firsts.size)
        return cls(field, boxes, offers, taken, loads, users, int(shapes.ids[-1]))

    @classmethod
    def united(cls, start: Draft, parts: Sequence[tuple[Whole, Shares]], users: int) -> Shares:
        """Combine rows that use boxes in parts of the table; all other rows use those of their groups at the start."""
        boxes, homes = [start.records], np.arange(start.field.n_rows)
        n_boxes = homes.size
        for rows, shares in parts:
            homes[rows] = shares.homes + n_boxes
            boxes.append(shares.boxes)
            n_boxes += shares.loads.size
        taken, homes = np.unique(homes, return_inverse=True)
        every = (np.concatenate(part) for part in zip(*boxes, strict=True))
        return cls.of(start.field, Records(*(np.ascontiguousarray(part[taken]) for part in every)), homes, users)

    def draft(self) -> Draft:
        """The draft in which each row has the box that it uses."""
        return Draft(self.field, Records(*(np.ascontiguousarray(part[self.homes]) for part in self.boxes)))

    def improved(self, until: float = inf) -> Shares:
        """Move rows and open boxes until nothing more is saved or the clock shows ``until``."""
        order = np.argsort(self.offers.costs, kind="stable")
        for turn in range(_PASSES):
            saved = pull(order[:: 1 if turn % 2 == 0 else -1], self.users, self.offers, self.homes, self.loads)
            if (saved == 0 and turn) or working_time() > until:
                break
        return self


def shared(
    field: RowTree, k: int, users: int, work: int, progress: Progress | None = None, until: float = inf
) -> Shares | None:
    """Assign every row cells that hold k rows and have at least ``users`` users, at little loss.

    The cheapest cells with enough unassigned rows are taken, cheapest first, and again for the remaining rows; rows
    left over take the cells that hold everybody, with others to make up the number. Then rows move. None if a column is
    not a hierarchy, a roll-up takes more than ``work``, or the clock shows ``until``.
    """
    progress = progress or Silent()
    if not can_be_optimal(field):
        return None
    climb, free = Climb.of(field), field.people.copy()
    pieces: list[Records] = []
    homes, n_boxes = np.full(field.n_types, -1, np.int64), 0
    while int(free.sum()) >= users:
        progress.stage("sharing")
        _, found, is_proven = climb.cheapest(free, np.where(free > 0, _MOST, 0), k, users, work)
        if not is_proven or working_time() > until:
            return None
        here = _moved_in(field, found, free, users)
        homes[here >= 0] = here[here >= 0] + n_boxes
        pieces.append(found)
        n_boxes += found.low.shape[0]
    every = Records(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))
    homes[homes < 0] = n_boxes
    return _with_company(Shares.of(field, every, homes[field.types], users)).improved(until)


def shared_from(groups: Draft, k: int, users: int, work: int, until: float = inf) -> Shares | None:
    """Move rows of groups to cells that hold k rows and have at least ``users`` users, as long as that lowers the loss.

    The candidates are the cheapest cells with k rows around every row, and the groups' own; groups have at least k
    rows. None if a roll-up takes more than ``work``.
    """
    field = groups.field
    everybody = np.full(field.n_types, _MOST)
    _, found, is_proven = Climb.of(field).cheapest(field.people, everybody, k, users, work)
    if not is_proven:
        return None
    every = Records(*(np.concatenate(parts) for parts in zip(groups.records, found, strict=True)))
    return Shares.of(field, every, np.arange(field.n_rows), users).improved(until)


def _moved_in(field: RowTree, boxes: Records, free: Whole, users: int) -> Whole:
    """The box that each type takes now, −1 if none; ``free`` counts the rows that have none yet."""
    order = np.argsort(costs(field.tariff, boxes), kind="stable")
    offsets, members = list_inside(field.tree, field.tariff, boxes)
    homes = np.full(field.n_types, -1, np.int64)
    move_in(order, offsets, members, free, users, homes)
    return homes


def _with_company(shares: Shares) -> Shares:
    """If fewer than ``users`` rows were left over, let the costliest of the others join them."""
    homes, loads, root = shares.homes, shares.loads, shares.root
    while 0 < loads[root] < shares.users:
        others = np.flatnonzero(homes != root)
        is_spare = loads[homes[others]] > shares.users
        pool = others[is_spare] if is_spare.any() else others
        box = homes[pool[np.argmax(shares.offers.costs[homes[pool]])]]
        rows = np.flatnonzero(homes == box)
        rows = rows[: min(rows.size - shares.users, shares.users - loads[root])] if is_spare.any() else rows
        homes[rows] = root
        loads[root] += rows.size
        loads[box] -= rows.size
    return shares
