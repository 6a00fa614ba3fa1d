"""What "auto" takes, and that it says why."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.algorithms import Agglomerative, ColumnGeneration, Mondrian
from shoal.algorithms.best import Best
from shoal.algorithms.clustering import Refined, Search, Specialization
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.engine import algorithm_choice as choice
from shoal.engine import automatic
from shoal.engine.algorithm_choice import choose_algorithm
from shoal.metrics import DM, LM
from shoal.models import KAnonymity, LDiversity, UniformMatching
from support.tables import coded, goal_of

BEST = "the best of agglomerative and mondrian"


def people(n_rows: int = 400) -> Table:
    rng = np.random.default_rng(2)
    columns = {name: rng.integers(0, 30, n_rows).tolist() for name in ("a", "b")}
    return coded({**columns, "ill": [f"i{row % 4}" for row in range(n_rows)]}, ["a", "b"], sensitive=["ill"])


def test_quick_is_mondrian_and_says_that_less_could_be_lost() -> None:
    for goal in (goal_of(KAnonymity(3)), goal_of(KAnonymity(3), LDiversity(2))):
        taken = choose_algorithm("auto", people(), goal, quick=True)
        assert taken.algorithm == Mondrian(relaxed=True)
        assert "the default loses less" in taken.reason


@pytest.mark.parametrize("promises", [(KAnonymity(3),), (KAnonymity(3), LDiversity(2))])
def test_the_default_is_a_short_search_from_the_best_start(promises: tuple[GroupModel, ...]) -> None:
    table, goal = people(), goal_of(*promises)
    taken = choose_algorithm("auto", table, goal)
    assert isinstance(taken.algorithm, Refined)
    assert taken.algorithm.seconds is not None
    assert taken.algorithm.name == f"{BEST}, refined by search"
    assert "a search of at most 2.0 seconds" in taken.reason
    quick = choose_algorithm("auto", table, goal, quick=True)
    losses = [LM().score(one.algorithm.run(table, goal, Randomness(1), Silent())) for one in (taken, quick)]
    assert losses[0] < losses[1]


def test_rows_in_pieces_get_clusters_where_the_budget_allows() -> None:
    table, goal = people(), goal_of(KAnonymity(3))

    def taken(n_rows: int, budget: float | None) -> str:
        chosen = choose_algorithm("auto", table, goal, budget, in_pieces=n_rows)
        return chosen.algorithm.name

    assert taken(1_000_000, None) == "mondrian"
    assert taken(1_000_000, 60.0) == f"{BEST}, refined by search"
    assert taken(100_000_000, 60.0) == "mondrian, refined by search"
    block = choose_algorithm("auto", table, goal, 60.0, in_pieces=1_000_000).algorithm
    assert isinstance(block, Refined)
    assert (block.seconds, block.rows) == (60.0, 1_000_000)


def test_the_default_takes_as_many_steps_on_every_machine_where_it_is_to_be_repeatable() -> None:
    table, goal = people(), goal_of(KAnonymity(3))
    taken = choose_algorithm("auto", table, goal, is_repeatable=True).algorithm
    assert isinstance(taken, Refined)
    assert taken.seconds is None
    search = taken.refinements[0]
    assert isinstance(search, Search)
    assert 0 < search.steps <= 30 * table.n_rows / 3


@pytest.mark.parametrize(("recoding", "least", "most"), [("suppress", 1.0, 1.0), ("range", 0.45, 0.55)])
def test_steps_are_fewer_where_each_takes_longer(recoding: str, least: float, most: float) -> None:
    def steps(n_columns: int) -> int:
        names = [f"c{column}" for column in range(n_columns)]
        columns = {name: [row % 50 for row in range(5_000)] for name in names}
        table = coded(columns, names, recodings=dict.fromkeys(names, recoding))
        return automatic._steps(table, goal_of(KAnonymity(10)), 2.0)

    assert least * steps(2) <= steps(7) <= most * steps(2)


def test_many_rows_are_clustered_in_blocks_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [automatic._affordable_block(n, goal_of(KAnonymity(3)), 1.25) for n in (10, 12_000, 30_000, 10_000_000)]
    assert blocks == [1_000, 100_000, 1_000, None]
    monkeypatch.setattr(automatic, "_affordable_block", lambda *said: None)
    columns = {name: list(range(60)) for name in "abc"}
    taken = []
    for ranges in ("ab", "a"):
        recodings = {name: "range" if name in ranges else "suppress" for name in "abc"}
        chosen = choose_algorithm("auto", coded(columns, ["a", "b", "c"], recodings=recodings), goal_of(KAnonymity(3)))
        taken.append(chosen.algorithm.name)
    assert taken == ["hilbert, refined by search", "mondrian, refined by search"]


def test_with_hierarchies_classes_are_searched_from_cuts_and_with_ranges_from_clusters() -> None:
    columns: dict[str, list[object]] = {
        "a": [str(row % 90) for row in range(400)],
        "b": [row % 7 for row in range(400)],
    }
    taken = []
    for recodings in ({"a": "suppress", "b": "suppress"}, {"a": "suppress"}):
        table = coded(columns, ["a", "b"], recodings=recodings)
        for k in (3, 10, 60):
            taken += [choose_algorithm("auto", table, goal_of(KAnonymity(k))).algorithm.name]
    others = ("mondrian", "specialization", "agglomerative and specialization")
    starts = [f"the best of column-generation and {each}" for each in others]
    starts += [BEST, BEST, f"{BEST} and hilbert"]
    assert taken == [f"{start}, refined by search" for start in starts]


@pytest.mark.parametrize(
    ("said", "enough", "program"),
    [
        ({}, 2.0, ColumnGeneration(seconds=1.0)),
        ({"is_repeatable": True}, 0.5, ColumnGeneration(rounds=1)),
        ({"budget": 60.0}, 60.0, ColumnGeneration(seconds=30.0)),
    ],
)
def test_the_linear_program_is_solved_for_half_of_the_time_or_some_rounds_if_it_takes_no_longer_than_that(
    said: dict[str, Any], enough: float, program: ColumnGeneration, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = coded({"a": [str(row % 90) for row in range(400)]}, ["a"], recodings={"a": "suppress"})

    def starts(seconds: float, goal: Goal) -> tuple[Algorithm, ...]:
        monkeypatch.setattr(automatic, "seconds_to_solve", lambda table: seconds)
        chosen = choose_algorithm("auto", table, goal, **said).algorithm
        assert isinstance(chosen, Refined)
        return chosen.start.candidates if isinstance(chosen.start, Best) else (chosen.start,)

    assert starts(0.99 * enough, goal_of(KAnonymity(3))) == (program, Mondrian(relaxed=True))
    assert Mondrian(relaxed=True) in (others := starts(1.01 * enough, goal_of(KAnonymity(3))))
    assert program not in others
    assert program not in starts(0.0, Goal((KAnonymity(3), LDiversity(2)), LM()))


def test_rows_with_hierarchies_that_are_too_many_to_search_are_clustered_along_lists(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For small classes, and as long as lists leave time for a search."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    mondrian, lists = Mondrian(relaxed=True), Agglomerative(block=1_000, neighbours=25)
    cases = [(73_000, 2, 2.8), (73_000, 5, 5.0), (73_000, 10, 2.8), (20_000, 5, 2.0), (500_000, 5, 4.4)]
    taken = [automatic._down_hierarchies(n, goal_of(KAnonymity(k)), seconds) for n, k, seconds in cases]
    assert taken == [[lists, mondrian], [lists, mondrian], [Specialization()], [mondrian], [Specialization(), mondrian]]
    monkeypatch.setattr(automatic, "_SCARCE", 1.0)
    table = coded({"a": [str(row % 90) for row in range(400)]}, ["a"], recodings={"a": "suppress"})
    chosen = choose_algorithm("auto", table, goal_of(KAnonymity(3))).algorithm
    assert isinstance(chosen, Refined)
    assert isinstance(chosen.start, Best)
    assert chosen.start.candidates[1:] == (lists, mondrian)
    assert chosen.refinements == (Search(least_gain=0.0),)


def test_large_classes_of_very_many_rows_with_hierarchies_are_not_clustered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automatic, "_CROWDED", 1.0)
    table = coded({"a": [str(row % 90) for row in range(400)]}, ["a"], recodings={"a": "suppress"})
    taken = choose_algorithm("auto", table, goal_of(KAnonymity(60))).algorithm
    assert taken.name == "the best of column-generation and specialization, refined by search"


@pytest.mark.parametrize(("is_repeatable", "limited"), [(False, True), (True, False)])
def test_clustering_has_no_more_time_than_all_of_it_unless_the_run_is_to_be_repeatable(
    is_repeatable: bool, limited: bool
) -> None:
    taken = choose_algorithm("auto", people(), goal_of(KAnonymity(3)), is_repeatable=is_repeatable).algorithm
    assert isinstance(taken, Refined)
    assert isinstance(taken.start, Best)
    first = taken.start.candidates[0]
    assert isinstance(first, Agglomerative)
    assert first.seconds == (2.0 if limited else 0.0)


def test_clustering_is_left_out_sooner_where_columns_make_it_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed: list[float] = []
    monkeypatch.setattr(automatic, "_affordable_block", lambda n, goal, seconds: allowed.append(seconds))
    for n_columns in (3, 7):
        names = [f"c{column}" for column in range(n_columns)]
        choose_algorithm("auto", coded({name: list(range(60)) for name in names}, names), goal_of(KAnonymity(3)))
    assert allowed == pytest.approx([1.2, 0.6])


def test_large_classes_are_cut_from_the_hilbert_curve_too() -> None:
    taken = choose_algorithm("auto", people(), goal_of(KAnonymity(60)))
    assert taken.algorithm.name == "the best of agglomerative and mondrian and hilbert, refined by search"


def test_more_rows_are_searched_longer_unless_the_rest_of_the_run_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = [automatic._default_seconds(n_rows) for n_rows in (1_000, 30_000, 200_000, 1_000_000, 10_000_000)]
    assert taken == pytest.approx([2.0, 2.0, 3.6, 1.8, 1.5], abs=0.05)
    monkeypatch.setattr(automatic, "_default_seconds", lambda n_rows: n_rows / 10)
    chosen = choose_algorithm("auto", people(), goal_of(KAnonymity(3))).algorithm
    assert isinstance(chosen, Refined)
    assert chosen.seconds == people().n_rows / 10


def test_rows_to_leave_out_are_looked_for_where_that_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Goal((KAnonymity(3),), LM(), 0.1)
    assert isinstance(choose_algorithm("auto", people(), goal, quick=True).algorithm, Refined)
    monkeypatch.setattr(choice, "_FEW_ROWS", 100)
    taken = choose_algorithm("auto", people(), goal, quick=True)
    assert taken.algorithm == Mondrian(relaxed=True)
    assert "the default loses less; a search would suppress rows" in taken.reason
    assert isinstance(choose_algorithm("mondrian", people(), goal).algorithm, Refined)
    assert isinstance(choose_algorithm("auto", people(), goal, 10.0).algorithm, Refined)


def test_time_is_spent_on_a_search_from_a_start_that_leaves_some() -> None:
    table = people()
    taken = choose_algorithm("auto", table, goal_of(KAnonymity(3)), 20.0)
    assert taken.algorithm.name == f"{BEST}, refined by search"
    assert "search for the rest of 20 seconds" in taken.reason
    hurried = choose_algorithm("auto", table, goal_of(KAnonymity(3)), 1e-6)
    assert hurried.algorithm.name == "hilbert, refined by search"
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
    assert result.choice.reason.startswith("auto chose the best of agglomerative and mondrian, refined by search: ")
    assert "the start with the least loss" in result.summary().run.reason
