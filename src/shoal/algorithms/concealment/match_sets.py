"""Which rows fit which records of a draft, and the match sets that diversity is checked on."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.concealment.draft_release import Draft
from shoal.core.arrays import Flags
from shoal.core.consistency import Consistency
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.linkage import HAIR, Linkage
from shoal.kernels.assignment_graph import expand, invert


def consistency(draft: Draft) -> Consistency:
    """Which rows fit which records of a draft."""
    field, shapes = draft.field, draft.shapes()
    return Consistency(
        type_of=field.types.astype(np.int32),
        shape_of=shapes.ids,
        people=field.people,
        records=np.bincount(shapes.ids, minlength=shapes.firsts.size).astype(np.int64),
        offsets=shapes.inside.offsets,
        types=shapes.inside.members,
        is_true=np.ones(field.n_rows, bool),
    )


def match_sets(draft: Draft) -> Groups:
    """For each type, the rows of the table that own its matches: the multisets S of the paper's section 8."""
    graph = consistency(draft)
    kept = graph.is_match
    owners = np.repeat(np.arange(graph.n_shapes, dtype=np.int32), np.diff(graph.offsets))[kept]
    bounds = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=graph.n_shapes))]).astype(np.int64)
    by_type = invert(bounds, graph.types[kept], graph.n_types)
    records = Groups.from_ids(graph.shape_of, graph.n_shapes)
    return Groups(*expand(*by_type, records.offsets, draft.field.rows[records.members].astype(np.int32)))


def failing_types(draft: Draft, goal: Goal) -> Flags:
    """The types whose match set breaks a promise about sensitive values."""
    if not goal.group_models:
        return np.zeros(draft.field.n_types, bool)
    return ~goal.accepts(draft.field.table, match_sets(draft))


def too_likely(draft: Draft, most: float, work: int | None = None) -> Flags:
    """The records that have, or whose owner has, a match likelier than allowed, as far as ``work`` steps can tell."""
    linkage = Linkage.of(consistency(draft), most_work=work)
    shapes, limit = linkage.consistency.shape_of, most * (1 + HAIR)
    return (linkage.of_types[draft.field.types] > limit) | (linkage.of_shapes[shapes] > limit)
