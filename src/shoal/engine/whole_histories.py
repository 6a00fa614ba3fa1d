"""Releases of whole histories: the algorithm, the privacy models, and the fresh keys of people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from shoal import algorithms
from shoal.core.arrays import Codes
from shoal.core.contracts import Algorithm, Goal
from shoal.core.randomness import Randomness
from shoal.core.release import Publication
from shoal.core.table import Table
from shoal.engine.algorithm_choice import AUTO, Choice, choose_algorithm, choose_refinements, seconds_of
from shoal.engine.automatic import for_people
from shoal.engine.vocabulary import AnonymizeWords, Searched
from shoal.errors import BrokenPromise, InputError
from shoal.io.people import code_people

if TYPE_CHECKING:
    from shoal.algorithms.histories import Choose


_SECONDS, _ROWS, _GROWTH = 2.5, 30_000, 0.7
"""The default search takes ``_SECONDS`` for ``_ROWS`` rows, growing with the power ``_GROWTH``: 29 s for a million."""


def check_words(words: AnonymizeWords) -> None:
    """Raise InputError for settings that do not apply to people; the message says what to use instead."""
    if words.person is None and (words.linked != "rows" or words.publish_person is not None):
        raise InputError("linked and publish_person are about people; name the column that identifies them (person).")
    if words.linked == "rows":
        if words.publish_person is not None:
            raise InputError(
                "A published pseudonym keeps a person's rows together, so an adversary who knows several of them "
                "may find that only one person fits; use linked = 'histories', or leave publish_person out."
            )
        return
    for word in ("levels", "certify", "certify_budget", "explore", "save_recoding"):
        if getattr(words, word, None) not in (None, False):
            raise InputError(
                f"{word!r} needs one recoding for all rows, and linked = 'histories' makes none; leave out one of them."
            )
    if words.publish_person is not None and words.seed is not None:
        raise InputError(
            "Pseudonyms are drawn for one release alone, and anyone who knows the seed could draw them again; leave "
            "out seed, or publish_person."
        )


def goal_of(goal: Goal, words: AnonymizeWords) -> Goal:
    """The goal about rows, about people, or about their whole histories, as the settings say."""
    if words.person is None:
        return goal
    return goal.of_people() if words.linked == "rows" else histories_goal(goal)


def histories_goal(goal: Goal) -> Goal:
    """The same goal with every model about whole histories."""
    from shoal.models.of_histories import of_histories  # imported here and below only for histories

    counted = goal.of_people()
    return replace(counted, promises=tuple(map(of_histories, counted.promises)))


def choose_for_histories(words: AnonymizeWords, table: Table, goal: Goal, n_rows: int) -> Choice:
    """People as wide rows, grouped by the requested algorithm, or for "auto" by one suited to the number of rows.

    ``table`` represents ``n_rows`` rows in total.
    """
    from shoal.algorithms.histories import WholeHistories

    inner = words.algorithm if isinstance(words.algorithm, str) else "given"
    choose = chooser(words, table, n_rows, goal, is_repeatable=words.seed is not None)
    found = WholeHistories(choose, algorithms.Mondrian(relaxed=True), inner)
    is_automatic = words.algorithm == AUTO
    why = "the rows of a person are published together" if is_automatic else "asked for by name"
    return Choice(found, f"people as wide rows, grouped by {inner}: {why}", is_automatic)


def chooser(words: Searched, table: Table, n_rows: int, goal: Goal, *, is_repeatable: bool = False) -> Choose:
    """The requested algorithm or, for "auto", one suited to this many people with ``n_rows`` rows in total.

    Raises:
        InputError: the algorithm does not make groups with cells of their own.
    """
    refinements, budget = choose_refinements(words.refine), seconds_of(words.budget)
    seconds = _SECONDS * max(1.0, n_rows / _ROWS) ** _GROWTH if budget is None else budget
    is_automatic = words.algorithm == AUTO
    if not is_automatic:
        asked_for = choose_algorithm(words.algorithm, table, replace(goal, suppression_limit=0.0)).algorithm
        if not asked_for.is_local:
            raise InputError(
                f"The algorithm {asked_for.name!r} does not make groups with cells of their own, which linked = "
                "'histories' needs; choose mondrian, hilbert, agglomerative, clustering or auto."
            )

    def choose(wide: Table, asked: Goal, share: float) -> Algorithm:
        if is_automatic and not words.quick and not refinements:
            return for_people(wide, asked, seconds * share, is_repeatable)
        part = None if budget is None else budget * share
        return choose_algorithm(
            words.algorithm, wide, asked, part, refinements, quick=words.quick, is_repeatable=is_repeatable
        ).algorithm

    return choose


def with_pseudonyms(publication: Publication, people: Codes, name: str, randomness: Randomness) -> Publication:
    """The publication with fresh random keys of people as first column; record ``r`` is of person ``people[r]``.

    See ``fresh_keys``: keys are independent of the person.
    """
    keys = fresh_keys(int(people.max(initial=-1)) + 1, "p", randomness)
    column = keys.gather(people.astype(np.uint32)).alias(name)
    passengers = pl.DataFrame([column, *publication.passengers.get_columns()])
    return replace(publication, passengers=passengers, order=(name, *publication.order))


def check_pseudonyms(pseudonyms: pl.Series, keys: pl.Series) -> None:
    """Raise BrokenPromise unless people, told apart by original key, and pseudonyms correspond one to one."""
    theirs = code_people(keys).codes
    pairs = pl.DataFrame({"pseudonym": pseudonyms, "person": theirs}).unique()
    check_one_to_one(pairs["person"].n_unique(), pairs["pseudonym"].n_unique(), pairs.height)


def check_one_to_one(n_people: int, n_pseudonyms: int, n_pairs: int) -> None:
    """Raise BrokenPromise unless so many different pairs mean that people and pseudonyms correspond one to one."""
    if not n_people == n_pseudonyms == n_pairs:
        raise BrokenPromise(
            "The release failed its own check (people and pseudonyms do not correspond one to one); this is a bug in "
            "shoal, please report it. Nothing was written."
        )


def fresh_keys(n: int, letter: str, randomness: Randomness) -> pl.Series:
    """``n`` different random 64-bit keys from the cryptographic generator.

    They are independent of the row or person that gets one. They begin with a letter, so that no reader parses one as a
    number.
    """
    while True:
        words = randomness.words(n)
        if np.unique(words).size == n:
            return pl.Series([f"{letter}{word:016x}" for word in words.tolist()], dtype=pl.String)
