"""How functions become kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core import config

_LOCATORS = (
    "shoal.kernels.machine_code.Locator,UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,"
    "IPythonCacheLocator,ZipCacheLocator"
)
"""Ours, then numba's own, which other threads may want at the same moment."""


def kernel(function: Callable[..., Any]) -> Any:
    """Compile at the first call, without the interpreter's lock, and keep the machine code where we say.

    Numba asks for the place while it decorates, and is told otherwise only for so long: functions of other packages are
    none of our business.
    """
    before = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = _LOCATORS
    try:
        return njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_LOCATOR_CLASSES = before


inner = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Python cannot call them; that saves a quarter of the time to compile, and they are cached with their callers.

Numba re-optimises what a function calls with every function that calls it, so chains of calls cost time to compile.
"""

inlined = njit(inline="always")
"""For small functions inside hot loops: a call hands over every array of every tuple, word by word, which takes longer
than a short loop does.
"""
