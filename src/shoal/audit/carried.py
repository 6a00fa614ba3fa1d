"""What a file carries besides its records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Leak:
    """Something in or around the records that says more than cells do: where, what, and how to be rid of it."""

    where: str
    what: str
    remedy: str


@dataclass(frozen=True)
class Carried:
    """All such things that were found, and how many places were looked at."""

    leaks: tuple[Leak, ...]
    n_looked_at: int
