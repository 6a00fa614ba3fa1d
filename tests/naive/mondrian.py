"""Mondrian, one group at a time, by the rules in its docstring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from shoal.core.table import QuasiColumn, Table

Rows = list[int]
Accepts = Callable[[Sequence[int]], bool]


@dataclass(frozen=True)
class Axis:
    """A column: the code of each row, the place of each leaf, the node above each leaf by level."""

    codes: list[int]
    places: list[Fraction]
    nodes: list[list[tuple[int, int]]]
    closes_to_nodes: bool

    def level(self, codes: Sequence[int]) -> int:
        """The lowest level with a node around all these codes."""
        leaf = codes[0]
        return next(l for l, nodes in enumerate(self.nodes) if _holds(nodes[leaf], codes))  # noqa: E741

    def spread(self, rows: Rows) -> Fraction:
        """How widely the rows spread; −1 where they have one value."""
        codes = [self.codes[row] for row in rows]
        low, high = min(codes), max(codes)
        if low == high:
            return Fraction(-1)
        if self.closes_to_nodes:
            low, high = self.nodes[self.level(codes)][low]
        return self.places[high] - self.places[low]


def _holds(node: tuple[int, int], codes: Sequence[int]) -> bool:
    return all(node[0] <= code <= node[1] for code in codes)


def axes_of(table: Table) -> list[Axis]:
    """The columns of a table."""
    return [_axis(column, codes.tolist()) for column, codes in zip(table.quasi, table.codes, strict=True)]


def _axis(column: QuasiColumn, codes: list[int]) -> Axis:
    tree = column.recoding.nested
    nodes = [list(zip(low, high, strict=True)) for low, high in zip(tree.low.tolist(), tree.high.tolist(), strict=True)]
    return Axis(codes, _places(column, codes), nodes, column.recoding.name in ("tree", "suppress"))


def _places(column: QuasiColumn, codes: list[int]) -> list[Fraction]:
    """From 0 to 1 by value on a line, else by rank; missing at 2; all times the weight."""
    domain, last = column.domain, column.domain.n_leaves - 1
    places = [Fraction(leaf, max(1, last)) for leaf in range(last + 1)]
    if column.recoding.name == "range" and domain.kind in ("numeric", "date"):
        present = [Fraction(domain.points[code]) for code in set(codes) - {domain.missing}]
        width = max(present) - min(present)
        places = [
            Fraction(0) if leaf == domain.missing or not width else (Fraction(point) - min(present)) / width
            for leaf, point in enumerate(domain.points.tolist())
        ]
    if domain.missing is not None:
        places[domain.missing] = Fraction(2)
    return [place * Fraction(column.weight) for place in places]


def partition(table: Table, floor: int, accepts: Accepts, relaxed: bool) -> list[Rows]:
    """The groups in which no cut is left."""
    axes, done, waiting = axes_of(table), [], [list(range(table.n_rows))]
    while waiting:
        group = waiting.pop()
        halves = _cut(axes, group, floor, accepts, relaxed)
        if halves is None:
            done.append(group)
        else:
            waiting += halves
    return done


def _cut(axes: list[Axis], group: Rows, floor: int, accepts: Accepts, relaxed: bool) -> tuple[Rows, Rows] | None:
    """The first allowable cut. A refused one leaves its left part in front, which decides who is dealt left later."""
    ranked = sorted(axes, key=lambda axis: (-axis.spread(group), len(axis.places)))
    cuts = [*_strict_cuts(ranked, group), *(_halvings(ranked) if relaxed else ())]
    for split in cuts:
        left = split(group)
        right = [row for row in group if row not in left]
        if min(len(left), len(right)) < max(1, floor):
            continue
        if accepts(left) and accepts(right):
            return left, right
        group = left + right
    return None


Split = Callable[[Rows], Rows]


def _strict_cuts(ranked: list[Axis], group: Rows) -> Iterator[Split]:
    """Beside the median's child of the group's node, column by column; then one level further down; and so on."""
    for depth in range(max(len(axis.nodes) for axis in ranked)):
        for axis in ranked:
            codes = sorted(axis.codes[row] for row in group)
            level = axis.level(codes) - 1 - depth
            if level >= 0:
                low, high = axis.nodes[level][codes[(len(codes) - 1) // 2]]
                yield from sorted((_up_to(axis, high), _up_to(axis, low - 1)), key=lambda cut: -_balance(cut, group))


def _up_to(axis: Axis, code: int) -> Split:
    return lambda group: [row for row in group if axis.codes[row] <= code]


def _balance(cut: Split, group: Rows) -> int:
    """The size of the smaller part; of equals the cut above the median stays first."""
    n_left = len(cut(group))
    return min(n_left, len(group) - n_left)


def _halvings(ranked: list[Axis]) -> Iterator[Split]:
    """Half of the rows, smallest values first, equal ones in the order they stand in."""
    for axis in ranked:
        yield _half(axis)


def _half(axis: Axis) -> Split:
    def left(group: Rows) -> Rows:
        if len({axis.codes[row] for row in group}) < 2:
            return []
        chosen = set(sorted(group, key=lambda row: axis.codes[row])[: len(group) // 2])
        return [row for row in group if row in chosen]

    return left
