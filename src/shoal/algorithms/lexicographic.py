"""Lexicographic: sort by the columns with the fewest values first, and split the order value by value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.diverse_parts import join_until, keeping
from shoal.core.goal_feasibility import require_possible
from shoal.core.orders import Parting, lexicographic_parts, refuse_parting
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table


@dataclass(frozen=True)
class Lexicographic(Algorithm):
    """The parts of figure 8 of Wong et al., each published with shared cells: their HP.

    Rows are sorted by the column with the fewest values, then by the next, and split value by value; parts below k rows
    get rows from a neighbour or join it. Parts that break a promise beyond class size are joined with a neighbour until
    none does. A difference in a column with few values costs most, so those columns stay exact longest.

    ``parting="published"`` reproduces the paper's figures: a part in which a column has one value is final, and a small
    part takes rows from the next one or joins it. ``finest``, the default, continues with the remaining columns and
    picks the better neighbour: far smaller parts if one column determines another.

    Cost: O(n · (columns + log n)) time, O(n · columns) memory.

    Reference: Wong, Mamoulis and Cheung 2010, Non-Homogeneous Generalization in Privacy Preserving Data Publishing
    (section 5.3, figure 8, and HP in section 7).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Lexicographic(), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '[23..25]'), ('0214*', '[61..67]')]
    """

    parting: Parting = "finest"

    name: ClassVar[str] = "lexicographic"
    summary: ClassVar[str] = "sort by the columns with the fewest values and split the order value by value (very fast)"
    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True
    is_local: ClassVar[bool] = True

    def __post_init__(self) -> None:
        refuse_parting(self.parting)

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Sort, part, and give each part its smallest permitted cells."""
        require_possible(table, goal)
        progress.stage("parting")
        parts = lexicographic_parts(table, max(1, goal.floor), self.parting)
        return Release.from_groups(table, join_until(keeping(table, goal), parts))
