"""The cache of the kernels' machine code: found from any folder, never used after a change, never shared with others.

Numba's own cache checks only the file of a kernel, not those of the kernels it calls, and identifies a file by its
path. Here the folder is named by one hash over all sources. Code from other sources, another version of numba or for
another processor therefore lies elsewhere, and a copy of the package finds what another copy has compiled.

Cached code is executed as it is read, so a folder that somebody else could have written to is not used.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from time import sleep, time
from typing import Any
from uuid import uuid4

import llvmlite
import llvmlite.binding
import numba
from numba.core import config

_SOURCES = Path(__file__).parent
_NAME = "kernels-"
_MOST, _OLDEST = 16, 60 * 60 * 24 * 60
"""How many folders are kept, and for how many seconds after their last use."""

_LONGEST = 5.0
"""The longest time in seconds to wait for another process that is saving."""


class Locator:
    """Tells numba where a kernel's machine code is stored; named in ``numba.config.CACHE_LOCATOR_CLASSES``."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Locator | None:
        """A locator for a kernel; None for any other function, for which numba then tries its own locators."""
        return cls(function, file) if Path(file).parent == _SOURCES else None

    def get_cache_path(self) -> str:
        """The folder of the cache."""
        return str(folder())

    def ensure_cache_path(self) -> None:
        """Recreate the folder if another process has pruned it."""
        folder().mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """The stamp that numba compares with that of the cached code."""
        return fingerprint()

    def get_disambiguator(self) -> str:
        """The text that distinguishes kernels of the same name."""
        return str(self._line)


@cache
def fingerprint(sources: Path = _SOURCES, processor: str = "") -> str:
    """A hash of everything machine code depends on: every kernel source, the compiler, Python and the processor.

    The processor is the one that numba compiles for, by name and features, unless another is given.
    """
    processor = processor or f"{config.CPU_NAME or llvmlite.binding.get_host_cpu_name()}\n{config.CPU_FEATURES}"
    parts = [numba.__version__, llvmlite.__version__, str(sys.implementation.cache_tag), platform.machine(), processor]
    hashed = hashlib.sha256("\n".join(parts).encode())
    for file in sorted(sources.glob("*.py")):
        text = file.read_bytes()
        hashed.update(f"\n{file.name} {len(text)}\n".encode() + text)
    return hashed.hexdigest()[:32]


@cache
def folder() -> Path:
    """The cache folder of this process: the first that it, and nobody else, can write to.

    If an earlier candidate can only be read (code compiled when an image was built), its files are copied.
    """
    seed: Path | None = None
    for base in _bases():
        here = base / f"{_NAME}{fingerprint()}"
        if _is_writable(here):
            return _prepared(here, seed)
        if seed is None and _is_ours_alone(here):
            seed = here
    last = Path(tempfile.mkdtemp(prefix="shoal-"))
    atexit.register(shutil.rmtree, last, ignore_errors=True)
    return _prepared(last, seed)


def is_lasting() -> bool:
    """Whether other processes of this user will find what this one compiles."""
    return folder().name.startswith(_NAME)


@contextmanager
def saving() -> Iterator[None]:
    """Hold the lock for saving: of two processes that update a kernel's index at once, one would lose its entry.

    Waits at most ``_LONGEST`` seconds, in case a process died while it held the lock.
    """
    lock, until = folder() / "saving", time() + _LONGEST
    while time() < until:
        with suppress(OSError):
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            break
        sleep(0.01)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def note() -> str:
    """A sentence for users who wait for a compilation."""
    if any(folder().glob("*.nbi")):
        return "Compiling for this machine what no run has needed before: a few seconds …"
    return "Compiling for this machine, for the first and only time: ten to twenty seconds …"


def _bases() -> Iterator[Path]:
    """Candidate parents of the cache folder, best first."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR, "shoal")
    with suppress(RuntimeError):
        yield _user_cache() / "shoal"
    yield Path(tempfile.gettempdir(), f"shoal-{os.getuid() if hasattr(os, 'getuid') else 'user'}")


def _user_cache() -> Path:
    """The platform's folder for a user's caches; RuntimeError if the user has no home."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _is_writable(here: Path) -> bool:
    """Whether the folder exists or could be created, and this user, and only this user, can write to it."""
    try:
        is_new = not here.is_dir()
        here.mkdir(mode=0o755, parents=True, exist_ok=True)
        if is_new:
            here.chmod(0o755)
            _prune(here)
        tempfile.TemporaryFile(dir=here).close()
        os.utime(here)
    except OSError:
        return False
    return _is_ours_alone(here)


def _is_ours_alone(here: Path) -> bool:
    """Whether it exists, and nobody but this user and the administrator can put files into it or replace it."""
    try:
        own, above = here.stat(), here.parent.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    trusted = (0, os.getuid())
    others_write = own.st_mode & (stat.S_IWOTH | stat.S_IWGRP)
    # The owner of a folder may rename everything in it, even if it is sticky.
    replaceable = above.st_uid not in trusted or (above.st_mode & stat.S_IWOTH and not above.st_mode & stat.S_ISVTX)
    return own.st_uid in trusted and not others_write and not replaceable


def _prepared(here: Path, seed: Path | None) -> Path:
    """The folder, filled with the seed's files if it has none; code is copied before the index that refers to it."""
    if seed is not None and not any(here.glob("*.nbi")):
        for file in sorted(seed.glob("*.nb[ci]")):
            fresh = here / f"{file.name}.tmp.{uuid4().hex[:16]}"
            shutil.copyfile(file, fresh)
            fresh.replace(here / file.name)
    return here


def _prune(here: Path) -> None:
    """Delete sibling folders of other sources that have not been used for long or are too many."""
    others = [(other.stat().st_mtime, other) for other in here.parent.glob(f"{_NAME}*") if other != here]
    for rank, (used, other) in enumerate(sorted(others, reverse=True), 2):
        if rank > _MOST or used < time() - _OLDEST:
            shutil.rmtree(other, ignore_errors=True)
