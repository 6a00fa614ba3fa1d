"""Strong components that are kept up to date edge by edge are those of the graph, and stay in topological order."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from shoal.core.arrays import Codes
from shoal.core.randomness import Randomness
from shoal.kernels.concealment_bicycles import fill_web
from shoal.kernels.dynamic_components import RANK, Web, component, connect
from shoal.kernels.scc import strong_components

NODES, EDGES = 60, 150


@njit
def _connected(web: Web, tail: int, head: int) -> Codes:
    """Add an edge; the component of each node then."""
    connect(web, tail, head)
    return np.array([component(web, v) for v in range(web.nodes.shape[1])])


def _bare(n_nodes: int, n_edges: int) -> Web:
    nodes, edges = np.full((10, n_nodes), -1, np.int64), np.full((4, n_edges), -1, np.int64)
    web = Web(nodes, edges, np.array([0, 0, 0, n_nodes]), np.empty((3, n_nodes + 1), np.int64))
    fill_web(web, np.arange(n_nodes), np.empty(0, np.int64), np.empty(0, np.int64))
    return web


def _from_scratch(edges: Codes) -> Codes:
    order = np.argsort(edges[:, 0], kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(edges[:, 0], minlength=NODES))]).astype(np.int64)
    found: Codes = strong_components(offsets, edges[order, 1].astype(np.int32))[0]
    return found


@pytest.mark.parametrize("seed", range(20))
def test_components_are_those_of_the_graph_after_every_edge(seed: int) -> None:
    edges = (Randomness(seed).words(2 * EDGES) % np.uint64(NODES)).astype(np.int64).reshape(-1, 2)
    web = _bare(NODES, EDGES)
    for n, (tail, head) in enumerate(edges.tolist(), 1):
        ours, theirs = _connected(web, tail, head), _from_scratch(edges[:n].astype(np.int32))
        pairs = np.unique(np.stack([ours, theirs]), axis=1).shape[1]
        assert pairs == np.unique(ours).size == np.unique(theirs).size == web.counts[3]
        ranks = web.nodes[RANK, ours]
        tails, heads = edges[:n].T
        between = ours[tails] != ours[heads]
        assert (ranks[tails] < ranks[heads])[between].all()
