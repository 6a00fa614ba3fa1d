"""What is known about the columns of a release that were published as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Named:
    """Something in a column that names people, and in how many records."""

    column: str
    what: str
    n_records: int


@dataclass(frozen=True)
class Others:
    """The columns that are neither quasi-identifiers nor sensitive, how they tell records apart, and whom any names.

    ``n_alone`` records equal no other on the printed quasi-identifiers; ``n_exposed`` equal none once the columns are
    known too, and are alone by these rather than by the quasi-identifiers. ``by_column`` counts the records whose value
    in one column no other has. ``fewest_before`` and ``fewest_alike`` are the smallest groups of equal records without
    and with the columns. ``named`` is about all published columns, ``exact_dates`` about the quasi-identifiers: the
    share of cells that print single dates or sets of them. Where people are counted, groups are as large as they have
    people, and a record equals no other where all that it equals are the same person's.
    """

    columns: tuple[str, ...]
    n_records: int
    n_alone: int = 0
    n_exposed: int = 0
    fewest_before: int = 0
    fewest_alike: int = 0
    by_column: Mapping[str, int] = field(default_factory=dict)
    named: tuple[Named, ...] = ()
    exact_dates: Mapping[str, float] = field(default_factory=dict)
