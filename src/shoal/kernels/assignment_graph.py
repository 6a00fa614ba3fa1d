"""Which people may own which record: matches computed from cells, and the inverted lists."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.small import first_at_least


@kernel
def invert(offsets: Array, members: Array, n_members: int) -> tuple[Array, Array]:
    """For each member, list the lists that contain it, ascending. O(entries)."""
    starts = np.zeros(n_members + 1, np.int64)
    for member in members:
        starts[member + 1] += 1
    for i in range(n_members):
        starts[i + 1] += starts[i]
    cursor = starts[:-1].copy()
    lists = np.empty(members.size, np.int32)
    for g in range(offsets.size - 1):
        for p in range(offsets[g], offsets[g + 1]):
            lists[cursor[members[p]]] = g
            cursor[members[p]] += 1
    return starts, lists


@kernel
def expand(offsets: Array, members: Array, inner_offsets: Array, inner_members: Array) -> tuple[Array, Array]:
    """Replace every member of every list with a list of its own. O(entries of the result)."""
    bounds = np.zeros(offsets.size, np.int64)
    for g in range(offsets.size - 1):
        bounds[g + 1] = bounds[g]
        for p in range(offsets[g], offsets[g + 1]):
            bounds[g + 1] += inner_offsets[members[p] + 1] - inner_offsets[members[p]]
    found = np.empty(bounds[-1], np.int32)
    at = 0
    for member in members:
        for q in range(inner_offsets[member], inner_offsets[member + 1]):
            found[at] = inner_members[q]
            at += 1
    return bounds, found


class Boxes(NamedTuple):
    """The cells of each shape: bounds ``low[j, s]`` to ``high[j, s]`` and, for set-valued columns, the members.

    In a set-valued column ``j``, shape ``s`` has the members ``members[starts[j, s]:stops[j, s]]``, ascending. In other
    columns both pointers are equal.
    """

    low: Array
    high: Array
    starts: Array
    stops: Array
    members: Array


@kernel
def _holds(boxes: Boxes, j: int, s: int, code: int) -> bool:
    """Whether the cell of shape ``s`` in column ``j`` contains the code."""
    if code < boxes.low[j, s] or code > boxes.high[j, s]:
        return False
    start, stop = boxes.starts[j, s], boxes.stops[j, s]
    if start == stop:
        return True
    at = start + first_at_least(boxes.members[start:stop], stop - start, code)
    return bool(at < stop and boxes.members[at] == code)


@kernel
def hold_rows(offsets: Array, members: Array, boxes: Boxes, codes: Array) -> Array:
    """Whether the cells of each shape contain the codes of all rows listed for it. O(entries · columns)."""
    n_shapes = offsets.size - 1
    inside = np.ones(n_shapes, np.bool_)
    for j in range(codes.shape[0]):
        for s in range(n_shapes):
            for p in range(offsets[s], offsets[s + 1]):
                inside[s] &= _holds(boxes, j, s, codes[j, members[p]])
    return inside


@kernel
def rows_in_boxes(boxes: Boxes, codes: Array, by_code: Array, by_code_at: Array) -> tuple[Array, Array]:
    """List the rows that lie inside the cells of each shape.

    ``by_code[j]`` lists the rows by their code in column ``j``; those with code ``c`` begin at ``by_code_at[j, c]``.
    For each shape, only the rows inside its narrowest cell are checked.
    """
    n_columns, n_shapes = boxes.low.shape
    offsets = np.zeros(n_shapes + 1, np.int64)
    found = np.empty(max(64, 4 * n_shapes), np.int32)
    n_found = 0
    for s in range(n_shapes):
        best, fewest = 0, codes.shape[1] + 1
        for j in range(n_columns):
            n = by_code_at[j, boxes.high[j, s] + 1] - by_code_at[j, boxes.low[j, s]]
            if n < fewest:
                best, fewest = j, n
        if n_found + fewest > found.size:
            more = np.empty(2 * (n_found + fewest), np.int32)
            more[:n_found] = found[:n_found]
            found = more
        first = by_code_at[best, boxes.low[best, s]]
        for row in by_code[best, first : first + fewest]:
            inside = True
            for j in range(n_columns):
                if not _holds(boxes, j, s, codes[j, row]):
                    inside = False
                    break
            if inside:
                found[n_found] = row
                n_found += 1
        offsets[s + 1] = n_found
    return offsets, found[:n_found].copy()


@kernel
def regular_degrees(offsets: Array, members: Array, shapes: Array, owners: Array, n_rows: int) -> Array:
    """The degree of each record if its matches belong to a regular graph that includes its owner, else 0.

    The records of shape ``s`` match the rows ``members[offsets[s]:offsets[s + 1]]``. A record counts if its owner is
    among its rows, no row is listed twice, and each of these rows has as many records as the record has rows.
    O(entries).
    """
    n_shapes = offsets.size - 1
    uses = np.zeros(n_shapes, np.int64)
    for shape in shapes:
        uses[shape] += 1
    records = np.zeros(n_rows, np.int64)
    last_in = np.full(n_rows, -1, np.int64)
    is_fine = np.ones(n_shapes, np.bool_)
    for s in range(n_shapes):
        for p in range(offsets[s], offsets[s + 1]):
            is_fine[s] &= last_in[members[p]] != s
            last_in[members[p]] = s
            records[members[p]] += uses[s]
    for s in range(n_shapes):
        for p in range(offsets[s], offsets[s + 1]):
            is_fine[s] &= records[members[p]] == offsets[s + 1] - offsets[s]
    begin = np.zeros(n_shapes + 1, np.int64)
    for s in range(n_shapes):
        begin[s + 1] = begin[s] + uses[s]
    order = np.empty(shapes.size, np.int64)
    for r in range(shapes.size):
        uses[shapes[r]] -= 1
        order[begin[shapes[r]] + uses[shapes[r]]] = r
    degrees = np.zeros(shapes.size, np.int64)
    for s in range(n_shapes):
        for p in range(offsets[s], offsets[s + 1]):
            last_in[members[p]] = -2 - s
        for q in range(begin[s], begin[s + 1]):
            if is_fine[s] and last_in[owners[order[q]]] == -2 - s:
                degrees[order[q]] = offsets[s + 1] - offsets[s]
    return degrees
