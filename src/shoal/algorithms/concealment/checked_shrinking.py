"""Shrink a release that keeps everything, check the result, and undo what does not keep it."""

from __future__ import annotations

from math import inf

import numpy as np

from shoal.algorithms.concealment.bicycles import components_of
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.match_sets import failing_types, too_likely
from shoal.algorithms.concealment.requirements import Needs
from shoal.algorithms.concealment.shrinking import shrunk
from shoal.core.arrays import Flags, Whole
from shoal.core.contracts import Goal
from shoal.core.diverse_parts import join_until
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.release import Release
from shoal.kernels.compiled import working_time
from shoal.models.linkage_bound import LinkageBound

_MARGINS = (1.0, 0.92, 0.84, 0.7)


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
