"""What was found about columns before it is assessed: published unchanged, or with a preparation that was undone."""

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


@dataclass(frozen=True)
class Pseudonymized:
    """A column of pseudonyms: how many there are, and how many each method identifies correctly.

    ``n_tried`` digests were compared. ``n_singled_out`` pseudonyms have several records whose combination of classes is
    unique.
    """

    name: str
    n_pseudonyms: int
    n_tried: int
    n_hashed: int
    n_counted: int
    n_singled_out: int


@dataclass(frozen=True)
class Shifted:
    """Columns of shifted dates: how many people, or single records, were identified by the days between dates."""

    names: tuple[str, ...]
    n_units: int
    n_guessed: int
    n_right: int
    chance: float
    are_linked: bool
