"""Widen records to hold rows that fit too few of them, where it costs least."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_query import rows_inside
from shoal.kernels.concealment_records import Records, cost_of, cost_with, holds, one_record, put_record, widen
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.fitting import Tree
from shoal.kernels.tariff import Tariff


@inner
def _cheapest_records(
    tariff: Tariff, records: Records, own: Array, codes: Array, need: int, rises: Array, which: Array
) -> None:
    """Write to ``which`` the ``need`` records whose price rises least if widened to hold a row, the first of equals."""
    n, most = 0, np.iinfo(np.int64).max // 2
    for j in range(own.size):
        rise = cost_with(tariff, records, j, codes, own[j] + most) - own[j]
        if rise > most or (n == need and rise == most) or holds(tariff, records, j, codes):
            continue
        at = min(n, need - 1)
        while at > 0 and rises[at - 1] > rise:
            rises[at], which[at] = rises[at - 1], which[at - 1]
            at -= 1
        rises[at], which[at] = rise, j
        n = min(n + 1, need)
        if n == need:
            most = rises[need - 1]


@kernel
def let_in(tree: Tree, tariff: Tariff, order: Array, k: int, records: Records, fits: Array) -> int:
    """Visit types in order and widen records for those that fit fewer than k; return how many needed it.

    ``fits[t]`` counts the records that type ``t`` fits, and is kept up to date. O(records · columns) for each type that
    needs it, plus the time to find the rows inside the widened records.
    """
    n = records.low.shape[0]
    own, rises, which = np.empty(n, np.int64), np.empty(k, np.int64), np.empty(k, np.int64)
    for j in range(n):
        own[j] = cost_of(tariff, records, j)
    some, before = np.empty(tree.codes.shape[0], np.int32), one_record(records)
    n_repaired = 0
    for t in order:
        need = k - fits[t]
        if need <= 0:
            continue
        n_repaired += 1
        _cheapest_records(tariff, records, own, tree.codes[t], need, rises, which)
        for j in which[:need]:
            put_record(before, 0, records, j)
            widen(tariff, records, j, tree.codes[t])
            own[j] = cost_of(tariff, records, j)
            for e in range(rows_inside(tree, tariff, records, j, some)):
                if not holds(tariff, before, 0, tree.codes[some[e]]):
                    fits[some[e]] += 1
    return n_repaired
