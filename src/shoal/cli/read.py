"""``shoal read``: convert a release to cells that can be computed with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.options import Release, Said, bundled, options_of
from shoal.cli.output_mode import Shown, show, show_json
from shoal.engine.reading_release import known_codes, printed_release
from shoal.engine.vocabulary import ReadWords
from shoal.io.cell_forms.printing import drawn_tables
from shoal.io.place import place_at
from shoal.io.transaction import together
from shoal.io.write import FORMATS, LABELLED, check_target

Options = Annotated[Said, options_of(ReadWords)]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to write the table; shown if not given.")
]

_ROWS = 10
"""The number of records shown."""


@bundled
def command(release: Release, options: Options, shown: Shown, output: Output = None) -> None:
    """Convert a release to cells you can compute with: numbers as numbers, ranges as two columns.

    The result is computed from the release alone, so every promise of the release still holds.

    shoal read release.csv --cells bounds -o bounds.parquet

    shoal read release.csv --cells sampled --draws 5 -o draws.csv
    """
    words = ReadWords.said({"cells": "bounds", **options.words()})
    if output is not None:
        check_target(output, [release, *words.named_files()])
    made = printed_release(words, release, Path())
    shown.notes(made.notes)
    tables = dict(drawn_tables(made)) | ({} if made.codebook is None else {"codes": made.codebook})
    if output is None and shown.for_people:
        for frame in tables.values():
            show(str(frame.head(_ROWS)))
    places = {}
    if output is not None:
        beside = place_at(output).beside
        places = {beside(name) if name else output: frame for name, frame in tables.items()}
        known = known_codes(words, release, made) if output.suffix.lower() in LABELLED else {}
        with together(output) as files:
            for place, frame in places.items():
                FORMATS[place.suffix.lower()](frame, files.path(place), **known)
        shown.notes([f"{place} is written." for place in places])
    if shown.json:
        some = {name or "release": frame.head(_ROWS).to_dicts() for name, frame in tables.items()}
        show_json({"tables": some, "written": [str(place) for place in places]})
