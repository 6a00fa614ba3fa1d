"""The same work on several columns at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

_WORTH_A_THREAD = 100_000
"""Rows from which a column takes longer than a thread costs."""


@contextmanager
def meanwhile(work: Callable[[], Made]) -> Iterator[Future[Made]]:
    """Do other work in a thread while the block runs; it is done when the block ends. Its error comes first."""
    with ThreadPoolExecutor(1) as pool:
        going_on = pool.submit(work)
        try:
            yield going_on
        finally:
            going_on.result()


def side_by_side(work: Callable[[Given], Made], items: Iterable[Given], n_rows: int) -> list[Made]:
    """``work`` on each item, such as a column of ``n_rows``, on as many threads as there are cores; results in order.

    For work that is done by polars, pyarrow, numpy or kernels, which let other threads run meanwhile. The first error
    by order is raised.
    """
    todo, n_threads = list(items), os.cpu_count() or 1
    if n_rows < _WORTH_A_THREAD or min(len(todo), n_threads) < 2:
        return [work(item) for item in todo]
    with ThreadPoolExecutor(min(len(todo), n_threads)) as pool:
        return list(pool.map(work, todo))
