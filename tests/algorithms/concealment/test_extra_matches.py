"""Chances brought down by more matches, and match sets kept diverse on the way."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.algorithms import Concealment
from shoal.algorithms.concealment.diversity import softened
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.requirements import Needs
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.contracts import Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.metrics import LM
from shoal.models import KConcealment, LDiversity, LinkageBound
from support.drafts import boxes, laid
from support.tables import coded


def _grid(seed: int = 0, shape: tuple[int, ...] = (5, 4, 3)) -> Table:
    """Every combination once, with one of three illnesses: where the steps without a bound do well."""
    chance, names = np.random.default_rng(seed), tuple("abc"[: len(shape)])
    frame = pl.DataFrame([[f"{v}" for v in cell] for cell in np.ndindex(shape)], schema=names, orient="row")
    illnesses = chance.choice(["flu", "HIV", "cold"], frame.height, p=[0.4, 0.3, 0.3])
    schema = Schema(names, sensitive=("illness",), recodings=dict.fromkeys(names, "suppress"))
    return encode(frame.with_columns(illness=pl.Series(illnesses)), schema).table


def _goal(k: int) -> Goal:
    return Goal((KConcealment(k), LinkageBound(2 / k), LDiversity(2, "frequency")), LM())


def _start(field: RowTree, goal: Goal) -> Draft:
    needs = replace(Needs.of(goal, 1.0), linkage=1.0)
    return Concealment(linkage=1)._unbounded(field, goal, needs, Randomness(1), Silent())


@given(st.integers(0, 1000), st.integers(2, 6))
def test_what_comes_of_it_keeps_everything(seed: int, k: int) -> None:
    goal, field = _goal(k), laid(_grid(seed, (4, 4)))
    start = _start(field, goal)
    done = softened(start, Needs.of(goal, 1.0), goal, np.arange(field.n_rows), inf, Silent(), inf)
    if done is not None:
        assert all(promise.check(done.release()).holds for promise in goal.promises)
        for before, after in zip(boxes(start), boxes(done), strict=True):
            assert all(a <= b for a, b in zip(before, after, strict=True))


def test_links_that_are_too_likely_are_softened() -> None:
    chance = np.random.default_rng(0)
    columns = {name: chance.integers(0, 12, 40).tolist() for name in "ab"}
    goal, field = Goal((KConcealment(4), LinkageBound(0.5)), LM()), laid(coded(columns, ["a", "b"]))
    start = _start(field, goal)
    assert not LinkageBound(0.5).check(start.release()).holds
    done = softened(start, Needs.of(goal, 1.0), goal, np.arange(field.n_rows), inf, Silent(), inf)
    assert done is not None
    assert all(promise.check(done.release()).holds for promise in goal.promises)


@pytest.mark.parametrize(("most", "until"), [(0.0, inf), (inf, 0.0)], ids=["loses too much", "late"])
def test_it_gives_up(most: float, until: float) -> None:
    goal, field = _goal(6), laid(_grid())
    order = np.arange(field.n_rows)
    assert softened(_start(field, goal), Needs.of(goal, 1.0), goal, order, most, Silent(), until) is None


def test_the_pipeline_takes_it_where_it_loses_less(monkeypatch: pytest.MonkeyPatch) -> None:
    table, goal = _grid(), _goal(5)
    with_it = Concealment(steps=200).run(table, goal, Randomness(1), Silent())
    monkeypatch.setattr(Concealment, "_softened", lambda *_: None)
    without = Concealment(steps=200).run(table, goal, Randomness(1), Silent())
    assert all(promise.check(with_it).holds for promise in goal.promises)
    assert LM().score(with_it) < LM().score(without)


def test_an_expansion_asked_for_by_name_is_no_trouble_here() -> None:
    """The optimal one needs hierarchies; softening takes what there is."""
    chance = np.random.default_rng(0)
    columns = {"a": chance.integers(0, 50, 40).tolist(), "illness": chance.choice(["flu", "HIV"], 40).tolist()}
    table = coded(columns, ["a"], sensitive=("illness",))
    goal = Goal((KConcealment(4), LDiversity(1.5, "frequency")), LM())
    release = Concealment(steps=50, expansion="optimal").run(table, goal, Randomness(1), Silent())
    assert all(promise.check(release).holds for promise in goal.promises)
