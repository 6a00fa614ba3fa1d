"""Randomized (k,1)-anonymity: toss a coin between the cells that were found and random ones nearby."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from shoal.algorithms.concealment.draft_release import Draft, empty
from shoal.core.arrays import Words64
from shoal.core.parameters import whole_number
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.errors import InputError
from shoal.kernels.expansion_greedy import blur, put_rows

_TRIES = 4
_CHUNK = 1024


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
    start = empty(field, field.n_types)
    put_rows(field.tree, field.tariff, start)
    done, n_threads = draft.copy(), os.cpu_count() or 1

    def work(first: int, words: Words64) -> None:
        blur(field.for_kernels, q, k, done.records, start, first, words)

    with ThreadPoolExecutor(n_threads) as threads:
        for first in range(0, field.n_rows, n_threads * _CHUNK):
            places = range(first, min(first + n_threads * _CHUNK, field.n_rows), _CHUNK)
            sizes = [min(_CHUNK, field.n_rows - place) for place in places]
            words = [randomness.words(n * (1 + _TRIES * (k - 1))).reshape(n, -1) for n in sizes]
            list(threads.map(work, places, words))
            progress.advance(sum(sizes))
    return done
