"""Column generation: classes of k rows or more, never worse than the quick release, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import shoal.algorithms.relaxation.column_generation as column_generation
from naive.clustering import least_cost
from shoal.algorithms import Blocked, Mondrian
from shoal.algorithms.clustering import Refined, Sequential
from shoal.algorithms.relaxation import find_floor
from shoal.algorithms.relaxation.column_generation import ColumnGeneration
from shoal.algorithms.relaxation.linear_program import LinearProgram
from shoal.core.contracts import Algorithm, CellMetric, Goal
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet, InputError
from shoal.metrics import DM, GCP, LM
from shoal.models import AverageRisk, KAnonymity, LDiversity, UniformMatching
from support.effort import examples
from support.relaxation import NESTED, grid, priced, starred, three_pairs
from support.strategies import tables
from support.tables import coded, goal_of, partitioned, sets_of_rows


def made(table: Table, k: int, plan: ColumnGeneration | None = None, metric: CellMetric | None = None) -> Release:
    goal = Goal((KAnonymity(k),), metric or LM())
    return (plan or ColumnGeneration()).run(table, goal, Randomness(1), Silent())


class OneClass(Algorithm):
    """Puts all rows in one class, so that whatever is rounded is better."""

    name = summary = "one-class"
    serves = (KAnonymity,)

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        return partitioned(table, [list(range(table.n_rows))])


def rounded(table: Table, k: int, plan: ColumnGeneration | None = None, metric: CellMetric | None = None) -> Release:
    """The release that is rounded, even if the quick one is better."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_generation, "inner_algorithm", lambda said: OneClass())
        return made(table, k, plan, metric)


def least_loss(table: Table, k: int, metric: CellMetric) -> float:
    """What the best of all partitions loses."""
    price = priced(table, metric)
    return least_cost(table.n_rows, lambda rows: round(price(rows) * 2**40), k) / 2**40 / table.n_rows


def quick(table: Table, k: int) -> Release:
    return Mondrian(relaxed=True).run(table, goal_of(KAnonymity(k)), Randomness(1), Silent())


def require_kept(release: Release, k: int) -> None:
    """Every row has a record, every class k rows or more, and every record the cells of its row."""
    assert sorted(release.owners.tolist()) == list(range(release.table.n_rows))
    assert (release.classes.sizes >= k).all()
    assert np.bincount(release.shapes).min() >= k
    assert release.truthful().all()


@settings(max_examples=examples(3))
@given(tables(30, 3, NESTED), st.integers(2, 4), st.sampled_from([0, 2, 6]))
def test_all_rows_are_in_classes_of_k_and_lose_no_more_than_in_the_quick_release(
    table: Table, k: int, rounds: int
) -> None:
    assume(table.n_rows >= k)
    plan = ColumnGeneration(rounds)
    release, alone = made(table, k, plan), rounded(table, k, plan)
    require_kept(release, k)
    require_kept(alone, k)
    assert LM().score(release) <= LM().score(quick(table, k))


@settings(max_examples=examples(1.5))
@given(tables(8, 3, NESTED), st.integers(2, 4), st.sampled_from([LM(), GCP()]))
def test_nothing_loses_less_than_the_best_partition(table: Table, k: int, metric: CellMetric) -> None:
    assume(table.n_rows >= k)
    assert metric.score(rounded(table, k, metric=metric)) >= least_loss(table, k, metric) - 1e-6


@given(tables(20, 3, NESTED), st.integers(2, 3))
def test_the_same_seed_gives_the_same_release(table: Table, k: int) -> None:
    assume(table.n_rows >= k)
    first, second = made(table, k), made(table, k)
    assert first.owners.tolist() == second.owners.tolist()
    assert first.shapes.tolist() == second.shapes.tolist()


@pytest.mark.parametrize(("k", "rounds", "least"), [(4, 1, 0.9), (4, 6, 0.9), (10, 6, 0.9)])
def test_losses_are_near_the_bound_of_the_program(k: int, rounds: int, least: float) -> None:
    """Of 300 rows; the quick release loses a quarter more."""
    table = grid(300)
    release = made(table, k, ColumnGeneration(rounds))
    floor = find_floor(release, goal_of(KAnonymity(k)), Randomness(1), Silent(), 3.0)
    require_kept(release, k)
    assert floor.value <= floor.loss
    assert floor.loss < least * LM().score(quick(table, k))


def test_without_rounds_the_program_is_solved_without_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LinearProgram, "cut", lambda program: pytest.fail("a cut was asked for"))
    table = grid(300)
    release = rounded(table, 4, ColumnGeneration(0))
    require_kept(release, 4)
    assert LM().score(release) < 0.9 * LM().score(quick(table, 4))


def rounds_of(plan: ColumnGeneration) -> int:
    """How often cuts are added."""
    real, calls = LinearProgram.cut, []

    def cut(program: LinearProgram) -> int:
        calls.append(1)
        return real(program)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LinearProgram, "cut", cut)
        require_kept(rounded(grid(80), 3, plan), 3)
    return len(calls)


@pytest.mark.parametrize("rounds", [1, 3])
def test_there_are_as_many_rounds_of_cuts_as_asked_for(rounds: int) -> None:
    assert rounds_of(ColumnGeneration(rounds)) == rounds


@pytest.mark.parametrize("seconds", [1e-6, 0.2])
def test_little_time_is_enough_for_a_release(seconds: float) -> None:
    table = grid(200)
    release = made(table, 3, ColumnGeneration(seconds=seconds))
    require_kept(release, 3)
    assert LM().score(release) <= LM().score(quick(table, 3))


def test_time_bounds_the_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that advances a second each time that somebody looks."""
    seconds = iter(range(10**6))
    monkeypatch.setattr(column_generation, "working_time", lambda: float(next(seconds)))
    assert rounds_of(ColumnGeneration(seconds=30.0)) < 6
    assert rounds_of(ColumnGeneration(seconds=1e6)) == 6


def test_a_row_alone_joins_the_class_where_it_costs_least() -> None:
    """There it is one of four rows with one star, elsewhere with two."""
    release = rounded(starred(["x"] * 3 + ["y"] * 3 + ["z"], ["u"] * 3 + ["v"] * 4), 3)
    require_kept(release, 3)
    assert LM().score(release) == pytest.approx(4 / 14)


def test_equal_rows_left_over_keep_their_values_when_another_joins_some_of_them() -> None:
    """Without time, a row joins the class of three equal rows; the seven others are a class of their own."""
    release = rounded(starred(["x"] * 10 + ["y"]), 3, ColumnGeneration(seconds=1e-6))
    require_kept(release, 3)
    assert sorted(release.classes.sizes.tolist()) == [4, 7]
    assert LM().score(release) == pytest.approx(4 / 11)


def mostly_free() -> Table:
    """300 different rows, and 30,000 equal ones that are published exactly."""
    draw = np.random.default_rng(4).integers(0, 6, (3, 300))
    return starred(*([*(f"{value}" for value in column), *["7"] * 30_000] for column in draw))


def test_rows_that_are_free_do_not_blur_what_is_near_the_price_of_the_others() -> None:
    table, alone = mostly_free(), grid(300)
    lost = LM().score(rounded(table, 4)) * table.n_rows
    assert lost < 1.05 * LM().score(rounded(alone, 4)) * alone.n_rows


@pytest.mark.parametrize(
    ("table", "k", "n_classes"),
    [
        pytest.param(starred(["x"] * 7), 2, 1, id="all rows equal"),
        pytest.param(starred([f"{row}" for row in range(6)]), 6, 1, id="k is the number of rows"),
        pytest.param(starred([f"{row}" for row in range(6)], ["u"] * 6), 4, 1, id="one class fits"),
        pytest.param(starred(["x", "y"] * 5), 5, 2, id="two classes of equal rows"),
        pytest.param(three_pairs(), 2, 1, id="three pairs"),
    ],
)
def test_extreme_tables(table: Table, k: int, n_classes: int) -> None:
    release = made(table, k)
    require_kept(release, k)
    assert len(sets_of_rows(release.classes)) == n_classes


def test_more_rows_than_there_are_cannot_be_promised() -> None:
    with pytest.raises(GoalNotMet, match="ask for nothing stricter"):
        made(grid(5), 6)


def test_groups_of_one_row_need_no_program() -> None:
    assert LM().score(made(grid(5), 1)) == 0


def test_no_row_is_suppressed_though_some_may_be() -> None:
    table = grid(30)
    release = ColumnGeneration().run(table, Goal((KAnonymity(3),), LM(), 0.5), Randomness(1), Silent())
    assert release.n_suppressed == 0


def test_a_weightless_column_costs_nothing() -> None:
    columns = {"a": ["x", "y"] * 6, "b": [f"{row}" for row in range(12)]}
    table = coded(columns, ["a", "b"], recodings=dict.fromkeys(columns, "suppress"), weights={"a": 1.0, "b": 0.0})
    release = made(table, 3)
    require_kept(release, 3)
    assert LM().score(release) == 0


@pytest.mark.parametrize(
    ("goal", "says"),
    [
        (goal_of(LDiversity(2)), "can only promise sizes of classes, such as k; choose another"),
        (Goal((KAnonymity(2),), DM()), "needs a cell-based metric such as lm; choose another"),
        (goal_of(UniformMatching(3)), "cannot promise .*; choose another"),
    ],
)
def test_what_it_cannot_do_is_refused(goal: Goal, says: str) -> None:
    columns = {"a": ["x", "y"], "ill": ["flu", "cold"]}
    table = coded(columns, ["a"], recodings={"a": "suppress"}, sensitive=["ill"])
    with pytest.raises(InputError, match=says):
        ColumnGeneration().refuse(table, goal)


@pytest.mark.parametrize(("values", "found"), [([1, 2, 3], "ranges"), (["x", "y", "z"], "sets")])
def test_columns_without_nested_cells_are_named(values: list[object], found: str) -> None:
    table = coded({"a": values, "b": ["u", "v", "w"]}, ["b", "a"], recodings={"b": "suppress"})
    says = f"'column-generation' needs nested cells, and those of 'a' are {found}; give the column a hierarchy"
    with pytest.raises(InputError, match=says):
        ColumnGeneration().refuse(table, goal_of(KAnonymity(2)))


def test_promises_that_sizes_imply_are_served() -> None:
    goal = goal_of(KAnonymity(2), AverageRisk(0.2))
    ColumnGeneration().refuse(grid(30), goal)


@pytest.mark.parametrize(
    ("words", "says"), [({"rounds": -1}, "rounds must be at least 0"), ({"seconds": -1.0}, "seconds")]
)
def test_parameters_are_checked(words: dict[str, float], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ColumnGeneration(**words)  # type: ignore[arg-type]


def test_its_groups_can_be_refined_and_made_in_blocks() -> None:
    table, goal = grid(90), goal_of(KAnonymity(3))
    groups = made(table, 3)
    assert LM().score(Release.from_groups(table, groups.classes)) == LM().score(groups)
    refined = Refined(ColumnGeneration(), (Sequential(),))
    refined.refuse(table, goal)
    assert LM().score(refined.run(table, goal, Randomness(1), Silent())) <= LM().score(groups)
    blocked = Blocked("column-generation", rows=30).run(table, goal, Randomness(1), Silent())
    require_kept(blocked, 3)


def test_promises_about_values_are_never_broken_even_if_nobody_asked() -> None:
    columns = {"a": ["x", "y"], "ill": ["flu", "flu"]}
    table = coded(columns, ["a"], recodings={"a": "suppress"}, sensitive=["ill"])
    with pytest.raises(InputError, match="can only promise sizes"):
        ColumnGeneration().run(table, goal_of(LDiversity(2)), Randomness(1), Silent())
