"""Losses of a lattice node as ARX's documentation words them, row by row: ``split`` gives the factors g and s."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2, prod

from shoal.core.table import Table


@dataclass(frozen=True)
class PlainNode:
    """A node: per column the hierarchy as ``tree[level][leaf]`` = name of the node above, the rows, who is kept."""

    trees: Sequence[Sequence[Sequence[int]]]
    levels: Sequence[int]
    rows: Sequence[tuple[int, ...]]
    kept: Sequence[bool]
    g: Fraction
    s: Fraction

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def n_suppressed(self) -> int:
        """Number of rows that are not kept."""
        return sum(not kept for kept in self.kept)

    def cells(self, j: int) -> list[int]:
        """The generalized value of each row in a column."""
        return [self.trees[j][self.levels[j]][row[j]] for row in self.rows]

    def classes(self) -> Counter[tuple[int, ...]]:
        """How often each combination of generalized values occurs."""
        return Counter(zip(*(self.cells(j) for j in range(len(self.trees))), strict=True))

    def kept_classes(self) -> Counter[tuple[int, ...]]:
        """The same among kept rows."""
        keys = zip(*(self.cells(j) for j in range(len(self.trees))), strict=True)
        return Counter(key for key, kept in zip(keys, self.kept, strict=True) if kept)


def plain_node(table: Table, levels: Sequence[int], kept: Sequence[bool], split: Fraction) -> PlainNode:
    """From a table."""
    g = Fraction(1) if split <= Fraction(1, 2) else 1 - 2 * (split - Fraction(1, 2))
    s = 2 * split if split < Fraction(1, 2) else Fraction(1)
    trees = [column.recoding.nested.low.tolist() for column in table.quasi]
    return PlainNode(trees, levels, [tuple(row) for row in table.codes.T.tolist()], kept, g, s)


def loss_components(node: PlainNode) -> list[Fraction]:
    """(T − min) / (N − min) of each column; a column of one value has none."""
    found = []
    for j, tree in enumerate(node.trees):
        names = tree[node.levels[j]]
        leaves, total = len(names), Fraction(0)
        for cell, kept in zip(node.cells(j), node.kept, strict=True):
            share = Fraction(names.count(cell), leaves)
            suppressed = Fraction(1) if node.s == 1 else share + node.s * (1 - share)
            total += node.g * share if kept else suppressed
        least = node.g * node.n / leaves
        found.append(max(Fraction(0), (total - least) / (node.n - least)))
    return found


def loss_arithmetic(node: PlainNode) -> Fraction:
    """Their mean."""
    return sum(loss_components(node), Fraction(0)) / len(node.trees)


def loss_geometric(node: PlainNode) -> float:
    """Their geometric mean, all raised by 1."""
    return float(prod(1 + c for c in loss_components(node)) ** (1 / len(node.trees)) - 1)


def height(node: PlainNode) -> int:
    """The sum of the levels."""
    return sum(node.levels)


def precision(node: PlainNode) -> Fraction:
    """Mean over columns of the relative level of kept rows, suppressed rows at 1."""
    kept, lost = node.n - node.n_suppressed, node.n_suppressed
    return _mean_relative(node, lambda relative: kept * relative * node.g + lost * node.s)


def precision_ignoring(node: PlainNode) -> Fraction:
    """Mean over columns of the relative level."""
    return _mean_relative(node, lambda relative: node.n * relative * node.g)


def _mean_relative(node: PlainNode, paid: Callable[[Fraction], Fraction]) -> Fraction:
    found = [paid(Fraction(level, len(tree) - 1)) / node.n for level, tree in zip(node.levels, node.trees, strict=True)]
    return sum(found, Fraction(0)) / len(found)


def dm(node: PlainNode) -> int:
    """Squares of kept classes, N for each suppressed row."""
    return sum(size * size for size in node.kept_classes().values()) + node.n * node.n_suppressed


def dm_star(node: PlainNode) -> int:
    """Squares of all classes."""
    return sum(size * size for size in node.classes().values())


def aecs(node: PlainNode) -> float:
    """N by s times the kept classes and g for the suppressed rows."""
    counted = node.s * len(node.kept_classes()) + (node.g if node.n_suppressed else 0)
    return float(node.n / counted) if counted else float("inf")


def entropy_ignoring(node: PlainNode) -> float:
    """g times −log2 of the share of a value among the rows of its generalization, over all rows."""
    total = 0.0
    for j in range(len(node.trees)):
        values, cells = [row[j] for row in node.rows], node.cells(j)
        total += sum(-log2(values.count(v) / cells.count(c)) for v, c in zip(values, cells, strict=True))
    return float(node.g) * total


def entropy_two_step(node: PlainNode) -> float:
    """The same, and s times the entropy of the generalized values of suppressed rows."""
    total = 0.0
    for j in range(len(node.trees)):
        lost = [cell for cell, kept in zip(node.cells(j), node.kept, strict=True) if not kept]
        total += sum(-c * log2(c / len(lost)) for c in Counter(lost).values())
    return entropy_ignoring(node) + float(node.s) * total


WORDED: Mapping[str, Callable[[PlainNode], float | Fraction]] = {
    "lm": loss_arithmetic,
    "lm_geometric": loss_geometric,
    "lm_rank": lambda node: max(loss_components(node)),
    "height": height,
    "precision": precision,
    "precision ignoring": precision_ignoring,
    "dm": dm,
    "dm_star": dm_star,
    "aecs": aecs,
    "entropy ignoring": entropy_ignoring,
    "entropy two-step": entropy_two_step,
}
"""By the names that ``tests/metrics/test_nodes.py`` uses."""
