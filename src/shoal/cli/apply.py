"""``shoal apply``: new rows with the recoding of an earlier release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.bundles import bundled
from shoal.cli.how import AuditOption
from shoal.cli.outputs import Outputs
from shoal.cli.progress import WRITING, reporting
from shoal.cli.reading import File, Reading
from shoal.cli.release_text import show_release
from shoal.cli.shown import Shown
from shoal.engine.applying import apply
from shoal.engine.holding import AllHeld, write_held
from shoal.errors import InputError
from shoal.io.write import check_target

Recoding = Annotated[
    Path, typer.Argument(metavar="RECODING.json", help="What --save-recoding left.", show_default=False)
]

Hold = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.parquet",
        help="Keep rows that cannot be published yet in this file; the next run counts them in. For you alone.",
    ),
]
Published = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="An earlier release; promises are checked on all together. May be repeated."),
]


@bundled
def command(
    recoding: Recoding,
    file: File,
    outputs: Outputs,
    reading: Reading,
    shown: Shown,
    audit: AuditOption = "quick",
    hold: Hold = None,
    published: Published = None,
) -> None:
    """Publish new rows with the recoding of an earlier release.

    Roles, hierarchies, levels and promises are those of the earlier run; every promise is checked on the new rows.

    shoal apply recoding.json tomorrow.csv -o release.csv

    With --hold, rows with a value never seen or too few of their kind wait for the next run in a file.
    """
    targets = outputs.targets()
    targets.check([recoding, file, *(published or []), *([hold] if hold else [])])
    if hold:
        check_target(hold, [recoding, *([file] if isinstance(file, Path) else [])], (".parquet",))
        if targets.replace:
            raise InputError("With --hold nothing published is replaced; leave --replace out and name a new table.")
    words = {"audit": audit, "hold": hold, "published": published or (), **reading.words()}
    with reporting(shown.quiet) as progress:
        try:
            result = apply(recoding, file, progress=progress, **words)
        except AllHeld as waiting:
            if hold:
                write_held(waiting.held, hold)
            raise
        progress.stage(WRITING)
        targets.write(result, hold)
    show_release(result, shown)
    shown.notes(outputs.told())
