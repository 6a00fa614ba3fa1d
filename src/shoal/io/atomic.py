"""Files that are written completely or not at all."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.errors import InputError
from shoal.io.locking import temporary

REASONS = {
    errno.ENOSPC: "the disk is full; make room and run again",
    errno.EDQUOT: "your disk quota is used up; make room and run again",
    errno.EFBIG: "the file grew larger than is allowed; raise the limit or write elsewhere",
    errno.EACCES: "you may not write there; choose another folder",
    errno.EROFS: "the disk is read-only; choose another folder",
    errno.ENOENT: "the folder does not exist; make it first",
}


@contextmanager
def atomic(target: Path, *, private: bool = False) -> Iterator[Path]:
    """Write a file under a temporary name beside the target; it replaces the target once it is complete.

    Until then only its owner may read it. Afterwards it gets the usual permissions, unless it is ``private``. If
    anything fails, an old target stays unchanged and no temporary file is left behind. A link is replaced, not
    followed.

    Args:
        target: the file to make or replace.
        private: whether nobody but the owner may ever read it.

    Yields:
        the path to write to; the file exists already and is empty.

    Raises:
        InputError: the disk is full, or the operating system refuses for another reason.
    """
    try:
        with temporary(target.parent) as path:
            yield path
            finish(path, mode_of(private=private))
            path.replace(target)
        sync(target.parent)
    except OSError as error:
        raise InputError(f"Cannot write {str(target)!r}: {reason(error)}.") from error


def write_text(text: str, target: Path) -> None:
    """Write a text file with the usual permissions, completely or not at all."""
    with atomic(target) as path:
        path.write_text(text, encoding="utf-8", newline="\n")


def write_private(text: str, target: Path) -> None:
    """Write a text file that only its owner may ever read, completely or not at all."""
    with atomic(target, private=True) as path:
        path.write_text(text, encoding="utf-8", newline="\n")


def finish(path: Path, mode: int) -> None:
    """Flush the file to disk and set its permissions."""
    sync(path)
    path.chmod(mode)


def sync(path: Path) -> None:
    """Flush a file or folder to disk; not every system can do this for folders."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def mode_of(*, private: bool) -> int:
    """Return the permissions for a new file; the umask can be read only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o600 if private else 0o666 & ~mask


def reason(error: OSError) -> str:
    """Return the reason for an error as text; errors from compiled code carry their number only in the message."""
    number = error.errno
    in_text = re.search(r"os error (\d+)", str(error))
    if number is None and in_text:
        number = int(in_text.group(1))
    return REASONS.get(number or 0) or (os.strerror(number) if number else str(error))
