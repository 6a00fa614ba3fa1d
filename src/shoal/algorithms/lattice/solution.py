"""The result of a search of the lattice, and error messages for when there is none."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.algorithms.lattice.feasibility import Judge, Judgement
from shoal.algorithms.lattice.space import Levels, Space
from shoal.core.claims import BestLevels
from shoal.core.contracts import Goal
from shoal.core.number_texts import plain
from shoal.errors import GoalNotMet, InputError


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


def too_big(space: Space, most: int) -> InputError:
    """The lattice does not fit into memory, and no time limit was given."""
    return InputError(
        f"The lattice of {len(space.heights)} columns has {_count(space.n_nodes)} nodes, more than the {most:,} that "
        "are kept in memory; give a time_limit in seconds for the best node found in that time and a bound on what "
        "any node loses, or leave columns or levels out."
    )


def too_many_rows(judge: Judge, verdict: Judgement) -> GoalNotMet:
    """The requested node does not keep the promises."""
    return GoalNotMet(
        f"At the levels {_shown(verdict.levels)}, {verdict.n_suppressed:,} of {judge.table.n_rows:,} rows are in "
        f"classes that do not keep the promises ({_blame(judge, verdict.levels)}), and {judge.max_suppressed:,} may be "
        f"suppressed; choose higher levels, ask for less, or raise the suppression limit{_cost(judge, verdict)}."
    )


def no_node(judge: Judge, space: Space, least: Judgement | None, is_sure: bool) -> GoalNotMet:
    """No node keeps the promises: name the promises that fail at the top, and what would have to change.

    ``least`` is a node at which few rows would have to be suppressed, if one is known.
    """
    n = judge.table.n_rows
    found = "No node of the lattice keeps" if is_sure else "In the time given no node was found that keeps"
    limit = f" within the suppression limit of {judge.max_suppressed:,} of {n:,} rows"
    blame = _blame(judge, space.top)
    top = f"even with every quasi-identifier suppressed (levels {_shown(space.top)}) {blame}" if blame else ""
    ask = "ask for less of that" if blame else "ask for less"
    if least is not None and least.n_suppressed < n:
        share = -(-least.n_suppressed * 10_000 // n) / 10_000
        ask += f", or raise the suppression limit to {share:g}, as {least.n_suppressed:,} rows would have to go"
        ask += _cost(judge, least)
    return GoalNotMet(f"{found} every promise{limit}{': ' + top if top else ''}; {ask}.")


def _cost(judge: Judge, verdict: Judgement) -> str:
    """What the node would lose if the failing rows were suppressed."""
    metric = judge.goal.metric
    if not metric.scores_nodes or not verdict.kept.any():
        return ""
    loss = metric.node_score(judge.node(verdict, with_rows=metric.needs_rows))
    return f", for a loss of {plain(loss)} ({metric.name})"


def _blame(judge: Judge, levels: Levels) -> str:
    """The promises that fail at a node, and for how many rows."""
    failing = [f"{promise} fails for {rows:,} rows" for promise, rows in judge.failing_rows(levels).items() if rows]
    return " and ".join(failing)


def _shown(levels: Levels) -> str:
    return "/".join(map(str, levels))


def _count(n: int) -> str:
    return f"{n:,}" if n < 10**12 else f"about 10^{len(str(n)) - 1}"
