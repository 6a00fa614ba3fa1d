"""Decorators that turn functions into kernels."""

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
"""Our locator, then numba's own, because other threads may need those at the same moment."""


class _Kept(FunctionCache):  # type: ignore[misc]
    """Machine code on disk, loaded without importing what only compilation needs.

    Before numba looks for code on disk, it imports everything that it can compile, including scipy's linear algebra,
    which takes half a second. Code on disk needs only numba's memory management; compiling still imports the rest.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for these types, from the user's cache or the package; None if neither has it."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            own = self._load_overload(sig, target_context)
            return own if own is not None else self._load_bundled(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Add to the cache while no other process does."""
        with saving():
            super().save_overload(sig, data)

    def _load_bundled(self, sig: Any, target_context: Any) -> Any:
        folder = bundled_code()
        if folder is None:
            return None
        found = load(folder, self._impl.filename_base, self._index_key(sig, target_context.codegen()))
        return None if found is None else self._impl.rebuild(target_context, found)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile at the first call, without the interpreter's lock, and cache the machine code in shoal's folder.

    Numba reads the list of locators when the cache is created, so the list is replaced only for that moment. Functions
    of other packages are not affected.
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
"""For functions that Python does not call: saves a quarter of the compile time. They are cached with their callers.

Numba re-optimises a callee with every function that calls it, so chains of calls increase compile time.
"""

inlined = njit(inline="always")
"""For small functions inside hot loops: a call passes every array of every tuple word by word, which takes longer than
a short loop."""
