"""How functions become kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core import config
from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys

from shoal.kernels.bundled_code import bundled_code, load
from shoal.kernels.machine_code import saving

_LOCATORS = (
    "shoal.kernels.machine_code.Locator,UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,"
    "IPythonCacheLocator,ZipCacheLocator"
)
"""Ours, then numba's own, which other threads may want at the same moment."""


class _Kept(FunctionCache):  # type: ignore[misc]
    """Machine code on disk, loaded without what only compiling needs.

    Numba imports everything that it can compile, scipy's linear algebra included, before it looks for code on disk:
    half a second. Code on disk needs nothing but numba's memory management; compiling still imports the rest.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for these types: the user's own, or what came with the package; None where there is none."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            own = self._load_overload(sig, target_context)
            return own if own is not None else self._load_bundled(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Add to what is kept, while no other process does so."""
        with saving():
            super().save_overload(sig, data)

    def _load_bundled(self, sig: Any, target_context: Any) -> Any:
        folder = bundled_code()
        if folder is None:
            return None
        found = load(folder, self._impl.filename_base, self._index_key(sig, target_context.codegen()))
        return None if found is None else self._impl.rebuild(target_context, found)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile at the first call, without the interpreter's lock, and keep the machine code where we say.

    Numba asks for the place when the cache is made, and is told otherwise only for so long: functions of other packages
    are none of our business.
    """
    before = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = _LOCATORS
    try:
        made = njit(nogil=True)(function)
        made._cache = _Kept(function)
        return made
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
