"""The shrinking pass: narrow cells that are wider than the promises require, check, and undo what went too far."""

from __future__ import annotations

from math import inf

import numpy as np

from shoal.algorithms.concealment.bicycles import components_of, owner_edges
from shoal.algorithms.concealment.draft_release import Draft, Shapes
from shoal.algorithms.concealment.match_sets import failing_types, too_likely
from shoal.algorithms.concealment.requirements import Needs
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.arrays import Codes, Flags, Floats, Whole
from shoal.core.contracts import Goal
from shoal.core.diverse_parts import join_until
from shoal.core.groups import Groups
from shoal.core.progress import Progress, Silent
from shoal.core.release import Release
from shoal.core.tariff import UNIT
from shoal.kernels.compiled import working_time
from shoal.kernels.concealment_shrink import COMPONENT, FROM_ROOT, TO_ROOT, Standing, rank, scale, shrink, take_stock
from shoal.kernels.scc import strong_components
from shoal.models.linkage_bound import LinkageBound

_ROUNDS = 12
_WORTH = 2e-5
_SCALING_ROUNDS, _CLOSE = 100, 1e-3

_MARGINS = (1.0, 0.92, 0.84, 0.7)


def shrunk(
    draft: Draft,
    needs: Needs,
    progress: Progress | None = None,
    margin: float = 1.0,
    which: Flags | None = None,
    until: float = inf,
) -> Draft:
    """Narrow the records of a draft (or ``which`` of them) as long as it keeps what ``needs`` says.

    The costliest come first. After the clock shows ``until``, no round begins except the first.

    Requirements that the draft does not meet at the start are not made worse for any row or record. Chances come from
    Sinkhorn scaling, recomputed every round, and are kept below ``margin`` times the bound; they are a guide and not a
    proof. Shrinking undoes most of what a repair in a bad order costs. O(rows inside records · columns) a round.
    """
    progress = progress or Silent()
    done, field = draft.copy(), draft.field
    scales = np.ones((2, field.n_types))
    for _ in range(_ROUNDS):
        progress.stage("shrinking")
        standing = _standing(done, needs, scales, margin)
        visited = np.argsort(-done.costs(), kind="stable")
        visited = visited if which is None else visited[which[visited]]
        gain = shrink(field.tariff, field.codes, field.people, field.types, visited, done.records, standing)
        if gain < _WORTH * UNIT * field.n_rows or working_time() > until:
            break
    return done


def _standing(draft: Draft, needs: Needs, scales: Floats, margin: float) -> Standing:
    """What the draft keeps now; ``scales`` are updated."""
    field, shapes = draft.field, draft.shapes()
    inside = shapes.expanded()
    types = np.zeros((7, field.n_types), np.int64)
    if needs.wants_matches:
        types[[COMPONENT, FROM_ROOT, TO_ROOT]] = _ranks(field, inside)
    take_stock(inside.offsets, inside.members, field.types, types)
    scales[:] = scales if needs.is_bounded else 0.0
    weights = _scaled(field, shapes, types[COMPONENT], scales) if needs.is_bounded else np.zeros(field.n_rows)
    most = needs.linkage * margin if needs.is_bounded else 2.0
    starts, sizes = inside.offsets[:-1].copy(), inside.sizes
    return Standing(types, needs.as_array(), starts, sizes, inside.members, scales.copy(), weights, most)


def _scaled(field: RowTree, shapes: Shapes, components: Whole, scales: Floats) -> Floats:
    """The weight of each record; updates ``scales``."""
    weights, counts = np.ones(shapes.firsts.size), np.bincount(shapes.ids, minlength=shapes.firsts.size)
    scale(
        shapes.inside.offsets, shapes.inside.members, field.types[shapes.firsts], counts, field.people, components,
        scales, weights, _SCALING_ROUNDS, _CLOSE,
    )  # fmt: skip
    return weights[shapes.ids]


def _ranks(field: RowTree, inside: Groups) -> Whole:
    """Components, and the distance of each type from the root of its component and to it."""
    tails, heads = owner_edges(field, inside)
    out, into = _lists(tails, heads, field.n_types), _lists(heads, tails, field.n_types)
    components, n = strong_components(*out)
    roots = np.zeros(n, np.int64)
    by_degree = np.argsort(np.diff(out[0]) + np.diff(into[0]), kind="stable")
    roots[components[by_degree]] = by_degree
    return np.array([components, rank(*out, components, roots), rank(*into, components, roots)])


def _lists(tails: Whole, heads: Whole, n: int) -> tuple[Whole, Codes]:
    """Group the heads of edges by their tail."""
    offsets = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=n))]).astype(np.int64)
    return offsets, heads[np.argsort(tails, kind="stable")].astype(np.int32)


def settled(start: Draft, needs: Needs, goal: Goal, progress: Progress, until: float = inf) -> Draft:
    """A draft that loses no more than ``start`` and keeps everything that ``start`` keeps.

    The strong components of the start can be treated separately, because shrinking never joins two. Components in which
    a chance exceeds the bound, or a promise about sensitive values fails, are shrunk again more cautiously, and
    finally, or once the clock shows ``until``, left as they were.
    """
    home = components_of(start)[start.field.types]
    done, which = start, np.ones(start.field.n_rows, bool)
    for margin in _MARGINS:
        done = shrunk(_with(done, start, which), needs, progress, margin, which, until)
        which = _broken(done, needs, goal, home)
        if not which.any() or working_time() > until:
            break
    return _with(done, start, which)


def _with(done: Draft, start: Draft, which: Flags) -> Draft:
    """The draft with the records ``which`` reset to ``start``."""
    mixed = done.copy()
    for part, before in zip(mixed.records, start.records, strict=True):
        part[which] = before[which]
    return mixed


def _broken(draft: Draft, needs: Needs, goal: Goal, home: Whole) -> Flags:
    """The records in components of the start where a requirement is not kept."""
    bad = failing_types(draft, goal)[draft.field.types]
    if needs.is_bounded:
        bad |= too_likely(draft, needs.linkage)
    return np.isin(home, home[bad])


def joined(groups: Draft, goal: Goal) -> Draft:
    """Merge groups in whose match sets a promise fails with a neighbour; at worst all rows.

    The match set of a row is a union of whole groups, so this changes nothing if promises survive unions.
    """
    field, shapes = groups.field, groups.shapes()

    def fine(parts: Groups) -> Flags:
        failing = failing_types(Draft.of_groups(field, parts), goal)[field.types]
        return ~np.logical_or.reduceat(failing[parts.members], parts.offsets[:-1])

    return Draft.of_groups(field, join_until(fine, Groups.from_ids(shapes.ids, shapes.firsts.size)))


def kept(release: Release, goal: Goal, needs: Needs) -> bool:
    """Whether a release keeps every promise of a goal, and also the bound on chances."""
    promises = (*goal.promises, LinkageBound(needs.linkage)) if needs.is_bounded else goal.promises
    return all(promise.check(release).holds for promise in promises)
