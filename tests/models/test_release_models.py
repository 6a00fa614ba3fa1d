"""Promises about all classes together: the figure of their definition, and searches that ask for no more than that."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from naive import release_models as twins
from naive.plain import records_of
from shoal.algorithms import ALL as ALGORITHMS
from shoal.algorithms import Incognito, KOptimize, Lattice, Mondrian, Samarati
from shoal.algorithms.relaxation import require_certifiable
from shoal.core.contracts import Goal, ReleaseModel
from shoal.core.node import Node
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet, InputError
from shoal.metrics import DM, LM
from shoal.models import (
    ALL,
    AverageRisk,
    EstimatedKMap,
    HouseholdRisk,
    IndividualRisk,
    KAnonymity,
    KCombinations,
    LargestRisk,
    PopulationUniqueness,
    RiskShare,
    SampleUniqueness,
)
from support import promises as asked
from support.effort import examples
from support.published import keeps, run
from support.strategies import releases, tables
from support.tables import coded, goal_of

RELEASE_MODELS = [name for name, model in ALL.items() if issubclass(model, ReleaseModel)]
every_release_model = pytest.mark.parametrize("name", RELEASE_MODELS)
few = settings(max_examples=examples(1 / 4))


def _draw(data: st.DataObject, name: str, table: Table) -> ReleaseModel:
    promise = data.draw(st.sampled_from(asked.POSSIBLE[name](table)))
    assert isinstance(promise, ReleaseModel)
    return promise


@every_release_model
@few
@given(release=releases(), data=st.data())
def test_the_verdict_is_that_of_the_definition(name: str, release: Release, data: st.DataObject) -> None:
    promise = _draw(data, name, release.table)
    cells = [tuple(record.cells) for record in records_of(release)]
    names = [column.name for column in release.table.quasi]
    verdict = promise.check(release)
    assert verdict.holds == twins.keeps(promise, cells, names=names)
    assert verdict.holds == (verdict.n_failing == 0)
    if name in twins.FIGURES:
        figure = twins.FIGURES[name](promise, cells, range(len(cells)))
        assert verdict.achieved == pytest.approx(float(figure))


@every_release_model
@few
@given(release=releases(), data=st.data())
def test_the_verdict_on_people_is_that_of_the_definition(name: str, release: Release, data: st.DataObject) -> None:
    n = release.table.n_rows
    people = data.draw(st.lists(st.integers(0, max(1, n // 2)), min_size=n, max_size=n))
    numbers = np.unique(people, return_inverse=True)[1].astype(np.int32)
    told = replace(release, table=release.table.with_people(numbers))
    promise = _draw(data, name, release.table).of_people()
    cells = [tuple(record.cells) for record in records_of(release)]
    names = [column.name for column in release.table.quasi]
    whose = [people[owner] for owner in release.owners.tolist()]
    assert promise.check(told).holds == twins.keeps(promise, cells, whose, names)


@every_release_model
@few
@given(release=releases(), data=st.data())
def test_the_condition_on_groups_is_enough(name: str, release: Release, data: st.DataObject) -> None:
    promise = _draw(data, name, release.table)
    if promise.on_groups.check(release).holds:
        assert promise.check(release).holds


def _lattice(draw: st.DrawFn | None = None, n: int = 30, seed: int = 0) -> Table:
    """Three columns with small hierarchies."""
    dice = np.random.default_rng(seed)
    ages, zips = dice.integers(0, 8, n), dice.integers(0, 4, n)
    return coded(
        {
            "age": [f"{a}" for a in ages],
            "zip": [f"z{z}" for z in zips],
            "sex": [str(s) for s in dice.integers(0, 2, n)],
        },
        ["age", "zip", "sex"],
        hierarchies={
            "age": shoal.Hierarchy.from_rows([[str(a), f"a{a // 2}", f"b{a // 4}", "*"] for a in range(8)]),
            "zip": shoal.Hierarchy.from_rows([[f"z{z}", f"y{z // 2}", "*"] for z in range(4)]),
        },
    )


def _nodes(table: Table) -> list[tuple[int, ...]]:
    return [*product(*(range(column.recoding.nested.n_levels) for column in table.quasi))]


def _publishable(table: Table, promise: ReleaseModel, limit: float, levels: tuple[int, ...]) -> Node | None:
    """The node as the definition says: classes go, small ones first, of those the ones that lose least by it."""
    node = Node.of(table, levels)
    low = [node.bounds(column)[0].tolist() for column in range(table.n_quasi)]
    classes = {tuple(cells): int(rows) for cells, rows in zip(zip(*low, strict=True), node.sizes, strict=True)}
    lost = LM().prices_on(table).extras(node)
    place = {cells: at for at, cells in enumerate(classes)}
    order = sorted(classes, key=lambda cells: (classes[cells], round(float(lost[place[cells]]), 9), cells))
    gone = twins.given_up(promise, classes, order, [column.name for column in table.quasi])
    kept = np.array([cells not in gone for cells in classes])
    n_gone = int(node.sizes[~kept].sum())
    if n_gone > limit * table.n_rows or n_gone == table.n_rows:
        return None
    return replace(node, kept=kept, n_suppressed=n_gone)


ASKED = (
    AverageRisk(0.2), AverageRisk(0.1), RiskShare(0.34, 0.1), RiskShare(0.25, 0.3), KCombinations(4, every=2),
    SampleUniqueness(0.1), PopulationUniqueness(0.1, "zayatz", 200),
    KCombinations(3, keys=("age+sex", "zip")),
)  # fmt: skip


@pytest.mark.parametrize("limit", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("promise", ASKED, ids=str)
def test_the_lattice_finds_the_best_node_of_all(promise: ReleaseModel, limit: float) -> None:
    for seed in range(3):
        table = _lattice(seed=seed)
        nodes = [_publishable(table, promise, limit, levels) for levels in _nodes(table)]
        best = min((LM().node_score(node) for node in nodes if node is not None), default=None)
        goal = Goal((promise,), LM(), limit)
        if best is None:
            with pytest.raises(GoalNotMet):
                Lattice().search(table, goal)
            continue
        found = Lattice().search(table, goal)
        assert found.score == pytest.approx(best)
        assert found.is_optimal
        done = run(Lattice(), table, goal)
        assert keeps(promise, done)
        assert done.release.n_suppressed <= limit * table.n_rows
        for claim in done.release.claims:
            assert claim.check(done.release, done.frame).holds


@pytest.mark.parametrize("limit", [0.0, 0.2])
@pytest.mark.parametrize("promise", ASKED, ids=str)
def test_nodes_above_a_feasible_one_are_feasible_where_the_model_says_so(promise: ReleaseModel, limit: float) -> None:
    if not promise.is_upward(suppressing=limit > 0):
        return
    for seed in range(3):
        table = _lattice(seed=seed)
        fine = {levels for levels in _nodes(table) if _publishable(table, promise, limit, levels) is not None}
        for levels in fine:
            above = [one for one in _nodes(table) if all(a >= b for a, b in zip(one, levels, strict=True))]
            assert fine.issuperset(above)


def test_with_suppression_a_share_of_records_at_risk_may_rise_on_the_way_up() -> None:
    """Two single rows, one of which may go; joined they are two records at risk, and both would have to go."""
    rows = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]]
    table = coded({"q": ["a", "b", *"c" * 9]}, ["q"], hierarchies={"q": shoal.Hierarchy.from_rows(rows)})
    promise = RiskShare(0.34, 0.1)
    assert _publishable(table, promise, 0.1, (0,)) is not None
    assert _publishable(table, promise, 0.1, (1,)) is None
    assert not promise.is_upward(suppressing=True)


@pytest.mark.parametrize(
    "algorithm",
    [Incognito(), Samarati(), Mondrian(), ALGORITHMS["clustering"](steps=50)],  # type: ignore[call-arg]
    ids=str,
)
@pytest.mark.parametrize("promise", ASKED, ids=str)
def test_other_algorithms_keep_it_too(algorithm: object, promise: ReleaseModel) -> None:
    done = run(algorithm, _lattice(), goal_of(promise, KAnonymity(2)))  # type: ignore[arg-type]
    assert keeps(promise, done)
    assert promise.check(done.release).holds
    for claim in done.release.claims:
        assert claim.check(done.release, done.frame).holds


@few
@given(table=tables(15), data=st.data())
def test_what_everybody_shares_keeps_it(table: Table, data: st.DataObject) -> None:
    promise = _draw(data, data.draw(st.sampled_from(RELEASE_MODELS)), table)
    done = run(Mondrian(), table, goal_of(promise))
    assert keeps(promise, done)


def test_classes_that_have_just_the_household_risk_are_formed() -> None:
    """However the risk is rounded: 1 - 1e-16 in place of 1 refused tables in which nobody can be hidden."""
    for k in range(1, 60):
        assert HouseholdRisk(1 / k).on_groups == IndividualRisk(1 / k)
        for largest in range(2, 7):
            each = replace(HouseholdRisk(1 - (1 - 1 / k) ** largest), largest=largest).on_groups
            assert isinstance(each, IndividualRisk)
            assert 1 / k <= each.r <= min(1.0, (1 + 1e-12) / k)


def test_a_risk_that_all_records_may_have_asks_for_no_classes() -> None:
    assert RiskShare(0.01, 1).on_groups == KAnonymity(1)
    assert RiskShare(0.01, 0.99).on_groups == KAnonymity(100)
    assert RiskShare(0.01, 1).figure(np.array([99, 100]), np.array([99, 100])) == 99 / 199


def test_the_largest_risk_is_k_as_a_number() -> None:
    assert [LargestRisk(risk).k for risk in (0.09, 0.05, 0.2, 0.33, 1 / 3, 0.5, 1)] == [12, 20, 5, 4, 3, 2, 1]
    assert all(LargestRisk(1 / k).k == k for k in range(1, 2000))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: LargestRisk(0), "The largest risk must be above 0 and at most 1, got 0."),
        (lambda: LargestRisk(1.5), "The largest risk must be above 0 and at most 1, got 1.5."),
        (lambda: AverageRisk(-0.1), "The average risk must be above 0 and at most 1, got -0.1."),
        (lambda: RiskShare(0.2, 1.5), "The share of records must be between 0 and 1, got 1.5."),
        (lambda: RiskShare(2, 0.5), "The risk must be above 0 and at most 1, got 2."),
        (lambda: SampleUniqueness(1.2), "Sample uniqueness must be between 0 and 1, got 1.2."),
        (lambda: PopulationUniqueness(-1), "Population uniqueness must be between 0 and 1, got -1."),
        (
            lambda: PopulationUniqueness(0.1, "guess"),  # type: ignore[arg-type]
            "The estimator must be one of dankar, zayatz, snb, pitman, pitman-asymptotic, got 'guess'.",
        ),
        (lambda: PopulationUniqueness(0.1, population=0), "The population must be at least 1, got 0."),
        (lambda: EstimatedKMap(5, significance=0), "The significance must be above 0 and at most 1, got 0."),
        (lambda: EstimatedKMap(5, population=-3), "The population must be at least 1, got -3."),
        (lambda: KCombinations(0, every=2), "k must be at least 1, got 0."),
        (lambda: KCombinations(2, every=0), "The number of columns must be at least 1, got 0."),
        (
            lambda: KCombinations(2),
            "k-combinations needs columns, as in 5:3 or 5:age+sex,zip+sex, got none.",
        ),
    ],
)
def test_thresholds_out_of_range_are_refused_in_a_sentence(make, says: str) -> None:
    with pytest.raises(InputError) as problem:
        make()
    assert str(problem.value) == says


def test_impossible_risks_are_refused_before_the_search() -> None:
    people = pl.DataFrame({"age": [1, 2, 3, 4]})
    with pytest.raises(
        shoal.ImpossibleGoal, match=r"A risk of 0.1 needs at least 10 rows, but the table has 4; ask for 0.25"
    ):
        shoal.anonymize(people, quasi_identifiers=["age"], privacy=AverageRisk(0.1))


def test_a_combination_of_an_unknown_column_is_refused() -> None:
    people = pl.DataFrame({"age": [1, 2, 3, 4], "sex": [0, 1, 0, 1]})
    with pytest.raises(InputError, match=r"k-combinations: 'agee' is not a quasi-identifier. Did you mean 'age'"):
        shoal.anonymize(people, quasi_identifiers=["age", "sex"], privacy=KCombinations(2, keys=("agee+sex",)))


@pytest.mark.parametrize("keys", ["age+sex, zip", ["age+sex", "zip"], (("age", "sex"), ("zip",))], ids=str)
def test_combinations_are_named_by_texts_or_lists(keys: str | list[str] | tuple[tuple[str, ...], ...]) -> None:
    assert KCombinations(3, keys=keys) == KCombinations.parse("3:age+sex,zip")
    assert KCombinations(3, keys=keys).keys == (("age", "sex"), ("zip",))


def test_too_many_combinations_are_refused() -> None:
    wide = coded({f"c{i}": [0, 1] for i in range(40)}, [f"c{i}" for i in range(40)])
    with pytest.raises(InputError, match=r"Every 20 of 40 columns are 137,846,528,820 combinations"):
        KCombinations(2, every=20).refuse(wide)


def test_proofs_that_do_not_cover_such_promises_are_refused() -> None:
    goal = goal_of(AverageRisk(0.2))
    with pytest.raises(InputError, match=r"cannot promise average risk 0.2; choose 'lattice'"):
        KOptimize().refuse(_lattice(), Goal(goal.promises, DM()))
    with pytest.raises(InputError, match="A certificate needs promises about each class by itself"):
        require_certifiable(_lattice(), goal, 60)


def test_whole_runs_check_and_tell_them() -> None:
    dice = np.random.default_rng(1)
    people = pl.DataFrame(
        {"age": dice.integers(20, 60, 200), "zip": dice.integers(0, 9, 200), "sex": dice.integers(0, 2, 200)}
    )
    found = shoal.anonymize(
        people,
        quasi_identifiers=["age", "zip", "sex"],
        privacy={"average-risk": 0.1, "risk_share": "0.2,0.05", "k-combinations": "3:2", "largest-risk": 0.5},
        algorithm="lattice",
        suppression_limit=0.1,
        hierarchies={"age": "intervals:width=10", "zip": "intervals:width=3"},
        seed=1,
    )
    assert [verdict.holds for verdict in found.verdicts] == [True] * 4
    again = shoal.verify(
        found.to_frame(), quasi_identifiers=["age", "zip", "sex"], privacy={"average-risk": 0.1, "largest-risk": 0.5}
    )
    assert again.holds
    sizes = found.to_frame().group_by("age", "zip", "sex").len()["len"]
    assert again.verdicts[0].achieved == pytest.approx(len(sizes) / sizes.sum())
    assert again.verdicts[1].achieved == pytest.approx(1 / sizes.min())
    stricter = shoal.verify(people, quasi_identifiers=["age", "zip", "sex"], privacy={"average-risk": 0.1})
    assert not stricter.holds


def test_with_a_memory_limit_what_wants_the_rows_is_refused_in_a_sentence(tmp_path) -> None:
    pl.DataFrame({"age": [1, 1, 2, 2]}).write_csv(tmp_path / "a.csv")
    with pytest.raises(InputError, match="can only be judged with all rows in memory"):
        shoal.anonymize_file(
            tmp_path / "a.csv",
            tmp_path / "b.csv",
            quasi_identifiers=["age"],
            privacy={"household-risk": 0.5},
            memory="1GiB",
        )


PEOPLE = pl.DataFrame({"age": [*range(20, 30)] * 4, "sex": [0, 1] * 20})


@pytest.mark.parametrize("privacy", ["population-uniqueness", "estimated-k-map"])
def test_a_population_that_is_only_a_number(privacy: str) -> None:
    said = {"population-uniqueness": "0.05", "estimated-k-map": "3"}[privacy]
    words: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "privacy": {privacy: said}}
    found = shoal.anonymize(PEOPLE, population=4000, algorithm="lattice", seed=1, **words)
    assert found.verdicts[0].holds
    assert "of 4,000 people" in found.verdicts[0].promise
    assert shoal.verify(found.to_frame(), population=4000, **words).holds
    with pytest.raises(InputError, match=r"a population of 30 is smaller than the 40 people in the table"):
        shoal.anonymize(PEOPLE, population=30, **words)
    with pytest.raises(
        InputError, match=r"needs the number of people the rows were sampled from; give it as population"
    ):
        shoal.anonymize(PEOPLE, **words)
    with pytest.raises(
        InputError, match=r"needs the number of people the rows were sampled from; give it as population"
    ):
        shoal.verify(PEOPLE, **words)
    with pytest.raises(InputError, match=r"The population must be at least 1, got 0"):
        shoal.anonymize(PEOPLE, population=0, **words)


def test_a_population_that_is_a_table_says_its_number() -> None:
    everybody = pl.concat([PEOPLE] * 5)
    found = shoal.anonymize(
        PEOPLE, quasi_identifiers=["age", "sex"], privacy={"estimated-k-map": 3}, population=everybody, seed=1
    )
    assert "of 200 people" in found.verdicts[0].promise


def test_the_command_line_and_job_files_take_a_number(tmp_path, capsys) -> None:
    from shoal.cli import main

    PEOPLE.write_csv(tmp_path / "people.csv")
    said = ["--quasi", "age,sex", "--sample-uniqueness", "0.1", "--population-uniqueness", "0.1:zayatz"]
    out = str(tmp_path / "out.csv")
    assert main(["anonymize", str(tmp_path / "people.csv"), *said, "--population", "4000", "-o", out, "--quiet"]) == 0
    (tmp_path / "job.toml").write_text(
        'input = "people.csv"\noutput = "job.csv"\nquasi_identifiers = ["age", "sex"]\npopulation = 4000\n'
        '[privacy]\nsample-uniqueness = 0.1\nestimated_k_map = "3:poisson"\n'
    )
    assert main(["run", str(tmp_path / "job.toml")]) == 0


@pytest.mark.parametrize("promise", [AverageRisk(0.2), SampleUniqueness(0.05), KCombinations(3, every=2)], ids=str)
@pytest.mark.parametrize("limit", [0.0, 0.2])
def test_the_lattice_keeps_promises_about_people(promise: ReleaseModel, limit: float) -> None:
    table = _lattice(n=40, seed=5)
    table = table.with_people((np.arange(40) // 2).astype(np.int32))
    goal = Goal((promise.of_people(),), LM(), limit)
    done = run(Lattice(), table, goal)
    assert goal.promises[0].check(done.release).holds
    assert done.release.n_suppressed <= limit * 40
    for claim in done.release.claims:
        assert claim.check(done.release, done.frame).holds
