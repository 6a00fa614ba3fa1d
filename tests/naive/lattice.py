"""Full-domain generalization the slow way: every node, row by row (Sweeney), and Samarati's matrix of distances."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from naive import models
from naive.plain import people_of
from shoal.core.contracts import Goal
from shoal.core.node import Node
from shoal.core.table import Table

Levels = tuple[int, ...]
Row = tuple[int, ...]


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


def keeps_all(table: Table, goal: Goal, rows: Sequence[int]) -> bool:
    """Whether a class keeps every promise, by the twins of the models."""
    everybody = people_of(table)
    people = [everybody[row] for row in rows]
    return all(
        models.TWINS[promise.name](promise, people, everybody) >= models.WANTED[promise.name](promise)
        for promise in goal.promises
    )


def exhaustive(table: Table, goal: Goal) -> list[PlainNode]:
    """Every node of the lattice, judged."""
    most = int(goal.suppression_limit * table.n_rows)
    found = []
    for levels in product(*(range(height + 1) for height in heights_of(table))):
        classes = classes_at(table, levels)
        kept = [rows for rows in classes if keeps_all(table, goal, rows)]
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
