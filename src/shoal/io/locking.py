"""Locks that are released when their process ends, and temporary files that are marked as in use."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # no such locks on Windows; users must avoid concurrent runs
    fcntl = None

PREFIX, SUFFIX = ".shoal-", ".tmp"


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """Hold the lock on a target that is written together with other files, waiting for other runs.

    The lock is a file beside the target. Its holder removes it, so a waiting run must check that the file it opened is
    still the one that others will find.
    """
    path = target.with_name(f".{target.name}.lock")
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        hold(handle)
        if is_at(handle, path):
            break
        os.close(handle)
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(handle)


@contextmanager
def temporary(folder: Path) -> Iterator[Path]:
    """A new empty file that only its owner may read; deleted at the end unless it was renamed."""
    handle, path = create(folder)
    try:
        yield path
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(handle)


def create(folder: Path) -> tuple[int, Path]:
    """Create an empty file that only its owner may read, with its handle; in use as long as the handle is open."""
    handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=SUFFIX, dir=folder)
    hold(handle)
    return handle, Path(name)


@contextmanager
def temporary_folder(folder: Path) -> Iterator[Path]:
    """A new empty folder that only its owner may read; deleted at the end with its contents."""
    name = tempfile.mkdtemp(prefix=PREFIX, suffix=SUFFIX, dir=folder)
    handle = os.open(name, os.O_RDONLY)
    try:
        hold(handle)
        yield Path(name)
    finally:
        shutil.rmtree(name, ignore_errors=True)
        os.close(handle)


def sweep(folder: Path, keep: set[str]) -> None:
    """Remove what aborted runs left in a folder: files of this user with our kind of name that are not in use."""
    for entry in os.scandir(folder):
        if entry.name.startswith(PREFIX) and entry.name.endswith(SUFFIX) and entry.name not in keep:
            with suppress(OSError):
                _remove_unused(Path(entry.path))


def _remove_unused(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        if is_ours(handle) and hold(handle, wait=False):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    finally:
        os.close(handle)


def hold(handle: int, *, wait: bool = True) -> bool:
    """Lock an open file and return whether we have the lock, which can be false only without waiting."""
    if fcntl is None:
        return wait
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return wait
    return True


def is_at(handle: int, path: Path) -> bool:
    """Whether an open file is still the one at that path."""
    try:
        there = path.lstat()
    except FileNotFoundError:
        return False
    ours = os.fstat(handle)
    return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


def is_ours(handle: int) -> bool:
    """Whether a file or folder belongs to the user of this process."""
    owner = os.fstat(handle).st_uid
    return owner == (os.geteuid() if hasattr(os, "geteuid") else owner)
