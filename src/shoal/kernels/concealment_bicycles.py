"""Turn neighbours into matches by closing cycles between rows and records until everyone has k matches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_query import Field, rows_inside
from shoal.kernels.concealment_records import Records, cost_of, cost_with, holds, one_record, put_record, widen
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.dynamic_components import (
    FROM,
    FROM_NEXT,
    IN,
    LAST,
    N_EDGES,
    NEXT,
    OUT,
    TO,
    TO_NEXT,
    Web,
    component,
    connect,
)
from shoal.kernels.fitting import Tree
from shoal.kernels.tariff import Tariff

_MOST = np.iinfo(np.int64).max // 4


class Links(NamedTuple):
    """The graph of types, and the records around each row: type ``t``'s begin at entry ``firsts[t]`` of ``covers``.

    ``covers[0]`` is the record of each entry, ``covers[1]`` the next entry, ``covers[2, 0]`` the number of entries.
    """

    web: Web
    covers: Array
    firsts: Array


@kernel
def distinct_inside(offsets: Array, members: Array, rows_at: Array, rows: Array) -> tuple[Array, Array]:
    """For each type, list the distinct types inside its records: counted first, then written. O(entries).

    Record ``j`` holds the types ``members[offsets[j]:offsets[j + 1]]``; ``rows`` are the records of each type.
    """
    n = rows_at.size - 1
    bounds, seen = np.zeros(n + 1, np.int64), np.full(n, -1, np.int64)
    found = np.empty(0, np.int32)
    for is_counted in (False, True):
        seen[:] = -1
        at = 0
        for t in range(n):
            for r in range(rows_at[t], rows_at[t + 1]):
                for e in range(offsets[rows[r]], offsets[rows[r] + 1]):
                    if seen[members[e]] != t:
                        seen[members[e]] = t
                        if is_counted:
                            found[at] = members[e]
                        at += 1
            bounds[t + 1] = at
        if not is_counted:
            found = np.empty(at, np.int32)
    return bounds, found


@kernel
def fill_web(web: Web, components: Array, tails: Array, heads: Array) -> None:
    """Initialize the web with known components, in topological order, and the edges between them. O(nodes + edges)."""
    roots = np.full(components.size, -1, np.int64)
    for v in range(components.size):
        root = roots[components[v]]
        web.nodes[0, v] = web.nodes[LAST, v] = v
        if root < 0:
            roots[components[v]] = v
            web.nodes[3, v], web.nodes[4, components[v]] = components[v], v
        else:
            web.nodes[0, v], web.nodes[NEXT, web.nodes[LAST, root]], web.nodes[LAST, root] = root, v, v
    for e in range(tails.size):
        tail, head = tails[e], heads[e]
        web.edges[TO, e], web.edges[TO_NEXT, e], web.nodes[OUT, tail] = head, web.nodes[OUT, tail], e
        web.edges[FROM, e], web.edges[FROM_NEXT, e], web.nodes[IN, head] = tail, web.nodes[IN, head], e
    web.counts[N_EDGES] = tails.size


@inner
def extend(
    tree: Tree,
    tariff: Tariff,
    types: Array,
    records: Records,
    j: int,
    row: int,
    links: Links,
    before: Records,
    some: Array,
) -> None:
    """Widen record ``j`` to hold one more row, and add the edges to it that result."""
    covers = links.covers
    put_record(before, 0, records, j)
    widen(tariff, records, j, tree.codes[row])
    for e in range(rows_inside(tree, tariff, records, j, some)):
        t = some[e]
        if not holds(tariff, before, 0, tree.codes[t]):
            at = covers[2, 0]
            covers[2, 0] += 1
            covers[0, at], covers[1, at], links.firsts[t] = j, links.firsts[t], at
            connect(links.web, t, types[j])


@inner
def _row_choice(tree: Tree, tariff: Tariff, types: Array, records: Records, j: int, k: int, links: Links) -> int:
    """The type of row that record ``j`` should hold to give its owner one more match; −1 if the owner has k already."""
    web, covers, t = links.web, links.covers, types[j]
    home = component(web, t)
    n, least, who, choice = 0, _MOST, -1, -1
    e = links.firsts[t]
    while e >= 0:
        other = covers[0, e]
        if component(web, types[other]) == home:
            n += 1
        else:
            price = cost_with(tariff, records, j, tree.codes[types[other]], least)
            if price < least or (price == least and other < who):
                least, who, choice = price, other, types[other]
        e = covers[1, e]
    return -1 if n >= k else choice


@inner
def _record_choice(field: Field, records: Records, j: int, k: int, web: Web, some: Array) -> int:
    """The record that should hold ``j``'s owner to give ``j`` one more match; −1 if it has k already."""
    tree, tariff, t = field.tree, field.tariff, field.types[j]
    home = component(web, t)
    n_inside, n = rows_inside(tree, tariff, records, j, some), 0
    for e in range(n_inside):
        if component(web, some[e]) == home:
            n += field.people[some[e]]
    if n >= k:
        return -1
    least, choice = _MOST, -1
    for e in range(n_inside):
        if component(web, some[e]) != home:
            other = field.names[some[e]]
            own = cost_of(tariff, records, other)
            rise = cost_with(tariff, records, other, tree.codes[t], own + least) - own
            if rise < least or (rise == least and other < choice):
                least, choice = rise, other
    return choice


@kernel
def conceal(field: Field, order: Array, start: int, k_rows: int, k_records: int, records: Records, links: Links) -> int:
    """Visit records from place ``start`` on until owners have ``k_rows`` matches and the records ``k_records``.

    Returns the place where it had to stop because the lists might overflow, or the number of records if it finished.
    """
    tree, tariff, types, web, covers = field.tree, field.tariff, field.types, links.web, links.covers
    room = tree.codes.shape[0]
    some, before = np.empty(room, np.int32), one_record(records)
    for at in range(start, order.size):
        j = order[at]
        while True:
            if covers[2, 0] + room > covers.shape[1] or web.counts[N_EDGES] + room > web.edges.shape[1]:
                return at
            row = _row_choice(tree, tariff, types, records, j, k_rows, links)
            if row < 0:
                break
            extend(tree, tariff, types, records, j, row, links, before, some)
        while k_records > 0:
            if covers[2, 0] + room > covers.shape[1] or web.counts[N_EDGES] + room > web.edges.shape[1]:
                return at
            other = _record_choice(field, records, j, k_records, web, some)
            if other < 0:
                break
            extend(tree, tariff, types, records, other, types[j], links, before, some)
    return order.size
