"""Tell whether a kernel will have to be compiled."""

from __future__ import annotations

from pathlib import Path


def is_cached(kernel: object) -> bool:
    """Whether some earlier run left the kernel's machine code on disk; True where there is nothing to compile.

    Reads a private attribute of numba's dispatchers, and answers True where it is not there.
    """
    cache = getattr(kernel, "_cache", None)
    folder, name = getattr(cache, "cache_path", None), getattr(kernel, "__qualname__", "")
    return folder is None or any(Path(folder).glob(f"*.{name}-*.nbi"))
