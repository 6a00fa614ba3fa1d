"""The one way from settings to a release: settings → request → plan → backend."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from shoal.core.table import Table
from shoal.engine.backends.contract import Backend
from shoal.engine.plan import Request
from shoal.engine.policy import Cost, Followed, cannot_be_met, follow
from shoal.engine.preview import preview
from shoal.engine.vocabulary import AnonymizeWords
from shoal.errors import GoalNotMet, ImpossibleGoal

Made = TypeVar("Made")


def run(
    words: AnonymizeWords, backend: Backend[Made], folder: Path, followed: Followed[AnonymizeWords] | None = None
) -> Made:
    """Run the settings on a backend; relative paths of hierarchies start at ``folder``.

    ``followed`` is the result of following the named policy, if that was done before.

    Raises:
        InputError: a setting cannot be used, or not on this backend, or the goal is impossible on this table.
        GoalNotMet: no release was found that satisfies the models.
        BrokenPromise: the release failed our own check, which is our bug; nothing was written.
    """
    found = follow(words, folder, backend.where) if followed is None else followed
    found.words.refuse_outside(backend.where)
    request = replace(Request.of(found.words, folder), policy=found.policy, notes=found.notes)
    table = None
    try:
        request = backend.read(request)
        table = backend.table(request)
        plan = request.plan(table, in_pieces=backend.where != "memory")
        return backend.publish(plan, request)
    except (GoalNotMet, ImpossibleGoal) as problem:
        if found.policy is None:
            raise
        price = None if table is None or backend.where != "memory" else partial(_price, request, table, folder)
        raise type(problem)(cannot_be_met(found, problem, price)) from None


def _price(request: Request, table: Table, folder: Path, words: AnonymizeWords) -> Cost:
    """The loss of a quick release with other settings on the same table.

    Raises:
        ShoalError: there is no such release.
    """
    made = preview(replace(request, words=words, goal=Request.of(words, folder).goal), table)
    return Cost(made.n_suppressed, made.n_rows, made.metric, {"": made.loss})
