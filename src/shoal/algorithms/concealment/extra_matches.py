"""Keep a bound on chances with further matches: rows that can be linked too surely are added to more records."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.concealment.bicycles import links_of, with_room
from shoal.algorithms.concealment.diversity import diversified
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.match_sets import failing_types, too_likely
from shoal.algorithms.concealment.requirements import Needs
from shoal.core.arrays import Whole
from shoal.core.contracts import Goal
from shoal.core.progress import Progress
from shoal.kernels.compiled import working_time
from shoal.kernels.concealment_diversity import match_one

_PASSES = 100

_WORK = 100_000_000
"""Messages along edges for estimating chances between passes, about a second; the final estimate runs to the end."""


def softened(
    draft: Draft, needs: Needs, goal: Goal, order: Whole, most: float, progress: Progress, until: float
) -> Draft | None:
    """Add cheapest cycles of two for every row with a link above the bound, restoring the diversity of match sets.

    ``draft`` keeps everything but the bound. None if the result would lose ``most`` or more, or takes too long. Each
    new match lowers the chances of the others, but a row that shares its matches with no other row needs many.
    """
    done = draft
    for _ in range(_PASSES):
        if done.loss >= most or working_time() > until:
            break
        progress.stage("softening")
        surely = too_likely(done, needs.linkage, _WORK)
        if not surely.any():
            return done if not too_likely(done, needs.linkage).any() and _is_diverse(done, goal) else None
        done = diversified(_matched(done, np.flatnonzero(surely)), goal, order, progress, until)
    return None


def _is_diverse(draft: Draft, goal: Goal) -> bool:
    return not failing_types(draft, goal).any()


def _matched(draft: Draft, records: Whole) -> Draft:
    """Add one match for the owner of each of these records."""
    done, field = draft.copy(), draft.field
    links, anyone = links_of(draft), np.ones(field.n_rows, bool)
    for j in records.tolist():
        links = with_room(links, field.n_types)
        match_one(field.for_kernels, j, anyone, done.records, links)
    return done
