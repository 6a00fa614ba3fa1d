"""Refinements: never worse, never against a promise, and the same wherever steps are counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shoal.algorithms import ALL, Agglomerative, Clustering, Forest, Hilbert, Lexicographic, Mondrian
from shoal.algorithms.clustering import Refined, Refinement, Sequential, refine
from shoal.algorithms.clustering import Search as Neighbourhoods
from shoal.algorithms.clustering.agglomeration import BLOCK, LEAST_BLOCK, affordable
from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coded_rows import UNIT, Coding
from shoal.algorithms.clustering.improvement_rounds import Leaf
from shoal.algorithms.clustering.neighbourhoods import ANY, Ladder, leaf_of, mix_of, neighbourhoods, own_steps
from shoal.algorithms.clustering.sequential import divided
from shoal.core.arrays import Flags
from shoal.core.contracts import Algorithm, Goal
from shoal.core.groups import Groups
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.clustering_relocate import DROPPED, relocate
from shoal.kernels.clustering_search import Search, search
from shoal.metrics import DM, GCP, LM
from shoal.models import KAnonymity, LDiversity, TCloseness
from support.strategies import tables
from support.tables import coded, groups_of, lists_of, sets_of_rows

BOTH = (Sequential(), Neighbourhoods(100))
HOW = Search(40, 4, 2.0, 0.05 * UNIT, 0, ANY, 0.0)


def grid(n_rows: int, seed: int = 0) -> Table:
    """Rows on a grid, in no order."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 12, (3, n_rows)).tolist()
    return coded(
        {
            "a": values[0],
            "b": [f"b{value}" for value in values[1]],
            "c": values[2],
            "ill": [str(v % 5) for v in values[2]],
        },
        ["a", "b", "c"],
        sensitive=["ill"],
    )


def in_order(n_rows: int, k: int) -> Groups:
    """Groups of k rows as they come, the last a little larger."""
    starts = np.arange(0, n_rows - k + 1, k)
    return Groups(np.append(starts, n_rows).astype(np.int64), np.arange(n_rows, dtype=np.int32))


def assert_changes_are_independent(
    coding: Coding, groups: Groups, homes: np.ndarray, changes: np.ndarray, k: int
) -> None:
    """Each change alone makes groups of k rows of the rows it touches, and lowers the cost."""
    before = groups.ids(coding.n_rows)
    assert (homes[changes < 0] == before[changes < 0]).all()
    for change in range(int(changes.max()) + 1):
        touched = changes == change
        old = {int(c) for c in before[touched]}
        assert set(np.flatnonzero(np.isin(before, list(old)))) == set(np.flatnonzero(touched)), "part of a cluster"
        kept = touched & (homes != DROPPED)
        new = [np.flatnonzero(kept & (homes == c)).tolist() for c in set(homes[kept].tolist())]
        assert min(map(len, new)) >= k
        dropped = int((touched & (homes == DROPPED)).sum())
        assert coding.cost(groups_of(new)) + UNIT * dropped < coding.cost(groups_of([lists_of(groups)[c] for c in old]))


@given(st.integers(12, 60), st.integers(2, 5), st.integers(1, 2**31))
def test_search_proposes_independent_gains(n_rows: int, k: int, seed: int) -> None:
    coding, groups = Coding.of(grid(n_rows, seed % 7), LM()), in_order(n_rows, k)
    cells = np.ascontiguousarray(coding.cells[:, coding.row])
    homes, changes = search(coding.space, cells, coding.colours, groups.offsets, k, 20, HOW, np.array([seed]))
    assert_changes_are_independent(coding, groups, homes, changes, k)


@given(st.integers(12, 60), st.integers(2, 5), st.integers(1, 2**31), st.sampled_from([UNIT, UNIT // 20, 2**50]))
def test_relocate_proposes_independent_gains(n_rows: int, k: int, seed: int, drop: int) -> None:
    coding, groups = Coding.of(grid(n_rows, seed % 7), LM()), in_order(n_rows, k)
    cells = np.ascontiguousarray(coding.cells[:, coding.row])
    homes, changes = relocate(coding.space, cells, groups.offsets, k, drop, np.array([seed]))
    if drop >= UNIT:
        assert_changes_are_independent(coding, groups, homes, changes, k)
    assert drop < 2**50 or DROPPED not in homes


def test_search_keeps_the_mix() -> None:
    table, k = grid(60), 3
    coding, groups = Coding.of(table, LM()), in_order(60, 12)
    mix = mix_of(coding, groups)
    assert mix.least_colours == min(len(set(coding.colours[rows].tolist())) for rows in lists_of(groups)) >= 3
    cells = np.ascontiguousarray(coding.cells[:, coding.row])
    how = HOW._replace(mix=mix)
    homes, changes = search(coding.space, cells, coding.colours, groups.offsets, k, 200, how, np.array([9]))
    assert changes.max() >= 0
    for cluster in set(homes[changes >= 0].tolist()):
        assert len(set(coding.colours[homes == cluster].tolist())) >= mix.least_colours


@given(tables(40, 3), st.data())
def test_refine_never_loses_more_and_keeps_k(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    goal = Goal((KAnonymity(k),), data.draw(st.sampled_from([LM(), GCP(), DM()])))
    start = Mondrian().partition(table, goal, Silent())
    methods = data.draw(st.sampled_from([(Sequential(),), (Neighbourhoods(100),), BOTH]))
    found = refine(table, goal, start, Randomness(1), Silent(), methods=methods)
    assert found.sizes.min() >= k
    assert sorted(found.members.tolist()) == list(range(table.n_rows))
    scores = [goal.metric.score(Release.from_groups(table, groups)) for groups in (start, found)]
    assert scores[1] <= scores[0]


@given(tables(40, 2), st.sampled_from([LDiversity(2), TCloseness(0.4), LDiversity(1.5, "entropy")]))
def test_refine_keeps_other_promises(table: Table, model: LDiversity | TCloseness) -> None:
    goal = Goal((KAnonymity(2), model), LM())
    assume(goal.accepts(table, Groups.whole(table.n_rows)).all())
    start = Mondrian().partition(table, goal, Silent())
    found = refine(table, goal, start, Randomness(1), Silent(), methods=BOTH)
    assert goal.accepts(table, Release.from_groups(table, found).classes).all()
    assert LM().score(Release.from_groups(table, found)) <= LM().score(Release.from_groups(table, start))


def test_more_steps_are_never_worse_and_the_same_steps_the_same() -> None:
    table, goal = grid(900), Goal((KAnonymity(4),), LM())
    start, coding = in_order(900, 4), Coding.of(grid(900), LM())
    costs = [
        coding.cost(refine(table, goal, start, Randomness(5), Silent(), methods=[Neighbourhoods(steps)]))
        for steps in (1, 30, 64, 100, 101, 400, 1500)
    ]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < 0.6 * coding.cost(start)
    again = [refine(table, goal, start, Randomness(5), Silent(), methods=[Neighbourhoods(400)]) for _ in range(2)]
    assert sets_of_rows(again[0]) == sets_of_rows(again[1])


def test_sequential_alone_helps() -> None:
    table, goal = grid(900), Goal((KAnonymity(4),), LM())
    coding, start = Coding.of(table, LM()), in_order(900, 5)
    found = refine(table, goal, start, Randomness(5), Silent(), methods=(Sequential(),))
    assert coding.cost(found) < 0.9 * coding.cost(start)


def test_suppressed_rows_stay_out_and_more_follow_only_within_the_limit() -> None:
    values = [0, 0, 0, 1, 1, 1, 2, 2, 2, 1000, 999]
    table = coded({"a": values, "b": [f"{value}" for value in values]}, ["a", "b"])
    start = groups_of([[0, 1, 2], [3, 4, 5], [6, 7, 8, 9]])
    kept = refine(table, Goal((KAnonymity(3),), LM()), start, Randomness(1), Silent(), methods=BOTH)
    assert sorted(kept.members.tolist()) == list(range(10))
    goal = Goal((KAnonymity(3),), LM(), suppression_limit=0.2)
    fewer = refine(table, goal, start, Randomness(1), Silent(), methods=BOTH)
    assert sorted(fewer.members.tolist()) == list(range(9))


def test_rows_go_more_easily_where_the_metric_makes_little_of_it() -> None:
    table = grid(300)
    counts = []
    for split in (0.5, 0.05):
        metric = LM(split)
        goal = Goal((KAnonymity(4),), metric, suppression_limit=0.3)
        before, after = (
            made.run(table, goal, Randomness(1), Silent())
            for made in (Mondrian(), Refined(Mondrian(), (Sequential(),)))
        )
        assert metric.score(after) < metric.score(before)
        counts.append(after.n_suppressed)
    assert counts[0] < counts[1] <= 90


def test_large_groups_are_divided_where_the_pieces_are_accepted() -> None:
    table = grid(40)
    coding = Coding.of(table, LM())
    start = groups_of([list(range(25)), list(range(25, 40))])
    found = divided(coding, start, 5, lambda groups: groups.members[groups.offsets[:-1]] < 25)
    assert len(found) == 6
    assert found.sizes.min() >= 5
    assert frozenset(range(25, 40)) in sets_of_rows(found)
    assert coding.cost(found) < coding.cost(start)


def test_a_budget_of_steps_is_spent_to_the_last_one() -> None:
    budget = Budget(0.0, steps=100)
    taken = []
    while step := budget.share(64):
        taken.append(step)
        budget.count(step, 1.0)
    assert taken == [64, 36]
    assert budget.is_over
    assert budget.spent == budget.total == 100


def test_a_budget_of_seconds_ends() -> None:
    assert Budget(0.0).share(64) == 0
    budget = Budget(3600.0)
    assert budget.share(64) == 6  # a tenth, to see how long a step takes
    budget.count(6, 6.0)
    assert budget.share(64) == 64
    budget.count(58, 64 * 3600.0)
    assert budget.share(64) == 1


def test_the_first_round_of_a_large_table_cannot_outlast_the_budget_many_times_over() -> None:
    second_per_step, budget = 0.01, Budget(5.0)
    steps = budget.share(20_000)
    budget.count(steps, steps * second_per_step)
    assert steps * second_per_step <= 20.0  # all 20,000 would take 200 s
    assert budget.share(20_000) <= 5.0 / second_per_step


def test_steps_that_took_no_time_by_a_coarse_clock_do_no_harm() -> None:
    budget = Budget(3600.0)
    budget.count(10, 0.0)
    assert budget.share(64) == 64


class Clock:
    """Shows a later time whenever it is looked at."""

    def __init__(self, tick: float) -> None:
        self.now, self.tick = 0.0, tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def run_by(clock: Clock, algorithm: Algorithm, table: Table, goal: Goal, monkeypatch: pytest.MonkeyPatch) -> Release:
    """What an algorithm makes where time goes by as the clock says."""
    for module in ("budget", "refined", "pipeline", "neighbourhoods"):
        monkeypatch.setattr(f"shoal.algorithms.clustering.{module}.working_time", clock)
    return algorithm.run(table, goal, Randomness(3), Silent())


@pytest.mark.parametrize("methods", [(), (Sequential(),), BOTH])
def test_without_a_budget_the_clock_changes_nothing(
    methods: tuple[Refinement, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, goal = grid(900), Goal((KAnonymity(4),), LM(), suppression_limit=0.1)
    quick, slow = (run_by(Clock(tick), Refined(Mondrian(), methods), table, goal, monkeypatch) for tick in (0.0, 1e6))
    assert sets_of_rows(quick.classes) == sets_of_rows(slow.classes)
    assert LM().score(slow) < LM().score(Mondrian().run(table, goal, Randomness(3), Silent()))


def test_with_a_budget_the_clock_ends_the_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    table, goal = grid(900), Goal((KAnonymity(4),), LM(), suppression_limit=0.1)
    releases = [
        run_by(Clock(tick), Refined(Mondrian(), (Sequential(),), 10.0), table, goal, monkeypatch)
        for tick in (0.0, 1.5, 1e6)
    ]
    scores = [LM().score(release) for release in releases]
    assert scores[0] < scores[1] < scores[2] <= LM().score(Mondrian().run(table, goal, Randomness(3), Silent()))


def test_a_longer_budget_is_never_worse_also_where_the_start_has_to_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.algorithms.clustering.agglomeration.LEAST_BLOCK", 50)
    monkeypatch.setattr("shoal.algorithms.clustering.agglomeration._SAMPLED", 50)
    monkeypatch.setattr("shoal.algorithms.clustering.agglomeration.working_time", Clock(1.0))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    table, goal, budgets = grid(900), Goal((KAnonymity(4),), LM()), (40.0, 132.0, 5000.0)
    blocks = [affordable(Coding.of(table, LM()), 4, "size", budget / 4) for budget in budgets]
    assert blocks == sorted(set(blocks))
    scores = [LM().score(run_by(Clock(1.0), Clustering(budget), table, goal, monkeypatch)) for budget in budgets]
    assert scores == sorted(scores, reverse=True)


def test_a_search_begins_with_classes_of_mondrian_where_those_of_blocks_lose_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, goal, where = grid(900), Goal((KAnonymity(4),), LM()), "shoal.algorithms.clustering.pipeline"
    monkeypatch.setattr(f"{where}.start", lambda *said, **more: Groups.whole(table.n_rows))
    monkeypatch.setattr(f"{where}.refine", lambda table, goal, groups, *said, **more: groups)
    losses = []
    for block in (50, BLOCK):
        monkeypatch.setattr(f"{where}.affordable", lambda *said, block=block: block)
        losses.append(LM().score(Clustering(budget=10.0).run(table, goal, Randomness(1), Silent())))
    assert losses[0] == LM().score(Mondrian(relaxed=True).run(table, goal, Randomness(1), Silent())) < losses[1]


def test_a_start_that_has_to_hurry_merges_along_lists_or_cuts_down_hierarchies_where_k_is_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    where, begun = "shoal.algorithms.clustering.pipeline", list[tuple[int, int, int]]()
    columns = {name: [str(value) for value in range(60)] for name in "ab"}
    table = coded(columns, ["a", "b"], recodings=dict.fromkeys("ab", "suppress"))

    def start(table: Table, goal: Goal, *said: object, block: int, n_near: int) -> Groups:
        begun.append((goal.floor, block, n_near))
        return Groups.whole(table.n_rows)

    monkeypatch.setattr(f"{where}.start", start)
    monkeypatch.setattr(f"{where}.affordable", lambda *said: 50)
    for k, seconds in ((4, 10.0), (4, 0.0), (8, 10.0)):
        Clustering(budget=seconds).run(table, Goal((KAnonymity(k),), LM()), Randomness(1), Silent())
    assert begun == [(4, LEAST_BLOCK, 25), (4, 50, 0)]


@given(tables(30, 3), st.sampled_from([0.0, 0.2, 0.5]), st.data())
def test_any_local_start_can_be_refined(table: Table, limit: float, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    goal = Goal((KAnonymity(k),), LM(), suppression_limit=limit)
    start = data.draw(st.sampled_from([Mondrian(), Hilbert(), Lexicographic(), Agglomerative(), Forest()]))
    methods = data.draw(st.sampled_from([(), (Sequential(),), (Neighbourhoods(50),), BOTH]))
    before = start.run(table, goal, Randomness(1), Silent())
    after = Refined(start, methods).run(table, goal, Randomness(1), Silent())
    assert KAnonymity(k).check(after).holds
    assert after.n_suppressed <= limit * table.n_rows
    assert LM().score(after) <= LM().score(before)


LOCAL = [name for name, made in ALL.items() if made.is_local is True and name != "column-generation"]
"""Column generation takes no ranges: see its own tests."""


@pytest.mark.parametrize("name", LOCAL)
def test_what_a_local_algorithm_makes_are_groups_with_cells_of_their_own(name: str) -> None:
    table, goal = grid(60), Goal((KAnonymity(2),), LM())
    start: Algorithm = Clustering(steps=50) if name == "clustering" else ALL[name]()
    release = start.run(table, goal, Randomness(1), Silent())
    assert LM().score(Release.from_groups(table, release.classes)) == LM().score(release)
    refined = Refined(start, (Sequential(),))
    refined.refuse(table, goal)
    assert LM().score(refined.run(table, goal, Randomness(1), Silent())) <= LM().score(release)


def test_refined_says_what_it_is_and_what_it_gained() -> None:
    refined = Refined(Mondrian(), (Sequential(), Neighbourhoods(2000)))
    assert refined.name == "mondrian, refined by sequential and search"
    assert Refined(Mondrian()).name == "mondrian"
    table, goal = grid(900), Goal((KAnonymity(4),), LM())
    scores = [LM().score(made.run(table, goal, Randomness(2), Silent())) for made in (Mondrian(), refined)]
    assert scores[1] < 0.8 * scores[0]
    told = refined.run(table, goal, Randomness(2), Silent()).account[-1]
    assert f"lm {scores[0]:.4g} before, {scores[1]:.4g} after" in told


@pytest.mark.parametrize("start", [made() for made in ALL.values() if not made.is_local])
def test_only_local_starts_can_be_refined(start: Algorithm) -> None:
    with pytest.raises(InputError, match=f"{start.name}|cannot promise") as raised:
        Refined(start, BOTH).refuse(grid(9), Goal((KAnonymity(3),), LM()))
    assert "cannot promise" in str(raised.value) or all(name in str(raised.value) for name in LOCAL)


@pytest.mark.parametrize("options", [{"budget": -1}, {"steps": -1}, {"linkage": "sise"}])
def test_impossible_parameters_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Clustering(**options)  # type: ignore[arg-type]


def test_the_search_beats_the_start() -> None:
    table, goal = grid(900), Goal((KAnonymity(4),), LM())
    scores = [
        LM().score(Clustering(budget, steps=steps).run(table, goal, Randomness(2), Silent()))
        for budget, steps in ((0.0, 0), (10.0, 2000))
    ]
    assert scores[1] < 0.95 * scores[0]


def test_steps_go_where_the_loss_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.algorithms.clustering.neighbourhoods.leaf_of", lambda n_groups: 20)
    rng, seen = np.random.default_rng(3), []
    near, far = np.repeat(np.arange(300), 4), rng.integers(1_000, 2_000, 400)
    table = coded({"a": [*near.tolist(), *far.tolist()]}, ["a"])
    coding, groups = Coding.of(table, LM()), in_order(1_600, 4)

    def accepts(some: Groups) -> Flags:
        seen.append(some.members)
        return some.sizes >= 4

    better = neighbourhoods(coding, groups, 4, accepts, ANY, Budget(9.0, 200), Randomness(1), Silent())
    assert coding.cost(better) < 0.5 * coding.cost(groups)
    assert min(members.min(initial=1_600) for members in seen) >= 1_200  # the first 1,200 rows lose nothing


@pytest.mark.parametrize("n_steps", [1, 7, 50])
def test_so_few_steps_that_each_leaf_has_a_fraction_are_made_all_the_same(n_steps: int) -> None:
    leaves = [
        Leaf(np.zeros((1, 0), np.int64), np.zeros(0, np.int64), np.zeros(1, np.int64), seed, 1 / 500)
        for seed in range(1, 2**16, 131)
    ]
    made = [own_steps(n_steps, leaf) for leaf in leaves]
    assert max(made) <= 1
    assert sum(made) == pytest.approx(n_steps, rel=0.2, abs=1)


def test_steps_begin_with_one_neighbour_and_take_more_once_that_gains_more_for_the_same_work() -> None:
    ladder = Ladder(7)
    first = [ladder.next() for _ in range(4)]
    assert [rung.neighbours for rung in first] == [1, 1, 1, 2]
    ladder.judge(first[0], 10.0)
    ladder.judge(first[3], 9.0)
    assert ladder.next().neighbours == 1
    ladder.judge(first[3], 10.0)
    assert ladder.next().neighbours == 2


def test_where_nothing_is_gained_the_next_step_takes_more_neighbours_up_to_the_most() -> None:
    ladder, seen = Ladder(7), []
    while not ladder.is_at_top:
        seen.append(ladder.next())
        ladder.judge(seen[-1], 0.0)
    assert [rung.neighbours for rung in seen] == [1, 2, 4]
    assert [rung.steps for rung in seen] == [5, 4, 2]
    assert (ladder.next().neighbours, ladder.next().steps) == (7, 1)
    assert Ladder(1).is_at_top


def test_a_search_makes_more_of_a_quick_start_than_one_that_always_takes_all_neighbours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = {f"q{at}": [f"v{value}" for value in np.random.default_rng(at).integers(0, 5, 2_000)] for at in range(8)}
    table = coded(columns, [*columns], recodings=dict.fromkeys(columns, "suppress"))
    groups = Mondrian().run(table, Goal((KAnonymity(4),), LM()), Randomness(1), Silent()).classes
    coding = Coding.of(table, LM())

    def cost() -> int:
        budget = Budget(9.0, 300)
        found = neighbourhoods(coding, groups, 4, lambda some: some.sizes >= 4, ANY, budget, Randomness(1), Silent())
        return coding.cost(found)

    little_by_little = cost()
    monkeypatch.setattr("shoal.algorithms.clustering.neighbourhoods._RUNGS", (7,))
    assert little_by_little < cost()


def test_few_clusters_are_searched_in_parts_and_very_few_together() -> None:
    assert leaf_of(20) >= 20
    for n_clusters in (100, 734, 2000, 5000, 20_000):
        assert 2 * leaf_of(n_clusters) <= n_clusters
    assert leaf_of(1999) <= leaf_of(2001)
