"""Errors in another process, as a sentence."""

from __future__ import annotations

import re

from shoal.errors import ShoalError

MEMORY = "There is not enough memory for this table."
ENDED = "The work was ended by the system, probably for lack of memory; nothing was written."


def without_options(sentence: str) -> str:
    """Remove command-line options from a sentence that is shown on a page.

    >>> without_options("Give it a role; 'other' publishes it unchanged (others, --others).")
    "Give it a role; 'other' publishes it unchanged."
    """
    return re.sub(r" \([^()]*--[^()]*\)", "", sentence)


def sentence_of(problem: BaseException) -> str:
    """The sentence for the user. For an unexpected error only the type is shown: its text may contain data."""
    if isinstance(problem, ShoalError):
        return str(problem)
    if isinstance(problem, MemoryError):
        return MEMORY
    return f"An unexpected error occurred ({type(problem).__name__}); please report what you did."
