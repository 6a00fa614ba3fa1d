"""One table from rows to printed records: a whole table in memory, or a block of similar rows of a larger one."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from shoal.core.contracts import Algorithm, Goal, Verdict
from shoal.core.parallel_work import meanwhile
from shoal.core.progress import Progress, Silent, Watch
from shoal.core.randomness import Randomness
from shoal.core.release import ClaimVerdict, Publication, Release, publish, published_order
from shoal.core.table import Table
from shoal.engine.backends.coded_columns import CodedColumns
from shoal.engine.release_check import Beside, check_claims, check_publication, check_release
from shoal.engine.whole_histories import check_pseudonyms, with_pseudonyms
from shoal.errors import GoalNotMet
from shoal.io.labels import to_frame, to_sensitive_frame


@dataclass(frozen=True, eq=False)
class CheckedTable:
    """A release that was checked as cells and as printed; ``values`` is the second table if there are buckets."""

    release: Release
    publication: Publication
    frame: pl.DataFrame
    values: pl.DataFrame | None
    verdicts: tuple[Verdict, ...]
    claims: tuple[ClaimVerdict, ...]
    beside: Beside = field(default_factory=Beside)


def publish_table(
    table: Table,
    goal: Goal,
    algorithm: Algorithm,
    randomness: Randomness,
    progress: Progress | None = None,
    watch: Watch | None = None,
    *,
    keys: pl.Series | None = None,
    pseudonym: str | None = None,
    is_block: bool = False,
) -> CheckedTable:
    """Run an algorithm, check its result, and print it; in a table that ``is_block`` all rows may be suppressed.

    ``keys`` has the key of each row's person, if people are counted; ``pseudonym`` names the column for fresh keys.

    Raises:
        GoalNotMet: no row could be published.
        BrokenPromise: a model or claim does not hold, which is our bug.
    """
    progress, watch = progress or Silent(), watch or Watch()
    release = algorithm.run(table, goal, randomness.child("algorithm"), progress)
    watch.lap("anonymize")
    progress.stage("checking")
    if not release.n_records and not is_block:
        raise GoalNotMet("Every row would have to be suppressed; ask for weaker promises, or allow coarser cells.")
    with meanwhile(lambda: check_release(release, goal.promises)) as judged:
        order = published_order(release, randomness.child("publish"))
        publication = publish(release, randomness.child("publish"), order)
    verdicts = judged.result()
    beside = Beside()
    if keys is not None or table.sample_weights is not None:
        owners = release.owners[order]
        beside = Beside.of(release, owners, keys)
        if pseudonym is not None and table.people is not None:
            fresh = randomness.child("pseudonyms")
            publication = with_pseudonyms(publication, table.people[owners], pseudonym, fresh)
    frame = to_frame(publication)
    check_publication(publication, frame, goal.promises, beside)
    if pseudonym is not None and beside.keys is not None:
        check_pseudonyms(frame[pseudonym], beside.keys)
    claims = check_claims(algorithm, release, goal, frame)
    return CheckedTable(release, publication, frame, to_sensitive_frame(publication), tuple(verdicts), claims, beside)


def keys_of_records(made: CheckedTable, randomness: Randomness, keys: pl.Series) -> pl.Series:
    """The keys of the rows behind the printed records; takes the randomness that ``publish_table`` was given."""
    return keys.gather(made.release.owners[published_order(made.release, randomness.child("publish"))])


def as_text(frame: pl.DataFrame, columns: CodedColumns) -> pl.DataFrame:
    """Records with all quasi-identifiers as text, even if a block publishes exact values."""
    quasi = {column.name for column in columns.quasi}
    return pl.DataFrame([c.cast(pl.String) if c.name in quasi else c for c in frame.iter_columns()])
