"""Forest: link rows to near ones until every tree has k rows, and cut large trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.algorithms.clustering.agglomeration import grouped
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.initial_partition import settled
from shoal.algorithms.clustering.merge_rounds import buckets, first_planes
from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import Algorithm, CellMetric, Goal, GroupModel
from shoal.core.goal_feasibility import require_possible
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError, did_you_mean
from shoal.kernels.clustering_forest import cut, link

Distance = Literal["loss", "levels"]
_DISTANCES: tuple[Distance, ...] = ("loss", "levels")


@dataclass(frozen=True)
class Forest(Algorithm):
    """The approximation algorithm of Aggarwal et al.: at most 3k − 3 times the least possible loss.

    Each row is linked to its nearest row outside its tree while the tree has fewer than k rows; trees are cut into
    parts of k to 3k − 3 rows, which become the groups. ``distance`` is the loss of the join of two rows (``"loss"``, by
    the goal's metric, for which the guarantee then holds), or the sum over columns of the height of their lowest common
    node over the height of the hierarchy (``"levels"``, as in the paper). For cell suppression both count the columns
    in which two rows differ.

    Differs from the paper: the nearest row is linked, where any of the k − 1 nearest would do; trees are cut as finely
    as possible, not only above 3k − 3 rows; equal rows in large numbers are groups of their own. In practice
    agglomerative clustering loses much less. The guarantee is for k-anonymity; for other promises groups are merged.

    Cost: O(n²) time at worst, far less in practice; O(n · columns) memory.

    Reference: Aggarwal et al. 2005, Anonymizing Tables; Ciriani et al. 2007, k-Anonymity (section 3.2.3).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Forest(), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '[23..25]'), ('0214*', '[61..67]')]
    """

    distance: Distance = "loss"

    name: ClassVar[str] = "forest"
    summary: ClassVar[str] = "link rows to near ones until every tree has k (at most 3k - 3 times the least loss)"
    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True
    is_local: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.distance not in _DISTANCES:
            raise InputError(f"There is no distance {self.distance!r}.{did_you_mean(self.distance, _DISTANCES)}")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Link, cut, and give each part its smallest permitted cells."""
        require_possible(table, goal)
        coding = Coding.of(table, goal.metric)
        distances = Coding.of(table, MeanHeight()) if self.distance == "levels" else coding
        groups = forest(distances, goal.floor, progress)
        return Release.from_groups(table, settled(table, goal, coding, groups, progress))


def forest(coding: Coding, k: int, progress: Progress) -> Groups:
    """The parts into which the trees are cut."""
    progress.stage("linking rows")
    order = np.lexsort(coding.cells[::-1])
    cells = np.ascontiguousarray(coding.cells[:, order])
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    rows = Groups.from_ids(rank[coding.row].astype(np.int32), order.size)
    n_keys, starts = buckets(cells)
    parents = link(coding.space, n_keys, first_planes(n_keys, cells.shape[0]), cells, rows.sizes, starts, k)
    homes = np.empty(coding.n_rows, np.int64)
    homes[rows.members] = cut(parents, rows.offsets, k)
    return grouped(homes)


class MeanHeight(CellMetric):
    """Mean over cells of the height of the lowest node around a cell, divided by the height of the root.

    A column without a hierarchy has two levels, its values and the star.
    """

    name: ClassVar[str] = "levels"
    summary: ClassVar[str] = "mean height of a cell in its hierarchy"

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """Height divided by the height of the root; 0 if a hierarchy has only one level."""
        nested = column.recoding.nested
        _, _, levels = nested.cover(cells.low, cells.high)
        return np.asarray(levels / max(1, nested.n_levels - 1))
