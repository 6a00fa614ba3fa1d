"""Learns a recoding once and applies it to new rows later, also beside earlier releases whose classes they may join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal import models
from shoal.core.hierarchy import STAR, Hierarchy
from shoal.core.progress import Progress
from shoal.core.suppression_limit import rows_allowed
from shoal.engine.anonymizing import anonymize
from shoal.engine.held_rows import AllHeld, Held, check_union, labels_of, never_seen, published_rows, with_held
from shoal.engine.result import Result
from shoal.engine.saved_recoding import covering, promise_of, read_recoding
from shoal.engine.source import Loaded, load
from shoal.engine.vocabulary import ApplyWords, Auditing
from shoal.errors import GoalNotMet, ImpossibleGoal, InputError
from shoal.io.read_release import read_published


def apply(
    recoding: str | Path,
    data: str | Path | Any,
    *,
    progress: Progress | None = None,
    audit: Auditing = "quick",
    seed: int | None = None,
    hold: str | Path | None = None,
    published: Sequence[str | Path] = (),
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
    """Publish new rows with the recoding of an earlier release; every promise is checked on the new rows.

    With ``hold``, rows with an unknown value, or in too small a class, wait in that file; the next run counts them
    together with its new rows. ``Result.held`` has them, and ``Result.save_held`` writes the file.

    Args:
        recoding: The file that ``Result.save_recoding`` wrote.
        data: A path, the address of a database table, or a pandas, polars or pyarrow table.
        progress: Receives the progress of the run.
        audit: How thoroughly the release is attacked before it is written: quick (a second or two), usual, thorough or
            off.
        seed: Makes the run repeatable. With it, the shuffle can be undone: not for real releases.
        hold: Keep rows that cannot be published yet in this file; the next run counts them in. For you alone.
        published: An earlier release; promises are then checked on all releases together. May be repeated.
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
        InputError: the file is not a recoding, or a new row has a value that its hierarchies do not contain.
        GoalNotMet: too many of the new rows would have to be suppressed; with ``hold``, ``AllHeld`` if no row can be
            published yet, which carries the rows.
        BrokenPromise: a promise does not hold together with the earlier releases.

    Example:
        >>> import polars as pl
        >>> import shoal
        >>> january = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
        >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
        >>> shoal.anonymize(january, levels=[1], **words).save_recoding("recoding.json")
        >>> february = pl.DataFrame({"zip": ["02142", "02139", "02142", "02139"]})
        >>> sorted(shoal.apply("recoding.json", february).to_frame()["zip"])
        ['0213*', '0213*', '0214*', '0214*']
    """
    asked = ApplyWords.called_with(locals())
    said = read_recoding(Path(recoding))
    words = {key: said[key] for key in said.keys() - {"hierarchies", "privacy", "builders"}}
    privacy = [promise_of(entry) for entry in said["privacy"]]
    if said.get("person") is not None and (hold is not None or published):
        raise InputError(
            "hold and published cannot be used with this recoding: it counts people, and earlier releases do not say "
            "whose their records are; give all rows at once."
        )
    source = load(data, levels=[*words["quasi_identifiers"], *words["sensitive"]], **asked.reading)
    waiting = Held(source.frame) if hold is None else with_held(source, Path(hold))
    words |= {"privacy": privacy, "hierarchies": _hierarchies(said, waiting.rows)}
    words |= {"audit": audit, "seed": seed, "progress": progress}
    earlier = [read_published(path) for path in published]
    result = _all_of(source, earlier, words) if hold is None else _holding(source, waiting, earlier, words)
    if published:
        check_union([*earlier, result.frame], said["quasi_identifiers"], said["sensitive"], privacy)
    return result


def _hierarchies(said: dict[str, Any], rows: pl.DataFrame) -> dict[str, Hierarchy]:
    """The saved hierarchies, extended by new values where their builder can place them."""
    builders = said.get("builders", {})
    return {
        name: covering(name, saved, builders.get(name), rows[name] if name in rows.columns else pl.Series([""]))
        for name, saved in said["hierarchies"].items()
    }


def _all_of(source: Loaded, earlier: Sequence[pl.DataFrame], words: dict[str, Any]) -> Result:
    """Publish the new rows except those that may be suppressed; every error mentions that rows can be held."""
    unknown = never_seen(source.frame, words["hierarchies"], words["orders"])
    try:
        if not earlier:
            made = anonymize(source.frame, **words)
            return replace(made, source=source, notes=(*source.notes, *made.notes))
        if unknown.any():
            anonymize(source.frame, **words)  # raises an error that names the unknown values
        result, left = _joined(source.frame, earlier, words)
        if left.height > rows_allowed(words["suppression_limit"], source.frame.height):
            raise GoalNotMet(
                f"{left.height:,} of {source.frame.height:,} rows are in classes that are too small, even "
                "together with the earlier releases."
            )
    except (ImpossibleGoal, GoalNotMet) as problem:
        raise type(problem)(f"{problem} {_WAIT}") from None
    except InputError as problem:
        raise InputError(f"{problem} {_WAIT}" if unknown.any() else str(problem)) from None
    return replace(result, source=source, notes=(*source.notes, *result.notes))


_WAIT = "With --hold FILE such rows wait for the next run."


def _joined(rows: pl.DataFrame, earlier: Sequence[pl.DataFrame], words: dict[str, Any]) -> tuple[Result, pl.DataFrame]:
    """A release of the rows that satisfy every model together with the earlier records; and the other rows.

    The earlier records are added to the new rows as rows that are recoded to the same labels. What holds for all of
    them holds for the releases together, not for the new one alone.
    """
    relaxed = {**words, "suppression_limit": 1.0, "missing": "own"}
    if not earlier:
        made = anonymize(rows, **relaxed)
        return made, rows.filter(~published_rows(made.release))
    everybody = pl.concat([rows, _stand_ins(earlier, rows, words)], how="diagonal")
    all_of_them = anonymize(everybody, **relaxed)
    is_kept = published_rows(all_of_them.release).head(rows.height)
    kept, left = rows.filter(is_kept), rows.filter(~is_kept)
    if kept.is_empty():
        raise GoalNotMet("Every new row is in a class that is too small, even together with the earlier releases.")
    made = anonymize(kept, **{**relaxed, "privacy": [models.KAnonymity(1)], "audit": "off"})
    note = (
        "The promises hold for this release and the earlier ones together; an adversary who knows that a person is in "
        "this one may find fewer records like theirs."
    )
    # the worst groups are numbered among all records, but the new release has only some of these
    verdicts = tuple(replace(verdict, worst=(), worst_measures=()) for verdict in all_of_them.verdicts)
    told = (*made.notes, note)
    return replace(made, goal=all_of_them.goal, verdicts=verdicts, audited=all_of_them.audited, notes=told), left


def _holding(source: Loaded, waiting: Held, earlier: Sequence[pl.DataFrame], words: dict[str, Any]) -> Result:
    """Publish what can be published of the new and the held rows; hold the others."""
    rows = waiting.rows
    unknown = never_seen(rows, words["hierarchies"], words["orders"])
    known, strange = rows.filter(~unknown), rows.filter(unknown)
    notes: tuple[str, ...] = ()
    if words["missing"] == "drop":
        whole = known.drop_nulls([*words["quasi_identifiers"], *words["sensitive"]])
        if n_dropped := known.height - whole.height:
            notes = (f"left out {n_dropped:,} rows with a missing value: they are neither published nor held",)
            rows, known = pl.concat([whole, strange]), whole
    try:
        if known.is_empty():
            raise AllHeld(replace(waiting, rows=rows))
        result, left = _joined(known, earlier, words)
    except (ImpossibleGoal, GoalNotMet):
        raise AllHeld(replace(waiting, rows=rows)) from None
    held = pl.concat([left, strange])
    note = f"{held.height:,} rows are held, {strange.height:,} of them for a value that the recoding does not know."
    return replace(result, waiting=replace(waiting, rows=held), source=source, notes=(*result.notes, *notes, note))


def _stand_ins(earlier: Sequence[pl.DataFrame], rows: pl.DataFrame, words: Mapping[str, Any]) -> pl.DataFrame:
    """A row for each record of earlier releases that is recoded to the same record, in the columns of ``rows``.

    Any value below a label will do: at the level of the recoding all of them become that label. Records with a label
    that no new row can get are left out; they are in no class that new rows could join.

    Raises:
        InputError: an earlier release lacks a column, or has values of another type.
    """
    quasi, sensitive = words["quasi_identifiers"], words["sensitive"]
    found = []
    for frame in earlier:
        texts = labels_of(frame, [*quasi, *sensitive])
        for name, level in zip(quasi, words["levels"], strict=True):
            texts = texts.with_columns(_values_below(texts[name], rows[name], words["hierarchies"].get(name), level))
        known = [pl.col(name).is_not_null() | frame[name].is_null() for name in quasi]
        found.append(texts.filter(*known))
    made = pl.concat(found)
    try:
        return made.select(pl.col(name).cast(rows.schema[name]) for name in made.columns)
    except pl.exceptions.PolarsError:
        raise InputError(
            "An earlier release has values of other types than the new rows; check that it has the same recoding."
        ) from None


def _values_below(labels: pl.Series, new: pl.Series, tree: Hierarchy | None, level: int) -> pl.Series:
    """A value for each label, null if there is none."""
    if tree is None:
        anything = new.cast(pl.String).drop_nulls()
        first = anything[0] if len(anything) else None
        return labels if level == 0 else labels.replace({STAR: first})
    below: dict[str, str] = {}
    for leaf, label in zip(tree.leaves, tree.labels[level], strict=True):
        below.setdefault(label, leaf)
    return labels.replace_strict(below, default=None, return_dtype=pl.String)
