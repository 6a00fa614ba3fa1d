"""Errors in another process, as a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

from shoal.errors import ShoalError

MEMORY = "There is not enough memory for this table."
ENDED = "The work was ended by the system, probably for lack of memory; nothing was written."


def without_options(sentence: str) -> str:
    """Remove command-line options from a sentence that is shown on a page.

    >>> without_options("Give it a role; 'other' publishes it unchanged (others, --others).")
    "Give it a role; 'other' publishes it unchanged."
    """
    return re.sub(r" \([^()]*--[^()]*\)", "", sentence)


@contextmanager
def sending_faults(line: Connection, mark: str | bool) -> Iterator[None]:
    """Send any error as ``(mark, sentence)``."""
    try:
        yield
    except BaseException as problem:
        line.send((mark, sentence_of(problem)))


def sentence_of(problem: BaseException) -> str:
    """The sentence for the user. For an unexpected error only the type is shown: its text may contain data."""
    if isinstance(problem, ShoalError):
        return str(problem)
    if isinstance(problem, MemoryError):
        return MEMORY
    return f"An unexpected error occurred ({type(problem).__name__}); please report what you did."
