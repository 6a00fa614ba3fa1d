"""A column's values before and after."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """How many rows, and how many records, have each part of a column's values; ``means`` where they are numbers.

    A record whose cell holds several values counts in equal shares for each of them that occurs.
    """

    column: str
    parts: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    means: tuple[float, float] | None = None
    said: str = ""
