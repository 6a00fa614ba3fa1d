"""Refuse, before any work is done, what concealment cannot promise."""

from __future__ import annotations

from typing import NoReturn

from shoal.core.contracts import Goal
from shoal.errors import InputError


def refuse_classes(algorithm: str, goal: Goal) -> None:
    """Raise InputError for promises about identical records: here each record has cells of its own."""
    for promise in goal.group_models:
        if promise.reads == "classes":
            raise InputError(
                f"The algorithm {algorithm!r} gives every record its own cells, so it cannot promise {promise}, which "
                f"needs classes of equal records; ask for k-concealment (--concealment {promise.floor}), with "
                "l-diversity if there are sensitive values, or choose an algorithm that makes classes, such as "
                "'clustering'."
            )


def refuse_bound_in_blocks(algorithm: str, most: float) -> NoReturn:
    """Raise InputError: rows that fit records of two blocks shift the odds in both."""
    raise InputError(
        f"The algorithm {algorithm!r} bounds the chance of a link by {most:.3g}, and a union of blocks may break that "
        f"bound; run it without blocks (large tables then get groups), or without the bound: "
        f"'{algorithm}:linkage=1'."
    )


def refuse_chance_in_bound(algorithm: str, most: float) -> None:
    """Raise InputError if chances are bounded: cells are then chosen by their cost, never at random."""
    if most < 1:
        raise InputError(
            f"The algorithm {algorithm!r} cannot randomize while it bounds the chance of a link by {most:.3g}; leave "
            f"out 'randomized', or run it without the bound: '{algorithm}:linkage=1,randomized=true'."
        )
