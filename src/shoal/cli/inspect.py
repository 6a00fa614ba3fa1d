"""``shoal inspect``: what the columns of a table are."""

from __future__ import annotations

from typing import Annotated

from shoal.cli.bundles import bundled
from shoal.cli.options import Said, options_of
from shoal.cli.progress import reporting
from shoal.cli.reading import File
from shoal.cli.shown import Shown, show, show_json
from shoal.engine.source import load
from shoal.engine.vocabulary import Reading
from shoal.io.inspect import inspect_frame
from shoal.report.inspection import inspection_json, inspection_text


@bundled
def command(file: File, reading: Annotated[Said, options_of(Reading)], shown: Shown) -> None:
    """Say what the columns of a table are, which role suits each, and how many rows stand alone.

    The roles are suggestions: you know best what others may know.
    """
    with reporting(shown.quiet) as progress:
        progress.stage("looking")
        source = load(file, **reading.words())
        found = inspect_frame(source.frame)
    shown.notes(source.notes)
    if shown.json:
        show_json(inspection_json(found.as_data(), str(file)))
    if shown.for_people:
        show(inspection_text(found.as_data(), str(file)))
