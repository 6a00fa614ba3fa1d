"""Group people who will share their whole histories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.histories.wide_promises import is_about_size, wide_goal
from shoal.core.arrays import Codes
from shoal.core.contracts import Algorithm, Goal
from shoal.core.groups import Groups
from shoal.core.histories import Histories
from shoal.core.history_forms import FormFit, fit_forms
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import GoalNotMet

Choose = Callable[[Table, Goal, float], Algorithm]
"""Returns the algorithm for a table of people, a goal, and the table's share of all rows."""


@dataclass(frozen=True, eq=False)
class Grouped:
    """Groups of people, the places at which each is published, and how many rows were given up to equalize numbers."""

    groups: Groups
    forms: tuple[Codes, ...]
    fit: FormFit


def group_people(
    histories: Histories, goal: Goal, choose: Choose, randomness: Randomness, progress: Progress, of_rows: int = 0
) -> Grouped:
    """Find forms that enough people have, and group the people of each form as wide rows.

    Time and memory are the algorithm's on one wide table after the other. If these people are only a part of all, who
    have ``of_rows`` rows together, ``choose`` gets their share of those.

    Raises:
        GoalNotMet: more rows would have to be left out than the goal allows, or no group keeps the promises.
    """
    n_rows = sum(table.n_rows for table in histories.tables)
    fit = fit_forms(histories.forms, goal.floor, _asked(histories, goal))
    spare = goal.most_suppressed(n_rows) - fit.n_lost
    if spare < 0:
        raise GoalNotMet(too_few(fit, n_rows, goal))
    parts: list[Groups] = []
    forms: list[Codes] = []
    progress.stage("grouping people by histories", len(fit.places))
    for number, form in enumerate(fit.places):
        people = fit.people(number)
        wide = histories.wide(people, form)
        asked = wide_goal(goal, histories.tables, histories.rows_at(people, form), spare / n_rows)
        algorithm = choose(wide, asked, people.size * form.size / max(n_rows, of_rows))
        part = _grouped(people, wide, asked, algorithm, randomness.child(f"form {number}"))
        parts.append(part)
        forms += [form] * len(part)
        progress.advance()
    return Grouped(Groups.concatenated(parts), tuple(forms), fit)


def too_few(fit: FormFit, n_rows: int, goal: Goal) -> str:
    """A message that says why rows have to be left out, and which setting allows it."""
    people = (
        f"{goal.floor:,} people" if all(map(is_about_size, goal.promises)) else "enough people to keep the promises"
    )
    return (
        f"{fit.n_lost:,} of {n_rows:,} rows must be left out, because fewer than {people} have that many rows, and the "
        f"suppression limit allows {goal.most_suppressed(n_rows):,}; allow it with suppression_limit = "
        f"'{fit.n_lost} rows', or ask for less."
    )


def _asked(histories: Histories, goal: Goal) -> Callable[[Codes, Codes], bool] | None:
    """A test whether the people of a form could be a group; None if their number alone decides."""
    if all(map(is_about_size, goal.promises)):
        return None

    def fine(people: Codes, form: Codes) -> bool:
        asked = wide_goal(goal, histories.tables, histories.rows_at(people, form), 0.0)
        nothing = Table((), np.empty((0, people.size), np.int32))
        return bool(asked.accepts(nothing, Groups.whole(people.size)).all())

    return fine


def _grouped(people: Codes, wide: Table, asked: Goal, algorithm: Algorithm, randomness: Randomness) -> Groups:
    """Groups of the people of one form."""
    algorithm.refuse(wide, asked)
    classes = algorithm.run(wide, asked, randomness, Silent()).classes
    return Groups(classes.offsets, people[classes.members])
