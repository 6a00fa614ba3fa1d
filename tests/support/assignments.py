"""Assignment graphs from lists, back to lists, and split into assignments."""

from __future__ import annotations

import numpy as np

from naive.assignment import Graph
from shoal.core.arrays import Codes
from shoal.core.assignment import AssignmentGraph
from shoal.core.randomness import Randomness
from shoal.kernels.assignment import draw, n_words


def graph_of(lists: Graph) -> AssignmentGraph:
    """The graph from the list of records that each row matches."""
    offsets = np.concatenate([[0], np.cumsum([len(matched) for matched in lists])]).astype(np.int64)
    return AssignmentGraph(offsets, np.array([record for matched in lists for record in matched], np.int32))


def records_of(graph: AssignmentGraph) -> list[list[int]]:
    """The records that each row matches, sorted."""
    return [sorted(graph.heads[a:b].tolist()) for a, b in zip(graph.offsets, graph.offsets[1:], strict=False)]


def assignments(graph: AssignmentGraph, k: int, randomness: Randomness) -> Codes | None:
    """``k`` random assignments that share no match, ``[assignment, record] → row``, or None if there are none."""
    regular = graph.regular_part(k)
    if regular is None:
        return None
    edges, whole = regular.heads.reshape(-1, k), np.array([0, len(graph.offsets) - 1], np.int64)
    words = randomness.words(n_words(np.diff(whole), np.array([k - 1])))
    return np.array([draw(edges, whole, np.array([turn]), words) for turn in range(k)])
