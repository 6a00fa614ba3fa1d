"""The any-time search, stopped at any moment: what it reports is true, and with enough time it is the optimum."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import lattice as naive
from shoal.algorithms.lattice import Lattice, optimal
from shoal.algorithms.lattice.bounds import bounds_of
from shoal.algorithms.lattice.class_rollup import ClassRollup
from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.good_nodes import climb, go_down, improve
from shoal.algorithms.lattice.search import Candidates, Searcher
from shoal.algorithms.lattice.space import Box
from shoal.core.contracts import CellMetric, Goal
from shoal.core.hierarchy import Hierarchy
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.metrics import GCP, LM, LMGeometric
from shoal.models import KAnonymity
from support.effort import examples
from support.tables import coded

UNEVEN = Hierarchy.from_rows(
    [[str(v), "a" if v == 0 else "b", "x", "*"] for v in range(6)]
    + [[str(v), "c" if v == 6 else "d", "y", "*"] for v in range(6, 12)]
)
"""Nodes of one and of five values side by side, so that values of one node lose differently on the level below."""


@st.composite
def uneven(draw: st.DrawFn, n_columns: int = 3) -> Table:
    """Rows of columns with the uneven hierarchy, some values far more often than others."""
    generator = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_rows = draw(st.integers(5, 25))
    columns = {
        f"c{j}": [str(v) for v in (12 * generator.random(n_rows) ** draw(st.sampled_from([1, 2]))).astype(int)]
        for j in range(draw(st.integers(1, n_columns)))
    }
    return coded(columns, [*columns], hierarchies=dict.fromkeys(columns, UNEVEN))


def _goal(k: int, limit: float, metric: CellMetric | None = None) -> Goal:
    return Goal((KAnonymity(k),), metric or LM(), limit)


@given(table=uneven(), k=st.integers(2, 4), metric=st.sampled_from([LM(), GCP(), LMGeometric()]), data=st.data())
def test_what_is_suppressed_at_a_node_bounds_all_nodes_below(
    table: Table, k: int, metric: CellMetric, data: st.DataObject
) -> None:
    goal, grouping = _goal(k, 1.0, metric), ClassRollup(table)
    node = data.draw(st.tuples(*(st.integers(0, height) for height in naive.heights_of(table))))
    bounds = bounds_of(metric, grouping)
    surcharge = bounds.below(Judge(table, goal, grouping)(node))
    if surcharge is None:
        return
    for below in naive.exhaustive(table, goal):
        if below.is_feasible and all(a <= b for a, b in zip(below.levels, node, strict=True)):
            assert surcharge.of(np.array([below.levels], np.int32))[0, 0] <= below.key[0] + 1e-12


@given(table=uneven(), k=st.integers(2, 4), limit=st.sampled_from([0.0, 0.2, 1.0]))
def test_keys_from_counts_are_the_metric_s_own(table: Table, k: int, limit: float) -> None:
    goal, grouping = _goal(k, limit), ClassRollup(table)
    judge, bounds = Judge(table, goal, grouping), bounds_of(goal.metric, grouping)
    for node in naive.exhaustive(table, goal):
        if node.is_feasible:
            assert bounds.key(judge(node.levels)) == pytest.approx(node.key, abs=1e-12)


@settings(max_examples=examples(2))
@given(
    table=uneven(),
    k=st.integers(2, 4),
    limit=st.sampled_from([0.0, 0.1, 0.4, 1.0]),
    ticks=st.integers(0, 400),
    most=st.sampled_from([0, 10**7]),
    small=st.sampled_from([0, 10**7]),
)
def test_stopped_at_any_moment_the_gap_is_never_below_the_true_one(
    table: Table, k: int, limit: float, ticks: int, most: int, small: int
) -> None:
    """The clock goes on by one whenever somebody looks at it."""
    goal, clock = _goal(k, limit), count()
    best = min(node.key[0] for node in naive.exhaustive(table, goal) if node.is_feasible)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimal, "MOST_NODES", most)
        patch.setattr(optimal, "SMALL", small)
        found = optimal.search(Searcher(table, goal, Silent(), ticks, clock=lambda: float(next(clock))))
    assert found.lower_bound <= best + 1e-12
    assert best <= found.score + 1e-12
    assert not found.is_optimal or found.score == pytest.approx(best)
    assert 0 <= found.n_pruned <= found.n_nodes - found.n_checked
    release = Lattice(levels=found.levels).run(table, goal, Randomness(0), Silent())
    assert KAnonymity(k).check(release).holds
    assert release.n_suppressed == found.n_suppressed <= limit * table.n_rows


@given(table=uneven(4), k=st.integers(2, 4), limit=st.sampled_from([0.0, 0.1, 0.4, 1.0]))
def test_neighbourhoods_alone_find_the_optimum_in_the_end(table: Table, k: int, limit: float) -> None:
    """Boxes grow until everything is one."""
    goal = _goal(k, limit)
    best = min(node.key[0] for node in naive.exhaustive(table, goal) if node.is_feasible)
    searcher = Searcher(table, goal, Silent())
    searcher.start()
    improve(searcher, 1.0)
    assert searcher.best is not None
    assert searcher.best.score == pytest.approx(best)


@given(table=uneven(), k=st.integers(2, 4), limit=st.sampled_from([0.0, 0.4, 1.0]))
def test_greedy_ways_end_where_no_single_step_helps(table: Table, k: int, limit: float) -> None:
    goal = _goal(k, limit)
    keys = {node.levels: node.key if node.is_feasible else (np.inf,) for node in naive.exhaustive(table, goal)}
    searcher = Searcher(table, goal, Silent())
    go_down(searcher, searcher.space.top, 1.0)
    assert searcher.best is not None
    end = searcher.best.verdict.levels
    assert all(keys[node][0] >= keys[end][0] - 1e-12 for node in searcher.space.below(end))
    best_of_climb = climb(searcher, 1.0)
    assert best_of_climb is not None
    assert keys[best_of_climb][0] < np.inf


@pytest.mark.parametrize("limit", [0.0, 0.2, 1.0])
def test_a_time_limit_is_exceeded_by_the_time_of_one_node(limit: float) -> None:
    """The clock counts nodes that were judged; of the 10 million and more there is time for 300."""
    rows = np.random.default_rng(3).integers(0, 12, (14, 60))
    columns = {f"c{j}": [str(v) for v in values] for j, values in enumerate(rows)}
    table = coded(columns, [*columns], hierarchies=dict.fromkeys(columns, UNEVEN))
    searcher = Searcher(table, _goal(3, limit), Silent(), 300, clock=lambda: 0.0)
    searcher._clock = lambda: float(searcher.n_checked)
    found = optimal.search(searcher)
    assert 250 <= found.n_checked <= 301
    assert found.n_starts > 2
    assert 0 < found.lower_bound < found.score


def test_candidates_are_told_of_infeasible_nodes_only_while_there_is_time() -> None:
    """Telling of one takes a second; with thousands of them that took a quarter more than the limit."""
    searcher = Searcher(coded({"a": ["0", "1"]}, ["a"]), _goal(2, 0.0), Silent(), 3, clock=lambda: 0.0)
    searcher.peaks = np.arange(10, dtype=np.int16)[:, None]
    told = list[tuple[int, ...]]()
    searcher._clock = lambda: float(len(told))
    candidates = SimpleNamespace(drop_below=told.append)
    searcher.tell(cast(Candidates, candidates), Box((2,), (9,)))
    assert told == [(2,), (3,), (4,), (5,)]


def test_a_box_of_nodes() -> None:
    box = Box((1, 0, 2), (3, 0, 4))
    nodes = [tuple(levels) for levels in box.levels(np.arange(box.n_nodes)).tolist()]
    assert nodes == [(a, 0, c) for a in (1, 2, 3) for c in (2, 3, 4)]
    marks = np.zeros((3, 3), int)
    marks[box.part((2, 0, 0), (9, 0, 3))] = 1
    assert [node for node, mark in zip(nodes, marks.ravel(), strict=True) if mark] == [
        (2, 0, 2),
        (2, 0, 3),
        (3, 0, 2),
        (3, 0, 3),
    ]
    assert not np.ones((3, 3))[box.part((0, 1, 0), (9, 9, 9))].size
