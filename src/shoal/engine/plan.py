"""From words to work: what was asked for, as objects, and once the table is known the plan of the run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from shoal.core.contracts import Algorithm, Goal
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.certifying import Certification
from shoal.engine.choice import Choice, choose_algorithm, choose_levels, choose_metric, choose_refinements, seconds_of
from shoal.engine.vocabulary import AnonymizeWords, Columns
from shoal.errors import InputError
from shoal.io.hierarchies import parse_hierarchy


@dataclass(frozen=True, eq=False)
class Plan:
    """What a run will do, and why."""

    schema: Schema
    goal: Goal
    choice: Choice
    certification: Certification

    @property
    def algorithm(self) -> Algorithm:
        """What makes the release."""
        return self.choice.algorithm


@dataclass(frozen=True, eq=False)
class Request:
    """What was asked for, before the table is looked at. Wrong hierarchies, models and metrics are refused here."""

    words: AnonymizeWords
    schema: Schema
    goal: Goal

    @classmethod
    def of(cls, words: AnonymizeWords, folder: Path = Path()) -> Request:
        """From what was said; relative paths of hierarchies start at ``folder``.

        Raises:
            InputError: a privacy model, metric or hierarchy that cannot be made, or no quasi-identifier or model.
        """
        if not words.quasi_identifiers:
            raise InputError(
                "No quasi-identifier was named; say which columns an adversary may know (quasi_identifiers, --quasi). "
                "shoal inspect suggests them."
            )
        if not words.privacy:
            raise InputError("No privacy model was asked for; ask for at least one, such as k = 5 (--k 5).")
        goal = Goal(
            words.promises,
            choose_metric(words.metric),
            words.suppression_limit,
        )
        return cls(words, schema_from(words, folder), goal)

    def plan(self, table: Table) -> Plan:
        """What to run on this table.

        Raises:
            InputError: no algorithm, or not the one asked for, can keep the promises on this table.
        """
        words, goal = self.words, self.goal
        for promise in goal.promises:
            promise.refuse(table)
        choice = (
            choose_algorithm(words.algorithm, table, goal, seconds_of(words.budget), choose_refinements(words.refine))
            if words.levels is None
            else choose_levels(words.levels, self.schema, words.refine)
        )
        choice.algorithm.refuse(table, goal)
        certify = words.certify if words.certify_budget is None else words.certify_budget
        return Plan(self.schema, goal, choice, Certification.asked(certify, table, goal))


def schema_from(words: Columns, folder: Path = Path()) -> Schema:
    """What was said about the columns; hierarchies are read, from ``folder`` where their paths are relative.

    Raises:
        InputError: a hierarchy cannot be read, or two things that were said contradict each other.
    """
    said = words.of(Columns)
    said["hierarchies"] = {name: parse_hierarchy(spec, folder, name) for name, spec in words.hierarchies.items()}
    return Schema(**{name: said[name] for name in Schema.__dataclass_fields__})
