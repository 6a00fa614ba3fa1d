"""Every exact search against the one that looks at every node."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive import lattice as naive
from shoal import metrics
from shoal.algorithms.lattice import Lattice, Samarati, optimal
from shoal.algorithms.lattice.class_rollup import ClassRollup
from shoal.algorithms.lattice.exploration import explore
from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.incognito import minimal_nodes
from shoal.core.contracts import Goal, GroupModel, Metric, PrivacyModel
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import GoalNotMet
from shoal.models import ALL as MODELS
from shoal.models import KAnonymity
from support.effort import examples
from support.promises import POSSIBLE
from support.strategies import tables

LIMITS = (0.0, 0.1, 0.3, 0.6, 1.0)
GROUP_MODELS = [name for name in POSSIBLE if issubclass(MODELS[name], GroupModel)]
NODE_METRICS = [name for name, metric in metrics.ALL.items() if metric.scores_nodes]


@st.composite
def goals(draw: st.DrawFn, table: Table, names: Sequence[str] = GROUP_MODELS) -> Goal:
    """One or two promises, any metric that judges nodes, any limit."""
    asked: list[PrivacyModel] = []
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)):
        asked += draw(st.lists(st.sampled_from(POSSIBLE[name](table)), min_size=1, max_size=1))
    metric = _metric(draw(st.sampled_from(NODE_METRICS)), table)
    return Goal(tuple(asked), metric, draw(st.sampled_from(LIMITS)))


def _metric(name: str, table: Table) -> Metric:
    made: Metric = metrics.ALL[name]()
    return made


def _best(nodes: Sequence[naive.PlainNode]) -> tuple[float, ...] | None:
    return min((node.key for node in nodes if node.is_feasible), default=None)


def _check_optimum(table: Table, goal: Goal, time_limit: float | None = None) -> None:
    algorithm = Lattice(time_limit)
    nodes = naive.exhaustive(table, goal)
    best = _best(nodes)
    if best is None:
        with pytest.raises(GoalNotMet, match="No node of the lattice"):
            algorithm.search(table, goal)
        return
    found = algorithm.search(table, goal)
    node = next(node for node in nodes if node.levels == found.levels)
    assert node.is_feasible
    assert node.key == pytest.approx(best, rel=1e-9, abs=1e-9), f"{node} is not the best"
    assert found.n_suppressed == len(node.suppressed)
    assert found.is_optimal
    assert found.n_nodes == len(nodes) == found.n_checked + found.n_pruned
    assert found.lower_bound == found.score
    _check_release(table, goal, node, algorithm)


def _check_release(table: Table, goal: Goal, node: naive.PlainNode, algorithm: Lattice) -> None:
    release = algorithm.run(table, goal, Randomness(0), Silent())
    assert frozenset(range(table.n_rows)) - set(release.owners.tolist()) == node.suppressed
    assert all(promise.check(release).holds for promise in goal.promises)


@settings(max_examples=examples(4))
@given(data=st.data())
def test_lattice_finds_an_optimum(data: st.DataObject) -> None:
    table = data.draw(tables(20, 3))
    _check_optimum(table, data.draw(goals(table)))


@pytest.mark.parametrize("name", NODE_METRICS)
@given(data=st.data())
def test_every_metric(name: str, data: st.DataObject) -> None:
    table = data.draw(tables(16, 3))
    goal = data.draw(goals(table))
    _check_optimum(table, Goal(goal.promises, _metric(name, table), goal.suppression_limit))


@pytest.mark.parametrize("name", GROUP_MODELS)
@given(data=st.data())
def test_every_model(name: str, data: st.DataObject) -> None:
    table = data.draw(tables(16, 3))
    _check_optimum(table, data.draw(goals(table, [name])))


@given(data=st.data())
def test_lattices_that_do_not_fit_into_memory(data: st.DataObject) -> None:
    """The same optimum where nodes are only come across."""
    table = data.draw(tables(20, 3))
    goal = data.draw(goals(table))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimal, "MOST_NODES", 0)
        _check_optimum(table, goal, time_limit=600)


@given(data=st.data())
def test_incognito_finds_all_minimal_nodes(data: st.DataObject) -> None:
    table = data.draw(tables(20, 3))
    goal = data.draw(goals(table, [name for name in GROUP_MODELS if not MODELS[name].judges_cells]))  # type: ignore[attr-defined]
    nodes = naive.exhaustive(table, goal)
    if _best(nodes) is None:
        with pytest.raises(GoalNotMet):
            minimal_nodes(Judge(table, goal, ClassRollup(table)), Silent())
        return
    assert set(minimal_nodes(Judge(table, goal, ClassRollup(table)), Silent())) == naive.minimal(nodes)


@pytest.mark.parametrize(
    ("preference", "rank"),
    [
        ("minimum_absolute_distance", lambda node, heights: sum(node.levels)),
        (
            "minimum_relative_distance",
            lambda node, heights: sum(a / b for a, b in zip(node.levels, heights, strict=True) if b),
        ),
        ("maximum_distribution", lambda node, heights: -node.n_kept_classes),
        ("minimum_suppression", lambda node, heights: len(node.suppressed)),
    ],
)
@given(data=st.data())
def test_samarati_prefers(preference: str, rank, data: st.DataObject) -> None:
    table = data.draw(tables(20, 3))
    goal = data.draw(goals(table))
    nodes, heights = naive.exhaustive(table, goal), naive.heights_of(table)
    lowest = naive.minimal(nodes)
    assume(lowest)
    found = Samarati(preference).search(table, goal)  # type: ignore[arg-type]
    assert found.levels in lowest
    ranks = {node.levels: rank(node, heights) for node in nodes if node.levels in lowest}
    assert ranks[found.levels] == pytest.approx(min(ranks.values()))


@given(table=tables(15, 3), k=st.integers(1, 6), limit=st.sampled_from(LIMITS))
def test_samarati_by_the_matrix_of_distances(table: Table, k: int, limit: float) -> None:
    assume(k <= table.n_rows)
    goal = Goal((KAnonymity(k),), metrics.LM(), limit)
    most = min(int(limit * table.n_rows), table.n_rows - 1)
    assert sum(Samarati().search(table, goal).levels) == naive.samarati_height(table, k, most)


@given(data=st.data())
def test_exploration_lists_every_node(data: st.DataObject) -> None:
    table = data.draw(tables(16, 3))
    goal = data.draw(goals(table))
    found = explore(table, goal, Silent())
    nodes = {node.levels: node for node in naive.exhaustive(table, goal)}
    assert len(found) == len(nodes)
    assert list(found.heights) == sorted(found.heights)
    for i, levels in enumerate(map(tuple, found.levels.tolist())):
        node = nodes[levels]
        assert found.is_feasible[i] == node.is_feasible
        assert found.suppressed[i] == len(node.suppressed)
        assert found.n_classes[i] == node.n_kept_classes
        if node.is_feasible and len(node.key) == 1:
            assert found.losses[i] == pytest.approx(node.key[0], rel=1e-9, abs=1e-9)
        for promise, failing in zip(goal.promises, found.failing[i], strict=True):
            alone = Goal((promise,), goal.metric)
            kept = naive.kept_classes(table, alone, levels)
            assert failing == table.n_rows - sum(map(len, kept))
