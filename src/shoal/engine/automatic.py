"""What ``algorithm="auto"`` runs: the candidate that should lose least in the time available for this table."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass

from shoal import algorithms
from shoal.algorithms import clustering
from shoal.algorithms.best import Best
from shoal.algorithms.clustering import Refined, Search
from shoal.algorithms.relaxation.node_costs import seconds_to_solve
from shoal.core.contracts import Algorithm, CellMetric, Goal
from shoal.core.table import Table
from shoal.errors import InputError

_SECONDS, _ROWS, _GROWTH = 2.0, 30_000, 0.85
"""The default search takes ``_SECONDS`` for up to ``_ROWS`` rows, and ``_GROWTH`` more for every factor of e."""

_LEFT, _LESS, _LEAST = 4.0, 2.2, 1.5
"""The seconds left for the search, how many fewer per million rows, and the fewest.

A whole run should take 5 s plus three times the time for reading; checking, printing, attacking and writing a million
rows takes about three seconds.
"""

_LEAST_GAIN = 0.001
"""The default search stops when an eighth of its time reduces the loss by less than this share.

Unless time is scarce: then an eighth is too short to tell.
"""

_STEP = 25e-6
"""Approximate processor seconds of a search step per row of a class, up to classes of 150 rows.

Three times as much if models are about more than size.
"""

_OPEN = 3.5
"""With up to this many columns of ranges and sets, a step takes as long as with hierarchies alone.

Beyond, the time grows in proportion, because only columns with hierarchies are looked up several at once.
"""

_STEPS_PER_CLASS = 30
"""Steps per class after which little can still be gained."""

_LARGE = 50
"""From this k on, the Hilbert curve is tried too, and clusters even if all columns have hierarchies.

For smaller k these are not the best.
"""

_SMALL = 8
"""From this k on, a search on columns with hierarchies starts best from ``Specialization``.

For smaller k it ends with less loss if it starts from Mondrian's classes, or from clusters along neighbour lists.
"""

_SCARCE, _CROWDED = 8e-5, 4e-5
"""Seconds per row below which a search hardly improves Mondrian's classes, and clustering takes most of the time."""

_NEIGHBOURS, _ALONG_LISTS = 25, 4e-5
"""The length of neighbour lists, and the approximate processor seconds per row of clustering along them."""

_BLOCK = 1_000
"""Rows that are clustered at once. Each round draws new blocks, so larger ones gain less than the search does."""

_WHOLE = 0.5
"""All rows are clustered at once if that takes less than this share of the time for clustering."""

_ROUNDS = 2.5
"""How many times longer clustering takes in rounds of blocks than in a single block of that size."""

_START = 0.6
"""The share of its time that the default may spend on clustering."""

_PEOPLE = 1.25
"""How many times longer everything takes if models count different people."""

_WIDE = 2.4e-4
"""Approximate processor seconds to cluster a person with a whole history; more with more columns."""

_MOST_ROWS = 100_000
"""More rows than this are clustered in blocks, in parallel, whatever the budget."""

_PROGRAM = 0.5
"""The share of its time that a search leaves to the linear program over groups."""

_ROUNDS_OF_CUTS, _SURELY = 1, 0.25
"""Rounds of cuts of that program if steps count instead of seconds; it may then take about four times as long as it
takes until its groups are better than others."""

_SECONDS_PER_BLOCK = 20.0
"""The time limit for concealment on each block of a table whose rows come in pieces."""

Candidate = tuple[Algorithm, str]
"""An algorithm and, in a few words, the reason."""


@dataclass(frozen=True)
class Time:
    """How long a run may take: a budget in seconds, as short as possible, or the same steps on every machine.

    ``in_pieces`` is the number of rows that come in large blocks because they are not all in memory; 0 if they are.
    Each block should then be quick, or gets its share of the budget.
    """

    budget: float | None = None
    is_quick: bool = False
    is_repeatable: bool = False
    in_pieces: int = 0


def automatic_candidates(table: Table, goal: Goal, time: Time) -> Iterator[Candidate]:
    """The algorithms that "auto" tries, in this order, with reasons; those after the chosen one are never imported."""
    if time.in_pieces:
        quick = "quick on blocks of any size"
        yield _on_blocks(goal, time)
        yield algorithms.NonHomogeneous(), quick
        yield algorithms.Concealment(linkage=1, budget=_SECONDS_PER_BLOCK), quick
        return
    yield _grouping(table, goal, time)
    yield algorithms.NonHomogeneous(), "these promises are about matches, not about classes"
    seconds = 60.0 if time.budget is None else time.budget
    yield algorithms.Concealment(budget=seconds), "these promises are about possible owners, not about classes"


def _on_blocks(goal: Goal, time: Time) -> Candidate:
    """Mondrian; with a budget, clusters and a search, with a share of the time for each block."""
    start: Algorithm = algorithms.Mondrian(relaxed=True)
    if time.budget is None or not isinstance(goal.metric, CellMetric):
        return start, "quick on blocks of any size"
    block = _affordable_block(time.in_pieces, goal, time.budget / 4)
    if block is not None:
        start = Best((algorithms.Agglomerative(block=block), start))
    why = f"each block of rows has its share of {time.budget:g} seconds"
    return Refined(start, (Search(),), time.budget, time.in_pieces), why


def _grouping(table: Table, goal: Goal, time: Time) -> Candidate:
    if time.budget is not None:
        return _within(table, goal, time.budget)
    if not isinstance(goal.metric, CellMetric):
        return algorithms.Mondrian(relaxed=True), f"quick, and {goal.metric.name} depends only on the sizes of classes"
    if time.is_quick:
        return algorithms.Mondrian(relaxed=True), "quick for a table of any size; the default loses less"
    return _default(table, goal, time.is_repeatable)


def _default(table: Table, goal: Goal, is_repeatable: bool) -> Candidate:
    """A good start and a short search; if repeatable, with as many steps as that time allows on two cores."""
    seconds = _default_seconds(table.n_rows)
    n_steps = _steps(table, goal, seconds) if is_repeatable else 0
    start = _best_start(table, goal, seconds, 0.0 if is_repeatable else seconds)
    if _is_programmed(table, goal, _SURELY * seconds if is_repeatable else seconds):
        start = _or_programmed(start, 0.0 if is_repeatable else _PROGRAM * seconds)
    why = f"a search of {n_steps:,} steps" if is_repeatable else f"a search of at most {seconds:.1f} seconds"
    is_scarce = seconds < _SCARCE * int(table.distinct.firsts.size)
    search = Search(n_steps, 0.0 if is_scarce else _LEAST_GAIN)
    refined = Refined(start, (search,), None if is_repeatable else seconds)
    return refined, f"the start with the least loss, then {why}"


def _default_seconds(n_rows: int) -> float:
    """2 s for up to 30,000 rows, at most 3.5 s for about 200,000, and less again if everything else takes long."""
    affordable = _SECONDS + _GROWTH * math.log(max(1.0, n_rows / _ROWS))
    return max(_LEAST, min(affordable, _LEFT - _LESS * n_rows / 1_000_000))


def _best_start(table: Table, goal: Goal, seconds: float, at_most: float) -> Algorithm:
    """Clusters if ``seconds`` allow and they are useful, Mondrian's classes, and those of a curve.

    Without time for clusters, and if most columns have ranges or sets, the curve alone: it loses a quarter less than
    Mondrian there.
    """
    starts: list[Algorithm] = [algorithms.Mondrian(relaxed=True)]
    if goal.is_about_size and not _open_columns(table):
        starts = _down_hierarchies(int(table.distinct.firsts.size), goal, seconds)
    elif goal.floor >= _LARGE:
        starts.append(algorithms.Hilbert())
    block = _affordable_block(int(table.distinct.firsts.size), goal, _START * seconds / _slower(table))
    if block is None and goal.is_about_size and 2 * _open_columns(table) > table.n_quasi:
        starts = [algorithms.Hilbert()]
    if block is not None and _is_clustered(table, goal, seconds):
        starts.insert(0, algorithms.Agglomerative(block=block, seconds=at_most))
    return _best([start for start in starts if serves(start, table, goal)] or [algorithms.Mondrian(relaxed=True)])


def _best(starts: list[Algorithm]) -> Algorithm:
    return Best(tuple(starts)) if len(starts) > 1 else starts[0]


def _is_clustered(table: Table, goal: Goal, seconds: float) -> bool:
    """Whether clusters are useful: with hierarchies a search gets as far without, unless classes are large."""
    if not goal.is_about_size or _open_columns(table):
        return True
    return goal.floor >= _LARGE and seconds >= _CROWDED * int(table.distinct.firsts.size)


def _down_hierarchies(n_rows: int, goal: Goal, seconds: float) -> list[Algorithm]:
    """The starts for this many different rows if all columns have hierarchies and models are about sizes only."""
    mondrian = algorithms.Mondrian(relaxed=True)
    if goal.floor >= _SMALL:
        return [clustering.Specialization()]
    if seconds >= _SCARCE * n_rows:
        return [mondrian]
    if _ALONG_LISTS * n_rows / (os.cpu_count() or 1) < _START * seconds:
        return [algorithms.Agglomerative(block=_BLOCK, neighbours=_NEIGHBOURS), mondrian]
    return [clustering.Specialization(), mondrian]


def for_people(table: Table, goal: Goal, seconds: float, is_repeatable: bool) -> Algorithm:
    """The algorithm that groups people with whole histories as wide rows: the best start, then a search."""
    if not isinstance(goal.metric, CellMetric):
        return algorithms.Mondrian(relaxed=True)
    starts: list[Algorithm] = [algorithms.Mondrian(relaxed=True)]
    n_cores = min(os.cpu_count() or 1, -(-table.n_rows // _BLOCK))
    clustering = _WIDE * table.n_rows * (1 + table.n_quasi / 20) / n_cores * _times(goal, 10)
    if clustering < 0.8 * seconds:
        starts.insert(0, algorithms.Agglomerative(block=_BLOCK))
    search = Search(_steps(table, goal, seconds) if is_repeatable else 0, _LEAST_GAIN)
    return Refined(_best(starts), (search,), None if is_repeatable else seconds)


def serves(algorithm: Algorithm, table: Table, goal: Goal) -> bool:
    """Whether an algorithm can meet the goal on this table."""
    try:
        algorithm.refuse(table, goal)
    except InputError:
        return False
    return True


def _steps(table: Table, goal: Goal, seconds: float) -> int:
    """How many steps a search makes in about this many seconds on two cores, but no more than are worthwhile."""
    step = _STEP * min(max(goal.floor, 2), 150) * _times(goal, 3) * _slower(table)
    affordable = 1.5 * seconds / step
    return max(64, int(min(affordable, _STEPS_PER_CLASS * table.n_rows / max(goal.floor, 1))))


def _open_columns(table: Table) -> int:
    """The number of columns with ranges or sets."""
    return sum(not column.recoding.closes_to_nodes for column in table.quasi)


def _slower(table: Table) -> float:
    """How many times longer a step, or clustering, takes than with hierarchies alone."""
    return max(1.0, _open_columns(table) / _OPEN)


def _affordable_block(n_rows: int, goal: Goal, seconds: float) -> int | None:
    """The block size with which clustering takes at most this long; None if even small blocks take longer."""
    if n_rows > _BLOCK and _seconds_to_cluster(n_rows, n_rows, goal) < _WHOLE * seconds:
        return _MOST_ROWS
    n_cores = min(os.cpu_count() or 1, -(-n_rows // _BLOCK))
    return _BLOCK if _seconds_to_cluster(n_rows, _BLOCK, goal) / n_cores < seconds else None


def _within(table: Table, goal: Goal, budget: float) -> Candidate:
    """The best start that there is time for, and a search."""
    n_rows, mondrian = int(table.distinct.firsts.size), algorithms.Mondrian(relaxed=True)
    n_cores = min(os.cpu_count() or 1, max(1, n_rows // _MOST_ROWS))
    start: Algorithm = Best((algorithms.Agglomerative(seconds=budget / 4), mondrian))
    if _is_programmed(table, goal, budget):
        start = _or_programmed(_best_start(table, goal, budget / 2, budget / 4), _PROGRAM * budget)
    elif _seconds_to_cluster(n_rows, _MOST_ROWS, goal) / n_cores >= budget / 10:
        start = _best_start(table, goal, budget / 2, budget / 4)
    quick = "a quick start, because clustering so many rows would take too long"
    why = quick if not isinstance(start, Best) else "the start with the least loss"
    return Refined(start, (Search(),), budget), f"{why}, then a search for the rest of {budget:g} seconds"


def _is_programmed(table: Table, goal: Goal, seconds: float) -> bool:
    """Whether the groups of the linear program are better than others if it is solved in a part of these seconds."""
    if _open_columns(table) or not goal.is_about_size or seconds_to_solve(table) > seconds:
        return False
    return serves(algorithms.ColumnGeneration(), table, goal)


def _or_programmed(start: Algorithm, seconds: float) -> Algorithm:
    """The start, or the groups of the linear program if they lose less; 0 seconds for the same steps everywhere."""
    said = {"seconds": seconds} if seconds else {"rounds": _ROUNDS_OF_CUTS}
    program = algorithms.ColumnGeneration(**said)
    return Best((program, *(start.candidates if isinstance(start, Best) else (start,))))


def _seconds_to_cluster(n_rows: int, block: int, goal: Goal) -> float:
    """The approximate time of agglomerative clustering on one processor, from measurements."""
    rounds = 1 if n_rows <= block else _ROUNDS
    return 3e-7 * n_rows * math.sqrt(min(n_rows, block)) * rounds * _times(goal, 10)


def _times(goal: Goal, beyond: float) -> float:
    """How many times longer it takes than with sizes alone: ``beyond`` if values are judged, a little for people."""
    return 1 if goal.is_about_size else _PEOPLE if goal.is_about_people else beyond
