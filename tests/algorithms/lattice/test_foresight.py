"""Promises and metrics that tell searches more: the optimum stays, and fewer nodes are looked at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import lattice as naive
from shoal.algorithms.lattice import Lattice
from shoal.core.arrays import Floats
from shoal.core.contracts import Goal
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.errors import GoalNotMet
from shoal.metrics import DM, LM, Ambiguity
from shoal.models import KAnonymity, LDiversity, TCloseness
from support.strategies import tables
from support.tables import coded


@dataclass(frozen=True)
class BlindCloseness(TCloseness):
    """t-closeness that foresees nothing."""

    def doomed(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        return np.zeros(len(tallies))


@dataclass(frozen=True)
class BlindDiversity(LDiversity):
    """l-diversity that does not say that different values stay when a class grows."""

    is_growing = False

    def doomed(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        return np.zeros(len(tallies))


@dataclass(frozen=True)
class BlindDM(DM):
    """Does not tell what suppressed rows cost."""

    suppression_floor = None  # type: ignore[assignment]


def _agrees(table: Table, goal: Goal) -> None:
    nodes = [node for node in naive.exhaustive(table, goal) if node.is_feasible]
    if not nodes:
        with pytest.raises(GoalNotMet):
            Lattice().search(table, goal)
        return
    found = Lattice().search(table, goal)
    assert (found.score,) == pytest.approx(min(node.key for node in nodes))


@pytest.mark.parametrize("metric", [LM(), DM(), Ambiguity()], ids=repr)
@given(table=tables(20, 3), limit=st.sampled_from([0.0, 0.2, 0.5, 1.0]), t=st.sampled_from([0.05, 0.3, 0.6]))
def test_the_optimum_stays(metric: LM | DM | Ambiguity, table: Table, limit: float, t: float) -> None:
    _agrees(table, Goal((KAnonymity(2), TCloseness(t, others="ignore")), metric, limit))
    _agrees(table, Goal((LDiversity(2, others="ignore"),), metric, limit))
    _agrees(table, Goal((LDiversity(2),), metric, limit))


def test_fewer_nodes_are_looked_at() -> None:
    rng = np.random.default_rng(1)
    columns = {f"q{j}": rng.integers(0, 4, 300).tolist() for j in range(6)}
    columns["ill"] = (np.array(columns["q0"]) + (rng.random(300) < 0.2)).tolist()
    quasi = [name for name in columns if name != "ill"]
    table = coded(
        columns, quasi, sensitive=("ill",), recodings=dict.fromkeys(quasi, "suppress"), kinds={"ill": "nominal"}
    )
    pairs = [
        (Goal((BlindCloseness(0.2),), LM(), 0.1), Goal((TCloseness(0.2),), LM(), 0.1)),
        (Goal((BlindDiversity(3),), LM(), 0.1), Goal((LDiversity(3),), LM(), 0.1)),
        (Goal((KAnonymity(5),), BlindDM(), 1.0), Goal((KAnonymity(5),), DM(), 1.0)),
    ]
    for blind, telling in pairs:
        one, other = Lattice().search(table, blind), Lattice().search(table, telling)
        assert one.score == pytest.approx(other.score)
        assert other.n_checked < one.n_checked
