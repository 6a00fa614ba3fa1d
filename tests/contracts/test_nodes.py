"""What every metric owes that scores nodes of the generalization lattice: the score of the release, and true bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive.plain import classes_of, records_of
from shoal.core.arrays import Flags
from shoal.core.groups import Groups
from shoal.core.node import Node
from shoal.core.table import Table
from shoal.metrics import ALL
from support.effort import examples
from support.strategies import tables
from support.suppression import ignores_suppression

few = settings(max_examples=examples(1 / 3))
every_metric = pytest.mark.parametrize("name", [name for name, metric in ALL.items() if metric.scores_nodes])


@st.composite
def nodes(draw: st.DrawFn, table: Table, above: Node | None = None, may_suppress: bool = True) -> Node:
    """A node, at or above another where one is given, with any of its classes suppressed but not all."""
    tops = [column.recoding.nested.n_levels - 1 for column in table.quasi]
    least = above.levels if above else (0,) * len(tops)
    levels = [draw(st.integers(low, top)) for low, top in zip(least, tops, strict=True)]

    def keep(groups: Groups) -> Flags:
        kept = draw(st.lists(st.booleans(), min_size=len(groups), max_size=len(groups)))
        return np.array(kept) if any(kept) else np.ones(len(groups), bool)

    return Node.of(table, levels, keep if may_suppress else None)


@few
@given(data=st.data())
def test_classes_of_a_node(data: st.DataObject) -> None:
    """Rows under the same nodes are together, and what is kept is published at those nodes."""
    table = data.draw(tables(20))
    node = data.draw(nodes(table))
    release = node.release()
    for record in records_of(release):
        for column, codes, leaves, level in zip(table.quasi, table.codes, record.cells, node.levels, strict=True):
            nested, code = column.recoding.nested, codes[record.owner]
            assert leaves == frozenset(range(int(nested.low[level, code]), int(nested.high[level, code]) + 1))
    assert sorted(map(len, classes_of(records_of(release)))) == sorted(node.sizes[node.kept].tolist())
    assert release.n_suppressed == node.n_suppressed == int(node.sizes[~node.kept].sum())
    assert release.n_records == table.n_rows - node.n_suppressed
    assert int(node.sizes.sum()) == table.n_rows


@every_metric
@few
@given(data=st.data())
def test_a_node_scores_as_its_release(name: str, data: st.DataObject) -> None:
    """The cells of ranges and sets do not say on which level they are, which some metrics go by: no such columns."""
    node = data.draw(nodes(data.draw(tables(20, forms=("tree", "suppress")))))
    assert ALL[name]().node_score(node) == pytest.approx(ALL[name]().score(node.release()), abs=1e-9)


@pytest.mark.parametrize("name", ["lm", "gcp", "dm", "aecs", "suppression"])
@few
@given(data=st.data())
def test_a_node_of_any_columns_scores_as_its_release(name: str, data: st.DataObject) -> None:
    node = data.draw(nodes(data.draw(tables(20))))
    assert ALL[name]().node_score(node) == pytest.approx(ALL[name]().score(node.release()), abs=1e-9)


@every_metric
@few
@given(data=st.data())
def test_bounds_hold_at_the_node_and_above_it(name: str, data: st.DataObject) -> None:
    metric, table = ALL[name](), data.draw(tables(20))
    node = data.draw(nodes(table))
    other = data.draw(nodes(table, above=node))
    (bounds,) = metric.node_bounds(table, np.array([node.levels], np.int32)).tolist()
    for key in (metric.node_key(node), metric.node_key(other)):
        assert _at_most(metric.node_floor(node), key)
        assert _at_most(tuple(bounds), key)


def _at_most(bound: tuple[float, ...], key: tuple[float, ...]) -> bool:
    """Lexicographically, but for rounding."""
    assert len(bound) == len(key)
    return bound <= tuple(entry + 1e-9 * max(1.0, abs(entry)) for entry in key)


@every_metric
@few
@given(data=st.data())
def test_monotone_along_the_lattice_if_it_says_so(name: str, data: st.DataObject) -> None:
    metric, table = ALL[name](), data.draw(tables(20))
    lower = data.draw(nodes(table, may_suppress=False))
    upper = data.draw(nodes(table, above=lower, may_suppress=False))
    if metric.is_monotone:
        assert metric.node_score(lower) <= metric.node_score(upper) + 1e-9


@every_metric
@few
@given(data=st.data())
def test_suppression_is_ignored_if_it_says_so(name: str, data: st.DataObject) -> None:
    metric, table = ALL[name](), data.draw(tables(20))
    node = data.draw(nodes(table))
    if ignores_suppression(metric):
        assert metric.node_score(node) == pytest.approx(metric.node_score(Node.of(table, node.levels)))
