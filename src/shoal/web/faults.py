"""What went wrong in another process, as a sentence."""

from __future__ import annotations

import re

from shoal.errors import ShoalError

MEMORY = "There is not enough memory for this table."
ENDED = "The work was ended by the system, probably for lack of memory; nothing was written."


def without_options(sentence: str) -> str:
    """A sentence for somebody in front of a page, where options of the command line mean nothing.

    >>> without_options("Give it a role; 'other' publishes it unchanged (others, --others).")
    "Give it a role; 'other' publishes it unchanged."
    """
    return re.sub(r" \([^()]*--[^()]*\)", "", sentence)


def sentence_of(problem: BaseException) -> str:
    """What the user reads. Of what was not foreseen only the kind is told: its text may hold data."""
    if isinstance(problem, ShoalError):
        return str(problem)
    if isinstance(problem, MemoryError):
        return MEMORY
    return f"An unexpected error occurred ({type(problem).__name__}); please report what you did."
