"""What "auto" takes, and that it says why."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.algorithms import Agglomerative, Mondrian
from shoal.algorithms.best import Best
from shoal.algorithms.clustering import Refined
from shoal.core.contracts import Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.engine import choice
from shoal.engine.choice import choose_algorithm
from shoal.metrics import DM, LM
from shoal.models import KAnonymity, LDiversity, UniformMatching
from support.tables import coded, goal_of

BEST = "the best of agglomerative and mondrian"


def people(n_rows: int = 400) -> Table:
    rng = np.random.default_rng(2)
    columns = {name: rng.integers(0, 30, n_rows).tolist() for name in ("a", "b")}
    return coded({**columns, "ill": [f"i{row % 4}" for row in range(n_rows)]}, ["a", "b"], sensitive=["ill"])


def test_without_a_budget_it_is_quick_and_says_what_a_budget_would_do() -> None:
    for goal in (goal_of(KAnonymity(3)), goal_of(KAnonymity(3), LDiversity(2))):
        taken = choose_algorithm("auto", people(), goal)
        assert taken.algorithm == Mondrian(relaxed=True)
        assert "with a budget of seconds less would be lost" in taken.reason


def test_rows_to_leave_out_are_looked_for_where_that_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Goal((KAnonymity(3),), LM(), 0.1)
    assert isinstance(choose_algorithm("auto", people(), goal).algorithm, Refined)
    monkeypatch.setattr(choice, "_FEW_ROWS", 100)
    taken = choose_algorithm("auto", people(), goal)
    assert taken.algorithm == Mondrian(relaxed=True)
    assert "with a budget of seconds less would be lost, and rows would be left out" in taken.reason
    assert isinstance(choose_algorithm("mondrian", people(), goal).algorithm, Refined)
    assert isinstance(choose_algorithm("auto", people(), goal, 10.0).algorithm, Refined)


def test_time_is_spent_on_a_search_from_a_start_that_leaves_some() -> None:
    table = people()
    taken = choose_algorithm("auto", table, goal_of(KAnonymity(3)), 20.0)
    assert taken.algorithm.name == f"{BEST}, refined by search"
    assert "search for the rest of 20 seconds" in taken.reason
    hurried = choose_algorithm("auto", table, goal_of(KAnonymity(3)), 1e-6)
    assert hurried.algorithm.name == "mondrian, refined by search"
    assert "would take too long" in hurried.reason


def test_metrics_about_classes_and_promises_about_matches_have_their_own() -> None:
    by_size = choose_algorithm("auto", people(), Goal((KAnonymity(3),), DM()))
    assert by_size.algorithm == Mondrian(relaxed=True)
    assert choose_algorithm("auto", people(), goal_of(UniformMatching(3))).algorithm.name == "nonhomogeneous"


def test_the_best_is_taken_and_told() -> None:
    table, goal = people(), goal_of(KAnonymity(3))
    made = [one.run(table, goal, Randomness(1), Silent()) for one in (Agglomerative(), Mondrian())]
    for order in ((Agglomerative(), Mondrian()), (Mondrian(), Agglomerative())):
        best = Best(order).run(table, goal, Randomness(1), Silent())
        assert LM().score(best) == min(map(LM().score, made))
    assert Best((Agglomerative(), Mondrian())).is_local


def test_the_reason_reaches_the_result_and_the_record() -> None:
    frame = pl.DataFrame({"age": list(range(40)), "ill": ["x", "y"] * 20})
    result = shoal.anonymize(frame, quasi_identifiers=["age"], sensitive=["ill"], privacy=shoal.KAnonymity(4))
    assert result.choice.is_automatic
    assert result.choice.reason.startswith("auto took mondrian: ")
    assert "with a budget of seconds less would be lost" in result.summary().run.reason
