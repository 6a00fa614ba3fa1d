"""Metrics on lattice nodes: the same as on what is published there, and never below their bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.nodes import WORDED, plain_node
from naive.plain import records_of
from shoal.core.arrays import Flags
from shoal.core.contracts import Metric
from shoal.core.groups import Groups
from shoal.core.hierarchy import Hierarchy
from shoal.core.node import Node
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.metrics import (
    AECS,
    ALL,
    DM,
    LM,
    Classification,
    DMStar,
    Height,
    LMGeometric,
    LMRank,
    NonUniformEntropy,
    Precision,
)
from support.strategies import laminar, places, tables
from support.suppression import ignores_suppression
from support.tables import coded

BY_WORDS: Mapping[str, Callable[[float], Metric]] = {
    "lm": LM,
    "lm_geometric": LMGeometric,
    "lm_rank": LMRank,
    "height": lambda split: Height(),
    "precision": Precision,
    "precision ignoring": lambda split: Precision(split, "ignored"),
    "dm": lambda split: DM(),
    "dm_star": lambda split: DMStar(),
    "aecs": AECS,
    "entropy ignoring": lambda split: NonUniformEntropy(split, "ignored"),
    "entropy two-step": lambda split: NonUniformEntropy(split, "two_step"),
}

VARIANTS: list[Metric] = [
    *(made() for made in ALL.values() if made.scores_nodes),
    *(made(split) for made in (LM, LMRank, Precision, NonUniformEntropy) for split in (0.0, 0.3, 0.8, 1.0)),
    AECS(0.3),
    AECS(0.8),
    Precision(suppressed="ignored"),
    *(NonUniformEntropy(split, how) for split in (0.3, 0.5, 0.8) for how in ("ignored", "two_step")),
    Classification("note"),
    Classification("q0"),
]


@st.composite
def treed(draw: st.DrawFn, max_rows: int = 14) -> Table:
    """A table whose quasi-identifiers all have hierarchies, of two values at least."""
    n_rows = draw(st.integers(1, max_rows))
    columns: dict[str, list[Any]] = {}
    hierarchies = {}
    for j in range(draw(st.integers(1, 3))):
        leaves = [f"v{i}" for i in range(draw(st.integers(2, 5)))]
        columns[f"q{j}"] = [leaves[place] for place in draw(places(n_rows, len(leaves)))]
        hierarchies[f"q{j}"] = draw(laminar(leaves))
    quasi = [*columns]
    columns["illness"] = [("flu", "gout", "cold")[place] for place in draw(places(n_rows, 3))]
    columns["note"] = [("x", None, "y")[place] for place in draw(places(n_rows, 3))]
    return coded(columns, quasi, sensitive=("illness",), others=("note",), hierarchies=hierarchies)


def _tops(table: Table) -> list[int]:
    return [column.recoding.nested.n_levels - 1 for column in table.quasi]


def _draw_node(data: st.DataObject, table: Table, least: Sequence[int] | None = None) -> Node:
    """Any levels (at least these), any classes kept."""
    lowest = least or [0] * table.n_quasi
    levels = [data.draw(st.integers(low, top)) for low, top in zip(lowest, _tops(table), strict=True)]

    def some(groups: Groups) -> Flags:
        return np.array(data.draw(st.lists(st.booleans(), min_size=len(groups), max_size=len(groups))), bool)

    return Node.of(table, levels, some)


def _published(node: Node) -> Sequence[bool]:
    kept: list[bool] = node.kept[node.row_classes].tolist()
    return kept


@given(table=treed(), data=st.data())
def test_a_node_is_what_it_publishes(table: Table, data: st.DataObject) -> None:
    node = _draw_node(data, table)
    release = node.release()
    assert release.n_suppressed == node.n_suppressed
    assert sorted(release.owners.tolist()) == [row for row, kept in enumerate(_published(node)) if kept]
    for record in records_of(release):
        for j, column in enumerate(table.quasi):
            nested, leaf = column.recoding.nested, int(table.codes[j, record.owner])
            low, high = nested.low[node.levels[j], leaf], nested.high[node.levels[j], leaf]
            assert record.cells[j] == frozenset(range(low, high + 1))


@given(table=treed(), data=st.data())
def test_a_release_knows_its_node(table: Table, data: st.DataObject) -> None:
    node = _draw_node(data, table)
    found = Node.of_release(node.release())
    if not node.kept.any():
        assert found is None
        return
    assert found is not None
    assert (found.levels, found.n_suppressed) == (node.levels, node.n_suppressed)
    assert _published(found) == _published(node)


def test_a_release_of_several_levels_has_no_node() -> None:
    table = coded({"q": ["a", "b"]}, ["q"], recodings={"q": "suppress"})
    assert Node.of_release(Release.identity(table)) is None


@given(table=treed(), data=st.data())
def test_nodes_score_as_their_releases(table: Table, data: st.DataObject) -> None:
    node = _draw_node(data, table)
    for metric in VARIANTS if node.kept.any() else ():
        assert metric.node_score(node) == pytest.approx(metric.score(node.release()), abs=1e-9), metric


@given(table=tables(20), data=st.data())
def test_nodes_of_ranges_and_sets_score_as_their_releases(table: Table, data: st.DataObject) -> None:
    """A range or set has two levels, value and star. (Height and DM* ignore suppression where levels are known.)"""
    node = _draw_node(data, table)
    for metric in [made() for name, made in ALL.items() if made.scores_nodes and name not in ("height", "dm_star")]:
        assert metric.node_score(node) == pytest.approx(metric.score(node.release()), abs=1e-9), metric


@given(table=treed(), data=st.data())
def test_nodes_score_as_the_words_say(table: Table, data: st.DataObject) -> None:
    split = data.draw(st.sampled_from([0, 1, 5, 9, 10]).map(lambda tenths: Fraction(tenths, 10)))
    node = _draw_node(data, table)
    plain = plain_node(table, node.levels, _published(node), split)
    for name, made in BY_WORDS.items():
        assert made(float(split)).node_score(node) == pytest.approx(float(WORDED[name](plain)), abs=1e-9), name


@given(table=treed(10), data=st.data())
def test_no_node_above_scores_below_the_bounds(table: Table, data: st.DataObject) -> None:
    """Whatever is suppressed here and there."""
    node = _draw_node(data, table)
    above = [_random(table, levels, data) for levels in _from(table, node.levels)]
    for metric in VARIANTS:
        _check_bounds(metric, node, [node, *above])


def _check_bounds(metric: Metric, node: Node, above: Sequence[Node]) -> None:
    floor, bound = metric.node_floor(node), metric.node_bounds(node.table, np.array([node.levels], np.int32))[0]
    for other in above:
        key = metric.node_key(other)
        assert len(key) == len(bound) == len(floor)
        assert tuple(bound) <= _a_hair_more(key), metric
        assert floor <= _a_hair_more(key), metric


def _from(table: Table, levels: Sequence[int]) -> list[tuple[int, ...]]:
    """All nodes that are nowhere lower."""
    return list(product(*(range(low, top + 1) for low, top in zip(levels, _tops(table), strict=True))))


def _random(table: Table, levels: Sequence[int], data: st.DataObject) -> Node:
    """None, some, most or all classes kept."""
    seed = data.draw(st.integers(0, 3))
    rng, share = np.random.default_rng(seed), (0.0, 0.3, 0.7, 1.0)[seed]
    return Node.of(table, levels, lambda groups: rng.random(len(groups)) < share)


def _a_hair_more(key: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(entry + 1e-9 * max(1.0, abs(entry)) for entry in key)


@given(table=treed(), data=st.data())
def test_suppression_is_ignored_by_those_that_say_so(table: Table, data: st.DataObject) -> None:
    node = _draw_node(data, table)
    everything = Node.of(table, node.levels)
    for metric in VARIANTS:
        if ignores_suppression(metric):
            assert metric.node_key(node) == metric.node_key(everything), metric
            assert metric.is_monotone


@given(table=treed(10))
def test_monotone_along_the_lattice_if_it_says_so(table: Table) -> None:
    """One step up, nothing suppressed."""
    nodes = {levels: Node.of(table, levels) for levels in _from(table, [0] * table.n_quasi)}
    for metric in VARIANTS:
        if not (metric.is_monotone or metric.name in ("kl_divergence", "nonuniform_entropy")):
            continue
        keys = {levels: metric.node_key(node) for levels, node in nodes.items()}
        for levels, key in keys.items():
            for j in range(table.n_quasi):
                up = tuple(level + (i == j) for i, level in enumerate(levels))
                assert key <= _a_hair_more(keys.get(up, key)), metric


def test_bounds_are_worth_something() -> None:
    """At the top, where nothing is cheaper than to publish, every bound is the score."""
    tree = Hierarchy.from_dict({"a": ["1", "2"], "b": ["3"]})
    table = coded({"q": ["1", "2", "3", "1"]}, ["q"], hierarchies={"q": tree})
    top = Node.of(table, [2])
    unbounded = ("suppression", "classification")
    for metric in [made() for name, made in ALL.items() if made.scores_nodes and name not in unbounded]:
        assert metric.node_floor(top)[0] == pytest.approx(metric.node_score(top)), metric
        bound = metric.node_bounds(table, np.array([[2]], np.int32))[0, 0]
        assert bound == pytest.approx(metric.node_score(top)), metric


def test_a_metric_without_nodes_says_so() -> None:
    class Odd(Metric):
        name = "odd"
        summary = "odd"

        def score(self, release: Release) -> float:
            return 0.0

    table = coded({"q": ["a", "b"]}, ["q"])
    with pytest.raises(InputError, match="'odd' cannot judge nodes of a lattice"):
        Odd().node_score(Node.of(table, [0]))
    assert Odd().node_floor(Node.of(table, [0])) == (0.0,)


def test_rank_breaks_ties_by_the_next_column() -> None:
    table = coded({"a": ["x", "y", "z"], "b": ["x", "y", "y"]}, ["a", "b"])
    one, other = Node.of(table, [1, 0]), Node.of(table, [1, 1])
    assert LMRank().node_score(one) == LMRank().node_score(other) == 1
    assert LMRank().node_key(one) == (1, 0) < LMRank().node_key(other) == (1, 1)
    assert LMRank().key(one.release()) == (1, 0)


@pytest.mark.parametrize("split", [-0.1, 1.1, "half"])
def test_bad_split(split: object) -> None:
    for made in (LM, AECS, Precision, NonUniformEntropy):
        with pytest.raises(InputError, match=r"^split must be .*, got .*\.$"):
            made(split)  # type: ignore[arg-type]


def test_bad_treatment_of_suppressed_rows() -> None:
    for made in (Precision, NonUniformEntropy):
        with pytest.raises(InputError, match=r"^suppressed must be .* got 'gone'\.$"):
            made(suppressed="gone")  # type: ignore[arg-type]


def test_unknown_target() -> None:
    table = coded({"q": ["a"], "income": ["low"]}, ["q"], others=("income",))
    assert Classification("income").score(Release.identity(table)) == 0
    with pytest.raises(InputError, match=r"'incom' is not a published column\. Did you mean 'income'\?"):
        Classification("incom").score(Release.identity(table))
