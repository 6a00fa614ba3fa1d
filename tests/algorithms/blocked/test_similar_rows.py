"""Cuts and blocks: every row in one block, similar rows together, each block able to keep the goal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import kernels as naive
from shoal.algorithms import Blocked, Mondrian
from shoal.algorithms.blocked import halved, make_blocks
from shoal.core.block_tree import learn_cuts
from shoal.core.groups import Groups
from shoal.core.orders import curve_order, curve_stretches
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.models import KAnonymity, LDiversity, TCloseness
from support.strategies import tables
from support.tables import coded, goal_of, lists_of


@given(tables(), st.integers(1, 10))
def test_cuts_send_every_row_to_a_block(table: Table, most: int) -> None:
    cuts = learn_cuts(table.quasi, table.codes, most)
    blocks = cuts.place(table.codes)
    wanted = naive.descend(table.codes.tolist(), cuts.column.tolist(), cuts.at.tolist(), cuts.child.tolist())
    assert blocks.tolist() == wanted
    assert cuts.sampled.tolist() == np.bincount(blocks, minlength=cuts.n_blocks).tolist()
    for block in range(cuts.n_blocks):
        rows = np.flatnonzero(blocks == block)
        assert rows.size > 0
        distinct = {tuple(table.codes[:, row]) for row in rows}
        assert rows.size <= most or len(distinct) == 1, "a block that could be cut was not"


def test_similar_rows_stay_together() -> None:
    table = coded({"age": [*range(100)] * 2, "sex": ["f", "m"] * 100}, ["age", "sex"])
    cuts = learn_cuts(table.quasi, table.codes, 60)
    blocks = cuts.place(table.codes)
    for block in range(cuts.n_blocks):
        inside = table.codes[:, blocks == block]
        assert np.ptp(inside[0]) < 60
        assert inside.shape[1] >= 25


def test_hierarchies_are_cut_between_nodes() -> None:
    leaves = [f"{letter}{digit}" for letter in "abc" for digit in range(3)]
    groups = {letter: [leaf for leaf in leaves if leaf[0] == letter] for letter in "abc"}
    table = coded({"code": leaves * 10}, ["code"], hierarchies={"code": _hierarchy(groups)})
    cuts = learn_cuts(table.quasi, table.codes, 60)
    blocks = cuts.place(table.codes)
    homes = {letter: {int(blocks[row]) for row in range(90) if leaves[row % 9][0] == letter} for letter in "abc"}
    assert all(len(found) == 1 for found in homes.values()), "a node was cut although another cut was as good"


def _hierarchy(groups: dict[str, list[str]]) -> object:
    from shoal.core.hierarchy import Hierarchy

    return Hierarchy.from_dict({"all": groups})


@given(tables(), st.integers(1, 6), st.sampled_from(["quantiles", "curve"]), st.integers(1, 8))
def test_every_block_can_keep_the_goal(table: Table, k: int, by: str, rows: int) -> None:
    goal = goal_of(KAnonymity(min(k, table.n_rows)), LDiversity(1), TCloseness(0.4, others="ignore"))
    blocks = make_blocks(table, goal, Mondrian(), rows, by, Randomness(0))
    assert sorted(blocks.members.tolist()) == list(range(table.n_rows))
    assert len(blocks) == 1 or goal.accepts(table, blocks).all()


@given(tables(), st.integers(1, 10))
def test_stretches_of_the_curve(table: Table, most: int) -> None:
    blocks = curve_stretches(table, most)
    assert blocks.members.tolist() == curve_order(table).tolist()
    seen: set[tuple[int, ...]] = set()
    for rows in lists_of(blocks):
        distinct = {tuple(table.codes[:, row]) for row in rows}
        assert len(rows) <= most or len(distinct) == 1, "a stretch that could be cut was not"
        assert not seen & distinct, "equal rows were cut apart"
        seen |= distinct


def test_stretches_of_a_full_grid_are_boxes() -> None:
    table = coded({"x": [at // 8 for at in range(64)], "y": [at % 8 for at in range(64)]}, ["x", "y"])
    for most, n in ((40, 2), (20, 4), (6, 16)):
        blocks = curve_stretches(table, most)
        assert len(blocks) == n
        for rows in lists_of(blocks):
            assert np.prod(np.ptp(table.codes[:, rows], axis=1) + 1) == len(rows)


def test_halved() -> None:
    blocks = Groups(np.array([0, 1, 3, 4], np.int64), np.arange(4, dtype=np.int32))
    assert lists_of(halved(blocks)) == [[0, 1, 2], [3]]
    assert lists_of(halved(halved(blocks))) == [[0, 1, 2, 3]]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Blocked(rows=0), "rows must be at least 1"),
        (lambda: Blocked(by="size"), "by must be 'quantiles' or 'curve'"),  # type: ignore[arg-type]
        (lambda: Blocked("mondrain"), "There is no algorithm 'mondrain'. Did you mean 'mondrian'"),
        (lambda: Blocked("mondrian:loose"), "has no option 'loose'"),
        (lambda: Blocked(Blocked()), "cannot be 'blocked' itself"),
    ],
)
def test_bad_options(made: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        made()  # type: ignore[operator]


def test_inner_algorithms_are_named_built_or_described() -> None:
    assert Blocked().algorithm == Mondrian(relaxed=True)
    assert Blocked({"name": "mondrian", "relaxed": True}).algorithm == Mondrian(relaxed=True)
    assert Blocked(Mondrian()).algorithm == Mondrian()
    assert Blocked("nonhomogeneous").serves == Blocked("nonhomogeneous").algorithm.serves
