"""Weighs the costs of generalization and suppression by one number between 0 and 1."""

from __future__ import annotations

from typing import NamedTuple


class Factors(NamedTuple):
    """The factors by which the losses from generalization and from suppression are multiplied."""

    generalization: float
    suppression: float


def factors(split: float) -> Factors:
    """0: suppression is free; 0.5: both cost in full; 1: generalization is free; linear in between.

    The same as ARX's factor for generalization and suppression.

    >>> factors(0.25), factors(0.75)
    (Factors(generalization=1.0, suppression=0.5), Factors(generalization=0.5, suppression=1.0))
    """
    return Factors(min(1.0, 2 - 2 * split), min(1.0, 2 * split))
