"""Rings never lose more than groups, and every release is what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.assignment import splits
from shoal.algorithms import Hilbert, Mondrian, NonHomogeneous
from shoal.core.assignment import AssignmentGraph
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics import GCP, LM
from shoal.models import KAnonymity, UniformMatching
from support.shapes import SHAPES
from support.strategies import tables
from support.tables import goal_of

PARTITIONS = ["lexicographic", "curve", "mondrian", Mondrian(relaxed=True), Hilbert()]


def released(algorithm: Algorithm, table: Table, k: int, seed: int = 1) -> Release:
    return algorithm.run(table, goal_of(UniformMatching(k)), Randomness(seed), Silent())


@pytest.mark.parametrize("partition", PARTITIONS, ids=str)
@given(table=tables(24), data=st.data())
def test_never_above_the_homogeneous_release(partition: str | Algorithm, table: Table, data: st.DataObject) -> None:
    """Lemma 2, by GCP and LM, column by column."""
    k = data.draw(st.integers(1, table.n_rows))
    algorithm = NonHomogeneous(partition)
    ring = released(algorithm, table, k)
    goal = goal_of(UniformMatching(k))
    parts = algorithm.parts(table, goal, k, Randomness(1), Silent())
    groups = Release.from_groups(table, parts)
    for metric in (GCP(), LM()):
        assert (metric.by_column(ring) <= metric.by_column(groups) + 1e-12).all()


@pytest.mark.parametrize("partition", PARTITIONS, ids=str)
@given(table=tables(24), data=st.data())
def test_the_cells_alone_show_k_assignments(partition: str | Algorithm, table: Table, data: st.DataObject) -> None:
    """By a matcher that knows nothing of how the release was made."""
    k = data.draw(st.integers(1, min(6, table.n_rows)))
    release = released(NonHomogeneous(partition), table, k)
    graph = AssignmentGraph.of_cells(table.codes, release.owners, release.shapes, release.cells)
    lists = [graph.heads[a:b].tolist() for a, b in zip(graph.offsets, graph.offsets[1:], strict=False)]
    assert splits(lists, k)
    assert UniformMatching(k).check(release).holds
    unnamed = Release(table, release.owners, release.shapes, release.cells)
    assert UniformMatching(k).check(unnamed).holds


@pytest.mark.parametrize("shape", SHAPES)
def test_inside_the_classes_of_another_algorithm(shape: str) -> None:
    table = SHAPES[shape]()
    k = min(3, table.n_rows)
    inner = Mondrian().run(table, Goal((KAnonymity(k),), GCP()), Randomness(1), Silent())
    ring = released(NonHomogeneous(Mondrian()), table, k)
    assert GCP().score(ring) <= GCP().score(inner) + 1e-12
    assert ring.matches is not None
    home = inner.classes.ids(table.n_rows)
    for shape_number in range(len(ring.matches)):
        assert len(set(home[ring.matches.of(shape_number)].tolist())) == 1


def test_equal_rows_all_match_each_other() -> None:
    release = released(NonHomogeneous(), SHAPES["all equal"](), 3)
    assert UniformMatching(3).check(release).achieved == 12


def test_the_draw_depends_on_the_seed_and_the_cells_do_not() -> None:
    table = SHAPES["all distinct"]()
    one, other = released(NonHomogeneous(), table, 3, 1), released(NonHomogeneous(), table, 3, 2)
    assert one.owners.tolist() != other.owners.tolist()
    assert all(np.array_equal(a.low[a.ids], b.low[b.ids]) for a, b in zip(one.cells, other.cells, strict=True))
