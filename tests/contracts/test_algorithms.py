"""What every algorithm owes, with every promise it serves, on every kind of table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive.plain import records_of
from shoal.algorithms import ALL, Blocked, Clustering, Concealment, Microaggregation, Mondrian
from shoal.core.contracts import Algorithm, Goal, PrivacyModel
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.recoding import Suppress
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError, ShoalError
from shoal.models import ALL as MODELS
from support import promises as asked
from support.effort import examples
from support.promises import entry
from support.published import Run, expected, keeps, printed, run
from support.shapes import SHAPES
from support.strategies import tables
from support.tables import coded, goal_of, reordered

VARIANTS: Mapping[str, Sequence[Algorithm]] = {
    "mondrian": (Mondrian(), Mondrian(relaxed=True)),
    "clustering": (Clustering(steps=100),),
    "concealment": (Concealment(steps=100), Concealment(linkage=1, randomized=True, block=20)),
    "blocked": (Blocked(rows=6), Blocked("nonhomogeneous", rows=6, by="curve")),
    "microaggregation": (Microaggregation(steps=300), Microaggregation("mdav", "median", block=4)),
}
"""The ways to run an algorithm that are worth testing; one that is not listed is run with its defaults."""

LIMITED = {"column-generation", "factor"}
"""Algorithms for some goals and columns only, whose ``refuse`` turns others down; the rest has to serve all."""

NESTED = {"column-generation"}
"""Algorithms for columns with hierarchies only: values of others are kept or starred."""

SIZES = {"largest-risk", "estimated-k-map"}
"""Models that ask algorithms for a size of classes, as k-anonymity does, which stands for them here."""


def _variants() -> list[Algorithm]:
    return [variant for name, made in ALL.items() for variant in VARIANTS.get(name, (made(),))]


def _served(algorithm: Algorithm) -> list[tuple[str, ...]]:
    """Each model the algorithm serves, and all of them together; nothing is randomized under a bound on chances."""
    names = [name for name, model in MODELS.items() if issubclass(model, algorithm.serves) and name not in SIZES]
    if not algorithm.asks_about_cells:
        names = [name for name in names if not getattr(MODELS[name], "judges_cells", False)]
    if getattr(algorithm, "randomized", False):
        names.remove("linkage-bound")
    together = [tuple(names)] if len(names) > 1 else []
    return [*((name,) for name in names), *together]


CASES = [
    pytest.param(algorithm, models, id=f"{algorithm} {' and '.join(models)}")
    for algorithm in _variants()
    for models in _served(algorithm)
]
few = settings(max_examples=examples(1 / 3))
"""There are many cases: each algorithm by each model."""

every_case = pytest.mark.parametrize(("algorithm", "models"), CASES)


def _pairs(case: int, shape: str) -> set[tuple[str, str]]:
    """The algorithm with the shape, and each model with it."""
    algorithm, models = CASES[case].values
    return {(str(one), shape) for one in (algorithm, *models)}


def _chosen() -> set[tuple[int, str]]:
    """One shape for each case in turn, and more until every algorithm and every model meets every shape."""
    every = [(case, shape) for case in range(len(CASES)) for shape in SHAPES]
    chosen = {(case, shape) for at, shape in enumerate(SHAPES) for case in range(at, len(CASES), len(SHAPES))}
    met = {pair for one in chosen for pair in _pairs(*one)}
    for one in every:
        if not _pairs(*one) <= met:
            chosen.add(one)
            met |= _pairs(*one)
    return chosen


OFTEN = _chosen()
"""What is tested every time; the other cases by shape are tested every night."""

EVERY_SHAPE = [
    pytest.param(
        *case.values, shape, id=f"{case.id}-{shape}", marks=() if (at, shape) in OFTEN else pytest.mark.nightly
    )
    for at, case in enumerate(CASES)
    for shape in SHAPES
]
every_shape = pytest.mark.parametrize(("algorithm", "models", "shape"), EVERY_SHAPE)


def _possible(model: str, table: Table) -> list[PrivacyModel]:
    return entry("POSSIBLE of tests/support/promises.py", asked.POSSIBLE, model)(table)


def _extreme_goals(models: Sequence[str], table: Table) -> list[Goal]:
    """Ask for the least, for a little, and for the most that is possible: k = 1, 2, n."""
    asks = [_possible(model, table) for model in models]
    goals = [goal_of(*(ask[min(at, len(ask) - 1)] for ask in asks)) for at in (0, 1, 10**9)]
    return [goal for at, goal in enumerate(goals) if goal not in goals[:at]]


def _draw_goal(data: st.DataObject, models: Sequence[str], table: Table) -> Goal:
    return goal_of(*(data.draw(st.sampled_from(_possible(model, table))) for model in models))


def _with_cells_for(algorithm: Algorithm, table: Table) -> Table:
    """The table, with columns recoded as the algorithm needs them."""
    if algorithm.name not in NESTED:
        return table
    return replace(
        table,
        quasi=tuple(
            column if column.recoding.closes_to_nodes else replace(column, recoding=Suppress(column.domain))
            for column in table.quasi
        ),
    )


def _is_beyond(algorithm: Algorithm, table: Table, goal: Goal) -> bool:
    """Whether a limited algorithm turns a goal down."""
    if algorithm.name not in LIMITED:
        return False
    try:
        algorithm.refuse(table, goal)
    except InputError:
        return True
    return False


def _check(algorithm: Algorithm, table: Table, goal: Goal) -> None:
    """All that a single run owes."""
    table = _with_cells_for(algorithm, table)
    if _is_beyond(algorithm, table, goal):
        return
    before = _snapshot(table)
    done = run(algorithm, table, goal)
    assert _snapshot(table) == before, "the run changed its input"
    for promise in goal.promises:
        assert keeps(promise, done), f"{promise} does not hold in what is printed"
        assert promise.check(done.release).holds, f"{promise} does not hold by its own check"
    for claim in (*algorithm.claims(table, goal), *done.release.claims):
        verdict = claim.check(done.release, done.frame)
        assert verdict.holds, str(verdict)
    _check_owners(done.release, goal)
    _check_columns(done)
    told = done.frame if done.publication.buckets is None else done.frame.drop(done.publication.order[-1])
    assert printed(told) == expected(done.release), "the cells are not printed as they are"
    assert done.frame.equals(run(algorithm, table, goal).frame), "the same seed gives another table"


def _snapshot(table: Table) -> list[object]:
    """Copies of all that an algorithm could change."""
    columns = [column.recoding.nested for column in table.quasi]
    arrays: list[npt.NDArray[Any]] = [table.codes, *(column.codes for column in table.sensitive)]
    arrays += [bound for nested in columns for bound in (nested.low, nested.high)]
    arrays += [column.domain.counts for column in table.quasi]
    return [*(array.tolist() for array in arrays), table.passengers.to_dict(as_series=False)]


def _check_owners(release: Release, goal: Goal) -> None:
    """Each record has an owner of its own, who lies inside its cells; no more rows are lost than is allowed."""
    table, owners = release.table, release.owners.tolist()
    assert len(set(owners)) == len(owners), "a row owns two records"
    assert set(owners) <= set(range(table.n_rows))
    assert table.n_rows - len(owners) <= goal.most_suppressed(table.n_rows), "too many rows are suppressed"
    for record in records_of(release):
        for j, leaves in enumerate(record.cells):
            assert int(table.codes[j, record.owner]) in leaves, "a record lies about its owner"


def _check_columns(done: Run) -> None:
    """Only the columns that may be published are; the sensitive and other values are those of the kept rows."""
    table, frame = done.table, done.frame
    kept = table.passengers[done.release.owners]
    if done.publication.buckets is not None:
        hidden = [column.name for column in table.sensitive]
        assert not set(hidden) & set(frame.columns), "sensitive values stand beside exact quasi-identifiers"
        frame, kept = frame.drop(done.publication.order[-1]), kept.drop(hidden)
        order = tuple(name for name in table.order if name not in hidden)
    else:
        order = table.order
    assert tuple(frame.columns) == order
    assert set(frame.columns) == {column.name for column in table.quasi} | set(kept.columns)
    assert Counter(frame.select(kept.columns).iter_rows()) == Counter(kept.iter_rows())


@every_shape
def test_known_shapes(algorithm: Algorithm, models: Sequence[str], shape: str) -> None:
    table = SHAPES[shape]()
    for goal in _extreme_goals(models, table):
        _check(algorithm, table, goal)


def test_every_algorithm_and_every_model_meets_every_shape_every_time() -> None:
    met = {pair for one in OFTEN for pair in _pairs(*one)}
    names = {str(algorithm) for algorithm in _variants()} | {name for case in CASES for name in case.values[1]}  # type: ignore[union-attr]
    assert met == {(name, shape) for name in names for shape in SHAPES}


@every_case
@few
@given(table=tables(), data=st.data())
def test_random_tables(algorithm: Algorithm, models: Sequence[str], table: Table, data: st.DataObject) -> None:
    _check(algorithm, table, _draw_goal(data, models, table))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("algorithm", _variants(), ids=str)
def test_identifiers_are_nowhere(algorithm: Algorithm, shape: str) -> None:
    table = _with_cells_for(algorithm, SHAPES[shape]())
    done = run(algorithm, table, _extreme_goals(_served(algorithm)[0], table)[0])
    assert "name" not in done.frame.columns
    assert not any("person" in str(value) for row in done.frame.iter_rows() for value in row)


@pytest.mark.parametrize("algorithm", _variants(), ids=str)
def test_other_seeds_other_orders(algorithm: Algorithm) -> None:
    table = _with_cells_for(algorithm, SHAPES["all distinct"]())
    goal = _extreme_goals(_served(algorithm)[0], table)[0]
    orders = {tuple(run(algorithm, table, goal, seed).frame["note"]) for seed in range(4)}
    assert len(orders) == 4


@every_case
@few
@given(table=tables(20), data=st.data())
def test_the_order_of_rows_and_columns_breaks_no_promise(
    algorithm: Algorithm, models: Sequence[str], table: Table, data: st.DataObject
) -> None:
    table, goal = _with_cells_for(algorithm, table), _draw_goal(data, models, table)
    if _is_beyond(algorithm, table, goal):
        return
    rows = data.draw(st.permutations(range(table.n_rows)))
    columns = data.draw(st.permutations(range(table.n_quasi)))
    done = run(algorithm, reordered(table, rows, columns), goal)
    assert all(keeps(promise, done) for promise in goal.promises)


@every_shape
def test_impossible_goals_are_refused(algorithm: Algorithm, models: Sequence[str], shape: str) -> None:
    table = SHAPES[shape]()
    for model in models:
        for promise in entry("IMPOSSIBLE of tests/support/promises.py", asked.IMPOSSIBLE, model)(table):
            with pytest.raises(InputError):
                promise.refuse(table)
            with pytest.raises(ShoalError):
                algorithm.run(table, goal_of(promise), Randomness(0), Silent())


@every_case
def test_a_sensitive_column_is_demanded_where_one_is_needed(algorithm: Algorithm, models: Sequence[str]) -> None:
    table = coded({"age": [1, 2, 3]}, ["age"])
    for model in models:
        promise = entry("NEEDS_SENSITIVE of tests/support/promises.py", asked.NEEDS_SENSITIVE, model)
        if promise is not None:
            with pytest.raises(InputError, match="sensitive column"):
                promise.refuse(table)
            with pytest.raises(ShoalError):
                algorithm.run(table, goal_of(promise), Randomness(0), Silent())


@pytest.mark.parametrize("algorithm", _variants(), ids=str)
def test_says_what_it_is(algorithm: Algorithm) -> None:
    assert ALL[algorithm.name] is type(algorithm)
    assert algorithm.summary
    assert "\n" not in algorithm.summary
    assert _served(algorithm), "an algorithm serves at least one model"
    assert all(issubclass(model, PrivacyModel) for model in algorithm.serves)


@pytest.mark.parametrize("algorithm", _variants(), ids=str)
def test_refuses_what_it_does_not_serve(algorithm: Algorithm) -> None:
    class Unheard(PrivacyModel):
        name, flag, summary = "unheard", "u", "of nobody"

        def check(self, release: object) -> object:  # type: ignore[override]
            raise NotImplementedError

        @classmethod
        def parse(cls, text: str) -> Unheard:
            return cls()

        def __str__(self) -> str:
            return "something unheard of"

    if not isinstance(Unheard(), algorithm.serves):
        with pytest.raises(InputError, match="something unheard of"):
            algorithm.refuse(SHAPES["one row"](), goal_of(Unheard()))


def test_the_list_goes_by_name() -> None:
    assert all(name == made.name for name, made in ALL.items())
    assert set(VARIANTS) <= set(ALL), "a variant of an algorithm that is not there"
    assert set(LIMITED) <= set(ALL)


@pytest.mark.parametrize("name", sorted(LIMITED))
def test_a_limited_algorithm_still_serves_k_of_two_on_every_shape(name: str) -> None:
    for shape, make in SHAPES.items():
        table = _with_cells_for(ALL[name](), make())
        assert table.n_rows < 2 or not _is_beyond(ALL[name](), table, goal_of(MODELS["k-anonymity"].parse("2"))), shape
