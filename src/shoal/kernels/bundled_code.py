"""Machine code shipped in the wheel, compiled for a baseline that most processors support.

Numba compiles for one processor per process and looks only for code made for that processor. Baseline code runs on
every processor with the baseline's features, so it is looked up here under the baseline's name, without affecting what
other packages compile. It is used if it was compiled from the same sources by the same compiler for the same Python.
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
"""The folder in a wheel, filled by packaging/wheel_with_code.py. A source checkout does not have it."""

PROCESSOR = "x86-64-v3"
"""The baseline: Intel processors have supported it since 2013 and AMD's since 2015."""

_FEATURES = (
    *("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe"),
    *("popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3", "xsave"),
)


@cache
def stamp() -> str:
    """The hash of everything the code depends on, computed for the baseline processor."""
    return fingerprint(processor=f"{PROCESSOR}\n")


@cache
def bundled_code() -> Path | None:
    """The folder with bundled code if it fits; None if it is missing, out of date, or not for this processor."""
    try:
        made = (FOLDER / "stamp").read_text("ascii").strip()
    except OSError:
        return None
    is_chosen = bool(config.CPU_NAME) or config.CPU_FEATURES is not None  # the user has chosen the processor
    return FOLDER if made == stamp() and not is_chosen and runs_baseline() else None


def runs_baseline() -> bool:
    """Whether this processor can run baseline code and numba's use of its vector instructions is enabled."""
    if platform.machine().lower() not in ("x86_64", "amd64") or not config.ENABLE_AVX:
        return False
    features = llvmlite.binding.get_host_cpu_features()
    return all(features.get(name) for name in _FEATURES)


def load(folder: Path, name: str, key: Any) -> Any:
    """Load what was saved for a kernel under numba's key for this process; None if its types were not compiled."""
    types, (triple, *_), source = key
    return IndexDataCacheFile(str(folder), name, stamp()).load((types, (triple, PROCESSOR, ""), source))
