"""The result of a search of the lattice."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.algorithms.lattice.space import Levels
from shoal.core.claims import BestLevels
from shoal.core.contracts import Goal
from shoal.core.number_texts import plain


@dataclass(frozen=True)
class SearchResult:
    """The result of a search, and how certain it is.

    ``levels`` is the best node found, which loses ``score`` by the goal's metric and suppresses ``n_suppressed`` rows.
    Of ``n_nodes`` nodes, ``n_checked`` were grouped and judged, ``n_pruned`` shown to be no better without that, and
    the rest, if any, not examined. ``is_optimal`` means that none is left: no node of the lattice loses less. If the
    time was up before, none loses less than ``lower_bound``. The search for good nodes had ``n_starts`` starts.
    """

    levels: Levels
    score: float
    n_suppressed: int
    n_nodes: int
    n_checked: int
    n_pruned: int
    is_optimal: bool
    lower_bound: float
    n_starts: int = 1

    def __str__(self) -> str:
        where = f"Levels {'/'.join(map(str, self.levels))}"
        if self.is_optimal:
            return f"{where} are proven to lose least: {self._worked}."
        return f"{where} lose at most {plain(self.gap)} more than the best when the time was up: {self._worked}."

    def claim(self, goal: Goal, time_limit: float | None) -> BestLevels:
        """The result as a claim that can be checked independently."""
        return BestLevels(
            goal.metric,
            self.score,
            self.lower_bound,
            kind="choice of levels",
            how=self._worked,
            stopped="" if self.is_optimal else f"after {time_limit:g} s",
            goal=goal,
            levels=self.levels,
        )

    @property
    def _worked(self) -> str:
        starts = f", from {self.n_starts:,} starts" if self.n_starts > 1 else ""
        return f"of {self.n_nodes:,} nodes {self.n_checked:,} were checked and {self.n_pruned:,} ruled out{starts}"

    @property
    def gap(self) -> float:
        """How much less than ``score`` some node could lose at most."""
        return self.score - self.lower_bound
