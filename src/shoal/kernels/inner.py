"""A decorator for functions that only kernels call."""

from __future__ import annotations

from numba import njit

inner = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Python cannot call them; that saves a quarter of the time to compile, and they are cached with their callers.

Numba re-optimises what a function calls with every function that calls it, so chains of calls cost time to compile.
"""

inlined = njit(inline="always")
"""For small functions inside hot loops: a call hands over every array of every tuple, word by word, which takes longer
than a short loop does.
"""
