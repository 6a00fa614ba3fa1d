"""The private folder: created when the workbench starts, wiped when it ends, or by the next one if that failed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from shoal.errors import InputError

PREFIX = "shoal-workbench-"
_LOCK = "lock"


class PrivateFolder:
    """A folder that only its owner may enter; a lock shows that its workbench is running."""

    def __init__(self, parent: Path | None = None) -> None:
        parent = parent or Path(tempfile.gettempdir())
        wipe_leftovers(parent)
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        self.path.chmod(0o700)
        self._lock = _locked(self.path / _LOCK)

    def wipe(self) -> None:
        """Remove everything."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        wipe(self.path)


async def save(body: AsyncIterator[bytes], target: Path) -> None:
    """Write a request body to a file that only its owner may read; an incomplete file is removed."""
    try:
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            async for piece in body:
                await asyncio.to_thread(file.write, piece)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            target.unlink(missing_ok=True)
        if isinstance(problem, OSError):
            raise InputError("The file could not be saved: the disk is full or not writable.") from None
        raise


def share(source: Path, target: Path) -> None:
    """Keep the current content of a file under a second name, even if the first is replaced later."""
    try:
        os.link(source, target)
    except OSError:  # not every file system has hard links
        shutil.copy2(source, target)


def exchange(one: Path, other: Path) -> None:
    """Exchange two files; either may be missing. The first is complete at every moment."""
    between = other.with_name(f"{other.name}-between")
    if one.is_file():
        share(one, between)
    if other.is_file():
        part = one.with_name(f".{one.name}-part")
        share(other, part)
        part.replace(one)
        other.unlink()
    else:
        one.unlink(missing_ok=True)
    if between.is_file():
        between.replace(other)


def wipe(folder: Path) -> None:
    """Remove a folder with its contents; links are removed, not followed."""
    shutil.rmtree(folder, ignore_errors=True)


def wipe_leftovers(parent: Path) -> None:
    """Remove folders that this user's workbenches left behind, recognized by a lock that nobody holds."""
    for folder in parent.glob(f"{PREFIX}*"):
        if folder.is_symlink() or not folder.is_dir() or not _is_ours(folder):
            continue
        held = _locked(folder / _LOCK) if (folder / _LOCK).is_file() else None
        if held is not None:
            os.close(held)
            wipe(folder)


def _is_ours(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


def _locked(path: Path) -> int | None:
    """The handle of a lock that was free; None if another process holds it, or the system has no such locks."""
    try:
        import fcntl
    except ImportError:  # not on Windows: folders are wiped at exit only
        return None
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle
