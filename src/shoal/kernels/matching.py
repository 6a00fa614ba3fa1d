"""Give every record an owner: a complete assignment between people and records, by augmenting paths.

People of equal type and records of equal shape are interchangeable. Position ``p`` of the tree has the slots
``slots_at[p] … slots_at[p + 1] − 1``, one for each of its people; a slot holds the shape of the person's record, or −1.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.fitting import Tree, positions
from shoal.kernels.small import root


@kernel
def fill(
    tree: Tree, offsets: Array, pieces: Array, needs: Array, order: Array, slots_at: Array, slots: Array, taken: Array
) -> None:
    """Give the shapes, in order, free people; ``needs`` falls and ``taken`` rises. Close to O(pieces)."""
    n = taken.size
    pointers = np.arange(n + 1)
    for p in range(n):
        if slots_at[p] + taken[p] == slots_at[p + 1]:
            pointers[p] = p + 1
    for s in order:
        for i in range(offsets[s], offsets[s + 1]):
            start, stop = positions(tree, pieces[i])
            p = root(pointers, start)
            while p < stop and needs[s] > 0:
                slots[slots_at[p] + taken[p]] = s
                taken[p] += 1
                needs[s] -= 1
                if slots_at[p] + taken[p] == slots_at[p + 1]:
                    pointers[p] = p + 1
                    p = root(pointers, p)
            if needs[s] == 0:
                break


@kernel
def _search(
    first: int,
    tree: Tree,
    offsets: Array,
    pieces: Array,
    slots_at: Array,
    slots: Array,
    taken: Array,
    pointers: Array,
    at: Array,
    done: Array,
    path: Array,
) -> bool:
    """Find a free person for a record of shape ``first``, moving others on; dead ends are not searched again.

    ``path[depth]`` holds the shape, and the position and slot it is currently trying.
    """  # fmt: skip
    depth = 0
    path[0, 0], path[0, 1] = first, -1
    done[first] = True
    while depth >= 0:
        s, p = path[depth, 0], path[depth, 1]
        if p < 0:
            while at[s] < offsets[s + 1]:
                start, stop = positions(tree, pieces[at[s]])
                p = root(pointers, start)
                if p < stop:
                    break
                at[s] += 1
                p = -1
            if p < 0:
                depth -= 1
                continue
            pointers[p] = p + 1
            path[depth, 1], path[depth, 2] = p, slots_at[p]
            if slots_at[p] + taken[p] < slots_at[p + 1]:
                slots[slots_at[p] + taken[p]] = s
                taken[p] += 1
                for d in range(depth):
                    slots[path[d, 2] - 1] = path[d, 0]
                for d in range(depth + 1):
                    done[path[d, 0]] = False
                return True
        if path[depth, 2] == slots_at[p + 1]:
            path[depth, 1] = -1
            continue
        other = slots[path[depth, 2]]
        path[depth, 2] += 1
        if not done[other]:
            done[other] = True
            depth += 1
            path[depth, 0], path[depth, 1] = other, -1
    return False


@kernel
def improve(
    tree: Tree, offsets: Array, pieces: Array, needs: Array, slots_at: Array, slots: Array, taken: Array
) -> int:
    """Find people for the remaining records as far as possible; return how many records stay without an owner.

    Depth-first in rounds. O(pieces + people) a round; few rounds in practice, O(√people) in theory.
    """
    n_shapes = needs.size
    path = np.empty((n_shapes + 2, 3), np.int64)
    while True:
        pointers, at = np.arange(taken.size + 1), offsets[:-1].copy()
        done = np.zeros(n_shapes, np.bool_)
        n_found, n_left = 0, 0
        for s in range(n_shapes):
            while needs[s] > 0 and _search(s, tree, offsets, pieces, slots_at, slots, taken, pointers, at, done, path):
                needs[s] -= 1
                n_found += 1
            n_left += needs[s]
        if n_left == 0 or n_found == 0:
            return int(n_left)


@kernel
def walks(tree: Tree, offsets: Array, pieces: Array, slots_at: Array, slots: Array) -> tuple[Array, Array]:
    """The directed graph of an assignment: boxes lead to all rows inside, rows back to the boxes of their people.

    Nodes are the boxes, then the nodes of the tree, then the positions. Returns offsets and heads. O(pieces + people).
    """
    n_shapes, n_nodes, n = offsets.size - 1, tree.starts.size, tree.order.size
    first = n_shapes + n_nodes
    bounds = np.zeros(first + n + 1, np.int64)
    heads = np.empty(pieces.size + 2 * n_nodes + n + slots.size, np.int32)
    at = 0
    for s in range(n_shapes):
        for i in range(offsets[s], offsets[s + 1]):
            heads[at] = n_shapes + pieces[i] if pieces[i] >= 0 else first - 1 - pieces[i]
            at += 1
        bounds[s + 1] = at
    for v in range(n_nodes):
        if tree.rights[v] >= 0:
            heads[at], heads[at + 1] = n_shapes + v + 1, n_shapes + tree.rights[v]
            at += 2
        else:
            for p in range(tree.starts[v], tree.stops[v]):
                heads[at] = first + p
                at += 1
        bounds[n_shapes + v + 1] = at
    for p in range(n):
        for slot in range(slots_at[p], slots_at[p + 1]):
            if slot == slots_at[p] or slots[slot] != slots[slot - 1]:
                heads[at] = slots[slot]
                at += 1
        bounds[first + p + 1] = at
    return bounds, heads[:at].copy()
