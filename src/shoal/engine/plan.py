"""Turns settings into a request and, once the table is known, into the plan of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal.algorithms import relaxation as certificate
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.schema import Role, Schema
from shoal.core.table import CountedTable, Table
from shoal.engine.algorithm_choice import (
    AUTO,
    Choice,
    choose_algorithm,
    choose_levels,
    choose_metric,
    choose_refinements,
    refuse_pieces,
    seconds_of,
)
from shoal.engine.preparing import preparation_of
from shoal.engine.vocabulary import AnonymizeWords, ColumnWords, Recodings
from shoal.engine.whole_histories import check_words, choose_for_histories, goal_of
from shoal.errors import InputError
from shoal.io.cell_forms.printing import chosen_forms
from shoal.io.column_rules import refuse_nested
from shoal.io.hierarchies import parse_hierarchy
from shoal.io.inspect.columns_without_role import refuse_unspoken, unspoken
from shoal.io.inspect.exact_dates import notes_on_unread_dates
from shoal.io.lookalike_values import notes_on_variants
from shoal.io.masking import MASKING, refuse_no_texts
from shoal.io.preparation import Preparation
from shoal.models.population import n_people as n_population
from shoal.report.published import PolicyFollowed


@dataclass(frozen=True, eq=False)
class Plan:
    """What a run will do, and why. ``pseudonym`` names the column of fresh keys, if people get one."""

    schema: Schema
    goal: Goal
    choice: Choice
    certification: Certification
    pseudonym: str | None = None

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm that makes the release."""
        return self.choice.algorithm


@dataclass(frozen=True, eq=False)
class Request:
    """The request before the table is examined. Invalid hierarchies, models and metrics are refused here."""

    words: AnonymizeWords
    schema: Schema
    goal: Goal
    preparation: Preparation
    notes: tuple[str, ...] = ()
    policy: PolicyFollowed | None = None

    @classmethod
    def of(cls, words: AnonymizeWords, folder: Path = Path()) -> Request:
        """From the settings; relative paths of hierarchies start at ``folder``.

        Raises:
            InputError: a privacy model, metric or hierarchy cannot be made, or there is no quasi-identifier or model.
        """
        if not words.privacy and not words.quasi_identifiers:
            raise InputError(
                "Neither a quasi-identifier nor a privacy model was named; say which columns an adversary may know and "
                "what must hold, as in --quasi age,zip --k 5. shoal inspect suggests the columns."
            )
        schema = schema_from(words, folder)
        if not words.privacy:
            raise InputError(
                "No privacy model was asked for; ask for at least one, such as k = 5 (--k 5, privacy=KAnonymity(5)). "
                "shoal inspect counts the rows that are unique without one."
            )
        goal = Goal(words.promises, choose_metric(words.metric), words.suppression_limit)
        check_words(words)
        return cls(words, schema, goal_of(goal, words), preparation_of(words, folder))

    def on(self, frame: pl.DataFrame, names: Sequence[str] | None = None) -> Request:
        """The request for a table: columns without a role get the suggested one, or are examined.

        The ``frame`` may have only some of the rows, and of the columns if ``names`` has all.

        Raises:
            InputError: a column does not exist, or one without a role may identify people.
        """
        self.schema.check_columns(frame.columns if names is None else names)
        if frame.is_empty():
            raise InputError("The table has no rows; there is nothing to publish.")
        schema = with_suggested(self.words, frame, self.schema)
        chosen_forms(self.words.cells, schema.quasi_identifiers, self.words.draws)
        refuse_nested(frame, schema.identifiers)
        refuse_no_texts(frame, schema.masked)
        refuse_unspoken(frame, schema)
        notes = [*self.notes, *self.preparation.notes(), *_taken(self.schema, schema)]
        notes += notes_on_unread_dates(frame, schema.quasi_identifiers)
        notes += notes_on_variants(frame, schema.sensitive)
        notes += [f"Published as masked text: {', '.join(schema.masked)}. {MASKING}"] if schema.masked else []
        return replace(self, schema=schema, notes=tuple(notes))

    def banded(self, values: Callable[[str], pl.Series]) -> Request:
        """The request with the order of bands, once the prepared values of a column are available."""
        return replace(self, schema=self.preparation.with_orders(self.schema, values))

    @property
    def searches(self) -> bool:
        """Whether the algorithm is "auto" with time for a search."""
        words = self.words
        return words.algorithm == AUTO and not words.quick and words.levels is None

    def plan(self, table: Table, *, in_pieces: bool = False) -> Plan:
        """What to run on this table; ``in_pieces`` if its rows are elsewhere and ``table`` only has their counts.

        Raises:
            InputError: no algorithm, or not the requested one, can satisfy the models on this table.
        """
        population = self.words.population_size if table.population is None else n_population(table)
        words, goal = self.words, self.goal.about(table, population)
        for promise in goal.promises:
            promise.refuse(table)
        rows = table.spread(_MOST_OUTLINED) if isinstance(table, CountedTable) else table
        choice = self._choice(rows, goal, in_pieces=table.n_rows if in_pieces else 0)
        if in_pieces:
            refuse_pieces(choice.algorithm)
        choice.algorithm.refuse(rows, goal)
        certify = words.certify if words.certify_budget is None else words.certify_budget
        fresh = words.person if words.publish_person else None
        return Plan(self.schema, goal, choice, Certification.asked(certify, table, goal), fresh)

    def _choice(self, table: Table, goal: Goal, *, in_pieces: int) -> Choice:
        words = self.words
        if words.linked == "histories":
            return choose_for_histories(words, table, goal, in_pieces or table.n_rows)
        if words.levels is not None:
            return choose_levels(words.levels, self.schema, words.refine)
        return choose_algorithm(
            words.algorithm, table, goal, seconds_of(words.budget), choose_refinements(words.refine),
            quick=words.quick, is_repeatable=words.seed is not None, in_pieces=in_pieces,
        )  # fmt: skip


_MOST_OUTLINED = 1_000_000
"""The most rows that an algorithm sees before it begins, if it gets the rows in pieces."""


def with_suggested(words: ColumnWords, frame: pl.DataFrame, schema: Schema | None = None) -> Schema:
    """The schema, with the suggested role for each column without one if requested."""
    given = schema_from(words) if schema is None else schema
    if words.roles == "given":
        return given
    found = unspoken(frame, given)
    more: dict[str, Any] = {
        field: (*getattr(given, field), *(name for name, said in found.items() if said.role == role))
        for field, role in _FIELDS.items()
    }
    return replace(given, **more)


_FIELDS: dict[str, Role] = {
    "identifiers": "identifier", "quasi_identifiers": "quasi-identifier", "sensitive": "sensitive",
}  # fmt: skip


def _taken(before: Schema, after: Schema) -> Iterator[str]:
    """One sentence per role about the suggestions that were used."""
    for field, role in _FIELDS.items():
        if new := getattr(after, field)[len(getattr(before, field)) :]:
            yield f"Suggested role {role}: {', '.join(new)}."


def schema_from(words: Recodings, folder: Path = Path()) -> Schema:
    """The schema from the settings; hierarchies are read, relative to ``folder``."""
    said = {name: getattr(words, name) for name in Schema.__dataclass_fields__ if name in type(words).model_fields}
    said["hierarchies"] = {name: parse_hierarchy(spec, folder, name) for name, spec in words.hierarchies.items()}
    return Schema(**said)


SECONDS = 60.0
"""The default time limit for a certificate."""


@dataclass(frozen=True)
class Certification:
    """Whether a lower bound on the loss is requested, and how long the search for it may take."""

    seconds: float | None

    @classmethod
    def asked(cls, certify: bool | str | float, table: Table, goal: Goal) -> Certification:
        """From the setting; refuses at once metrics, models and lattices that do not allow it."""
        if certify is False:
            return cls(None)
        seconds = seconds_of(SECONDS if certify is True else certify) or 0.0
        certificate.require_certifiable(table, goal, seconds)
        return cls(seconds)

    def floor(
        self, release: Release, goal: Goal, randomness: Randomness, progress: Progress
    ) -> certificate.Floor | None:
        """The lower bound, if requested."""
        if self.seconds is None:
            return None
        if release.buckets is not None:
            raise InputError("There is nothing to certify: quasi-identifiers are published unchanged.")
        return certificate.find_floor(release, goal, randomness, progress, self.seconds)
