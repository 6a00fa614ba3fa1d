"""What can be taken away from a run."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Callable
from pathlib import Path

from shoal.errors import InputError
from shoal.web.job_words import JOB, SCRIPT, files_of
from shoal.web.processes import start, stop
from shoal.web.run_process import convert
from shoal.web.runs import Run

RELEASES = ("release.csv", "release.parquet", "release.xlsx")
REPORTS = ("report.html", "public.html")
PACKED = "again.zip"
AGAIN = (JOB, SCRIPT, PACKED)
"""What does the same again: the job file, the script, and both with the files they read besides the table."""

DOWNLOADS = (*RELEASES, *REPORTS, *AGAIN)


async def download(run: Run, name: str) -> Path:
    """The file, as it was written for this run; other kinds of release are made when they are first asked for.

    Raises:
        KeyError: there is no such file.
        InputError: the run has no release, the kind of file cannot hold it, or it is not what was written.
    """
    if name not in DOWNLOADS:
        raise KeyError(name)
    if run.state != "done" and name not in AGAIN:
        raise InputError("This run has no release; wait until it is done.")
    async with run.packing:
        if name not in run.written:
            make: Callable[[Run, str], str] = _pack if name == PACKED else _convert
            run.written[name] = await asyncio.to_thread(make, run, name)
    return await asyncio.to_thread(run.folder.fetch, name, run.written[name])


def _convert(run: Run, name: str) -> str:
    """The release as another kind of file; its hash."""
    process, line = start(convert, str(run.folder.path), name)
    try:
        is_fine, said = line.recv()
    except EOFError:
        is_fine, said = False, "The release could not be written as this kind of file."
    finally:
        stop(process)
    if not is_fine:
        raise InputError(said)
    return str(said)


def _pack(run: Run, name: str) -> str:
    """The job file, the script and the files they read besides the table; the hash of all."""
    with zipfile.ZipFile(run.folder.outputs / name, "w", zipfile.ZIP_DEFLATED) as packed:
        for ours in (JOB, SCRIPT):
            packed.write(run.folder.fetch(ours, run.written[ours]), ours)
        for theirs in sorted({*files_of(run.job)}):
            packed.write(run.folder.inputs / theirs, theirs)
    return run.folder.hash_of(name)
