"""(k,1)-anonymity by the expansion that suits the table (greedy, optimal, all sets of k rows), and randomized."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, islice
from math import comb
from typing import Literal

import numpy as np

from shoal.algorithms.concealment.draft_release import Draft, empty
from shoal.algorithms.concealment.optimal import MOST_WORK, can_be_optimal, optimal
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.arrays import Words64
from shoal.core.parameters import whole_number
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.errors import InputError
from shoal.kernels.concealment_records import Records, costs, enclose
from shoal.kernels.expansion_greedy import blur, grow_records, put_rows

Expansion = Literal["auto", "optimal", "greedy"]
EXPANSIONS: tuple[Expansion, ...] = ("auto", "optimal", "greedy")
"""``auto``: the cheapest possible cells if every column is a hierarchy (or suppressed), else greedy; or one of the two.

``optimal`` also finds the cheapest cells with ranges and sets, in tables of few rows.
"""

_TRIAL = 300_000_000
"""The work after which ``auto`` gives up the search for the optimum: about ten seconds."""

MOST_SUBSETS = 2_000_000
"""The most sets of k rows that are tried: some seconds."""

_SETS_AT_ONCE = 50_000
_ROWS_AT_ONCE = 2048
_TRIES, _BLURRED_AT_ONCE = 4, 1024


def expanded(field: RowTree, k: int, how: Expansion, progress: Progress) -> Draft:
    """A (k,1)-anonymous draft.

    If ``auto`` does not finish the search for the optimum in time, it starts again from the greedy records and keeps
    the better ones that it finds in the same time.

    Raises:
        InputError: the optimum is requested but cells are not combinations of levels and there are many rows, or it
            is not found in a minute.
    """
    if how == "optimal" and not can_be_optimal(field):
        if comb(field.n_rows, k) <= MOST_SUBSETS:
            progress.stage("expanding")
            return cheapest_closures(field, k)
        raise InputError(
            "The optimal expansion needs a hierarchy (or suppression) for every column, or few rows: with ranges and "
            f"sets all sets of k = {k} rows are tried, up to {MOST_SUBSETS:,}, and {field.n_rows:,} rows have "
            f"{comb(field.n_rows, k):,}; give hierarchies, or use expansion='greedy'."
        )
    if how == "greedy" or not can_be_optimal(field):
        return greedy(field, k, progress)
    progress.stage("expanding")
    draft, is_proven = optimal(field, k, work=MOST_WORK if how == "optimal" else _TRIAL)
    if is_proven:
        return draft
    if how == "optimal":
        raise InputError(
            f"The optimal expansion was not found in {MOST_WORK:,} steps; use expansion='auto', which takes the "
            "best found so far, or fewer columns."
        )
    return optimal(field, k, greedy(field, k, progress), _TRIAL)[0]


def cheapest_closures(field: RowTree, k: int) -> Draft:
    """For every record, the cheapest closure of its row and k − 1 others, including ranges and sets.

    This is the optimum if wider cells never cost less. O(columns · C(rows, k)).

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithm 1,
    Proposition 8).
    """
    best = Draft(field, empty(field, field.n_rows))
    least = np.full(field.n_rows, np.iinfo(np.int64).max)
    every = combinations(range(field.n_rows), k)
    while chunk := list(islice(every, _SETS_AT_ONCE)):
        rows = np.array(chunk, np.int64).ravel()
        tried, members = empty(field, rows.size), np.arange(rows.size)
        enclose(field.tariff, field.codes, field.types[rows], np.arange(0, rows.size + 1, k), members, tried)
        prices = costs(field.tariff, tried)
        order = np.lexsort((prices, rows))
        firsts = order[np.concatenate([[True], np.diff(rows[order]) > 0])]
        better = firsts[prices[firsts] < least[rows[firsts]]]
        least[rows[better]] = prices[better]
        for part, there in zip(best.records, tried, strict=True):
            part[rows[better]] = there[better]
    return best


def greedy(field: RowTree, k: int, progress: Progress | None = None) -> Draft:
    """Algorithm 2: at most k − 1 times the least loss for monotone, sub-additive measures; usually much closer.

    Equal rows are processed once, and the cheapest row is found by branch and bound in a tree of the rows, so in
    practice it is far from the paper's O(k · n²). Records are independent of each other, so they grow in threads. Ties
    go to the first row in the table.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithm 2,
    Proposition 13).
    """
    progress = progress or Silent()
    progress.stage("expanding", field.n_types)
    records = _rows_alone(field)

    def work(first: int) -> int:
        last = min(first + _ROWS_AT_ONCE, field.n_types)
        grow_records(field.tree, field.tariff, field.people, field.names, k, records, first, last)
        return last - first

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for n_done in threads.map(work, range(0, field.n_types, _ROWS_AT_ONCE)):
            progress.advance(n_done)
    return Draft.of_types(field, records)


def grown(draft: Draft, k: int) -> Draft:
    """Widen the records of any draft until each holds k rows."""
    wider, field = draft.copy(), draft.field
    grow_records(field.tree, field.tariff, field.people, field.names, k, wider.records, 0, field.n_rows)
    return wider


def singles(field: RowTree) -> Draft:
    """Every record holds its own row and nothing else."""
    return Draft.of_types(field, _rows_alone(field))


def _rows_alone(field: RowTree) -> Records:
    """A record for each type that holds its rows and nothing else."""
    records = empty(field, field.n_types)
    put_rows(field.tree, field.tariff, records)
    return records


def check_q(q: int, k: int, n_rows: int) -> int:
    """The number of neighbours to choose from: ``q``, or 2(k − 1) if it is 0, and never more than there are.

    Raises:
        InputError: q is at most k − 1, so that there is no choice.
    """
    q = whole_number("q", q, least=0)
    if 0 < q <= k - 1:
        raise InputError(
            f"q must be above k - 1 = {k - 1} so that there is a choice, got {q}; leave it out for {2 * (k - 1)}."
        )
    return min(q or 2 * (k - 1), n_rows - 1)


def randomized(draft: Draft, k: int, q: int, randomness: Randomness, progress: Progress | None = None) -> Draft:
    """Algorithm 6: each record keeps its cells or gets the closure of its row and k − 1 of its ``q`` nearest rows.

    An adversary who knows the algorithm then faces at least 2^n possible outcomes. ``draft`` is a (k,1)-anonymous draft
    (in the paper, the greedy one). Records are independent of each other, so they are made in threads. Choices among q
    neighbours are made from 64-bit words by remainder, with a bias below 2^−50.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithm 6).
    """
    field = draft.field
    q = check_q(q, k, field.n_rows)
    if k < 2 or q < k - 1:
        return draft
    progress = progress or Silent()
    progress.stage("randomizing", field.n_rows)
    start = _rows_alone(field)
    done, n_threads = draft.copy(), os.cpu_count() or 1

    def work(first: int, words: Words64) -> None:
        blur(field.for_kernels, q, k, done.records, start, first, words)

    with ThreadPoolExecutor(n_threads) as threads:
        for first in range(0, field.n_rows, n_threads * _BLURRED_AT_ONCE):
            places = range(first, min(first + n_threads * _BLURRED_AT_ONCE, field.n_rows), _BLURRED_AT_ONCE)
            sizes = [min(_BLURRED_AT_ONCE, field.n_rows - place) for place in places]
            words = [randomness.words(n * (1 + _TRIES * (k - 1))).reshape(n, -1) for n in sizes]
            list(threads.map(work, places, words))
            progress.advance(sum(sizes))
    return done
