"""Every measure against its slow twin, on releases of all kinds; 0 on the table itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from naive import utility as naive
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish, published_order
from shoal.core.table import Table
from shoal.utility import ALL, Correlations, CountQueries, Marginals, Pairs, PeopleQueries, SumQueries
from shoal.utility.learning import some_people
from shoal.utility.queries import SANITY, queries
from shoal.utility.spread import Spread, bins_of, points_of
from support.strategies import releases, tables
from support.tables import coded, partitioned


def _seen(release: Release) -> Spread:
    return Spread(publish(release, Randomness(3)))


def _points(table: Table) -> list[list[float]]:
    return [np.nan_to_num(points_of(column.domain)).tolist() for column in table.quasi]


@pytest.mark.parametrize("name", ALL)
@given(table=tables(12, 3))
def test_nothing_is_lost_by_the_table_itself(name: str, table: Table) -> None:
    assert ALL[name]().measure(table, _seen(Release.identity(table))) in (None, pytest.approx(0, abs=1e-9))


@given(release=releases(12), dimensions=st.integers(1, 3))
def test_counts(release: Release, dimensions: int) -> None:
    assume(release.n_records > 0)
    table, spread = release.table, _seen(release)
    before, after = naive.originals(table), naive.spread(spread.seen)
    errors = []
    for query in queries(table, 5, dimensions, 0.2, 1):
        right, answer = naive.count(before, query), naive.count(after, query)
        errors.append(abs(answer - right) / max(right, SANITY * table.n_rows))
    found = CountQueries(n_queries=5, dimensions=dimensions, selectivity=0.2).measure(table, spread)
    assert found == pytest.approx(np.mean(errors))


@given(release=releases(12), dimensions=st.integers(1, 3), shows_people=st.booleans(), data=st.data())
def test_counts_of_people(release: Release, dimensions: int, shows_people: bool, data: st.DataObject) -> None:
    assume(release.n_records > 0)
    n_rows = release.table.n_rows
    drawn = data.draw(st.lists(st.integers(0, 4), min_size=n_rows, max_size=n_rows))
    table = release.table.with_people(np.unique(drawn, return_inverse=True)[1].astype(np.int32))
    whose = table.people[release.owners[published_order(release, Randomness(3))]]  # type: ignore[index]
    spread = Spread(publish(release, Randomness(3)), whose if shows_people else None)
    after, errors = naive.spread(spread.seen), []
    for query in queries(table, 5, dimensions, 0.2, 1):
        right = naive.people_inside(table, query)
        if shows_people:
            answer = naive.people_guessed(spread.seen, whose.tolist(), query)
        else:
            answer = naive.count(after, query) / (n_rows / table.n_people)
        errors.append(abs(answer - right) / max(right, SANITY * table.n_people))
    found = PeopleQueries(n_queries=5, dimensions=dimensions, selectivity=0.2).measure(table, spread)
    assert found == pytest.approx(np.mean(errors))


def test_the_rows_of_a_person_are_held_out_together() -> None:
    rows = coded({"a": list(range(20))}, ["a"])
    people = np.repeat(np.arange(5), 4).astype(np.int32)
    held_out = some_people(rows.with_people(people), 0.4, Randomness(1))
    assert {np.unique(held_out[people == who]).size for who in range(5)} == {1}
    assert held_out.sum() == 8
    assert some_people(rows, 0.4, Randomness(1)).sum() == 8


@given(release=releases(12))
def test_marginals_pairs_and_correlations(release: Release) -> None:
    assume(release.n_records > 0)
    table, spread = release.table, _seen(release)
    before, after = naive.originals(table), naive.spread(spread.seen)
    columns = [naive.variation(naive.marginal(before, j), naive.marginal(after, j)) for j in range(table.n_quasi)]
    assert Marginals().measure(table, spread) == pytest.approx(np.mean(columns))
    assert all(column.domain.n_leaves <= 20 for column in table.quasi)
    pairs = [naive.variation(naive.pair(before, *ab), naive.pair(after, *ab)) for ab in naive.pairs_of(table.n_quasi)]
    assert Pairs().measure(table, spread) == (pytest.approx(np.mean(pairs)) if pairs else None)


def test_sums_of_a_quasi_identifier_and_correlations_by_hand() -> None:
    table = coded({"age": [20, 30, 40, 50], "pay": [1, 2, 4, 9]}, ["age", "pay"])
    release = partitioned(table, [[0, 1], [2, 3]])
    spread, points = _seen(release), _points(table)
    before, after = naive.originals(table), naive.spread(spread.seen)
    wanted = abs(naive.correlation(before, points, 0, 1) - naive.correlation(after, points, 0, 1))
    assert Correlations().measure(table, spread) == pytest.approx(wanted)
    assert wanted > 0.05
    errors = []
    for query in queries(table, 20, 2, 0.3, 1):
        right, answer = (naive.total(world, query, points[1], 1) for world in (before, after))
        errors.append(abs(answer - right) / max(abs(right), SANITY * 16))
    found = SumQueries(of="pay", n_queries=20, selectivity=0.3).measure(table, spread)
    assert found == pytest.approx(np.mean(errors))
    assert found is not None
    assert found > 0


def test_sums_of_a_column_that_is_published_as_it_is() -> None:
    table = coded({"age": [20, 30, 40, 50], "pay": [1, 2, 4, 3]}, ["age"], others=("pay",))
    spread = _seen(partitioned(table, [[0, 1], [2, 3]]))
    found = SumQueries(n_queries=1, dimensions=1, selectivity=1.0).measure(table, spread)
    assert found == pytest.approx(0)  # everybody together is right, whatever the cells are
    half = SumQueries(n_queries=40, dimensions=1, selectivity=0.25).measure(table, spread)
    assert half == pytest.approx(_by_hand(table), abs=0.2)
    assert half is not None
    assert half > 0.1


def _by_hand(table: Table) -> float:
    """One age each: 1 and 2 are taken for 1.5, 4 and 3 for 3.5."""
    return float(np.mean([0.5 / 1, 0.5 / 2, 0.5 / 4, 0.5 / 3]))


def test_a_table_without_numbers_has_no_sums_and_one_column_no_pairs() -> None:
    table = coded({"town": ["a", "b", "a"]}, ["town"])
    spread = _seen(Release.identity(table))
    assert SumQueries().measure(table, spread) is None
    assert Pairs().measure(table, spread) is None
    assert Correlations().measure(table, spread) is None


@given(st.lists(st.integers(0, 60), min_size=1, max_size=200))
def test_bins_are_runs_of_values_and_hold_all(values: list[int]) -> None:
    domain = coded({"n": values}, ["n"]).quasi[0].domain
    bins, n_bins = bins_of(domain, 7)
    assert n_bins == min(7, domain.n_leaves)
    assert (np.diff(bins[np.argsort(domain.points)]) >= 0).all()
    assert bins.min() >= 0
    assert bins.max() < n_bins


def test_queries_are_the_same_for_the_same_seed_and_differ_for_another() -> None:
    table = coded({"a": list(range(20)), "b": list("abcdefghij" * 2)}, ["a", "b"])

    def drawn(seed: int) -> list[object]:
        return [(q.columns, [w.tolist() for w in q.wanted]) for q in queries(table, 5, 2, 0.1, seed)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
