"""``shoal apply``: publish new rows with the recoding of an earlier release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.options import File, Said, bundled, options_of
from shoal.cli.output_mode import Shown
from shoal.cli.progress import WRITING, reporting
from shoal.cli.release_text import show_run
from shoal.engine.applying import apply
from shoal.engine.held_rows import AllHeld, write_held
from shoal.engine.vocabulary import ApplyCommand, ApplyWords
from shoal.engine.writing import write_all
from shoal.errors import InputError
from shoal.io.place import files_of
from shoal.io.write import check_target

Recoding = Annotated[
    Path, typer.Argument(metavar="RECODING.json", help="The file that --save-recoding wrote.", show_default=False)
]

Options = Annotated[Said, options_of(ApplyCommand)]


@bundled
def command(recoding: Recoding, file: File, options: Options, shown: Shown) -> None:
    """Publish new rows with the recoding of an earlier release.

    Roles, hierarchies, levels and promises are those of the earlier run; every promise is checked on the new rows.

    shoal apply recoding.json tomorrow.csv -o release.csv

    With --hold, rows with an unknown value, or in too small a class, wait in a file for the next run.
    """
    words = ApplyCommand.said(options.words())
    targets, hold = words.targets(), Path(words.hold) if words.hold else None
    targets.check([recoding, file, *words.named_inputs()])
    if hold:
        check_target(hold, files_of([recoding, file]), (".parquet",))
        if targets.replace:
            raise InputError("--hold never overwrites an earlier release; leave out --replace, and name a new table.")
    with reporting(shown.quiet) as progress:
        try:
            result = apply(recoding, file, progress=progress, **words.of(ApplyWords))
        except AllHeld as waiting:
            if hold:
                write_held(waiting.held, hold)
            raise
        progress.stage(WRITING)
        write_all(targets, result, hold)
    show_run(result, shown, targets)
