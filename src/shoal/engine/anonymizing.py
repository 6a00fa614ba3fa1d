"""From a table to a verified release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from shoal.algorithms.clustering import Refinement
from shoal.core.contracts import Algorithm, Metric, PrivacyModel
from shoal.core.domain import Kind
from shoal.core.progress import Progress, Silent
from shoal.core.suppression_limit import Limit
from shoal.engine.backends.memory import InMemory
from shoal.engine.backends.running import run
from shoal.engine.inspecting import with_suggestions
from shoal.engine.notebook_progress import shows_progress
from shoal.engine.policy import follow
from shoal.engine.result import Result
from shoal.engine.vocabulary import AnonymizeWords, Auditing
from shoal.engine.words import told_what_was_said
from shoal.io.dictionaries import kept_dictionaries


@shows_progress
@told_what_was_said
def anonymize(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str] = (),
    privacy: PrivacyModel | Sequence[PrivacyModel] | Mapping[str, Any] = (),
    policy: str | Mapping[str, Any] | None = None,
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    others: Sequence[str] = (),
    masked: Sequence[str] = (),
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
    sample_weight: str | None = None,
    adjust_weights: bool = False,
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
    top: Mapping[str, str] | None = None,
    bottom: Mapping[str, str] | None = None,
    rounding: Mapping[str, str] | None = None,
    bands: Mapping[str, str] | None = None,
    rare: Mapping[str, int] | None = None,
    pseudonyms: Sequence[str] = (),
    shift_dates: Sequence[str] = (),
    shift_days: int = 365,
    key_file: str | Path | None = None,
    sample_share: float = 1.0,
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
        quasi_identifiers: Columns that an adversary may know; they are generalized. Quote names with a comma:
            '"last, first",zip'.
        privacy: The privacy models that must hold, such as k = 5.
        policy: A policy by name: settings that regulators or contracts require. Other options override it.
        sensitive: Columns that must not be linked to a person; published unchanged.
        identifiers: Columns that name a person; dropped.
        others: Other columns to publish unchanged.
        masked: Free text to publish with names, numbers, dates and addresses masked; anything not recognized stays.
        person: The column that identifies the person of each row; people are then counted, not rows. Never published.
        linked: With person: rows if an adversary knows one row of a person, histories if all of them.
        publish_person: With linked = histories: pseudonym publishes a random key for each person, drawn for this
            release only.
        roles: suggested gives each column without a role the one that inspect suggests; given uses only the roles you
            name.
        auto: Use what inspect suggests for everything not specified; refused if only a person can decide.
        hierarchies: Per column a file, a builder or groups: zip=zip.csv, zip=mask, age=intervals:width=10.
        kinds: Per column its type, if the guess is wrong: numeric, ordinal, nominal or date.
        orders: Per ordinal column its values in order, as in size=S,M,L.
        recodings: Per column its recoding, if not the default: tree, range, sets or suppress.
        weights: Per column its importance for the metric and the algorithm (default 1).
        missing: own treats missing as a value of its own, drop leaves out rows with a missing value.
        population: The population the rows were sampled from, for privacy models about it: a table, or its number of
            people.
        sample_weight: The column that says how many people of the population each row stands for, for risks of samples.
            Never published.
        adjust_weights: Judge and report sample risks with the weights of the published rows scaled up to the whole
            population, if rows were left out.
        algorithm: The algorithm, with options as in mondrian:relaxed; auto chooses by table and privacy models.
        refine: Refinements that run after the algorithm to reduce the loss, in this order.
        budget: Time that auto or a refinement may spend on reducing the loss: 60, 60s, 2m. More never makes it worse.
        quick: Take the first valid release instead of searching a few seconds for a better one.
        certify: Prove how far the release is, at most, from the least possible loss; takes a minute, or certify_budget.
        certify_budget: Time for certify; more time gives a tighter bound.
        levels: Publish exactly these hierarchy levels, one per quasi-identifier; 0 is the value itself.
        suppression_limit: How many rows may be left out: a share such as 0.05 or 5%, or a number such as '29 rows'.
        metric: The information-loss metric to minimize.
        audit: How thoroughly the release is attacked before it is written: quick (a second or two), usual, thorough or
            off.
        seed: Makes the run repeatable. With it, the shuffle can be undone: not for real releases.
        top: Top coding: per column the largest value to publish; larger values become it, as in income=200000.
        bottom: Bottom coding: per column the smallest value to publish; smaller values become it.
        rounding: Per column the step to round its numbers to, as in income=1000.
        bands: Per column its bands, whatever its role: a width (age=10), edges (age=0,18,65), or month, quarter, year
            or decade.
        rare: Per column the number of rows (people, with person) that a category needs; rarer categories become
            'other'.
        pseudonyms: Columns to publish as keyed pseudonyms (HMAC): linkable by the same key, and not covered by
            k-anonymity.
        shift_dates: Date columns to shift by a secret number of days per person (with person); intervals stay. No
            k-anonymity.
        shift_days: The largest shift of dates in days, in either direction.
        key_file: The file with the secret key of pseudonyms and shifted dates; created, readable by you alone, if
            missing.
        sample_share: Publish a random sample: each row (with person, each person) is kept with this probability, as in
            0.1.
        cells: How cells are printed: labels, bounds, codes, center or sampled; for all columns, or per column as in
            age=bounds.
        draws: The number of tables to draw if cells are sampled, for multiple imputation.
        progress: Receives the progress of the run.
        folder: Where relative paths of hierarchies start.
        delimiter: The field separator; detected if not given.
        encoding: The text encoding, such as utf-8 or cp1252; detected if not given.
        quote: The quote character, empty for none; detected if not given.
        sheet: The sheet of a workbook, by name or number.
        missing_values: Texts that mean a missing value, in addition to the empty field.
        query: For a database: a query instead of a table.
        skip_rows: Number of rows above the header to skip, such as a title.
        header_rows: Number of header rows; their names are joined.
        missing_codes: Per column the values that mean missing, as in age=-9,99.
        dates: Per column how its dates are written: %d.%m.%Y, %m/%d/%y, iso (with time zones), excel (day numbers).
        decimal: The decimal mark of numbers, if not a point.
        thousands: The thousands separator of numbers.
        units: Per column the unit written with its numbers, to be removed; several spellings as in age=years|yrs.
        spellings: Replace one spelling of a value by another, as in 'sex:MALE=male'; may be repeated.
        fold: Columns whose values are merged if they differ only in blanks or in the coding of accents.
        more: Any other keyword is refused; the error suggests the one that was meant.

    Raises:
        InputError: something given cannot be used, or the goal is impossible on this table.
        GoalNotMet: the algorithm found no release that keeps the promises.
        BrokenPromise: the release failed our own check or audit, which is our bug.

    Example:
        >>> import polars as pl
        >>> import shoal
        >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "disease": list("abca")})
        >>> words = {"quasi_identifiers": ["zip"], "sensitive": ["disease"], "hierarchies": {"zip": "mask"}}
        >>> result = shoal.anonymize(table, privacy=[shoal.KAnonymity(2), shoal.LDiversity(2)], **words)
        >>> sorted(result.to_frame()["zip"])
        ['0213*', '0213*', '0214*', '0214*']
        >>> [str(verdict) for verdict in result.verdicts]
        ['2-anonymity holds: achieved 2', '2-diversity holds: achieved 2']
    """
    words = AnonymizeWords.called_with(locals())
    return run_in_memory(words, data, Path(folder), progress or Silent())


def run_in_memory(words: AnonymizeWords, data: Any, folder: Path, progress: Progress) -> Result:
    """Run validated settings, after filling in what ``auto`` leaves open."""
    followed = follow(words, folder, "memory", data)
    found: tuple[str, ...] = ()
    if followed.words.auto:
        progress.stage("looking")
        words, found = with_suggestions(followed.words, data)
        followed = replace(followed, words=words)
    with kept_dictionaries():
        return run(words, InMemory(data, progress, found), folder, followed)
