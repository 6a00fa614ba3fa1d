"""Every match is equally likely: what a row gets, counted over many draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from naive import assignment as naive
from shoal.algorithms import Freeform, NonHomogeneous
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.regular_parts import RegularParts
from shoal.errors import BrokenPromise
from shoal.kernels.assignment import draw, n_words
from shoal.kernels.rings import ring_edges
from shoal.metrics import GCP
from shoal.models import UniformMatching
from support.tables import coded

N_DRAWS, N_RUNS = 2000, 500
TOO_FAR = 24.0
"""χ² with 2 degrees of freedom is above this once in 160,000 times."""

Drawn = Callable[[int], Sequence[int]]
"""The row of each record, by number of the draw."""


def worst_row(drawn: Drawn, graph: naive.Graph, n_draws: int = N_DRAWS) -> float:
    """The largest χ² of a row: how far its records are from being equally frequent."""
    counts: list[Counter[int]] = [Counter() for _ in graph]
    for number in range(n_draws):
        for record, row in enumerate(drawn(number)):
            counts[row][record] += 1
    worst = 0.0
    for row, records in enumerate(graph):
        assert set(counts[row]) <= set(records), "a row got a record that it does not match"
        expected = n_draws / len(records)
        worst = max(worst, sum((counts[row][record] - expected) ** 2 / expected for record in records))
    return worst


def ring(n: int, k: int) -> RegularParts:
    bounds = np.array([0, n], np.int64)
    return RegularParts(np.arange(n, dtype=np.int32), bounds, np.zeros(1, bool), ring_edges(bounds, k))


@pytest.mark.parametrize(("n", "k"), [(5, 3), (6, 2), (9, 3), (4, 3)])
def test_rings(n: int, k: int) -> None:
    parts = ring(n, k)
    assert worst_row(lambda number: parts.draw(Randomness(number)).tolist(), naive.ring(n, k)) < TOO_FAR


def test_complete_parts() -> None:
    whole = RegularParts(
        np.arange(3, dtype=np.int32), np.array([0, 3], np.int64), np.ones(1, bool), np.empty((0, 3), np.int32)
    )
    graph = [[0, 1, 2]] * 3
    assert worst_row(lambda number: whole.draw(Randomness(number)).tolist(), graph) < TOO_FAR


def test_the_witness_uniform_among_all_assignments_is_not_uniform() -> None:
    """Section 5.2: one of the 13 assignments of a ring of five, each as likely, favours the middle match."""
    every = list(naive.assignments(naive.ring(5, 3)))
    choices = [Randomness(number).integers(13, 1)[0] for number in range(N_DRAWS)]

    def biased(number: int) -> list[int]:
        records = every[int(choices[number])]
        return [records.index(record) for record in range(5)]

    assert worst_row(biased, naive.ring(5, 3)) > TOO_FAR


LOPSIDED = [[0, 5, 1], [1, 2, 5], [2, 3, 0], [3, 4, 6], [4, 6, 3], [5, 0, 2], [6, 1, 4]]
"""A regular graph of which a random assignment favours some matches."""


def test_graphs_without_symmetry() -> None:
    bounds = np.array([0, 7], np.int64)
    parts = RegularParts(np.arange(7, dtype=np.int32), bounds, np.zeros(1, bool), np.array(LOPSIDED, np.int32))
    assert worst_row(lambda number: parts.draw(Randomness(number)).tolist(), LOPSIDED) < TOO_FAR


def test_always_the_first_assignment_would_not_do() -> None:
    """The paper warns of it: it is the draw among all k of them that makes matches equally likely."""
    edges, bounds, pick = np.array(LOPSIDED, np.int32), np.array([0, 7], np.int64), np.zeros(1, np.int64)

    def first(number: int) -> list[int]:
        rows: list[int] = draw(edges, bounds, pick, Randomness(number).words(n_words(np.diff(bounds), pick))).tolist()
        return rows

    assert worst_row(first, LOPSIDED) > TOO_FAR


@pytest.mark.parametrize("algorithm", [NonHomogeneous(), Freeform(), Freeform("hungarian")], ids=str)
def test_through_the_algorithms(algorithm: Algorithm) -> None:
    """Over many runs the true record of every row is uniform over its k matches."""
    table = coded({"a": [1, 2, 4, 8, 9], "b": [1, 5, 2, 3, 9]}, ["a", "b"])
    goal = Goal((UniformMatching(3),), GCP())
    first = algorithm.run(table, goal, Randomness(0), Silent())
    assert first.matches is not None
    rows_of = [set(first.matches.of(int(shape)).tolist()) for shape in first.shapes]
    graph = [[record for record, rows in enumerate(rows_of) if row in rows] for row in range(5)]

    def drawn(number: int) -> list[int]:
        owners: list[int] = algorithm.run(table, goal, Randomness(number), Silent()).owners.tolist()
        return owners

    assert worst_row(drawn, graph, N_RUNS) < TOO_FAR


def test_parts_are_drawn_independently() -> None:
    """What is known about one ring says nothing about another."""
    bounds = np.array([0, 3, 6], np.int64)
    parts = RegularParts(np.arange(6, dtype=np.int32), bounds, np.zeros(2, bool), ring_edges(bounds, 2))
    pairs: Counter[tuple[bool, bool]] = Counter()
    for number in range(N_DRAWS):
        rows = parts.draw(Randomness(number)).tolist()
        pairs[rows[0] == 0, rows[3] == 3] += 1
    expected = N_DRAWS / 4
    assert sum((count - expected) ** 2 / expected for count in pairs.values()) < TOO_FAR
    assert len(pairs) == 4


def test_a_graph_that_is_not_regular_is_our_bug() -> None:
    rows, bounds = np.arange(2, dtype=np.int32), np.array([0, 2], np.int64)
    with pytest.raises(BrokenPromise):
        RegularParts(rows, bounds, np.zeros(1, bool), np.zeros((2, 1), np.int32)).draw(Randomness(1))
