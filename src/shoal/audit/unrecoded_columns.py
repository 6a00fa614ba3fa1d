"""Facts about the columns of a release that were published unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Named:
    """Something in a column that names people, and the number of records with it."""

    column: str
    what: str
    n_records: int


@dataclass(frozen=True)
class Others:
    """The columns that are neither quasi-identifiers nor sensitive, how they distinguish records, and whom they name.

    ``n_alone`` records are unique on the printed quasi-identifiers; ``n_exposed`` are unique once the columns are known
    too, because of these rather than of the quasi-identifiers. ``by_column`` counts the records whose value in one
    column is unique. ``fewest_before`` and ``fewest_alike`` are the smallest groups of equal records without and with
    the columns. ``named`` is about all published columns, ``exact_dates`` about the quasi-identifiers: the share of
    cells that print single dates or sets of them. If people are counted, the size of a group is its number of people,
    and a record is unique if all records equal to it are the same person's.
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
