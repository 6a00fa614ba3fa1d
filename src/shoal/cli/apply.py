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

Recoding = Annotated[
    Path, typer.Argument(metavar="RECODING.json", help="What --save-recoding left.", show_default=False)
]


@bundled
def command(
    recoding: Recoding,
    file: File,
    outputs: Outputs,
    reading: Reading,
    shown: Shown,
    audit: AuditOption = "quick",
) -> None:
    """Publish new rows with the recoding of an earlier release.

    Roles, hierarchies, levels and promises are those of the earlier run; every promise is checked on the new rows.

    shoal apply recoding.json tomorrow.csv -o release.csv
    """
    targets = outputs.targets()
    targets.check([recoding, file])
    with reporting(shown.quiet) as progress:
        result = apply(recoding, file, progress=progress, **{"audit": audit, **reading.words()})
        progress.stage(WRITING)
        targets.write(result)
    show_release(result, shown)
    shown.notes(outputs.told())
