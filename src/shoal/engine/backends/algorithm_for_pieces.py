"""Which algorithm runs where the table is not in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal import algorithms
from shoal.core.contracts import Algorithm, Goal
from shoal.core.table import Table
from shoal.engine.algorithm_choice import AUTO, Choice, choose_algorithm, choose_levels
from shoal.engine.plan import Request
from shoal.errors import InputError

LEVELS = "lattice"

_BUDGET = 20.0
"""Seconds that concealment may take on each block."""


def choose_for_pieces(
    said: str | Mapping[str, Any] | Algorithm, levels: tuple[int, ...] | None, table: Table, goal: Goal
) -> Choice:
    """The algorithm asked for; by default the quick ones, since blocks are large.

    Raises:
        InputError: the algorithm looks for one recoding of all rows and cannot do so on their counts.
    """
    if levels is not None:
        return choose_algorithm(LEVELS, table, goal)
    if said == AUTO:
        return _quick(table, goal)
    choice = choose_algorithm(said, table, goal)
    if choice.algorithm.is_global and not choice.algorithm.works_on_counts:
        raise InputError(f"{choice.algorithm.name!r} wants all rows at once; here use 'lattice'.")
    if choice.algorithm.makes_buckets:
        raise InputError(f"{choice.algorithm.name!r} publishes two tables, here only one is made; choose another.")
    return choice


def levels_in_order(request: Request) -> tuple[int, ...] | None:
    """The levels that were asked for, in the order of the quasi-identifiers."""
    if request.words.levels is None:
        return None
    chosen: Any = choose_levels(request.words.levels, request.schema).algorithm
    return tuple(chosen.levels)


def _quick(table: Table, goal: Goal) -> Choice:
    """The first that can serve the goal; if none can, what the first has to say about it."""
    hiding = algorithms.Concealment(linkage=1, budget=_BUDGET)
    candidates: list[Algorithm] = [algorithms.Mondrian(relaxed=True), algorithms.NonHomogeneous(), hiding]
    for algorithm in candidates:
        try:
            algorithm.refuse(table, goal)
            algorithm.refuse_blocks(goal)
        except InputError:
            continue
        return Choice(algorithm, f"{algorithm.name}: quick on blocks of any size")
    return Choice(candidates[0], "quick on blocks of any size")
