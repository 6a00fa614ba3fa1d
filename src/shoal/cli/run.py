"""``shoal run``: run a job file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.options import bundled
from shoal.cli.output_mode import Shown
from shoal.cli.progress import reporting
from shoal.cli.release_text import show_linked, show_run
from shoal.engine.job import read_job, read_toml, run_job
from shoal.engine.linked.anonymizing_tables import run_tables_job

JobFile = Annotated[Path, typer.Argument(metavar="JOB.toml", help="The job file.", show_default=False)]


@bundled
def command(job: JobFile, shown: Shown) -> None:
    """Run a job file.

    A job file contains the options of anonymize in TOML, under the names that the library uses. Paths are relative to
    its folder. ``shoal demo`` writes one as an example. A file with sections [tables.patients], [tables.visits], …
    publishes several tables about the same people, with new keys.
    """
    if "tables" in (said := read_toml(job)):
        with reporting(shown.quiet) as progress:
            linked = run_tables_job(job, said, progress)
        show_linked(linked, shown)
        return
    with reporting(shown.quiet) as progress:
        result = run_job(job, progress)
    show_run(result, shown, read_job(job).targets(job.parent))
