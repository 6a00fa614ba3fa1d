"""Turns settings into objects: the algorithm, the metric, the privacy models."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from shoal import algorithms, metrics
from shoal.algorithms.clustering import REFINEMENTS, Refined, Refinement
from shoal.core.contracts import Algorithm, Goal, Metric
from shoal.core.parameters import real_number
from shoal.core.plugins import build
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.automatic import Candidate, Time, automatic_candidates, serves
from shoal.errors import InputError, did_you_mean

AUTO = "auto"


@dataclasses.dataclass(frozen=True)
class Choice:
    """An algorithm and, in one line, why it was chosen."""

    algorithm: Algorithm
    reason: str
    is_automatic: bool = False


def choose_algorithm(
    wanted: str | Mapping[str, Any] | Algorithm,
    table: Table,
    goal: Goal,
    budget: float | None = None,
    refinements: Sequence[Refinement] = (),
    quick: bool = False,
    is_repeatable: bool = False,
    in_pieces: int = 0,
) -> Choice:
    """The requested algorithm or, for ``"auto"``, the one expected to lose the least in the time available.

    That time is ``budget`` seconds; without a budget two to four seconds or, if the run is to be repeatable, as many
    steps as take that time; as little as possible if ``quick``, or if this many rows come ``in_pieces`` without a
    budget. A refinement follows if requested, and the budget then covers both; also if rows may be suppressed and the
    algorithm does not do so itself.
    """
    time = Time(None if refinements else budget, quick or bool(refinements), is_repeatable, in_pieces)
    start = _start(wanted, table, goal, time)
    algorithm = start.algorithm
    may_suppress = goal.suppression_limit != 0 and algorithm.is_local and not algorithm.suppresses
    if start.is_automatic and in_pieces:
        return start
    if may_suppress and not refinements and start.is_automatic and table.distinct.firsts.size > _FEW_ROWS:
        return dataclasses.replace(start, reason=f"{start.reason}; a search would suppress rows where that loses less")
    if refinements or may_suppress:
        return dataclasses.replace(start, algorithm=Refined(algorithm, tuple(refinements), budget))
    return start


def refuse_pieces(algorithm: Algorithm) -> None:
    """Raise InputError if an algorithm cannot run on rows that come in pieces."""
    if algorithm.is_global and not algorithm.works_on_counts:
        raise InputError(f"{algorithm.name!r} needs all rows in memory; use 'lattice' here.")
    if algorithm.makes_buckets:
        raise InputError(
            f"{algorithm.name!r} publishes two tables, and only one can be written here; choose another algorithm."
        )


def choose_refinements(wanted: str | Sequence[str | Refinement] | Refinement | None) -> tuple[Refinement, ...]:
    """The requested refinements: a name, ``"search:steps=1000"``, a ``Refinement``, or several of them."""
    if wanted is None:
        return ()
    several = [wanted] if isinstance(wanted, str | Refinement) else wanted
    return tuple(one if isinstance(one, Refinement) else build("refinement", one, REFINEMENTS) for one in several)


def _start(wanted: str | Mapping[str, Any] | Algorithm, table: Table, goal: Goal, time: Time) -> Choice:
    """The algorithm that runs first."""
    if wanted == AUTO:
        return _automatic(table, goal, time)
    if time.budget is not None:
        raise InputError(
            "A budget is for the algorithm 'auto' or for a refinement; give others their own options, as in "
            "'clustering:budget=60'."
        )
    if isinstance(wanted, Algorithm):
        return Choice(wanted, "given")
    return Choice(build("algorithm", wanted, algorithms.ALL), "asked for by name")


_FEW_ROWS = 5_000
"""Up to this many different rows, "auto" looks for rows to suppress even without a budget; it takes a second."""


def _automatic(table: Table, goal: Goal, time: Time) -> Choice:
    """The first candidate that can meet the goal; if none can, the first one, whose error is shown later."""
    tried: list[Candidate] = []
    for algorithm, reason in automatic_candidates(table, goal, time):
        tried.append((algorithm, reason))
        try:
            algorithm.refuse(table, goal)
            if time.in_pieces:
                algorithm.refuse_blocks(goal)
        except InputError:
            continue
        return Choice(algorithm, f"auto chose {algorithm.name}: {reason}", is_automatic=True)
    _refuse_mixture([algorithm for algorithm, _ in tried], table, goal)
    return Choice(*tried[0])


def _refuse_mixture(known: Sequence[Algorithm], table: Table, goal: Goal) -> None:
    """Raise InputError if some algorithm supports each privacy model, but none supports them all together."""
    alone = {str(promise): dataclasses.replace(goal, promises=(promise,)) for promise in goal.promises}
    able = {promise: [one.name for one in known if serves(one, table, own)] for promise, own in alone.items()}
    if all(able.values()):
        told = "; ".join(f"{promise}: {', '.join(names)}" for promise, names in able.items())
        raise InputError(f"No algorithm keeps these promises together, only each by itself ({told}); leave some out.")


def seconds_of(said: str | float | None) -> float | None:
    """A budget in seconds, from a number or a text such as ``60``, ``60s`` or ``2m``.

    >>> seconds_of("2m")
    120.0
    """
    if said is None:
        return None
    text = str(said).strip()
    factor = {"s": 1, "m": 60, "h": 3600}.get(text[-1:], 1)
    return factor * real_number("budget", text.rstrip("smh"), least=0)


def choose_levels(levels: Sequence[int] | Mapping[str, int], schema: Schema, refine: object = None) -> Choice:
    """The requested node of the lattice, by position or by column; columns not named stay on level 0."""
    if refine is not None:
        raise InputError("Levels say exactly what to publish, so there is nothing to refine; leave one of them out.")
    if isinstance(levels, Mapping):
        for name in levels:
            if name not in schema.quasi_identifiers:
                hint = did_you_mean(name, schema.quasi_identifiers)
                raise InputError(f"levels: {name!r} is not a quasi-identifier.{hint}")
        levels = [levels.get(name, 0) for name in schema.quasi_identifiers]
    return Choice(algorithms.Lattice(levels=tuple(levels)), "these levels were asked for")


def choose_metric(wanted: str | Metric) -> Metric:
    """The metric of that name."""
    return wanted if isinstance(wanted, Metric) else build("metric", wanted, metrics.ALL)
