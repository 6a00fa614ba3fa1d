"""From a table to a verified release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from shoal.algorithms.clustering import Refinement
from shoal.core.contracts import Algorithm, Metric, PrivacyModel
from shoal.core.domain import Kind
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import publish, published_order
from shoal.core.suppression_limit import Limit
from shoal.engine.auditing import promised_k
from shoal.engine.automatic_words import with_suggestions
from shoal.engine.forms_of_cells import in_forms
from shoal.engine.histories import check_pseudonyms, with_pseudonyms
from shoal.engine.missing_hierarchies import notes_on_missing_hierarchies
from shoal.engine.plan import Plan, Request
from shoal.engine.release_check import check_buckets, check_claims, check_publication, check_release, names_of
from shoal.engine.result import Result
from shoal.engine.self_audit import audited
from shoal.engine.source import Loaded, load
from shoal.engine.vocabulary import AnonymizeWords, Auditing
from shoal.engine.warming import warm_up
from shoal.engine.whose import note_on_repeated
from shoal.errors import GoalNotMet
from shoal.io.encode import Encoded, encode
from shoal.io.labels import to_frame, to_sensitive_frame


def anonymize(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str] = (),
    privacy: PrivacyModel | Sequence[PrivacyModel] | Mapping[str, Any] = (),
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    others: Sequence[str] = (),
    person: str | None = None,
    linked: Literal["rows", "histories"] = "rows",
    publish_person: Literal["pseudonym"] | None = None,
    roles: Literal["given", "suggested"] = "given",
    auto: bool = False,
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    recodings: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    missing: Literal["own", "drop"] = "own",
    population: str | Path | Any | None = None,
    algorithm: str | Mapping[str, Any] | Algorithm = "auto",
    refine: str | Sequence[str | Refinement] | Refinement | None = None,
    budget: str | float | None = None,
    quick: bool = False,
    certify: bool | str | float = False,
    certify_budget: str | float | None = None,
    levels: Sequence[int] | Mapping[str, int] | None = None,
    suppression_limit: Limit = 0.0,
    metric: str | Metric = "lm",
    audit: Auditing = "quick",
    cells: str | Mapping[str, str] = "labels",
    draws: int = 1,
    seed: int | None = None,
    progress: Progress | None = None,
    folder: str | Path = ".",
    delimiter: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    sheet: str | int | None = None,
    missing_values: Sequence[str] = (),
    query: str | None = None,
    skip_rows: int = 0,
    header_rows: int = 1,
    missing_codes: Mapping[str, Sequence[str]] | None = None,
    dates: Mapping[str, str] | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    units: Mapping[str, str] | None = None,
    spellings: Mapping[str, Mapping[str, str]] | None = None,
    fold: Sequence[str] = (),
    **more: Any,
) -> Result:
    """Publish a table so that every promise holds.

    Args:
        data: A path, the address of a database table, or a pandas, polars or pyarrow table; the same kind comes back.
        quasi_identifiers: Columns that an adversary may know; they are recoded. A name with a comma is quoted: '"last,
            first",zip'.
        privacy: The privacy models that must hold, such as k = 5.
        sensitive: Columns that must not be tied to a person; published as they are.
        identifiers: Columns that name a person; dropped.
        others: Further columns to publish as they are.
        person: The column that says whose row each row is; people are then counted, not rows. Never published.
        linked: With person: rows if an adversary knows one row of a person, histories if all of them.
        publish_person: With linked = histories: pseudonym publishes a fresh random key for each person, drawn for this
            release.
        roles: suggested gives columns without a role the one that inspect suggests; given leaves them out of account.
        auto: Take what inspect suggests for everything that is not said; refused where a person has to decide.
        hierarchies: Per column a file, a builder or groups: zip=zip.csv, zip=mask, age=intervals:width=10.
        kinds: Per column numeric, ordinal, nominal or date, where the guess is wrong.
        orders: Per ordinal column its values in order, as in size=S,M,L.
        recodings: Per column tree, range, sets or suppress, where the default is not wanted.
        weights: Per column its importance for the metric and the choice of cuts; 1 if not given.
        missing: own treats missing as a value like any other, drop leaves out rows with a missing value.
        population: A table of the population the rows were sampled from, for privacy models that count its people.
        algorithm: The algorithm, with options as in mondrian:relaxed; auto takes what suits table and promises.
        refine: What follows the algorithm to lose less; several run one after the other.
        budget: Time that auto or a refinement may spend on losing less: 60, 60s, 2m; more never makes it worse.
        quick: Take the first good release instead of searching for a few seconds.
        certify: Find out how far from the best possible the release is at most; takes a minute, or the time given.
        certify_budget: Time for certify; more gives a sharper answer.
        levels: Publish exactly these hierarchy levels, one per quasi-identifier; 0 is the value itself.
        suppression_limit: How many rows may be left out: a share such as 0.05 or 5%, or a number such as '29 rows'.
        metric: The information-loss metric to minimize.
        audit: How the release is attacked once it is made: quick (a second or two), usual, thorough or off.
        seed: Makes the run repeatable, and whoever knows it can undo the shuffle; not for real releases.
        cells: How cells are printed: labels, bounds, codes, center or sampled; for all columns, or per column as in
            age=bounds.
        draws: How many tables to draw where cells are sampled, for multiple imputation.
        progress: Told what is going on.
        folder: Where relative paths of hierarchies start.
        delimiter: What separates fields; found if not given.
        encoding: Such as utf-8 or cp1252; found if not given.
        quote: What quotes fields, empty for none; found if not given.
        sheet: The sheet of a workbook, by name or number.
        missing_values: Texts that stand for a missing value, besides the empty field.
        query: For a database: a query in place of a table.
        skip_rows: Rows above the header to pass over, such as a title.
        header_rows: Rows that the header takes; the names in them are joined.
        missing_codes: Per column the values that stand for a missing one, as in age=-9,99.
        dates: Per column how its dates are written: %d.%m.%Y, %m/%d/%y, iso (with time zones), excel (day numbers).
        decimal: The decimal mark of numbers in texts, where it is no point.
        thousands: What groups the digits of numbers in texts.
        units: Per column the unit beside its numbers, which is dropped; several spellings as in age=years|yrs.
        spellings: What a value is read as, as in 'sex:MALE=male'; once per spelling.
        fold: Columns in which values that differ only in blanks or in how accents are coded are made one.
        more: No further word is known; the error says which one was meant.

    Raises:
        InputError: something given cannot be used, or the goal is impossible on this table.
        GoalNotMet: the algorithm found no release that keeps the promises.
        BrokenPromise: the release failed our own check or audit, which is our bug.
    """
    words = AnonymizeWords.called_with(locals())
    return run(words, data, Path(folder), progress or Silent())


def run(words: AnonymizeWords, data: Any, folder: Path, progress: Progress) -> Result:
    """Do what was said: read, code, plan, make, check, publish, attack."""
    found: tuple[str, ...] = ()
    if words.auto:
        progress.stage("looking")
        words, found = with_suggestions(words, data)
    watch, request = _Watch(), Request.of(words, folder)
    progress.stage("reading")
    source = load(data, **words.loading)
    request = request.on(source.frame)
    watch.lap("read")
    if request.searches:
        warm_up("sizes" if request.goal.is_about_size else "values", progress)
    watch.lap("compile")
    progress.stage("coding")
    people = None if words.population is None else load(words.population, **words.reading_others).frame
    encoded = encode(source.frame, request.schema, people)
    plan = request.plan(encoded.table)
    watch.lap("code")
    result = _released(plan, encoded, source, words, progress, watch)
    repeated = note_on_repeated(result, promised_k(plan.goal.promises))
    return audited(replace(result, notes=(*result.notes, *found, *request.notes, *repeated)), words.audit, progress)


def _released(
    plan: Plan, encoded: Encoded, source: Loaded, words: AnonymizeWords, progress: Progress, watch: _Watch
) -> Result:
    """Make the release, and check it twice: as cells, and as it is printed."""
    table, goal, randomness = encoded.table, plan.goal, Randomness(words.seed)
    release = plan.algorithm.run(table, goal, randomness.child("algorithm"), progress)
    watch.lap("anonymize")
    progress.stage("checking")
    if not release.n_records:
        raise GoalNotMet("Every row would have to be left out; ask for less, or permit cells to be coarser.")
    verdicts = check_release(release, goal.promises)
    publication = publish(release, randomness.child("publish"))
    owners = release.owners[published_order(release, randomness.child("publish"))]
    keys = None if encoded.keys is None else encoded.keys.gather(owners)
    if plan.pseudonym is not None and table.people is not None:
        fresh = randomness.child("pseudonyms")
        publication = with_pseudonyms(publication, table.people[owners], plan.pseudonym, fresh)
    frame = to_frame(publication)
    check_publication(publication, frame, goal.promises, keys)
    if plan.pseudonym is not None and keys is not None:
        check_pseudonyms(frame[plan.pseudonym], keys)
    claims = check_claims(plan.algorithm, release, goal, frame)
    values = to_sensitive_frame(publication)
    if values is not None:
        check_buckets(frame, values, names_of(frame, values, plan.schema), goal.promises)
    printed = in_forms(publication, frame, plan.schema, words, randomness.child("cells"))
    watch.lap("check")
    floor = plan.certification.floor(release, goal, randomness.child("certify"), progress)
    watch.lap("certify")
    return Result(
        release=release,
        frame=frame,
        values=values,
        verdicts=tuple(verdicts),
        goal=goal,
        choice=plan.choice,
        schema=plan.schema,
        notes=(
            *source.notes,
            *encoded.notes,
            *release.account,
            *notes_on_missing_hierarchies(table, plan.schema, claims),
            *(printed.notes if printed else ()),
        ),
        seconds=watch.laps,
        source=source,
        seed=words.seed,
        floor=floor,
        claims=claims,
        keys=keys,
        printed=printed,
    )


class _Watch:
    """Seconds per phase."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, phase: str) -> None:
        now = perf_counter()
        self.laps[phase] = now - self._last
        self._last = now
