"""Work on several parts at once, on as many threads as there are cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

_OFTEN = 0.1
"""Seconds between two progress reports while threads work."""

T = TypeVar("T")
R = TypeVar("R")


def shared(work: Callable[[T], R], parts: Iterable[T], meanwhile: Callable[[], None] | None = None) -> list[R]:
    """Apply ``work`` to all parts on as many threads as there are cores; return the results in order.

    The waiting thread calls ``meanwhile`` now and then.
    """
    parts = list(parts)
    n_threads = min(len(parts), os.cpu_count() or 1)
    if n_threads < 2:
        return [*map(work, parts)]
    pool = ThreadPoolExecutor(n_threads)
    results = []
    try:
        for future in [pool.submit(work, part) for part in parts]:
            while meanwhile and not wait([future], _OFTEN).done:
                meanwhile()
            results.append(future.result())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return results
