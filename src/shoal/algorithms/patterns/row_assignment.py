"""Row Assignment: assign rows to given classes of at least k rows each at least cost (phase 2 of Theorem 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Class(NamedTuple):
    """A class: the kinds of rows that may go there, what a row pays, and the least and greatest number of rows."""

    kinds: Sequence[int]
    cost: float
    least: int
    most: int


def assign_rows(weights: Sequence[int], classes: Sequence[Class]) -> list[list[int]] | None:
    """``flows[kind][class]``: how many rows of each kind go to each class; None if it is impossible.

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


Vertex = tuple[str, int]


@dataclass
class _Net:
    """A network: the remaining capacity and the cost of each arc."""

    left: dict[Vertex, dict[Vertex, int]] = field(default_factory=dict)
    costs: dict[tuple[Vertex, Vertex], float] = field(default_factory=dict)
    given: dict[tuple[Vertex, Vertex], int] = field(default_factory=dict)

    def add(self, start: Vertex, end: Vertex, capacity: int, cost: float) -> None:
        """Add an arc, and its reverse."""
        self.left.setdefault(start, {})[end] = capacity
        self.left.setdefault(end, {}).setdefault(start, 0)
        self.costs[start, end], self.costs[end, start] = cost, -cost
        self.given[start, end] = capacity

    def flow(self, start: Vertex, end: Vertex) -> int:
        """The flow along an arc."""
        return self.given.get((start, end), 0) - self.left.get(start, {}).get(end, 0)

    def send(self, source: Vertex, sink: Vertex) -> int:
        """Send as much as possible, always along a cheapest path; return how much."""
        total = 0
        while path := self._cheapest(source, sink):
            amount = min(self.left[start][end] for start, end in path)
            for start, end in path:
                self.left[start][end] -= amount
                self.left[end][start] += amount
            total += amount
        return total

    def _cheapest(self, source: Vertex, sink: Vertex) -> list[tuple[Vertex, Vertex]]:
        """The arcs of a cheapest path, none if there is no path, by Bellman and Ford."""
        best, prior = {source: 0.0}, dict[Vertex, Vertex]()
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
