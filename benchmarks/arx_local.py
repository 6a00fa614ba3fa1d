"""ARX's local recoding of Adult, made again: what its heuristic does is known, and so is what it came to.

ARX's best setting searches in steps. In each it takes the one level per column that loses least on the rows that are
left, whatever becomes of them, among those that put at least a hundredth of all rows into classes of k; these rows are
published so, and the others wait for the next step. A hundredth is all that is left when less is left. What loses least
is judged by the geometric mean of the columns' losses. ``release`` stops unless loss and number of classes are those
that ARX 3.9.2 printed (``reference/peers.md``). ``python benchmarks/arx_local.py [K …]`` prints both.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from data import adult

STEPS = 100
PRINTED = {5: (0.0591, 4557), 10: (0.0830, 2311)}
"""LM and the number of classes, by k, as ARX printed them."""


@dataclass(frozen=True, eq=False)
class Levels:
    """A column at each level of its hierarchy, row by row: the number of its node, its label, the leaves under it."""

    nodes: list[NDArray[np.int64]]
    labels: list[NDArray[np.object_]]
    leaves: list[NDArray[np.int64]]
    n_leaves: int

    @classmethod
    def of(cls, values: pl.Series, tree: pl.DataFrame) -> Levels:
        """By the hierarchy's own table, a leaf a row and a level a column."""
        places = {value: place for place, value in enumerate(tree[:, 0])}
        rows = np.array([places[value] for value in values])
        numbered = [np.unique(tree[:, level].to_numpy(), return_inverse=True) for level in range(tree.width)]
        return cls(
            [inverse[rows] for _, inverse in numbered],
            [names[inverse][rows] for names, inverse in numbered],
            [np.bincount(inverse)[inverse][rows] for _, inverse in numbered],
            tree.height,
        )

    def losses(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The mean loss of these rows at each level: 0 for leaves, 1 for the root."""
        return np.array([(leaves[rows].mean() - 1) / (self.n_leaves - 1) for leaves in self.leaves])


@dataclass(frozen=True, eq=False)
class Search:
    """The rows and their columns; what is published of them is found in steps."""

    columns: list[Levels]
    n_rows: int
    k: int

    @cached_property
    def lattice(self) -> NDArray[np.int64]:
        """Every choice of one level per column."""
        return np.array(list(product(*(range(len(column.nodes)) for column in self.columns))))

    def in_classes(self, levels: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of the rows look like at least k of them at these levels."""
        keys = np.zeros(rows.size, np.int64)
        for column, level in zip(self.columns, levels, strict=True):
            nodes = column.nodes[level][rows]
            keys = keys * (nodes.max() + 1) + nodes
        _, classes, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return counts[classes] >= self.k

    def levels(self) -> NDArray[np.int64]:
        """The levels that each row is published at. A choice that once did too little never does enough later."""
        found = np.zeros((self.n_rows, len(self.columns)), np.int64)
        is_open = np.ones(len(self.lattice), bool)
        rows = np.arange(self.n_rows)
        while rows.size:
            losses = [column.losses(rows)[self.lattice[:, j]] for j, column in enumerate(self.columns)]
            order = np.argsort(np.log1p(np.maximum(losses, 0)).sum(axis=0), kind="stable")
            for choice in self.lattice[order[is_open[order]]]:
                done = self.in_classes(choice, rows)
                if done.sum() >= min(rows.size, -(-self.n_rows // STEPS)):
                    break
                is_open &= ~(self.lattice <= choice).all(axis=1)
            else:
                sys.exit(f"{rows.size} rows are left that ARX published.")
            found[rows[done]], rows = choice, rows[~done]
        return found


def release(frame: pl.DataFrame, names: list[str], k: int) -> pl.DataFrame:
    """The table that ARX published, or an exit where it cannot be that."""
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies").resolve()
    trees = [
        pl.read_csv(folder / f"adult_hierarchy_{name}.csv", separator=";", has_header=False, infer_schema=False)
        for name in names
    ]
    columns = [Levels.of(frame[name], tree) for name, tree in zip(names, trees, strict=True)]
    levels = Search(columns, frame.height, k).levels()
    rows, loss, made = np.arange(frame.height), 0.0, {}
    for j, (name, column) in enumerate(zip(names, columns, strict=True)):
        made[name] = np.array(column.labels)[levels[:, j], rows].tolist()
        loss += ((np.array(column.leaves)[levels[:, j], rows] - 1) / (column.n_leaves - 1)).mean() / len(names)
    published = pl.DataFrame(made)
    came_to = round(loss, 4), published.n_unique()
    if came_to != PRINTED[k]:
        sys.exit(f"k = {k}: LM and classes are {came_to}, where ARX printed {PRINTED[k]}.")
    return published


def main(numbers: list[int]) -> None:
    frame = adult()
    if frame is None:
        sys.exit("Set SHOAL_DATA to the folder that holds datasets/.")
    for k in numbers:
        made = release(frame, list(frame.columns[:9]), k)
        print(f"k = {k}: {made.height:,} records, LM and classes as ARX printed them: {PRINTED[k]}")


if __name__ == "__main__":
    main([int(k) for k in sys.argv[1:]] or [*PRINTED])
