"""Further matches: for rows whose match sets break a promise, and for rows that can be linked too surely."""

from __future__ import annotations

from math import inf

import numpy as np

from shoal.algorithms.concealment.bicycles import links_of, with_room
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.match_sets import failing_types, too_likely
from shoal.algorithms.concealment.requirements import Needs
from shoal.core.arrays import Codes, Flags, Whole
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress, Silent
from shoal.core.table import Table
from shoal.kernels.compiled import working_time
from shoal.kernels.concealment_bicycles import Links
from shoal.kernels.concealment_diversity import match_one, matched
from shoal.kernels.distinct import number_rows

_PASSES = 100
"""The first passes repair nearly all rows; the last few, which break each other's match sets, may take dozens of short
ones."""

_WORK = 100_000_000
"""Messages along edges for estimating chances between passes, about a second; the final estimate runs to the end."""


def diversified(draft: Draft, goal: Goal, order: Whole, progress: Progress | None = None, until: float = inf) -> Draft:
    """Algorithms 7 and 8.2 for any promise about groups: give rows whose match set breaks one more matches that help.

    A value helps if one more row with it brings the match set closer to the promise: a new value for p-sensitivity, any
    but the most frequent one for l-diversity. Among the records with such values, the one that is cheapest to widen
    together with the row's own becomes a match. New matches also enter the match sets of other rows, so rows are
    visited again until every match set is fine, nothing more can be done, a hundred passes are over, or the clock shows
    ``until``; then the caller has to resort to other means.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithm 7,
    section 8.2); the generalization to other promises is ours.
    """
    progress = progress or Silent()
    done, field = draft.copy(), draft.field
    if not goal.group_models:
        return done
    values, samples = number_rows(np.array([column.codes for column in field.table.sensitive], np.int32))
    for _ in range(_PASSES):
        failing = failing_types(done, goal)
        if not failing.any():
            break
        progress.stage("diversifying", int(failing.sum()))
        links = links_of(done)
        before = int(links.covers[2, 0])
        for j in order[failing[field.types[order]]].tolist():
            if failing[field.types[j]] and working_time() < until:
                failing[field.types[j]] = False
                links = _mend(done, goal, j, values, samples, links)
                progress.advance()
        if int(links.covers[2, 0]) == before:
            break
    return done


def _mend(draft: Draft, goal: Goal, j: int, values: Codes, samples: Codes, links: Links) -> Links:
    """Give the owner of record ``j`` further matches until its match set is fine or no record helps."""
    field = draft.field
    while True:
        links = with_room(links, field.n_types)
        owners = matched(field.types, links, int(field.types[j]))
        helps = _helpful(goal, field.table, field.rows[owners], samples)
        if helps is None or not helps.any():
            return links
        if match_one(field.for_kernels, j, helps[values[field.rows]], draft.records, links) < 0:
            return links


def _helpful(goal: Goal, table: Table, owners: Whole, samples: Codes) -> Flags | None:
    """Which combinations of sensitive values bring a match set closer to a broken promise; None if none is broken."""
    longer = np.concatenate([owners, *(np.append(owners, sample) for sample in samples)]).astype(np.int32)
    sizes = np.full(samples.size + 1, owners.size + 1)
    sizes[0] = owners.size
    sets = Groups(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), longer)
    helps, is_broken = np.zeros(samples.size, bool), False
    for model in goal.group_models:
        measures = model.measure(table, sets)
        if measures[0] < model.threshold:
            is_broken = True
            helps |= measures[1:] > measures[0]
    return helps if is_broken else None


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
            is_kept = not too_likely(done, needs.linkage).any() and not failing_types(done, goal).any()
            return done if is_kept else None
        done = diversified(_matched(done, np.flatnonzero(surely)), goal, order, progress, until)
    return None


def _matched(draft: Draft, records: Whole) -> Draft:
    """Add one match for the owner of each of these records."""
    done, field = draft.copy(), draft.field
    links, anyone = links_of(draft), np.ones(field.n_rows, bool)
    for j in records.tolist():
        links = with_room(links, field.n_types)
        match_one(field.for_kernels, j, anyone, done.records, links)
    return done
