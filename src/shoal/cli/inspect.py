"""``shoal inspect``: what the columns of a table are."""

from __future__ import annotations

import csv
import io
import shlex
from typing import Annotated, Any

from shoal.cli.bundles import bundled
from shoal.cli.options import Said, options_of
from shoal.cli.progress import reporting
from shoal.cli.reading import File
from shoal.cli.shown import Shown, show, show_json
from shoal.engine.source import load
from shoal.engine.vocabulary import Reading
from shoal.io.inspect import inspect_frame
from shoal.io.places import shown as shown_place
from shoal.report.inspection import inspection_json, inspection_text


@bundled
def command(file: File, reading: Annotated[Said, options_of(Reading)], shown: Shown) -> None:
    """Say what the columns of a table are, which role suits each, and how many rows stand alone.

    The roles are suggestions: you know best what others may know.
    """
    with reporting(shown.quiet) as progress:
        progress.stage("looking")
        said = reading.words()
        source = load(file, **said)
        found = inspect_frame(source.frame)
    shown.notes(source.notes)
    if shown.json:
        show_json(inspection_json(found.as_data(), shown_place(file), _as_options(said)))
    if shown.for_people:
        show(inspection_text(found.as_data(), shown_place(file), _as_options(said)))


def _as_options(said: dict[str, Any]) -> list[str]:
    """What was said about reading, as options for the next command."""
    return [
        f"{word.options[0]} {shlex.quote(_text(said[name]))}"
        for name, word in Reading.vocabulary().items()
        if name in said
    ]


def _text(value: Any) -> str:
    """A value as the command line writes it: names as a line of CSV."""
    if not isinstance(value, tuple):
        return str(value)
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(value)
    return line.getvalue()
