"""Job files for several tables, each in a section such as ``[tables.visits]``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.core.progress import Progress
from shoal.engine.linked.anonymizing_tables import run_tables
from shoal.engine.linked.result import LinkedRelease
from shoal.engine.linked.words import TablesJob, tables_said
from shoal.errors import InputError


def run_tables_job(path: Path, said: Mapping[str, Any], progress: Progress) -> LinkedRelease:
    """Run a job file for several tables, and write them all; nothing is written unless every model holds.

    Raises:
        InputError: a setting cannot be used, or a table has no output.
    """
    job, folder = TablesJob.said(said, f"The job file {str(path)!r}"), path.resolve().parent
    tables = tables_said(job.tables)
    for name, words in tables.items():
        if words.output is None:
            raise InputError(f"The table {name!r} has no output; say output = 'a file' under [tables.{name}].")
        if not isinstance(words.input, str):
            raise InputError(f"The input of the table {name!r} must be the name of a file, got {words.input!r}.")
    release = run_tables(tables, job, folder, progress)
    progress.stage("writing")
    release.write({name: folder / str(words.output) for name, words in tables.items()})
    return release
