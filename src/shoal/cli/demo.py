"""``shoal demo``: a complete run on a table of invented people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.options import bundled
from shoal.cli.output_mode import Shown
from shoal.cli.progress import reporting
from shoal.cli.release_text import show_release
from shoal.engine.file_formats import JOB
from shoal.engine.job import run_job
from shoal.engine.result import Result
from shoal.errors import InputError
from shoal.io.example import ROLES, hierarchies, people
from shoal.io.toml import to_toml
from shoal.io.write import write_frame, write_text

MARK = "# Written by shoal demo."
"""The first line of the demo's job file, which marks a folder as the demo's own."""

FILES = {
    "people.csv": "{0} is the original: invented people.",
    "job.toml": "{0} repeats the run: shoal run {0}",
    "release.csv": "{0} is the release.",
    "release.run.json": "{0} is the private record of the run, readable by you alone.",
    "release.datapackage.json": "{0} describes the release for programs and may be published with it.",
    "report.html": "{0} is the internal report, readable by you alone: open it in a browser.",
    "public.html": "{0} is the public report, which may be published with the release.",
}
"""The files of the demo, and what it says about each."""

LEAST = 100

Rows = Annotated[int, typer.Option(help="The number of people.")]
Folder = Annotated[Path, typer.Option(help="The folder for the files; created if missing.")]


@bundled
def command(shown: Shown, rows: Rows = 20_000, folder: Folder = Path("demo")) -> None:
    """Try it: invent a table of people, and publish it.

    The table is published 10-anonymous and 3-diverse. A job file is left that repeats the run.
    """
    if rows < LEAST:
        raise InputError(f"The demo needs at least {LEAST} rows to be worth a look, got {rows}.")
    check_folder(folder)
    with reporting(shown.quiet) as progress:
        progress.stage("making people")
        table = people(rows)
        folder.mkdir(parents=True, exist_ok=True)
        for name in reversed(FILES):  # releases first, so that an interrupted demo leaves none of an old table
            (folder / name).unlink(missing_ok=True)
        write_frame(table, folder / "people.csv")
        write_text(job_text(), folder / "job.toml")
        result = run_job(folder / "job.toml", progress)
        assert isinstance(result, Result)
    show_release(result, shown)
    original, job, *others = (what.format(folder / name) for name, what in FILES.items())
    shown.notes([original, *others, job])


def check_folder(folder: Path) -> None:
    """Refuse to overwrite files that are not the demo's own."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{str(folder)!r} is not a folder; give another with --folder.")
    job = folder / "job.toml"
    if job.is_file() and job.read_text("utf-8", errors="replace").startswith(MARK):
        return
    for name in FILES:
        if (folder / name).exists():
            raise InputError(
                f"The folder {str(folder)!r} has a file {name!r} that shoal demo did not make; "
                "give another with --folder."
            )


def job_text() -> str:
    """The job file that publishes the example."""
    said = {
        "format": JOB.mark,
        "input": "people.csv",
        "output": "release.csv",
        "report": "report.html",
        "public_report": "public.html",
        **ROLES,
        "others": ["stay_days"],
        "privacy": {"k": 10, "l": 3},
        "hierarchies": hierarchies(),
    }
    return f"{MARK} Run it with: shoal run job.toml\n\n{to_toml(said)}"
