"""Links the large shared libraries in a thread of its own, while the main thread imports Python modules."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
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


def preload() -> None:
    """Start linking what every command needs. A library that is not found is linked when it is imported."""
    if os.name == "posix":
        Thread(target=_link, name="preloading", daemon=True).start()


def libraries() -> Iterator[Path]:
    """The libraries that are installed; their packages are not imported."""
    for package, pattern in LIBRARIES:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            yield from Path(folder).glob(pattern)


def _link() -> None:
    """Call ``dlopen`` as a foreign function, which lets other threads go on, as ``ctypes.CDLL(path)`` does not."""
    try:
        link = ctypes.CDLL(None).dlopen
    except (AttributeError, OSError):
        return
    link.restype, link.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_int]
    for path in libraries():
        link(os.fsencode(path), os.RTLD_NOW)
