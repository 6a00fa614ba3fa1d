"""Find the cheapest record whose sensitive value helps a row, and make the two match by closing a cycle of two."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_bicycles import Links, extend
from shoal.kernels.concealment_query import PATH, Field, look_around, price_with, push_children, room_to_reach
from shoal.kernels.concealment_records import Records, cost_of, cost_with, one_record
from shoal.kernels.decorators import kernel
from shoal.kernels.dynamic_components import component

_MOST = np.iinfo(np.int64).max // 4


@kernel
def matched(types: Array, links: Links, t: int) -> Array:
    """The records that match a type. O(records around it)."""
    web, covers, found, n = links.web, links.covers, np.empty(types.size, np.int32), 0
    home, e = component(web, t), links.firsts[t]
    while e >= 0:
        if component(web, types[covers[0, e]]) == home:
            found[n] = covers[0, e]
            n += 1
        e = covers[1, e]
    return found[:n].copy()


@kernel
def match_one(field: Field, j: int, helps: Array, records: Records, links: Links) -> int:
    """Match record ``j``'s owner with the cheapest record that ``helps``, widening both; return that record, or −1.

    The total rise in the price of both records is minimised, by branch and bound on the rise of record ``j``.
    """
    tree, tariff, types = field.tree, field.tariff, field.types
    t, own = types[j], cost_of(tariff, records, j)
    is_match, reach = np.zeros(types.size, np.bool_), room_to_reach(tariff)
    is_match[matched(types, links, t)] = True
    look_around(tariff, records, j, reach)
    stack, least = np.empty(PATH, np.int32), np.empty(PATH, np.int64)
    depth, best, who = 1, _MOST, -1
    stack[0], least[0] = 0, own
    while depth:
        depth -= 1
        if least[depth] - own >= best:
            continue
        v = stack[depth]
        if tree.rights[v] >= 0:
            depth = push_children(tree, v, reach, own + best, stack, least, depth)
            continue
        for p in range(tree.starts[v], tree.stops[v]):
            rise = price_with(reach.cells, reach.prices, reach.spans, tree.codes, p) - own
            if rise >= best:
                continue
            for e in range(field.rows_at[p], field.rows_at[p + 1]):
                other = field.rows[e]
                if not helps[other] or is_match[other]:
                    continue
                theirs = cost_of(tariff, records, other)
                both = rise + cost_with(tariff, records, other, tree.codes[t], theirs + best) - theirs
                if both < best:
                    best, who = both, other
    if who >= 0:
        some, before = np.empty(tree.codes.shape[0], np.int32), one_record(records)
        extend(tree, tariff, types, records, who, t, links, before, some)
        extend(tree, tariff, types, records, j, types[who], links, before, some)
    return int(who)
