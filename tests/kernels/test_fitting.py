"""Boxes over a tree of rows, and what is carried between them, against plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.assignment import boxes_of
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.kernels.fitting import LEAF, grow, pieces, signatures
from shoal.kernels.mixing import mix
from shoal.kernels.sweeps import gather, list_boxes, scatter

Case = tuple[np.ndarray[Any, Any], list[list[set[int]]], tuple[Cells, ...], np.ndarray[Any, Any]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Distinct rows of up to three columns and boxes of intervals or of sets, in small and in large domains."""
    widths = draw(st.lists(st.sampled_from([1, 3, 10, 64, 150]), min_size=1, max_size=3))
    row = st.tuples(*(st.integers(0, width - 1) for width in widths))
    rows = draw(st.lists(row, min_size=1, max_size=60, unique=True))
    n_boxes = draw(st.integers(1, 6))
    columns, wanted = [], []
    for width in widths:
        ends = st.tuples(st.integers(0, width - 1), st.integers(0, width - 1)).map(sorted)
        if draw(st.booleans()):
            bounds = [draw(ends) for _ in range(n_boxes)]
            sets = [set(range(low, high + 1)) for low, high in bounds]
            low, high = np.array(bounds, np.int32).T
            columns.append(Cells.of_intervals(np.ascontiguousarray(low), np.ascontiguousarray(high)))
        else:
            sets = [draw(st.sets(st.integers(0, width - 1), min_size=1, max_size=8)) for _ in range(n_boxes)]
            offsets = np.cumsum([0, *map(len, sets)]).astype(np.int64)
            members = np.array([code for cell in sets for code in sorted(cell)], np.int32)
            columns.append(Cells.of_sets(Groups(offsets, members), np.arange(width, dtype=np.int32), width))
        wanted.append(sets)
    return np.array(rows, np.int32).T.copy(), wanted, tuple(columns), np.array(widths)


def inside(codes: np.ndarray[Any, Any], sets: list[list[set[int]]]) -> np.ndarray[Any, Any]:
    """``[box, row]``, one comparison after the other."""
    n_boxes = len(sets[0])
    return np.array(
        [
            [all(codes[j, i] in sets[j][b] for j in range(len(sets))) for i in range(codes.shape[1])]
            for b in range(n_boxes)
        ]
    )


def in_pieces(case: Case, scales: np.ndarray[Any, Any] | None = None) -> tuple[Any, Any, Any]:
    codes, _, cells, widths = case
    boxes = boxes_of(cells)
    tree = grow(codes, int(max(widths)) + 1, scales)
    return tree, *pieces(tree, boxes, signatures(boxes), widths < 64, 10**6)


@given(cases())
def test_pieces_are_the_rows_inside(case: Case) -> None:
    tree, offsets, found = in_pieces(case)
    wanted = inside(case[0], case[1])
    for b in range(wanted.shape[0]):
        rows: list[int] = []
        for piece in found[offsets[b] : offsets[b + 1]]:
            run = range(tree.starts[piece], tree.stops[piece]) if piece >= 0 else [-1 - piece]
            rows += tree.order[list(run)].tolist()
        assert sorted(rows) == np.flatnonzero(wanted[b]).tolist()


def test_a_column_with_many_codes_does_not_take_all_cuts() -> None:
    codes = np.array([range(256), [row % 2 for row in range(256)]], np.int32)
    plain, scaled = grow(codes, 256), grow(codes, 256, np.array([1 / 255, 1.0]))
    assert is_cut_early(scaled, 1)
    assert not is_cut_early(plain, 1)


def is_cut_early(tree: Any, column: int) -> bool:
    """Whether no node of fewer than a quarter of the rows has two codes of a column."""
    small = tree.stops - tree.starts < tree.order.size // 4
    return bool((tree.low[small, column] == tree.high[small, column]).all())


@given(cases(), st.booleans())
def test_the_tree_is_sound(case: Case, is_scaled: bool) -> None:
    tree, _, _ = in_pieces(case, 1.0 / np.asarray(case[3]) if is_scaled else None)
    n = case[0].shape[1]
    assert sorted(tree.order.tolist()) == list(range(n))
    assert (tree.codes == case[0][:, tree.order].T).all()
    for v in range(tree.starts.size):
        part = tree.codes[tree.starts[v] : tree.stops[v]]
        assert (part.min(axis=0) == tree.low[v]).all()
        assert (part.max(axis=0) == tree.high[v]).all()
        if tree.rights[v] >= 0:
            left, right = v + 1, tree.rights[v]
            assert (tree.starts[left], tree.stops[left], tree.stops[right]) == (
                tree.starts[v],
                tree.starts[right],
                tree.stops[v],
            )
        else:
            assert tree.stops[v] - tree.starts[v] <= LEAF


@given(cases(), st.integers(0, 1000))
def test_sums_and_largest_both_ways(case: Case, seed: int) -> None:
    tree, offsets, found = in_pieces(case)
    wanted = inside(case[0], case[1])[:, tree.order]
    rng = np.random.default_rng(seed)
    values, amounts = rng.random(wanted.shape[1]), rng.random(wanted.shape[0])
    assert gather(tree, offsets, found, values, False) == pytest.approx(wanted @ values)
    assert gather(tree, offsets, found, values, True) == pytest.approx((wanted * values).max(axis=1))
    assert scatter(tree, offsets, found, amounts, False) == pytest.approx(amounts @ wanted)
    assert scatter(tree, offsets, found, amounts, True) == pytest.approx((wanted.T * amounts).max(axis=1))


@given(cases(), st.data())
def test_boxes_around_some_rows(case: Case, data: st.DataObject) -> None:
    tree, offsets, found = in_pieces(case)
    wanted = inside(case[0], case[1])[:, tree.order]
    chosen = np.array(sorted(data.draw(st.sets(st.integers(0, wanted.shape[1] - 1)))), np.int32)
    starts, boxes = list_boxes(tree, offsets, found, chosen)
    lists = [boxes[starts[i] : starts[i + 1]].tolist() for i in range(chosen.size)]
    assert lists == [np.flatnonzero(wanted[:, p]).tolist() for p in chosen]


def test_too_many_pieces_are_given_up() -> None:
    codes = np.array([np.arange(4000) % 63, np.arange(4000) // 63], np.int32)
    every_other = list(range(0, 63, 2))
    groups = Groups(np.array([0, len(every_other)], np.int64), np.array(every_other, np.int32))
    sets = Cells.of_sets(groups, np.arange(63, dtype=np.int32), 63)
    whole = Cells.of_intervals(np.zeros(1, np.int32), np.full(1, 63, np.int32))
    boxes = boxes_of((sets, whole))
    tree = grow(codes, 64)
    assert pieces(tree, boxes, signatures(boxes), np.array([True, True]), 16)[0].size == 0


@given(st.lists(st.lists(st.integers(0, 6), max_size=8), min_size=1, max_size=6), st.integers(0, 1000))
def test_mixtures(groups: list[list[int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    tallies = [sorted({value: group.count(value) for value in group}.items()) for group in groups]
    offsets = np.cumsum([0, *map(len, tallies)]).astype(np.int64)
    values = np.array([value for tally in tallies for value, _ in tally], np.int32)
    counts = np.array([count for tally in tallies for _, count in tally], np.float64)
    picks = [rng.choice(len(groups), rng.integers(0, 4)).astype(np.int32) for _ in range(5)]
    weights = [rng.random(pick.size) for pick in picks]
    starts = np.cumsum([0, *(pick.size for pick in picks)]).astype(np.int64)
    found = mix(starts, np.concatenate(picks), np.concatenate(weights), offsets, values, counts, 7)
    for m, (pick, weight) in enumerate(zip(picks, weights, strict=True)):
        totals = np.zeros(7)
        for g, w in zip(pick, weight, strict=True):
            for value in groups[g]:
                totals[value] += w
        at = slice(found[0][m], found[0][m + 1])
        assert found[1][at].tolist() == np.flatnonzero(totals).tolist()
        assert found[2][at] == pytest.approx(totals[totals > 0] / max(totals.sum(), 1e-300))
