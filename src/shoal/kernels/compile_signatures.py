"""A process that compiles some of the kernels of default runs, without running anything.

Run as ``python -m shoal.kernels.compile_signatures NUMBER …``, with numbers of ``SIGNATURES``.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Collection, Iterable

from shoal.kernels.callee_code import without_code_of_callees
from shoal.kernels.signatures import SIGNATURES


def needed_by(parts: Collection[str]) -> list[int]:
    """The numbers of the signatures that these parts of a run need."""
    return [number for number, signature in enumerate(SIGNATURES) if set(signature.parts) & set(parts)]


def shared_out(numbers: Iterable[int], n_processes: int) -> list[list[int]]:
    """Numbers for each process, so that all take about as long: the longest are dealt first. O(numbers · processes)."""
    seconds, shares = [0.0] * n_processes, [list[int]() for _ in range(n_processes)]
    for number in sorted(numbers, key=lambda each: -SIGNATURES[each].seconds):
        least = seconds.index(min(seconds))
        seconds[least] += SIGNATURES[number].seconds
        shares[least].append(number)
    return [share for share in shares if share]


def compile_signatures(numbers: Iterable[int]) -> None:
    """Compile these kernels, or load what is kept of them."""
    for number in numbers:
        SIGNATURES[number].kernel.compile(SIGNATURES[number].arguments)


if __name__ == "__main__":
    without_code_of_callees()
    gc.disable()  # it would look through all that the compiler keeps, again and again, for a twentieth of the time
    compile_signatures(map(int, sys.argv[1:]))
