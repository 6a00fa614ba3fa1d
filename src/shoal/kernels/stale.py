"""Machine code on disk that is older than the sources it was made of."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import time


def forget_stale(folder: Path = Path(__file__).parent) -> int:
    """Delete cached machine code that is older than any source in the folder; returns how many files it were.

    Numba looks at the file of a kernel alone, not at those of the kernels it calls, and would go on with code of before
    a change there. What cannot be deleted stays. O(files).
    """
    now = time()
    sources = [changed for file in folder.glob("*.py") if (changed := file.stat().st_mtime) <= now]
    newest, n_forgotten = max(sources, default=0.0), 0
    for file in (folder / "__pycache__").glob("*.nb[ic]"):
        with suppress(OSError):
            if file.stat().st_mtime < newest:
                file.unlink()
                n_forgotten += 1
    return n_forgotten
