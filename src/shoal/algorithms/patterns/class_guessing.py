"""The fixed-parameter algorithm of Theorem 3: guess the classes, then assign the rows.

Only for tiny tables, to verify the integer program: it tries every set of instances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from shoal.algorithms.patterns.instances import Sharing
from shoal.algorithms.patterns.integer_program import Outside, Solved
from shoal.core.arrays import Codes
from shoal.errors import InputError

MOST_INSTANCES = 14
"""At most 2^14 sets of classes are tried."""


def guess(sharing: Sharing, floor: int, outside: Outside) -> Solved | None:
    """The best assignment of rows to instances; None if there is none. O(2^instances · flow).

    Raises:
        InputError: too many instances.
    """
    n = len(sharing.instances)
    if n > MOST_INSTANCES:
        raise InputError(
            f"The method 'guess' tries every set of classes and takes at most {MOST_INSTANCES} possible classes, "
            f"this table has {n:,}; use the method 'program'."
        )
    best: Solved | None = None
    for used in chain.from_iterable(combinations(range(n), size) for size in range(n + 1)):
        for least, most in _outsides(sharing, floor, outside):
            homes = _assigned(sharing, floor, used, least, most)
            if homes is not None and (best is None or sharing.cost(homes) < best.bound - 1e-9):
                best = Solved(homes, sharing.cost(homes))
    return best


def _outsides(sharing: Sharing, floor: int, outside: Outside) -> list[tuple[int, int]]:
    """The permitted ranges for the number of rows outside."""
    n_rows = int(sharing.weights.sum())
    if outside.is_free:
        return [(0, n_rows)]
    return [(0, outside.spare)] + ([(floor, n_rows)] if outside.may_star else [])


def _assigned(sharing: Sharing, floor: int, used: tuple[int, ...], least: int, most: int) -> Codes | None:
    """The cheapest homes with exactly these classes and between ``least`` and ``most`` rows outside."""
    weights = sharing.weights.tolist()
    n_rows, kinds = sum(weights), range(len(weights))
    if floor * len(used) + least > n_rows:
        return None
    classes = [Class(sharing.instances.of(p).tolist(), float(sharing.costs[p]), floor, n_rows) for p in used]
    flows = assign_rows(weights, [*classes, Class(kinds, sharing.full, least, most)])
    if flows is None:
        return None
    names = [*used, sharing.outside]
    homes = [name for row in flows for name, count in zip(names, row, strict=True) for _ in range(count)]
    return np.array(homes, np.int32)


class Class(NamedTuple):
    """A class: the kinds of rows that may go there, what a row pays, and the least and greatest number of rows."""

    kinds: Sequence[int]
    cost: float
    least: int
    most: int


def assign_rows(weights: Sequence[int], classes: Sequence[Class]) -> list[list[int]] | None:
    """Row Assignment, phase 2 of Theorem 3, at least cost.

    ``flows[kind][class]``: how many rows of each kind go to each class; None if it is impossible.

    Every row has to go somewhere. A minimum-cost flow in which the first ``least`` rows of a class earn more than
    anything can cost. O(rows · classes · pairs), for small problems.
    """
    net = _Net()
    source, sink = ("source", 0), ("sink", 0)
    prize = 1.0 + sum(one.cost for one in classes) * (1 + sum(weights))
    for kind, weight in enumerate(weights):
        net.add(source, ("kind", kind), weight, 0.0)
    for number, one in enumerate(classes):
        for kind in one.kinds:
            net.add(("kind", kind), ("class", number), weights[kind], one.cost)
        net.add(("class", number), sink, one.least, -prize)
        net.add(("class", number), ("more", number), one.most - one.least, 0.0)
        net.add(("more", number), sink, one.most - one.least, 0.0)
    if net.send(source, sink) < sum(weights):
        return None
    flows = [[net.flow(("kind", k), ("class", c)) for c in range(len(classes))] for k in range(len(weights))]
    short = any(sum(row[c] for row in flows) < one.least for c, one in enumerate(classes))
    return None if short else flows


_Vertex = tuple[str, int]


@dataclass
class _Net:
    """A network: the remaining capacity and the cost of each arc."""

    left: dict[_Vertex, dict[_Vertex, int]] = field(default_factory=dict)
    costs: dict[tuple[_Vertex, _Vertex], float] = field(default_factory=dict)
    given: dict[tuple[_Vertex, _Vertex], int] = field(default_factory=dict)

    def add(self, start: _Vertex, end: _Vertex, capacity: int, cost: float) -> None:
        """Add an arc, and its reverse."""
        self.left.setdefault(start, {})[end] = capacity
        self.left.setdefault(end, {}).setdefault(start, 0)
        self.costs[start, end], self.costs[end, start] = cost, -cost
        self.given[start, end] = capacity

    def flow(self, start: _Vertex, end: _Vertex) -> int:
        """The flow along an arc."""
        return self.given.get((start, end), 0) - self.left.get(start, {}).get(end, 0)

    def send(self, source: _Vertex, sink: _Vertex) -> int:
        """Send as much as possible, always along a cheapest path; return how much."""
        total = 0
        while path := self._cheapest(source, sink):
            amount = min(self.left[start][end] for start, end in path)
            for start, end in path:
                self.left[start][end] -= amount
                self.left[end][start] += amount
            total += amount
        return total

    def _cheapest(self, source: _Vertex, sink: _Vertex) -> list[tuple[_Vertex, _Vertex]]:
        """The arcs of a cheapest path, none if there is no path, by Bellman and Ford."""
        best, prior = {source: 0.0}, dict[_Vertex, _Vertex]()
        changed = [source]
        while changed:
            start = changed.pop(0)
            for end, room in self.left[start].items():
                reached = best[start] + self.costs[start, end]
                if room > 0 and reached < best.get(end, float("inf")) - 1e-9:
                    best[end], prior[end] = reached, start
                    changed.append(end)
        path = []
        while sink in prior:
            path.append((prior[sink], sink))
            sink = prior[sink]
        return path[::-1]
