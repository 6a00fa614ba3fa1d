"""Cuts down hierarchies: the kernel against its slow twin, what they lose, and what is refused."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import clustering as naive
from shoal.algorithms import Mondrian
from shoal.algorithms.clustering.specialization import Specialization, specialized
from shoal.core.contracts import Goal
from shoal.core.hierarchy import Hierarchy
from shoal.core.priced_column import PricedColumn
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.clustering_specialize import Ladders, specialize
from shoal.metrics import LM
from shoal.models import KAnonymity, LDiversity
from support.tables import coded, goal_of, sets_of_rows

TREE = {"low": {"a": ["a1", "a2"], "b": ["b1"]}, "high": {"c": ["c1", "c2", "c3"], "d": ["d1", "d2"]}}
LEAVES = ["a1", "a2", "b1", "c1", "c2", "c3", "d1", "d2"]


def table_of(columns: dict[str, list[str]], sensitive: list[str] | None = None) -> Table:
    """The first column has a tree, the others are kept or starred."""
    recodings = dict.fromkeys([*columns][1:], "suppress")
    extra = {} if sensitive is None else {"ill": sensitive}
    return coded(
        {**columns, **extra},
        [*columns],
        hierarchies={"tree": Hierarchy.from_dict(TREE)},
        recodings=recodings,
        sensitive=tuple(extra),
    )


def drawn(n_rows: int, seed: int) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    return {
        "tree": rng.choice(LEAVES, n_rows).tolist(),
        "rare": rng.choice(["n", "y"], n_rows, p=[0.9, 0.1]).tolist(),
        "even": rng.choice(["p", "q", "r"], n_rows).tolist(),
    }


rows = st.lists(
    st.tuples(st.sampled_from(LEAVES), st.sampled_from("ny"), st.sampled_from("pqr")), min_size=1, max_size=24
)


@given(rows, st.integers(1, 4))
def test_cuts_are_those_that_lower_the_loss_most_by_bit(drawn_rows: list[tuple[str, str, str]], k: int) -> None:
    columns = dict(zip(("tree", "rare", "even"), map(list, zip(*drawn_rows, strict=True)), strict=True))
    table = table_of(columns)
    chains = []
    for column in table.quasi:
        priced, nested = PricedColumn(column, LM(), 2**30 / table.n_quasi), column.recoding.nested
        occurs = set(np.flatnonzero(column.domain.occurs).tolist())
        chains.append(
            [_chain(priced, nested.low[:, leaf], nested.high[:, leaf], occurs) for leaf in range(nested.n_leaves)]
        )
    order = np.argsort(table.distinct.ids, kind="stable").tolist()
    expected = naive.specialize(order, table.codes.T.tolist(), chains, k)
    found = specialized(table, LM(), k)
    assert Release.from_groups(table, found).n_suppressed == 0
    assert _losses(table, sets_of_rows(found)) == _losses(table, {frozenset(some) for some in expected})


def _chain(priced: PricedColumn, low: np.ndarray, high: np.ndarray, occurs: set[int]) -> naive.Chain:
    """Nodes around the same values are one."""
    nodes = dict[frozenset[int], int]()
    for first, last, price in zip(low.tolist(), high.tolist(), priced.of_ranges(low, high).tolist(), strict=True):
        nodes.setdefault(frozenset(range(first, last + 1)) & occurs, price)
    return [*nodes.items()]


def _losses(table: Table, groups: set[frozenset[int]]) -> list[tuple[int, ...]]:
    """The groups by the rows that they hold, equal rows being one: which of them goes where is no matter."""
    return sorted(tuple(sorted(table.distinct.ids[[*some]].tolist())) for some in groups)


def test_less_is_lost_than_by_cuts_at_medians() -> None:
    """In twelve columns most rows have the first value; to cut those at the median takes half of the rows each time."""
    rng = np.random.default_rng(1)
    columns = {f"c{c}": rng.choice(list("abcd"), 4000, p=[0.85, 0.05, 0.05, 0.05]).tolist() for c in range(12)}
    table = coded(columns, [*columns], recodings=dict.fromkeys(columns, "suppress"))
    ways, goal = (Specialization(), Mondrian(relaxed=True)), goal_of(KAnonymity(20))
    losses = [LM().score(way.run(table, goal, Randomness(1), Silent())) for way in ways]
    assert losses[0] < 0.95 * losses[1]


def test_groups_do_not_depend_on_where_threads_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    table, found = table_of(drawn(2000, 2)), []
    for n_parts in (1, 7, 500):
        monkeypatch.setattr("shoal.algorithms.clustering.specialization._PARTS", n_parts)
        found.append(sets_of_rows(specialized(table, LM(), 6)))
    assert found[0] == found[1] == found[2]


def test_groups_of_few_rows_are_left_to_others() -> None:
    nodes = np.array([0, 1, 2, 3, 4, 4, 4, 4], np.int32)
    ladders = Ladders(nodes, np.array([[0], [4]]), np.array([0, 0, 0, 0, 9]))
    leaves, order = np.arange(4, dtype=np.int32)[:, None], np.arange(4, dtype=np.int32)
    cuts = []
    for most in (0, 2, 3, 4):
        borders = np.array([True, False, False, False, True])
        specialize(ladders, leaves, np.ones(4, np.int64), 1, most, order, borders, 0, 4)
        cuts.append([stop - start for start, stop in pairwise(np.flatnonzero(borders).tolist())])
    assert cuts == [[1, 1, 1, 1], [1, 1, 2], [1, 3], [4]]


def test_promises_beyond_size_hold() -> None:
    ill = [str(number) for number in np.random.default_rng(3).integers(0, 4, 300)]
    table, promises = table_of(drawn(300, 3), ill), (KAnonymity(3), LDiversity(3, of="ill"))
    release = Specialization().run(table, Goal(promises, LM()), Randomness(1), Silent())
    assert all(promise.check(release).holds for promise in promises)


def test_ranges_and_sets_are_refused() -> None:
    table = coded({"age": [1, 2, 3, 4]}, ["age"])
    with pytest.raises(InputError, match="the column 'age' has none"):
        Specialization().refuse(table, goal_of(KAnonymity(2)))
