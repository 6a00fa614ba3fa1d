"""Failures that are known and not mended yet; whoever mends one deletes its line, and a test says when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from redteam.case import Case
from redteam.running import Outcome


@dataclass(frozen=True)
class Known:
    """How a known failure is told from others, and a case that shows it."""

    is_it: Callable[[Case, Outcome], bool]
    example: Case


KNOWN: dict[str, Known] = {}
"""What is known, by a sentence."""


def is_known(case: Case, outcome: Outcome) -> str:
    """The sentence of the known failure that this is; empty where it is a new one."""
    return next((name for name, known in KNOWN.items() if known.is_it(case, outcome)), "")
