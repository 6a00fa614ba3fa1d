"""An archive of the Java classes of Spark (class data sharing): with it a session starts in half the time.

Spark loads some 14,000 classes from a hundred files, and Java reads and verifies each anew in every session. An archive
has them as they lie in memory. Java looks at the version, the files and their times, and does without an archive that
is of others. It is made once, on demand, by a small run.
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

_QUIET = "-Xlog:cds*=off"
"""Java says nothing of classes that it cannot archive, or of an archive that it cannot use."""

_LONGEST = 600.0
"""Seconds that a process may take for it."""


def archive_path() -> Path:
    """Where the archive is, or would be: beside the kernels' machine code, named after the places of Spark and Java."""
    spark = find_spec("pyspark")
    known = f"{spark.origin if spark else ''}\n{os.environ.get('JAVA_HOME', '')}"
    return machine_code.folder().parent / "spark" / f"{hashlib.sha256(known.encode()).hexdigest()[:16]}.jsa"


def archive_option() -> str:
    """The option with which Java uses the archive; empty where there is none, or somebody else could have made it."""
    path = archive_path()
    return f"-XX:SharedArchiveFile={path} {_QUIET}" if _is_ours(path) and " " not in str(path) else ""


def make_archive() -> Path:
    """Make the archive anew, by a small run in a process of its own.

    Raises:
        InputError: no archive came of it.
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


def making_option(made: Path) -> str:
    """The option with which Java writes an archive when it ends."""
    return f"-XX:ArchiveClassesAtExit={made} {_QUIET}"


def _is_ours(path: Path) -> bool:
    """Whether it is there, and nobody but this user and the administrator can have put it there."""
    try:
        own = [place.stat() for place in (path, path.parent)]
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return all(one.st_uid in (0, os.getuid()) and not one.st_mode & (stat.S_IWOTH | stat.S_IWGRP) for one in own)
