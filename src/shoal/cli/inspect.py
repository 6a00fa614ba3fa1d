"""``shoal inspect``: describe the columns of a table and find errors in it."""

from __future__ import annotations

from typing import Annotated

from shoal.cli.options import File, Said, bundled, options_of
from shoal.cli.output_mode import Shown, show, show_json
from shoal.cli.progress import reporting
from shoal.cli.spelling import as_options
from shoal.engine.inspecting import examined
from shoal.engine.vocabulary import AnonymizeWords, InspectWords, Reading
from shoal.io.inspect.column_values import merged
from shoal.io.place import place_at
from shoal.report.inspection import inspection_json, inspection_text

_ROLES = ("identifiers", "others", "person")


@bundled
def command(file: File, options: Annotated[Said, options_of(InspectWords)], shown: Shown) -> None:
    """Describe the columns of a table, find errors in it, suggest a role for each column, and count unique rows.

    The roles are suggestions: you know best what others may know. --write-job writes them to a job file for shoal run,
    with the reason for each line.
    """
    with reporting(shown.quiet) as progress:
        progress.stage("looking")
        words = InspectWords.said(options.words())
        seen = examined(file, words)
    found, said = seen.found, words.plain()
    said = {word: said[word] for word in Reading.model_fields if word in said}
    suggested = {word: value for word, value in found.words.items() if word not in _ROLES}
    if others := seen.others_to_say():
        suggested["others"] = others
    reading, address = as_options(AnonymizeWords, merged([said, suggested])), place_at(file).spelled
    shown.notes(seen.source.notes)
    if shown.json:
        show_json(inspection_json(found.as_data(), address, reading))
    if shown.for_people:
        show(inspection_text(found.as_data(), address, reading, words.write_job))
