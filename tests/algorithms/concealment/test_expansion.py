"""(k,1)-anonymity: the exact roll-up against all sets of rows, the greedy expansion against the paper's text."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import conceal_steps as naive
from naive.concealment import fitting
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.expansion import cheapest_closures, expanded, greedy, grown, singles
from shoal.algorithms.concealment.optimal import optimal
from shoal.core.contracts import Metric
from shoal.core.hierarchy import Hierarchy
from shoal.core.progress import Silent
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.io.encode import encode
from shoal.kernels.planes import KIND, TABLE, WIDTH
from shoal.metrics import LM, Entropy
from support.drafts import boxes, closed, graph, laid
from support.strategies import partitions, tables
from support.tables import coded, groups_of, single

NODES = ("tree", "suppress")
METRICS = st.sampled_from([LM(), Entropy()])

UNBALANCED = Hierarchy.from_dict({"left": ["1", "2"], "right": {"deep": ["4", "5"], "3": ["3"]}})
"""The sixth column of the paper's artificial data: 4 and 5 lie three steps below the root, the others two."""


@given(tables(8, 3, NODES), METRICS, st.data())
def test_nothing_costs_less_than_the_roll_up(table: Table, metric: Metric, data: st.DataObject) -> None:
    field = laid(table, metric)
    k = data.draw(st.integers(1, min(4, table.n_rows)))
    draft, is_proven = optimal(field, k)
    assert is_proven
    assert draft.costs().tolist() == naive.cheapest(naive.Plain(field), k)
    assert min(fitting(graph(draft))[1]) >= k


def test_branches_of_different_length() -> None:
    """The node right of the root has to be found from 3, one step below it, with the rows of 4 and 5 inside."""
    field = laid(single(["1", "1", "2", "2", "3", "4", "5"], hierarchies={"q": UNBALANCED}))
    draft, _ = optimal(field, 3)
    assert draft.costs().tolist() == naive.cheapest(naive.Plain(field), 3)
    assert {len(cell) for (cell,) in boxes(draft)} == {2, 3}


def test_a_draft_to_start_from_is_kept_where_nothing_is_found() -> None:
    field = laid(single(["1", "1", "2", "3", "4", "5"], hierarchies={"q": UNBALANCED}))
    start = greedy(field, 2)
    stopped, is_proven = optimal(field, 2, start, work=1)
    assert not is_proven
    assert boxes(stopped) == boxes(start)
    better, is_proven = optimal(field, 2, start)
    assert is_proven
    assert better.loss <= start.loss


@given(tables(9), st.data())
def test_greedy_is_algorithm_2(table: Table, data: st.DataObject) -> None:
    field = laid(table)
    k = data.draw(st.integers(1, table.n_rows))
    assert boxes(greedy(field, k)) == boxes(closed(field, naive.expand(naive.Plain(field), k)))


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    ("metric", "forms"), [(LM(), "sets tree range"), (LM(), "sets sets2"), (Entropy(), "range tree")]
)
def test_greedy_where_the_tree_of_rows_is_deep(seed: int, metric: Metric, forms: str) -> None:
    """What lies behind a node of the tree is left out only where it costs too much; small tables have no nodes."""
    chance, n = np.random.default_rng(seed), 40
    columns = {form: chance.integers(0, 20, n).tolist() for form in forms.split()}
    trees = {"tree": Hierarchy.from_dict({f"{i}s": [i, i + 1, i + 2, i + 3] for i in range(0, 20, 4)})}
    kept = {form: tree for form, tree in trees.items() if form in columns}
    recodings = {form: form.rstrip("2") for form in columns}
    field = laid(coded(columns, [*columns], recodings=recodings, hierarchies=kept), metric)
    assert field.tree.rights.size > 7
    assert boxes(greedy(field, 4)) == boxes(closed(field, naive.expand(naive.Plain(field), 4)))


@given(tables(9), st.data())
def test_large_trees_are_climbed(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    with patch("shoal.core.tariff._MOST_JOINS", 0):
        field = laid(table)
    assert TABLE not in field.tariff.planes[KIND, :-1]
    assert boxes(greedy(field, k)) == boxes(closed(field, naive.expand(naive.Plain(field), k)))


@given(st.lists(st.integers(0, 1499), min_size=2, max_size=9), st.data())
def test_greedy_where_a_tree_has_many_leaves(values: list[int], data: st.DataObject) -> None:
    """Its meetings are not tabulated."""
    halves = {half: {f"{half}{i}": [str(v) for v in range(i, i + 10)] for i in range(at, at + 750, 10)}
              for half, at in (("low", 0), ("high", 750))}  # fmt: skip
    field = laid(single([str(v) for v in values], hierarchies={"q": Hierarchy.from_dict(halves)}))
    assert field.tariff.planes[WIDTH, 0] == 1500
    k = data.draw(st.integers(1, len(values)))
    assert boxes(greedy(field, k)) == boxes(closed(field, naive.expand(naive.Plain(field), k)))


def test_greedy_where_a_range_has_many_values() -> None:
    chance = np.random.default_rng(1)
    rows = np.column_stack([chance.permutation(1100), chance.integers(0, 40, 1100)])
    frame = pl.DataFrame(rows, schema=["wide", "narrow"], orient="row")
    field = laid(encode(frame, Schema(("wide", "narrow"))).table)
    apart = np.abs(rows[:, None] - rows[None]) / np.ptp(rows, axis=0)
    np.fill_diagonal(apart[:, :, 0], np.inf)
    assert greedy(field, 2).loss == pytest.approx(apart.mean(axis=2).min(axis=1).mean())


@given(tables(8, 3), st.data())
def test_greedy_loses_at_most_k_minus_1_times_the_least(table: Table, data: st.DataObject) -> None:
    """Proposition 13: LM is monotone and sub-additive."""
    field = laid(table)
    k = data.draw(st.integers(2, min(4, table.n_rows))) if table.n_rows > 1 else 1
    least = np.array(naive.cheapest(naive.Plain(field), k))
    costs = greedy(field, k).costs()
    assert (costs >= least).all()
    assert (costs <= max(1, k - 1) * least + table.n_quasi * k).all(), "but for the rounding of prices"
    assert min(fitting(graph(greedy(field, k)))[1]) >= k


@given(tables(9), st.data())
def test_any_draft_can_be_grown(table: Table, data: st.DataObject) -> None:
    field = laid(table)
    k = data.draw(st.integers(1, table.n_rows))
    start = Draft.of_groups(field, groups_of(data.draw(partitions(table.n_rows, may_suppress=False))))
    wider = grown(start, k)
    assert min(fitting(graph(wider))[1]) >= k
    for before, after in zip(boxes(start), boxes(wider), strict=True):
        assert all(a <= b for a, b in zip(before, after, strict=True))


@given(tables(12))
def test_singles_hold_their_row(table: Table) -> None:
    assert boxes(singles(laid(table))) == [tuple(frozenset([int(c)]) for c in row) for row in table.codes.T]


@given(tables(12), METRICS, st.data())
def test_groups_are_closed_and_priced_as_everywhere(table: Table, metric: Metric, data: st.DataObject) -> None:
    forms = {column.recoding.name for column in table.quasi}
    if metric.name == "entropy" and "sets" in forms:
        with pytest.raises(InputError, match="use lm"):
            laid(table, metric)
        return
    groups = groups_of(data.draw(partitions(table.n_rows, may_suppress=False)))
    draft, release = Draft.of_groups(laid(table, metric), groups), Release.from_groups(table, groups)
    assert metric.score(draft.release()) == pytest.approx(metric.score(release))
    everything = Draft.of_groups(draft.field, groups_of([[*range(table.n_rows)]]))
    assert draft.loss == pytest.approx(metric.score(release) / _unit(everything, metric), abs=1e-6)


def _unit(everything: Draft, metric: Metric) -> float:
    """What a suppressed record costs in the metric's own unit."""
    return metric.score(everything.release()) / everything.loss if everything.loss else 1.0


@given(tables(8, 3), st.data())
def test_nothing_costs_less_than_algorithm_1_with_ranges_and_sets(table: Table, data: st.DataObject) -> None:
    field = laid(table)
    k = data.draw(st.integers(1, min(4, table.n_rows)))
    draft = cheapest_closures(field, k)
    assert draft.costs().tolist() == naive.cheapest(naive.Plain(field), k)
    assert min(fitting(graph(draft))[1]) >= k
    assert all(row in records for row, records in enumerate(graph(draft)))


def test_algorithm_1_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    field = laid(single([1, 2, 4, 8, 9, 11, 30, 31]))
    whole = boxes(cheapest_closures(field, 3))
    monkeypatch.setattr("shoal.algorithms.concealment.expansion._SETS_AT_ONCE", 5)
    assert boxes(cheapest_closures(field, 3)) == whole
    assert cheapest_closures(field, 3).loss <= greedy(field, 3).loss


def test_the_optimum_needs_hierarchies_or_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    field = laid(single([1, 2, 3, 4]))
    assert boxes(expanded(field, 2, "optimal", Silent())) == boxes(cheapest_closures(field, 2))
    monkeypatch.setattr("shoal.algorithms.concealment.expansion.MOST_SUBSETS", 5)
    with pytest.raises(InputError, match="4 rows have 6; give hierarchies"):
        expanded(field, 2, "optimal", Silent())
    assert boxes(expanded(field, 2, "auto", Silent())) == boxes(greedy(field, 2))


def test_the_optimum_by_its_name_says_when_it_was_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    field = laid(single(["1", "1", "2", "3", "4", "5"], hierarchies={"q": UNBALANCED}))
    monkeypatch.setattr("shoal.algorithms.concealment.expansion.MOST_WORK", 1)
    with pytest.raises(InputError, match="use expansion='auto'"):
        expanded(field, 2, "optimal", Silent())
    monkeypatch.setattr("shoal.algorithms.concealment.expansion._TRIAL", 1)
    assert boxes(expanded(field, 2, "auto", Silent())) == boxes(greedy(field, 2))
