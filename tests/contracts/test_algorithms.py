"""What every algorithm owes, with every promise it serves, on every kind of table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.algorithms import ALL, Mondrian
from shoal.core.contracts import Algorithm, Goal, PrivacyModel
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import InputError, ShoalError
from shoal.models import ALL as MODELS
from support import promises as asked
from support.promises import entry
from support.published import expected_rows, keeps, run
from support.shapes import SHAPES
from support.strategies import tables
from support.tables import coded, goal_of, reordered

VARIANTS: Mapping[str, Sequence[Algorithm]] = {"mondrian": (Mondrian(), Mondrian(relaxed=True))}
"""The ways to run an algorithm that are worth testing; one that is not listed is run with its defaults."""


def _variants() -> list[Algorithm]:
    return [variant for name, made in ALL.items() for variant in VARIANTS.get(name, (made(),))]


def _served(algorithm: Algorithm) -> list[tuple[str, ...]]:
    """Each model the algorithm serves, and all of them together."""
    names = [name for name, model in MODELS.items() if issubclass(model, algorithm.serves)]
    together = [tuple(names)] if len(names) > 1 else []
    return [*((name,) for name in names), *together]


CASES = [
    pytest.param(algorithm, models, id=f"{algorithm} {' and '.join(models)}")
    for algorithm in _variants()
    for models in _served(algorithm)
]
every_case = pytest.mark.parametrize(("algorithm", "models"), CASES)


def _possible(model: str, table: Table) -> list[PrivacyModel]:
    return entry("POSSIBLE of tests/support/promises.py", asked.POSSIBLE, model)(table)


def _extreme_goals(models: Sequence[str], table: Table) -> list[Goal]:
    """Ask for the least, for a little, and for the most that is possible: k = 1, 2, n."""
    asks = [_possible(model, table) for model in models]
    return [goal_of(*(ask[min(at, len(ask) - 1)] for ask in asks)) for at in (0, 1, 10**9)]


def _draw_goal(data: st.DataObject, models: Sequence[str], table: Table) -> Goal:
    return goal_of(*(data.draw(st.sampled_from(_possible(model, table))) for model in models))


def _check(algorithm: Algorithm, table: Table, goal: Goal) -> None:
    """All that is owed by a single run."""
    done = run(algorithm, table, goal)
    for promise in goal.promises:
        assert keeps(promise, done), f"{promise} does not hold in what is printed"
        assert promise.check(done.release).holds, f"{promise} does not hold by its own check"
    _check_owners(table, done.release.owners.tolist(), goal)
    for j, cells in enumerate(done.release.cells):
        for shape, owner in zip(done.release.shapes, done.release.owners, strict=True):
            assert int(table.codes[j, owner]) in set(cells.leaves(int(cells.ids[shape])).tolist())
    assert tuple(done.frame.columns) == table.order
    printed = Counter(tuple(_text(v) for v in row) for row in done.frame.iter_rows())
    assert printed == Counter({tuple(_text(v) for v in row): n for row, n in expected_rows(done.release).items()})


def _text(value: object) -> str | None:
    """A column of exact cells keeps its type; print it to compare with labels."""
    return None if value is None else str(value)


def _check_owners(table: Table, owners: list[int], goal: Goal) -> None:
    assert len(set(owners)) == len(owners), "a row owns two records"
    assert set(owners) <= set(range(table.n_rows))
    assert table.n_rows - len(owners) <= goal.suppression_limit * table.n_rows, "too many rows are suppressed"


@pytest.mark.parametrize("shape", SHAPES)
@every_case
def test_known_shapes(algorithm: Algorithm, models: Sequence[str], shape: str) -> None:
    table = SHAPES[shape]()
    for goal in _extreme_goals(models, table):
        _check(algorithm, table, goal)


@every_case
@given(table=tables(), data=st.data())
def test_random_tables(algorithm: Algorithm, models: Sequence[str], table: Table, data: st.DataObject) -> None:
    _check(algorithm, table, _draw_goal(data, models, table))


@every_case
@given(table=tables(20), data=st.data())
def test_passengers_travel_with_their_rows(
    algorithm: Algorithm, models: Sequence[str], table: Table, data: st.DataObject
) -> None:
    done = run(algorithm, table, _draw_goal(data, models, table))
    kept = table.passengers[done.release.owners]
    for name in table.passengers.columns:
        assert Counter(done.frame[name]) == Counter(kept[name])
    assert Counter(done.frame.select(kept.columns).iter_rows()) == Counter(kept.iter_rows())


@pytest.mark.parametrize("shape", SHAPES)
@every_case
def test_only_allowed_columns_are_published(algorithm: Algorithm, models: Sequence[str], shape: str) -> None:
    table = SHAPES[shape]()
    done = run(algorithm, table, _extreme_goals(models, table)[0])
    allowed = {column.name for column in table.quasi} | {"illness", "note"}
    assert set(done.frame.columns) == allowed
    assert not any("person" in str(value) for row in done.frame.iter_rows() for value in row)


@every_case
@given(table=tables(20), data=st.data(), seed=st.integers(0, 2**70))
def test_same_seed_same_table(
    algorithm: Algorithm, models: Sequence[str], table: Table, data: st.DataObject, seed: int
) -> None:
    goal = _draw_goal(data, models, table)
    assert run(algorithm, table, goal, seed).frame.equals(run(algorithm, table, goal, seed).frame)


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "one row"])
@every_case
def test_other_seeds_other_orders(algorithm: Algorithm, models: Sequence[str], shape: str) -> None:
    table = SHAPES[shape]()
    goal = _extreme_goals(models, table)[0]
    orders = {tuple(run(algorithm, table, goal, seed).frame["note"]) for seed in range(4)}
    assert len(orders) == 4


@every_case
@given(table=tables(20), data=st.data())
def test_the_input_is_left_alone(
    algorithm: Algorithm, models: Sequence[str], table: Table, data: st.DataObject
) -> None:
    arrays: list[npt.NDArray[Any]] = [table.codes, *(column.codes for column in table.sensitive)]
    for column in table.quasi:
        nested = column.recoding.nested
        arrays += [column.domain.counts, column.domain.points, nested.low, nested.high]
    before, passengers = [array.copy() for array in arrays], table.passengers.clone()
    run(algorithm, table, _draw_goal(data, models, table))
    for old, new in zip(before, arrays, strict=True):
        np.testing.assert_array_equal(old, new)
    assert table.passengers.equals(passengers)


@every_case
@given(table=tables(20), data=st.data())
def test_the_order_of_rows_and_columns_breaks_no_promise(
    algorithm: Algorithm, models: Sequence[str], table: Table, data: st.DataObject
) -> None:
    goal = _draw_goal(data, models, table)
    rows = data.draw(st.permutations(range(table.n_rows)))
    columns = data.draw(st.permutations(range(table.n_quasi)))
    _check(algorithm, reordered(table, rows, columns), goal)


@pytest.mark.parametrize("shape", SHAPES)
@every_case
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
