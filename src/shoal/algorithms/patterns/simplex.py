"""The least number of stars for k = 2, in polynomial time: Theorem 2 of the paper.

The paper reduces the problem to Simplex Matching, cheapest partitions into pairs and triples where a triple costs at
least half of its three pairs together; here a class costs each of its rows the same, so that it does. Its structure
theorem is used directly: unless the odd instances are the best choice, a choice that differs in at most two of them is
better. So it is enough to go from choice to choice, each worth one cheapest perfect matching, until no two changes
help. All but few pairs of changes are ruled out by the labels of the present matching, without trying.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from shoal.algorithms.patterns.pairing import NEVER, Matched, Numbers, Pairing
from shoal.core.progress import Progress

Odd = tuple[int, ...]


def descend(pairing: Pairing, start: Odd, until: float, progress: Progress) -> tuple[Odd, Matched, bool]:
    """The best odd instances with their matching, and whether that was proven before the time was up.

    At most as many steps as the cost has possible values below the start's; each O(instances² · rows³) at worst.
    """
    odd, found = start, pairing.matched(start)
    if found is None:
        odd, found = _plain(pairing)
    while True:
        progress.stage(f"matching rows, cost {found.cost / pairing.scale:,.6g}")
        for changed in _changes(pairing, odd, found):
            if perf_counter() > until:
                return odd, found, False
            other = pairing.matched(changed)
            if other is not None and other.cost < found.cost:
                odd, found = changed, other
                break
        else:
            return odd, found, True


def _plain(pairing: Pairing) -> tuple[Odd, Matched]:
    """Pairs only, with one triple of stars where the number of rows is odd; that can always be done."""
    odd = (len(pairing.instances) - 1,) if pairing.n_rows % 2 else ()
    found = pairing.matched(odd)
    if found is None:
        raise ArithmeticError("Rows that may all be starred were not matched.")
    return odd, found


def _changes(pairing: Pairing, odd: Odd, found: Matched) -> Iterator[Odd]:
    """Choices that differ in two instances and may be better, the most promising first.

    Costs are whole numbers, and bounds twice the cost: below −1 or nothing.
    """
    gains = pairing.gains(found)
    gains[list(odd)] = NEVER
    yield from (_with(odd, a, b) for a, b in _pairs(gains, -2))
    farewells = pairing.farewells(odd, found)
    order = np.argsort(farewells, kind="stable")
    for leaving in [odd[place] for place in order if farewells[place] + min(gains.min(), farewells.min()) <= -2]:
        yield from _instead(pairing, odd, leaving, found.cost)


def _pairs(gains: Numbers, most: int) -> Iterator[tuple[int, int]]:
    """Pairs whose gains add up to at most this, the least sums of each first."""
    order = np.argsort(gains, kind="stable")
    for place, first in enumerate(order.tolist()):
        rest = order[place + 1 :]
        rest = rest[gains[first] + gains[rest] <= most]
        if not rest.size:
            return
        yield from ((first, second) for second in rest.tolist())


def _instead(pairing: Pairing, odd: Odd, leaving: int, cost: int) -> Iterator[Odd]:
    """Choices without one odd instance, and one more changed: bounds from a matching in which a joker fills in."""
    fewer = tuple(instance for instance in odd if instance != leaving)
    relaxed = pairing.matched(fewer, with_joker=True)
    if relaxed is None:
        return
    most = 2 * (cost - 1 - relaxed.cost) + pairing.ceiling - int(relaxed.labels[-1])
    gains, farewells = pairing.gains(relaxed), pairing.farewells(fewer, relaxed)
    gains[list(odd)] = NEVER
    for other in np.argsort(gains, kind="stable").tolist():
        if gains[other] > most:
            break
        yield _with(fewer, other)
    yield from (tuple(one for one in fewer if one != fewer[p]) for p in np.flatnonzero(farewells <= most))


def _with(odd: Odd, *more: int) -> Odd:
    return tuple(sorted({*odd, *more}))
