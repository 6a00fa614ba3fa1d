"""What Lattice says when it cannot, publishes what was chosen, and keeps to its time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from naive import lattice as naive
from shoal.algorithms.lattice import Incognito, Lattice, Samarati, optimal
from shoal.algorithms.lattice.optimal import parse_levels
from shoal.core.contracts import Goal
from shoal.core.hierarchy import Hierarchy
from shoal.core.node import levels_of
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import GoalNotMet, InputError
from shoal.kernels.compiled import working_time
from shoal.metrics import GCP, LM, DMStar, Suppression
from shoal.models import KAnonymity, LDiversity, TCloseness
from support.strategies import tables
from support.tables import coded


def people(n: int = 60) -> Table:
    """Ages with three levels above, a town of ten values, and an illness that goes by the town."""
    rows = [[str(age), f"{age // 5 * 5}+", f"{age // 20 * 20}+", "*"] for age in range(20, 60)]
    return coded(
        {
            "age": [str(20 + row * 7 % 40) for row in range(n)],
            "town": [f"t{row % 10}" for row in range(n)],
            "ill": ["flu" if row % 10 < 8 else "gout" for row in range(n)],
        },
        ["age", "town"],
        sensitive=("ill",),
        hierarchies={"age": Hierarchy.from_rows(rows)},
        recodings={"town": "suppress"},
    )


def wide(n_columns: int, n_rows: int = 40) -> Table:
    """Many columns of four levels."""
    hierarchy = Hierarchy.from_rows([[str(v), f"{v // 2}", f"{v // 4}", "*"] for v in range(8)])
    columns = {f"c{j}": [str((row * (j + 3) + row // 3) % 8) for row in range(n_rows)] for j in range(n_columns)}
    return coded(columns, [*columns], hierarchies=dict.fromkeys(columns, hierarchy))


def goal_of(*promises: KAnonymity | LDiversity | TCloseness, limit: float = 0.0) -> Goal:
    return Goal(promises, LM(), limit)


def test_publishes_exactly_the_node_that_was_asked_for() -> None:
    release = Lattice(levels=(2, 0)).run(people(), goal_of(KAnonymity(2), limit=0.5), Randomness(0), Silent())
    assert levels_of(release) == (2, 0)
    labels = {
        release.table.quasi[0].recoding.label(release.cells[0], cell) for cell in range(release.cells[0].n_distinct)
    }
    assert labels == {"20+", "40+"}


@pytest.mark.parametrize("said", [(1, 0, 2), [1, 0, 2], "1/0/2", "1,0,2"])
def test_levels_are_numbers_or_text(said: object) -> None:
    assert parse_levels(said) == (1, 0, 2)
    assert Lattice(levels=said).levels == (1, 0, 2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("levels", "says"),
    [
        ((1,), r"one level for each of the 2 quasi-identifiers \(age, town\), got 1"),
        ((1, 0, 0), "got 3"),
        ((4, 0), "'age' has the levels 0 to 3, got 4"),
        ((0, 2), "'town' has the levels 0 to 1, got 2"),
    ],
)
def test_levels_that_are_not_there(levels: tuple[int, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Lattice(levels=levels).refuse(people(), goal_of(KAnonymity(2)))
    with pytest.raises(InputError, match=says):
        Lattice(levels=levels).run(people(), goal_of(KAnonymity(2)), Randomness(0), Silent())


@pytest.mark.parametrize("said", ["a/b", (1, "x"), (1, -1), 7, (0.5, 1)])
def test_levels_that_are_no_levels(said: object) -> None:
    with pytest.raises(InputError, match="levels"):
        Lattice(levels=said)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [-1, "soon", float("nan"), True])
def test_time_limits_are_numbers(limit: object) -> None:
    with pytest.raises(InputError, match="time_limit must be"):
        Lattice(time_limit=limit)  # type: ignore[arg-type]


def test_a_node_that_loses_too_many_rows() -> None:
    with pytest.raises(GoalNotMet, match=r"At the levels 0/0, .* of 60 rows .*10-anonymity fails for .* 6 may be"):
        Lattice(levels=(0, 0)).run(people(), goal_of(KAnonymity(10), limit=0.1), Randomness(0), Silent())


@pytest.mark.parametrize("algorithm", [Lattice(), Samarati(), Incognito()])
def test_promises_that_no_node_keeps(algorithm: Lattice | Samarati | Incognito) -> None:
    """The promise that fails at the top is named, and how many rows it fails for."""
    with pytest.raises(
        GoalNotMet, match=r"No node of the lattice keeps every promise .*: even with every quasi-.*"
    ) as said:
        algorithm.run(people(), goal_of(KAnonymity(5), LDiversity(3)), Randomness(0), Silent())
    assert "3-diversity fails for 60 rows" in str(said.value)
    assert "5-anonymity" not in str(said.value)


def test_what_would_have_to_change() -> None:
    """One row too many is in a class of its own: the message says which limit would do."""
    table = coded({"sex": ["f"] * 9 + ["m"], "ill": ["a"] * 9 + ["b"]}, ["sex"], sensitive=("ill",))
    goal = goal_of(LDiversity(2, "frequency"), limit=0.05)
    with pytest.raises(GoalNotMet, match=r"ask for less of that\.$"):
        Lattice().search(table, goal)
    close = coded({"sex": ["f"] * 8 + ["m"] * 2, "ill": ["a", "b"] * 4 + ["b", "b"]}, ["sex"], sensitive=("ill",))
    with pytest.raises(GoalNotMet, match=r"raise the suppression limit to 0\.2, as 2 rows would have to go"):
        Lattice().search(close, goal)


def test_nothing_published_is_no_release() -> None:
    table = coded({"a": [1, 2, 3]}, ["a"], recodings={"a": "suppress"})
    found = Lattice().search(table, goal_of(KAnonymity(2), limit=1.0))
    assert found.levels == (1,)
    assert found.n_suppressed == 0


def test_metrics_that_cannot_judge_nodes() -> None:
    class Mute(LM):
        name, scores_nodes = "mute", False

    goal = Goal((KAnonymity(2),), Mute())
    for algorithm in (Lattice(), Incognito()):
        with pytest.raises(InputError, match="'mute' cannot judge nodes"):
            algorithm.refuse(people(), goal)


def test_a_lattice_too_big_for_memory_is_offered_a_time_limit() -> None:
    table = wide(14)
    with pytest.raises(InputError, match=r"14 columns has 268,435,456 nodes.* give a time_limit"):
        Lattice().refuse(table, goal_of(KAnonymity(2)))
    with pytest.raises(InputError, match=r"about 10\^\d+ nodes"):
        Incognito().refuse(wide(60), goal_of(KAnonymity(2)))
    Lattice(time_limit=1).refuse(table, goal_of(KAnonymity(2)))


@pytest.mark.parametrize("n_columns", [9, 14, 40])
def test_keeps_to_its_time_and_says_what_it_does_not_know(n_columns: int) -> None:
    """More keys than fit into one word at 40 columns, and more nodes than atoms."""
    table = wide(n_columns)
    start = working_time()
    found = Lattice(time_limit=0.5).search(table, goal_of(KAnonymity(3), limit=0.2))
    assert working_time() - start < 60  # all nodes would take years
    assert 0 <= found.lower_bound <= found.score
    assert found.is_optimal == (found.gap == 0)
    assert found.n_checked + found.n_pruned <= found.n_nodes == 4**n_columns
    release = Lattice(levels=found.levels).run(table, goal_of(KAnonymity(3), limit=0.2), Randomness(0), Silent())
    assert KAnonymity(3).check(release).holds


@given(
    table=tables(20, 3), k=st.integers(2, 5), limit=st.sampled_from([0.0, 0.3, 1.0]), nodes=st.sampled_from([0, 10**7])
)
def test_without_any_time_the_bound_is_still_a_bound(nodes: int, table: Table, k: int, limit: float) -> None:
    assume(k <= table.n_rows)
    goal = Goal((KAnonymity(k),), GCP(), limit)
    best = min(node.key[0] for node in naive.exhaustive(table, goal) if node.is_feasible)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimal, "MOST_NODES", nodes)
        found = Lattice(time_limit=0).search(table, goal)
    assert found.lower_bound <= best + 1e-12
    assert best <= found.score + 1e-12


def test_of_equal_nodes_a_lowest_one() -> None:
    """By suppressed rows alone the top is as good as any feasible node."""
    goal = Goal((KAnonymity(2),), Suppression(), 0.0)
    nodes = naive.exhaustive(people(), goal)
    assert Lattice().search(people(), goal).levels in naive.minimal(nodes)


def test_exploration_finds_the_front_and_the_best() -> None:
    table, goal = people(), goal_of(KAnonymity(2), limit=0.2)
    found = Lattice().explore(table, goal)
    assert found.best == Lattice().search(table, goal).levels
    front = found.front()
    assert list(found.losses[front]) == sorted(found.losses[front])
    assert list(found.risks[front]) == sorted(found.risks[front], reverse=True)
    feasible = np.flatnonzero(found.is_feasible)
    for i in feasible:
        assert any(found.losses[j] <= found.losses[i] and found.risks[j] <= found.risks[i] for j in front)
    with pytest.raises(InputError, match="more than the 1,000,000 that can be listed"):
        Lattice().explore(wide(10), goal)


def test_a_metric_that_ignores_what_is_suppressed() -> None:
    table = people()
    goal = Goal((KAnonymity(3),), DMStar(), 0.3)
    best = min(node.key for node in naive.exhaustive(table, goal) if node.is_feasible)
    assert (Lattice().search(table, goal).score,) == best


@pytest.mark.parametrize("preference", ["minimum_supression", "", "lm"])
def test_unknown_preferences(preference: str) -> None:
    with pytest.raises(InputError, match="no preference"):
        Samarati(preference)  # type: ignore[arg-type]
