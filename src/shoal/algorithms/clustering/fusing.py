"""Make one plane of several small ones: fewer planes to look at, the same joins and prices."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.algorithms.clustering.planes import SMALL, Plane, table
from shoal.kernels.clustering_space import TABLE


def fused(planes: Iterable[Plane]) -> list[Plane]:
    """Tables are put together, largest first, each into the first plane with room for it; others stay as they are."""
    done: list[Plane] = []
    for plane in sorted(planes, key=lambda plane: -plane.width):
        place = next((at for at, other in enumerate(done) if _fits(plane, other)), None)
        if place is None:
            done.append(plane)
        else:
            done[place] = _product(done[place], plane)
    return done


def _fits(one: Plane, other: Plane) -> bool:
    return one.kind == other.kind == TABLE and one.width * other.width <= SMALL


def _product(one: Plane, other: Plane) -> Plane:
    """Nodes are pairs of nodes."""
    n, m = one.width, other.width
    pairs = one.joins.reshape(n, 1, n, 1) * m + other.joins.reshape(1, m, 1, m)
    prices = one.prices[:: n + 1][:, None] + other.prices[:: m + 1]
    return table(pairs.reshape(n * m, n * m), prices.ravel(), one.cells * m + other.cells)
