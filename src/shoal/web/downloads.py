"""What can be taken away from a run."""

from __future__ import annotations

import asyncio
import zipfile
from pathlib import Path

from shoal.errors import InputError
from shoal.web.job_words import files_of
from shoal.web.processes import start, stop
from shoal.web.run_process import convert
from shoal.web.runs import Run

RELEASES = ("release.csv", "release.parquet", "release.xlsx")
REPORTS = ("report.html", "public.html")
AGAIN = ("job.toml", "job.py", "again.zip")
"""What does the same again: the job file, the script, and both with the files they read besides the table."""

DOWNLOADS = (*RELEASES, *REPORTS, *AGAIN)


async def download(run: Run, name: str) -> Path:
    """The file; other kinds of release are made when they are first asked for.

    Raises:
        KeyError: there is no such file.
        InputError: the run has no release, or the kind of file cannot hold it.
    """
    if name not in DOWNLOADS:
        raise KeyError(name)
    if run.state != "done" and name not in AGAIN:
        raise InputError("This run has no release; wait until it is done.")
    path = run.folder / name
    if name == "again.zip":
        await asyncio.to_thread(_pack, run, path)
    elif not path.is_file():
        await asyncio.to_thread(_convert, run.folder, name)
    return path


def _convert(folder: Path, name: str) -> None:
    process, line = start(convert, str(folder), name)
    try:
        is_fine, sentence = line.recv()
    except EOFError:
        is_fine, sentence = False, "The release could not be written as this kind of file."
    finally:
        stop(process)
    if not is_fine:
        raise InputError(sentence)


def _pack(run: Run, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in ("job.toml", "job.py", *files_of(run.job)):
            packed.write(run.folder / name, name)
