"""Runs the same work on several columns in parallel."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

_WORTH_A_THREAD = ALWAYS = 100_000
"""From this many rows on, a column takes longer than starting a thread; other items of much work count as so many."""


@contextmanager
def meanwhile(work: Callable[[], Made]) -> Iterator[Future[Made]]:
    """Run ``work`` in a thread while the block runs, and wait for it at the end; its error takes precedence."""
    with ThreadPoolExecutor(1) as pool:
        going_on = pool.submit(work)
        try:
            yield going_on
        finally:
            going_on.result()


def side_by_side(work: Callable[[Given], Made], items: Iterable[Given], n_rows: int) -> list[Made]:
    """Apply ``work`` to each item, such as a column of ``n_rows``, in one thread per core; results in order.

    For work done by polars, pyarrow, numpy or kernels, which release the GIL. The first error in the order of items is
    raised.
    """
    todo, n_threads = list(items), os.cpu_count() or 1
    if n_rows < _WORTH_A_THREAD or min(len(todo), n_threads) < 2:
        return [work(item) for item in todo]
    with ThreadPoolExecutor(min(len(todo), n_threads)) as pool:
        return list(pool.map(work, todo))
