"""Find matches for rows and records with shared cells: join components, and merge what stays alone into classes."""

from __future__ import annotations

from math import inf

import numpy as np

from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.match_sets import consistency
from shoal.algorithms.concealment.requirements import Needs
from shoal.algorithms.concealment.shared_cells import Shares
from shoal.core.arrays import Flags, Whole
from shoal.core.consistency import Consistency
from shoal.kernels.assignment_graph import expand, invert
from shoal.kernels.compiled import working_time
from shoal.kernels.concealment_share import close_cycles, partner, weld

_ROUNDS, _SEVERAL = 12, 3


def welded(shares: Shares, needs: Needs, until: float = inf) -> Draft | None:
    """A draft that keeps what ``needs`` says about fits and matches, in which all records still share their cells.

    None if that is not reached before the clock shows ``until``.

    A row that moves to a box of another component in which it lies joins the two components: it fits the records it
    left, and the rows in the box fit its record. That is a cycle of two at the price of one row. If no row can be
    spared, two boxes are merged, and the records of both, k or more if each has half as many, match all their owners.
    This only widens cells, so it terminates.
    """
    if max(needs.row_matches, needs.record_matches) > 1:
        shares = _with_cycles(_with_moves(shares, needs, until), needs, until)
    return _as_classes(shares, needs, until)


def _with_moves(shares: Shares, needs: Needs, until: float) -> Shares:
    """Move rows between components as long as fewer boxes lack something afterwards."""
    before = shares.loads.size + 1
    for _ in range(_ROUNDS):
        if working_time() > until:
            break
        graph = consistency(shares.draft())
        lacking = _lacking(graph, shares, needs)
        if int(lacking.sum()) in (0, before) or not _join_components(shares, graph, lacking):
            break
        before = int(lacking.sum())
    return shares


def _with_cycles(shares: Shares, needs: Needs, until: float) -> Shares:
    """Widen boxes as long as several at a time can be widened."""
    for _ in range(_ROUNDS):
        graph = consistency(shares.draft())
        lacking = _lacking(graph, shares, needs)
        n_closed = _close_cycles(shares, graph, lacking) if lacking.any() else 0
        shares = Shares.of(shares.field, shares.boxes, shares.homes, shares.users)
        if n_closed < _SEVERAL or working_time() > until:
            break
    return shares


def _lacking(graph: Consistency, shares: Shares, needs: Needs) -> Flags:
    """The boxes with a record, or an owner of a record, that lacks fits or matches."""
    fits, matches = graph.fits, graph.matches
    short_types = (fits[0] < needs.row_fits) | (matches[0] < needs.row_matches)
    short_shapes = (fits[1] < needs.record_fits) | (matches[1] < needs.record_matches)
    rows = short_types[graph.type_of] | short_shapes[graph.shape_of]
    lacking = np.zeros(shares.loads.size, bool)
    lacking[shares.homes[rows]] = True
    return lacking


def _join_components(shares: Shares, graph: Consistency, lacking: Flags) -> int:
    """Move one row of each component that lacks something, or of a neighbour; return how many moved."""
    of_type, of_shape = graph.components
    parts = of_type[graph.type_of].astype(np.int64)
    box_parts = np.full(shares.loads.size, -1, np.int64)
    box_parts[shares.homes] = of_shape[graph.shape_of]
    is_bad = np.zeros(int(of_type.max()) + 1, bool)
    is_bad[box_parts[lacking]] = True
    rows, boxes = _crossings(shares, parts, box_parts, is_bad)
    rises = shares.offers.costs[boxes] - shares.offers.costs[shares.homes[rows]]
    order = np.argsort(rises, kind="stable")
    return int(
        weld(rows[order], boxes[order], parts, box_parts, is_bad, shares.users, shares.homes, shares.loads)
    )  # fmt: skip


def _close_cycles(shares: Shares, graph: Consistency, lacking: Flags) -> int:
    """Widen boxes so that components that lack something get an edge back; return how many."""
    offers, field = shares.offers, shares.field
    box_parts = np.full(shares.loads.size, -1, np.int64)
    box_parts[shares.homes] = graph.components[1][graph.shape_of]
    around_at, around = invert(offers.starts, offers.inside, field.n_types)
    short = np.flatnonzero(lacking)
    short = short[np.argsort(offers.costs[short], kind="stable")]
    return int(
        close_cycles(
            field.tariff, field.codes, shares.boxes, offers, around_at, around, shares.homes, shares.loads, box_parts,
            short,
        )
    )  # fmt: skip


def _crossings(shares: Shares, parts: Whole, box_parts: Whole, is_bad: Flags) -> tuple[Whole, Whole]:
    """Rows that can be spared, and boxes of other components around them, if one of the components lacks something."""
    offers, used = shares.offers, np.flatnonzero(shares.loads > 0)
    bounds, types = expand(np.arange(used.size + 1), used.astype(np.int32), offers.starts, offers.inside)
    boxes = np.repeat(used, np.diff(bounds))
    at, rows = expand(np.arange(types.size + 1), types, offers.rows_at, offers.rows)
    boxes = np.repeat(boxes, np.diff(at))
    crosses = (parts[rows] != box_parts[boxes]) & (is_bad[parts[rows]] | is_bad[box_parts[boxes]])
    crosses &= shares.loads[shares.homes[rows]] > shares.users
    return rows[crosses].astype(np.int64), boxes[crosses]


def _as_classes(shares: Shares, needs: Needs, until: float) -> Draft | None:
    """Merge each box that lacks something with its cheapest partner until none does; None if time is up."""
    boxes, tariff = shares.boxes, shares.field.tariff
    joined = type(boxes)(*(part[:1].copy() for part in boxes))
    while True:
        lacking = np.flatnonzero(_lacking(consistency(shares.draft()), shares, needs))
        if not lacking.size:
            return shares.draft()
        if working_time() > until:
            return None
        for b in lacking[np.argsort(shares.offers.costs[lacking], kind="stable")].tolist():
            if shares.loads[b] == 0:
                continue
            other = partner(tariff, boxes, shares.loads, b, joined)
            if other < 0:
                return shares.draft()
            for part, there in zip(boxes, joined, strict=True):
                part[b] = part[other] = there[0]
            shares.homes[shares.homes == other] = b
            shares.loads[b] += shares.loads[other]
            shares.loads[other] = 0
