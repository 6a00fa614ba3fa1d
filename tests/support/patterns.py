"""Small tables and problems for the tests of patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.mask import make_mask
from shoal.algorithms.patterns.pattern_greedy import cover
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.algorithms.patterns.rules import Rules
from shoal.core.contracts import Goal
from shoal.core.progress import Silent
from shoal.core.table import Table
from shoal.metrics import LM
from shoal.models import KAnonymity
from support.tables import coded


def matrix(rows: Sequence[Sequence[Any]], **schema: Any) -> Table:
    """A table from its rows, columns named a, b, c, …"""
    names = [chr(ord("a") + column) for column in range(len(rows[0]))]
    columns = {name: [str(row[place]) for row in rows] for place, name in enumerate(names)}
    schema.setdefault("recodings", dict.fromkeys(names, "suppress"))
    return coded(columns, names, **schema)


def problem_of(table: Table, **rules: Any) -> PatternProblem:
    return PatternProblem(table, make_mask(Rules(**rules), table.quasi))


def k_goal(k: int, suppression_limit: float = 0.0) -> Goal:
    return Goal((KAnonymity(k),), LM(), suppression_limit)


def greedy_of(problem: PatternProblem, k: int) -> Assignment:
    return cover(problem, k_goal(k), Silent())


def chosen_texts(assignment: Assignment) -> list[str]:
    """The pattern of each row as it is written, '-' where it has none."""
    return ["-" if p < 0 else assignment.mask.text(p) for p in assignment.chosen.tolist()]
