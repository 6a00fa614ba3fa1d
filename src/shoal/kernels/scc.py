"""Strong components of a directed graph."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def strong_components(offsets: Array, heads: Array) -> tuple[Array, int]:
    """Number the strong components; node ``v`` has the edges to ``heads[offsets[v]:offsets[v + 1]]``.

    Returns the component of each node and how many there are. Tarjan's algorithm with an explicit stack, so that long
    paths are safe. O(nodes + edges).
    """
    n = offsets.size - 1
    order = np.full(n, -1, np.int32)
    low = np.empty(n, np.int32)
    component = np.full(n, -1, np.int32)
    cursor = offsets[:-1].copy()
    path = np.empty(n, np.int32)
    waiting = np.empty(n, np.int32)
    n_waiting, n_found, clock = 0, 0, 0
    for root in range(n):
        if order[root] >= 0:
            continue
        depth = 0
        path[0] = root
        while depth >= 0:
            v = path[depth]
            if order[v] < 0:
                order[v] = low[v] = clock
                clock += 1
                waiting[n_waiting] = v
                n_waiting += 1
            if cursor[v] < offsets[v + 1]:
                head = heads[cursor[v]]
                cursor[v] += 1
                if order[head] < 0:
                    depth += 1
                    path[depth] = head
                elif component[head] < 0:
                    low[v] = min(low[v], order[head])
                continue
            if low[v] == order[v]:
                while component[v] < 0:
                    n_waiting -= 1
                    component[waiting[n_waiting]] = n_found
                n_found += 1
            depth -= 1
            if depth >= 0:
                low[path[depth]] = min(low[path[depth]], low[v])
    return component, n_found
