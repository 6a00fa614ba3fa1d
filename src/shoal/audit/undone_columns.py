"""What attacks on prepared columns found, before it is assessed."""

from __future__ import annotations

from dataclasses import dataclass


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
