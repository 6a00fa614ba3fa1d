"""Links the large shared libraries, and loads what kernels need, in threads beside the main one; limits C's heaps."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

LIBRARIES = (
    ("numpy", "_core/_multiarray_umath*.so"),
    ("_polars_runtime_32", "_polars_runtime*.so"),
    ("pyarrow", "lib.*.so"),
    ("llvmlite", "binding/libllvmlite.so"),
)
"""Packages and their libraries, in the order in which commands import them."""


_IMPATIENT = "4"
"""OpenBLAS waits two to this power of clock ticks before a thread without work sleeps, the least it takes."""

_ARENA_MAX, _ARENAS = -8, 2
"""glibc's name of the setting, and how many heaps threads share: of more, each keeps what its threads have freed."""


def preload() -> None:
    """Start linking what every command needs. A library that is not found is linked when it is imported.

    Threads share two heaps, where there are glibc's, unless the user says otherwise: a million rows take 70 MiB less in
    the same time. The threads that numpy starts for linear algebra would keep the other cores busy for their first
    40 ms, waiting.
    """
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", _IMPATIENT)
    if os.name == "posix":
        _share_heaps()
        Thread(target=_link, name="preloading", daemon=True).start()


def preload_kernels() -> None:
    """Start loading what the first kernel needs, once the modules of a command that needs one are imported."""
    from shoal.engine.warming import begin_loading_kernels  # not before: it imports numba

    begin_loading_kernels()


def libraries() -> Iterator[Path]:
    """The libraries that are installed; their packages are not imported."""
    for package, pattern in LIBRARIES:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            yield from Path(folder).glob(pattern)


def _share_heaps() -> None:
    with suppress(AttributeError, OSError):  # only glibc has it
        if "MALLOC_ARENA_MAX" not in os.environ:
            ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


def _link() -> None:
    """Call ``dlopen`` as a foreign function, which lets other threads go on, as ``ctypes.CDLL(path)`` does not."""
    try:
        link = ctypes.CDLL(None).dlopen
    except (AttributeError, OSError):
        return
    link.restype, link.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_int]
    for path in libraries():
        link(os.fsencode(path), os.RTLD_NOW)
