"""The files that can be downloaded from a run."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.web.export_process import convert, database, write_dossier, write_to_database
from shoal.web.findings import DOSSIER, check_may_leave, findings_of
from shoal.web.job_words import JOB, SCRIPT, files_of
from shoal.web.processes import start, stop
from shoal.web.run import Run
from shoal.web.run_process import PACKAGE, RECORD, table_file

ENDINGS = (".csv", ".parquet", ".arrow", ".xlsx")
"""The file formats of a release."""

RELEASES = tuple(table_file("", ending) for ending in ENDINGS)
SECOND = tuple(table_file(table, ending) for table in ("sensitive", "codes") for ending in ENDINGS)
"""Tables that only some releases have: the sensitive values of buckets (Anatomy), the codebook of codes."""

REPORTS = ("report.html", "public.html")
PACKED = "again.zip"
AGAIN = (JOB, SCRIPT, PACKED)
"""Files to repeat the run: the job file, the script, and both in an archive with the other files they read."""

LEAVING = (*RELEASES, *SECOND, PACKAGE, "public.html")
"""Files for others, locked until every finding is fixed or accepted."""

DOWNLOADS = (*RELEASES, PACKAGE, *REPORTS, DOSSIER, RECORD, *AGAIN)
"""The files of every run."""

_PAUSE = 0.1


async def download(run: Run, name: str) -> Path:
    """Return the path of a file of this run; other formats of the release are created on first request.

    Raises:
        KeyError: there is no such file.
        InputError: the run has no release, one of its findings is open, the format cannot hold the release, or the file
            has been changed since it was written.
    """
    known = (name in DOWNLOADS or has_table(run, name)) and (not run.is_in_pieces or name in AGAIN)
    if not known and name not in run.written:
        raise KeyError(name)
    if run.state != "done" and name not in AGAIN:
        raise InputError("This run has no release; wait until it is done.")
    if name in LEAVING:
        while run.is_being_attacked:
            await asyncio.sleep(_PAUSE)
        check_may_leave(run)
    while name == DOSSIER and run.is_preparing and "dossier" not in run.pieces:
        await asyncio.sleep(_PAUSE)
    async with run.packing:
        if name not in run.written:
            run.written[name] = await asyncio.to_thread(_MAKERS.get(name, _convert), run, name)
    return await asyncio.to_thread(run.folder.fetch, name, run.written[name])


async def to_database(run: Run, address: str, *, replace: bool) -> str:
    """Write the release to a database table, once no finding is open, and return its address.

    Raises:
        InputError: a finding is open, the release has a second table, or the database refuses it.
    """
    if run.state != "done" or run.is_being_attacked:
        raise InputError("This run has no release yet; wait until all attacks have run.")
    check_may_leave(run)
    if run.is_in_pieces:
        raise InputError("This run had a memory limit, so its release is only a file; export it as CSV.")
    database(address)
    if any(has_table(run, name) for name in SECOND):
        raise InputError("This release has two tables, and only one can be written to a database; export it as files.")
    return await asyncio.to_thread(_made, write_to_database, str(run.folder.path), address, replace)


def has_table(run: Run, name: str) -> bool:
    """Whether the release has this second table."""
    return name in SECOND and Path(name).with_suffix(".csv").name in run.written


def _convert(run: Run, name: str) -> str:
    """Convert the release to another format and return the file's hash."""
    return _made(convert, str(run.folder.path), name)


def _write_dossier(run: Run, name: str) -> str:
    """Write both editions of the dossier in every format, with the findings accepted so far; return the hash."""
    accepted = [(one.sentence, run.accepted[one.key]) for one in findings_of(run) if one.key in run.accepted]
    return _made(write_dossier, str(run.folder.path), name, accepted)


def _made(make: Callable[..., None], *arguments: Any) -> str:
    """Have a separate process create a file, and return its hash."""
    process, line = start(make, *arguments)
    try:
        is_fine, said = line.recv()
    except EOFError:
        is_fine, said = False, "The release could not be written."
    finally:
        stop(process)
    if not is_fine:
        raise InputError(said)
    return str(said)


def _pack(run: Run, name: str) -> str:
    """Pack the job file, the script and the files they read besides the table; return the archive's hash."""
    with zipfile.ZipFile(run.folder.outputs / name, "w", zipfile.ZIP_DEFLATED) as packed:
        for ours in (JOB, SCRIPT):
            packed.write(run.folder.fetch(ours, run.written[ours]), ours)
        for theirs in sorted({*files_of(run.job)}):
            packed.write(run.folder.inputs / theirs, theirs)
    return run.folder.hash_of(name)


_MAKERS: dict[str, Callable[[Run, str], str]] = {PACKED: _pack, DOSSIER: _write_dossier}
"""Functions that create files other than formats of the release."""
