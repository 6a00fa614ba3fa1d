"""Rows left out at random: how many, that nobody can tell which, and what an adversary can strike out then."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.algorithms import Concealment
from shoal.core.contracts import Goal
from shoal.core.linkage import linkage_of
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.errors import InputError
from shoal.metrics import LM
from shoal.models import KK, KConcealment, LDiversity
from support.tables import coded

TABLE = coded(
    {"q": [row * row % 61 for row in range(90)], "s": ["flu" if row % 3 else "gout" for row in range(90)]},
    ["q"],
    sensitive=("s",),
)
GOAL = Goal((KConcealment(3), LDiversity(2)), LM(), 0.1)


def _run(seed: int, drop: float = 0.1) -> Release:
    return Concealment(steps=20, drop=drop).run(TABLE, GOAL, Randomness(seed), Silent())


def test_as_many_rows_as_were_said_and_the_others_keep_everything() -> None:
    release = _run(1)
    assert release.n_suppressed == 9
    assert all(promise.check(release).holds for promise in GOAL.promises)
    assert linkage_of(release).largest <= 2 / 3 + 1e-9
    assert release.truthful().all()
    assert "9 of 90 rows, drawn at random, are left out" in release.account[-1]


def test_which_rows_is_drawn_anew() -> None:
    missing = [frozenset(range(90)) - set(_run(seed).owners.tolist()) for seed in range(5)]
    assert len(set(missing)) == 5
    assert len(frozenset.union(*missing)) > 20, "not the same few rows again and again"
    assert missing[0] == frozenset(range(90)) - set(_run(0).owners.tolist())


def test_no_more_than_the_suppression_limit_allows() -> None:
    with pytest.raises(InputError, match=r"leaves out 18 of 90 rows, but the suppression limit allows 9"):
        _run(1, drop=0.2)
    with pytest.raises(InputError, match="drop must be between 0 and 1"):
        Concealment(drop=2)


def test_an_adversary_who_does_not_know_which_strikes_out_less() -> None:
    """People with one match left: with everybody in the release, and with a tenth missing."""
    people = pl.DataFrame({"a": [row * 7 % 31 for row in range(120)], "b": [row * row % 13 for row in range(120)]})

    def exposed(drop: float) -> float:
        made = shoal.anonymize(
            people,
            quasi_identifiers=["a", "b"],
            privacy=KK(3),
            algorithm=f"concealment:linkage=1,drop={drop}",
            suppression_limit=0.1,
            audit="off",
            seed=1,
        )
        return made.audit(attacks=["matching"]).of("matching")[0].figures["people with one match"]

    assert exposed(0.1) < exposed(0.0)
