"""Full-domain generalization the slow way: every node, row by row (Sweeney), and Samarati's matrix of distances."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np

from naive import models
from naive.plain import people_of
from shoal.core.contracts import Goal
from shoal.core.node import Node
from shoal.core.table import QuasiColumn, Table

Levels = tuple[int, ...]
Row = tuple[int, ...]
Cell = frozenset[int]


@dataclass(frozen=True)
class PlainNode:
    """A node: which rows are suppressed, whether that is within the limit, and what it loses."""

    levels: Levels
    suppressed: frozenset[int]
    n_kept_classes: int
    is_feasible: bool
    key: tuple[float, ...]


def heights_of(table: Table) -> Levels:
    return tuple(column.recoding.nested.n_levels - 1 for column in table.quasi)


def generalize(table: Table, row: int, levels: Levels) -> Row:
    """The nodes of a row, each named by its first leaf."""
    columns = zip(table.quasi, table.codes, levels, strict=True)
    return tuple(int(column.recoding.nested.low[level, codes[row]]) for column, codes, level in columns)


def classes_at(table: Table, levels: Levels) -> list[list[int]]:
    """Rows with equal generalized values."""
    found: dict[Row, list[int]] = defaultdict(list)
    for row in range(table.n_rows):
        found[generalize(table, row, levels)].append(row)
    return list(found.values())


def keeps_all(table: Table, goal: Goal, rows: Sequence[int], cells: Sequence[Cell]) -> bool:
    """Whether a class keeps every promise, by the twins of the models."""
    everybody = people_of(table)
    people = [everybody[row] for row in rows]
    for promise in goal.promises:
        if promise.name in models.CELL_TWINS:
            found = models.CELL_TWINS[promise.name](promise, cells, table)
        else:
            found = models.TWINS[promise.name](promise, people, everybody)
        if found < models.WANTED[promise.name](promise):
            return False
    return True


def kept_classes(table: Table, goal: Goal, levels: Levels) -> list[list[int]]:
    """The classes at a node that keep every promise."""
    return [rows for rows in classes_at(table, levels) if keeps_all(table, goal, rows, _cells(table, rows[0], levels))]


def _cells(table: Table, row: int, levels: Levels) -> list[Cell]:
    """The leaves of the cells that a row is published with: of ranges that hold the missing value, all."""
    found = []
    for column, codes, level in zip(table.quasi, table.codes, levels, strict=True):
        nested, leaf = column.recoding.nested, codes[row]
        found.append(frozenset(range(nested.low[level, leaf], nested.high[level, leaf] + 1)))
    return found


def exhaustive(table: Table, goal: Goal) -> list[PlainNode]:
    """Every node of the lattice, judged."""
    most = goal.most_suppressed(table.n_rows)
    found = []
    for levels in product(*(range(height + 1) for height in heights_of(table))):
        kept = kept_classes(table, goal, levels)
        suppressed = frozenset(range(table.n_rows)) - {row for rows in kept for row in rows}
        is_feasible = len(suppressed) <= most and len(kept) > 0
        key = _key(table, goal, levels, suppressed) if is_feasible else ()
        found.append(PlainNode(levels, suppressed, len(kept), is_feasible, key))
    return found


def minimal(nodes: Sequence[PlainNode]) -> set[Levels]:
    """Feasible nodes with no feasible node below (Definition 3.4)."""
    feasible = [node.levels for node in nodes if node.is_feasible]
    return {one for one in feasible if not any(other != one and _below(other, one) for other in feasible)}


def vt_matrix(table: Table, k: int) -> tuple[list[Row], list[Row], list[list[Levels]]]:
    """The outliers, the distinct rows, and the distance vector between each pair (section 3.2.1)."""
    counts = Counter(_rows(table))
    distinct = list(counts)
    outliers = [row for row in distinct if counts[row] < k]
    return outliers, distinct, [[_distance(table, one, other) for other in distinct] for one in outliers]


def satisfies(table: Table, k: int, max_suppressed: int, levels: Levels) -> bool:
    """Whether a node is k-anonymous with few enough rows suppressed, from the matrix alone.

    As ``Satisfy`` of Algorithm 3.1, but an outlier adds its own rows when it fails, not those of its whole class, so
    that no row counts twice; and at most ``max_suppressed`` rows, as Definition 3.4 has it.
    """
    counts = Counter(_rows(table))
    outliers, distinct, matrix = vt_matrix(table, k)
    suppressed = 0
    for outlier, distances in zip(outliers, matrix, strict=True):
        alike = sum(counts[row] for row, away in zip(distinct, distances, strict=True) if _below(away, levels))
        suppressed += counts[outlier] if alike < k else 0
    return suppressed <= max_suppressed


def samarati_height(table: Table, k: int, max_suppressed: int) -> int:
    """The lowest height with a node that satisfies, by the bisection of Algorithm 3.1."""
    heights = heights_of(table)
    low, high = 0, sum(heights)
    while low < high:
        middle = (low + high) // 2
        vectors = [v for v in product(*(range(h + 1) for h in heights)) if sum(v) == middle]
        if any(satisfies(table, k, max_suppressed, vector) for vector in vectors):
            high = middle
        else:
            low = middle + 1
    return low


def _key(table: Table, goal: Goal, levels: Levels, suppressed: frozenset[int]) -> tuple[float, ...]:
    """What the metric compares the node by, from the plain classes."""
    classes = classes_at(table, levels)
    ids = np.empty(table.n_rows, np.int32)
    for number, rows in enumerate(classes):
        ids[rows] = number
    node = Node(
        table,
        levels,
        np.array([len(rows) for rows in classes], np.int64),
        np.array([rows[0] not in suppressed for rows in classes]),
        table.codes[:, [rows[0] for rows in classes]],
        len(suppressed),
        ids,
    )
    return tuple(float(entry) for entry in goal.metric.node_key(node))


def _rows(table: Table) -> Iterator[Row]:
    return (tuple(int(codes[row]) for codes in table.codes) for row in range(table.n_rows))


def _distance(table: Table, one: Row, other: Row) -> Levels:
    """Per column the lowest level on which both values are under the same node."""
    found = []
    for column, a, b in zip(table.quasi, one, other, strict=True):
        low = column.recoding.nested.low
        found.append(next(level for level in range(len(low)) if low[level, a] == low[level, b]))
    return tuple(found)


def _below(one: Levels, other: Levels) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def best_recoding(table: Table, goal: Goal) -> Fraction | None:
    """The least cost of cutting every column into permitted cells, the same for all rows: k-Optimize the slow way.

    By DM, or by LM, whichever the goal asks for.
    """
    most = int(goal.suppression_limit * table.n_rows)
    best: Fraction | None = None
    for cells in product(*(_recodings(column) for column in table.quasi)):
        homes = [{leaf: cell for cell in column for leaf in cell} for column in cells]
        classes: dict[tuple[Cell, ...], list[int]] = defaultdict(list)
        for number, row in enumerate(_rows(table)):
            classes[tuple(home[leaf] for home, leaf in zip(homes, row, strict=True))].append(number)
        kept = {shape: rows for shape, rows in classes.items() if keeps_all(table, goal, rows, shape)}
        n_suppressed = table.n_rows - sum(map(len, kept.values()))
        if kept and n_suppressed <= most:
            cost = _cost(table, goal, kept, n_suppressed)
            best = cost if best is None else min(best, cost)
    return best


def _recodings(column: QuasiColumn) -> list[list[Cell]]:
    """Every way to cut the leaves of a column."""
    domain = column.domain
    leaves = range(domain.n_leaves)
    if column.recoding.closes_to_nodes:
        return _tree_cuts(column, column.recoding.nested.n_levels - 1, 0)
    present = [leaf for leaf in leaves if leaf != domain.missing]
    cuts = [_pieces(present, begins) for size in range(len(present)) for begins in combinations(present[1:], size)]
    if domain.missing is None:
        return cuts
    return [[frozenset(leaves)], *([*cut, frozenset({domain.missing})] for cut in cuts)]


def _pieces(leaves: Sequence[int], begins: Sequence[int]) -> list[Cell]:
    edges = [leaves[0], *begins, leaves[-1] + 1]
    return [frozenset(range(low, high)) for low, high in pairwise(edges)]


def _tree_cuts(column: QuasiColumn, level: int, leaf: int) -> list[list[Cell]]:
    """The node above a leaf as one cell, or any cuts of its children side by side."""
    nested = column.recoding.nested
    node = range(nested.low[level, leaf], nested.high[level, leaf] + 1)
    whole = [[frozenset(node)]]
    if level == 0:
        return whole
    children = sorted({int(nested.low[level - 1, below]) for below in node})
    below = [_tree_cuts(column, level - 1, child) for child in children]
    cut = [[cell for cells in chosen for cell in cells] for chosen in product(*below)]
    return cut if len(children) == 1 else whole + cut


def _cost(table: Table, goal: Goal, kept: Mapping[tuple[Cell, ...], Sequence[int]], n_suppressed: int) -> Fraction:
    if goal.metric.name == "dm":
        return Fraction(sum(len(rows) ** 2 for rows in kept.values()) + n_suppressed * table.n_rows)
    weights = [Fraction(column.weight) for column in table.quasi]
    total = Fraction(n_suppressed)
    for shape, rows in kept.items():
        prices = [
            Fraction(len(cell) - 1, max(1, column.domain.n_leaves - 1))
            for cell, column in zip(shape, table.quasi, strict=True)
        ]
        priced = sum((w * p for w, p in zip(weights, prices, strict=True)), Fraction())
        total += len(rows) * priced / sum(weights, Fraction())
    return total / table.n_rows


def count_by_node(classes: Sequence[tuple[Row, int, bool]], widths: Sequence[int]) -> list[list[int]]:
    """Per column and node the rows of flagged classes; a class is its nodes, its size and whether it is flagged."""
    return [
        [sum(size for nodes, size, flagged in classes if flagged and nodes[c] == node) for node in range(1 << width)]
        for c, width in enumerate(widths)
    ]
