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
    """A column and the code of each row in it."""

    column: QuasiColumn
    codes: list[int]

    @property
    def n_leaves(self) -> int:
        return self.column.domain.n_leaves

    @property
    def n_levels(self) -> int:
        return self.column.recoding.nested.n_levels

    def node(self, level: int, leaf: int) -> tuple[int, int]:
        """The node above a leaf."""
        nested = self.column.recoding.nested
        return int(nested.low[level, leaf]), int(nested.high[level, leaf])

    def level(self, codes: Sequence[int]) -> int:
        """The lowest level with a node around all these codes."""
        return next(level for level in range(self.n_levels) if _holds(self.node(level, codes[0]), codes))

    def place(self, leaf: int) -> Fraction:
        """From 0 to 1 by value on a line, else by rank; missing at 2; times the weight."""
        domain, weight = self.column.domain, Fraction(self.column.weight)
        if leaf == domain.missing:
            return 2 * weight
        if self.column.recoding.name != "range" or domain.kind not in ("numeric", "date"):
            return weight * Fraction(leaf, max(1, self.n_leaves - 1))
        present = [Fraction(domain.points[code]) for code in set(self.codes) - {domain.missing}]
        width = max(present) - min(present)
        return weight * (Fraction(domain.points[leaf]) - min(present)) / width if width else Fraction(0)

    def spread(self, rows: Rows) -> Fraction:
        """How widely the rows spread; −1 where they have one value."""
        codes = [self.codes[row] for row in rows]
        low, high = min(codes), max(codes)
        if low == high:
            return Fraction(-1)
        if self.column.recoding.name in ("tree", "suppress"):
            low, high = self.node(self.level(codes), low)
        return self.place(high) - self.place(low)


def _holds(node: tuple[int, int], codes: Sequence[int]) -> bool:
    return all(node[0] <= code <= node[1] for code in codes)


def partition(table: Table, floor: int, accepts: Accepts, relaxed: bool) -> list[Rows]:
    """The groups in which no cut is left."""
    axes = [Axis(column, codes.tolist()) for column, codes in zip(table.quasi, table.codes, strict=True)]
    done, waiting = [], [list(range(table.n_rows))]
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
    ranked = sorted(axes, key=lambda axis: (-axis.spread(group), axis.n_leaves))
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
    for depth in range(max(axis.n_levels for axis in ranked)):
        for axis in ranked:
            codes = sorted(axis.codes[row] for row in group)
            level = axis.level(codes) - 1 - depth
            if level >= 0:
                low, high = axis.node(level, codes[(len(codes) - 1) // 2])
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
