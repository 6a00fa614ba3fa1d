"""``shoal anonymize``: from a table to a verified release."""

from __future__ import annotations

from shoal.cli.bundles import bundled
from shoal.cli.columns import Columns
from shoal.cli.how import How
from shoal.cli.outcome_text import show_outcome
from shoal.cli.outputs import Outputs
from shoal.cli.progress import WRITING, reporting
from shoal.cli.promises import Promises
from shoal.cli.reading import File, Reading
from shoal.cli.release_text import show_release
from shoal.cli.shown import Shown
from shoal.cli.where import Where
from shoal.engine import anonymize


@bundled
def command(
    file: File,
    columns: Columns,
    promises: Promises,
    how: How,
    where: Where,
    outputs: Outputs,
    reading: Reading,
    shown: Shown,
) -> None:
    """Publish a table so that every promise holds.

    Identifiers are dropped, quasi-identifiers made coarser until every promise holds, all other columns published as
    they are, rows shuffled. The release is checked by code that did not make it before anything is written.

    shoal anonymize people.csv --identifiers name,ssn --quasi age,zip,sex --sensitive disease --k 10 --l 3
    -o release.csv
    """
    words = {**columns.words(), **how.words(), **reading.words(), "privacy": promises.models()}
    targets = outputs.targets()
    if where.is_elsewhere:
        if where.memory:
            targets.check([file, *columns.files()])
        with reporting(shown.quiet) as progress:
            outcome = where.run(file, targets, progress, words)
        show_outcome(outcome, shown)
        return
    targets.check([file, *columns.files()])
    with reporting(shown.quiet) as progress:
        result = anonymize(file, **words, progress=progress)
        progress.stage(WRITING)
        targets.write(result)
    show_release(result, shown)
    shown.notes(outputs.told(in_two=result.values is not None))
