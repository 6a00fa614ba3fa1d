"""An archive of Spark's Java classes (class data sharing), which halves the start time of a session.

Spark loads some 14,000 classes from a hundred files, and Java reads and verifies each anew in every session. An archive
stores them as they are laid out in memory. Java checks its version, the files and their times, and ignores an archive
that does not match. It is made once, on demand, by a small run.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from shoal.errors import InputError
from shoal.kernels import machine_code

QUIET = "-Xlog:cds*=off"
"""Suppresses Java's messages about classes it cannot archive, or an archive it cannot use."""

_LONGEST = 600.0
"""The time limit in seconds for making the archive."""


def archive_path() -> Path:
    """The path of the archive: beside the kernels' machine code, named by the locations of Spark and Java."""
    spark = find_spec("pyspark")
    known = f"{spark.origin if spark else ''}\n{os.environ.get('JAVA_HOME', '')}"
    return machine_code.folder().parent / "spark" / f"{hashlib.sha256(known.encode()).hexdigest()[:16]}.jsa"


def archive_option() -> str:
    """The option that makes Java use the archive; empty if there is none, or if others could have written it."""
    path = archive_path()
    return f"-XX:SharedArchiveFile={path} {QUIET}" if _is_ours(path) and " " not in str(path) else ""


def make_archive() -> Path:
    """Create the archive anew by a small run in its own process.

    Raises:
        InputError: no archive was created.
    """
    path = archive_path()
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder, "classes.jsa")
        command = [sys.executable, "-m", "shoal.engine.backends.spark.archived_run", str(made), folder]
        try:
            subprocess.run(command, check=True, timeout=_LONGEST, capture_output=True, stdin=subprocess.DEVNULL)  # noqa: S603
            made.replace(path)
        except (subprocess.SubprocessError, OSError):
            raise InputError(
                "Java made no archive of Spark's classes; Spark runs without one. It needs Java 17 or later, and "
                "200 MiB in the cache folder."
            ) from None
    return path


def _is_ours(path: Path) -> bool:
    """Whether it exists and only this user or the administrator can have written it."""
    try:
        own = [place.stat() for place in (path, path.parent)]
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return all(one.st_uid in (0, os.getuid()) and not one.st_mode & (stat.S_IWOTH | stat.S_IWGRP) for one in own)
