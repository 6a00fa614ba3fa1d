"""Machine code that came with the package: compiled when a wheel was built, for a baseline that most processors have.

Numba compiles for one processor in the whole process and looks only for code made for that. Code for a baseline runs on
every processor that has its features, so it is looked up here under the baseline's name, and nothing that other
packages compile changes. It is used if it was compiled from the same sources by the same compiler for the same Python.
"""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding
from numba.core import config
from numba.core.caching import IndexDataCacheFile

from shoal.kernels.machine_code import fingerprint

FOLDER = Path(__file__).parent / "bundled"
"""Where a wheel has it; packaging/wheel_with_code.py puts it there. Sources have none."""

PROCESSOR = "x86-64-v3"
"""The baseline: what Intel's processors have had since 2013 and AMD's since 2015."""

_FEATURES = (
    *("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe"),
    *("popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3", "xsave"),
)


@cache
def stamp() -> str:
    """The hash over all that the code depends on, as it was when it was compiled for the baseline."""
    return fingerprint(processor=f"{PROCESSOR}\n")


@cache
def bundled_code() -> Path | None:
    """The folder with code that fits; None where there is none or it was compiled from or for something else."""
    try:
        made = (FOLDER / "stamp").read_text("ascii").strip()
    except OSError:
        return None
    is_chosen = bool(config.CPU_NAME) or config.CPU_FEATURES is not None  # the user says which processor it shall be
    return FOLDER if made == stamp() and not is_chosen and runs_baseline() else None


def runs_baseline() -> bool:
    """Whether this processor runs code for the baseline, and numba was not told to do without its vectors."""
    if platform.machine().lower() not in ("x86_64", "amd64") or not config.ENABLE_AVX:
        return False
    features = llvmlite.binding.get_host_cpu_features()
    return all(features.get(name) for name in _FEATURES)


def load(folder: Path, name: str, key: Any) -> Any:
    """What was saved for a kernel under numba's key for this process; None where the types are others."""
    types, (triple, *_), source = key
    return IndexDataCacheFile(str(folder), name, stamp()).load((types, (triple, PROCESSOR, ""), source))
