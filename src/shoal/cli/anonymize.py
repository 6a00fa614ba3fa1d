"""``shoal anonymize``: from a table to a verified release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from shoal.cli.options import File, Said, bundled, options_of
from shoal.cli.output_mode import Shown
from shoal.cli.progress import reporting
from shoal.cli.promises import Promises
from shoal.cli.release_text import show_run
from shoal.engine.job import run_command
from shoal.engine.vocabulary import CommandWords

Options = Annotated[Said, options_of(CommandWords, without=("privacy",))]


@bundled
def command(file: File, options: Options, promises: Promises, shown: Shown) -> None:
    """Publish a table so that every promise holds.

    Identifiers are dropped, quasi-identifiers are generalized until every promise holds, all other columns are
    published unchanged, and rows are shuffled. Independent code checks the release before anything is written.

    shoal anonymize people.csv --identifiers name,ssn --quasi age,zip,sex --sensitive disease --k 10 --l 3
    -o release.csv
    """
    words = CommandWords.said({**options.words(), "privacy": promises.models()})
    with reporting(shown.quiet) as progress:
        result = run_command(words, file, Path(), progress, is_shown=shown.json or shown.for_people)
    show_run(result, shown, words.targets())
