"""The one way from words to a release: words → request → plan → backend."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from shoal.engine.backends.contract import Backend
from shoal.engine.plan import Request
from shoal.engine.vocabulary import AnonymizeWords

Made = TypeVar("Made")


def run(words: AnonymizeWords, backend: Backend[Made], folder: Path) -> Made:
    """Do what was said, where it was said; relative paths of hierarchies start at ``folder``.

    Raises:
        InputError: something said cannot be used, or not there, or the goal is impossible on this table.
        GoalNotMet: no release was found that keeps the promises.
        BrokenPromise: the release failed our own check, which is our bug; nothing was written.
    """
    words.refuse_outside(backend.where)
    request = backend.read(Request.of(words, folder))
    plan = request.plan(backend.table(request), in_pieces=backend.where != "memory")
    return backend.publish(plan, request)
