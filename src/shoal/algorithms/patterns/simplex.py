"""The least number of stars for k = 2, in polynomial time: Theorem 2 of the paper.

The paper reduces the problem to Simplex Matching: cheapest partitions into pairs and triples, where a triple costs at
least half of its three pairs together. This holds here because a class costs each of its rows the same. The structure
theorem is used directly: unless the odd instances are the best choice, a choice that differs in at most two of them is
better. So it is enough to go from choice to choice, each requiring one cheapest perfect matching, until no two changes
help. The labels of the current matching rule out all but a few pairs of changes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.algorithms.patterns.pairing import NEVER, Matched, Numbers, Pairing
from shoal.core.progress import Progress
from shoal.kernels.compiled import working_time

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
            if working_time() > until:
                return odd, found, False
            other = pairing.matched(changed)
            if other is not None and other.cost < found.cost:
                odd, found = changed, other
                break
        else:
            return odd, found, True


def _plain(pairing: Pairing) -> tuple[Odd, Matched]:
    """Pairs only, with one starred triple if the number of rows is odd; this is always possible."""
    odd = (len(pairing.instances) - 1,) if pairing.n_rows % 2 else ()
    found = pairing.matched(odd)
    if found is None:
        raise ArithmeticError("Rows that may all be starred were not matched.")
    return odd, found


def _changes(pairing: Pairing, odd: Odd, found: Matched) -> Iterator[Odd]:
    """Choices that differ in two instances and may be better, the most promising first.

    The bounds of two changes that help together add up to −2 at most, because costs are integers and bounds are twice
    the cost. So one of the two has a bound below 0, and it is enough to begin with such a change.
    """
    bounds, order = _bounds(pairing, odd, found), list[int]()
    for first in np.argsort(bounds, kind="stable").tolist():
        if bounds[first] >= 0 or bounds[first] + bounds.min() > -2:
            return
        order.append(first)
        yield from _seconds(pairing, odd, order, found.cost)


def _seconds(pairing: Pairing, odd: Odd, order: list[int], cost: int) -> Iterator[Odd]:
    """Choices with the last of these changes and another that is none of them.

    The bounds are those of a matching in which a joker makes the number of vertices even.
    """
    first = order[-1]
    changed = _switched(odd, first)
    relaxed = pairing.matched(changed, with_joker=True)
    if relaxed is None:
        return
    most = 2 * (cost - 1 - relaxed.cost) + pairing.ceiling - int(relaxed.labels[-1])
    bounds = _bounds(pairing, changed, relaxed)
    bounds[order] = NEVER
    for second in np.argsort(bounds, kind="stable").tolist():
        if bounds[second] > most:
            return
        yield _switched(changed, second)


def _bounds(pairing: Pairing, odd: Odd, found: Matched) -> Numbers:
    """For each instance, a lower bound on twice what making it odd, or no longer odd, adds to the cost."""
    bounds = pairing.gains(found)
    bounds[list(odd)] = pairing.farewells(odd, found)
    return bounds


def _switched(odd: Odd, instance: int) -> Odd:
    return tuple(sorted({*odd} ^ {instance}))
