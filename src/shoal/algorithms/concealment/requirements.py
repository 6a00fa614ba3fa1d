"""What a goal requires of concealment, as numbers, and what concealment cannot promise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from shoal.core.arrays import Whole
from shoal.core.contracts import Goal
from shoal.core.linkage import ROUNDS, WORK, glimpsed
from shoal.core.release import Release
from shoal.errors import InputError
from shoal.models.k_concealment import KConcealment
from shoal.models.k_one import KOne
from shoal.models.kk import KK
from shoal.models.linkage_bound import LinkageBound
from shoal.models.one_k import OneK


def default_bound(k: int) -> float:
    """The default bound on the chance of a link: 2 / k, and 2 / 3 for k = 2, where 2 / k would be no bound.

    >>> [round(default_bound(k), 3) for k in (1, 2, 3, 4, 5)]
    [1.0, 0.667, 0.667, 0.5, 0.4]
    """
    return 1.0 if k < 2 else 2 / max(3, k)


@dataclass(frozen=True)
class Needs:
    """How many records each row must fit and match, how many rows each record, and the largest chance of a match."""

    row_fits: int = 1
    record_fits: int = 1
    row_matches: int = 1
    record_matches: int = 1
    linkage: float = 1.0

    @classmethod
    def of(cls, goal: Goal, linkage: float) -> Needs:
        """The requirements of a goal's promises; ``linkage`` 0 means the default bound, and 1 no bound of its own."""
        asked: dict[str, list[int]] = {"row_fits": [1], "record_fits": [1], "row_matches": [1], "record_matches": [1]}
        for promise in goal.promises:
            if isinstance(promise, (OneK, KK)):
                asked["row_fits"].append(promise.k)
            if isinstance(promise, (KOne, KK)):
                asked["record_fits"].append(promise.k)
            if isinstance(promise, KConcealment):
                asked["row_matches"] += [promise.k] if promise.counts_rows else []
                asked["record_matches"] += [promise.k] if promise.counts_records else []
        asked["row_matches"].append(goal.floor)
        most = {name: max(ks) for name, ks in asked.items()}
        bounds = [promise.p for promise in goal.promises if isinstance(promise, LinkageBound)]
        own = linkage or default_bound(max(most.values()))
        return cls(**most, linkage=min(own, *bounds) if bounds else own)

    @property
    def k(self) -> int:
        """The largest of the four numbers."""
        return max(self.row_fits, self.record_fits, self.row_matches, self.record_matches)

    @property
    def wants_matches(self) -> bool:
        """Whether strong components matter."""
        return max(self.row_matches, self.record_matches) > 1 or self.is_bounded

    @property
    def is_bounded(self) -> bool:
        """Whether chances are bounded."""
        return self.linkage < 1.0

    @property
    def told_chance(self) -> float:
        """The chance above which rows are reported: the bound, or the default bound if there is none."""
        return self.linkage if self.is_bounded else default_bound(self.k)

    @property
    def users(self) -> int:
        """How many equal records keep the bound."""
        return int(np.ceil(1.0 / self.linkage - 1e-9))

    @property
    def box_size(self) -> int:
        """How many rows a record should hold."""
        return max(self.record_fits, self.record_matches, self.row_matches)

    @property
    def group_size(self) -> int:
        """The class size of equal records that keeps all requirements."""
        return max(self.k, self.users)

    def as_array(self) -> Whole:
        """The four numbers for the kernels."""
        return np.array([self.row_fits, self.record_fits, self.row_matches, self.record_matches], np.int64)


def account_of(release: Release, most: float) -> tuple[str, ...]:
    """Sentences on the largest chance of a link, the rows above ``most``, and how reliable that is."""
    found = glimpsed(release, WORK)
    above = found.rows_above(most)
    told = f"the likeliest link of a row and a record has a chance of {found.largest:.3g}; "
    told += f"{above:,} of {release.n_records:,} rows can be linked with more than {most:.3g}"
    n_estimated = found.rows_by_method.get("estimated", 0)
    if not n_estimated:
        return (told,)
    early = f" in {found.rounds} rounds instead of {ROUNDS:,}" if found.rounds < ROUNDS else ""
    return (f"{told} (estimated{early}, with a margin, for {n_estimated:,} rows; counted for all others)",)


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
