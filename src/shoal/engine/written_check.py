"""The last check of a release: what a reader of the written file gets, before the file gets its final name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from shoal.core.contracts import PrivacyModel
from shoal.core.parallel_work import side_by_side
from shoal.core.release import Release
from shoal.engine.release_check import as_it_stands, in_buckets, is_visible, names_of
from shoal.engine.verified_release import VerifiedRelease
from shoal.errors import BrokenPromise, InputError
from shoal.io.cell_forms import FORMS
from shoal.io.read_back import same_values


def check_written(result: VerifiedRelease, seen: Sequence[pl.DataFrame], place: str) -> None:
    """Judge the tables of a release as they were read back.

    If every column that a model judges has the same values, apart from their spelling, every verdict stands. If some
    became equal or were lost, as an empty text and a missing value do in a CSV file, all models are judged again on
    what was read; if a model cannot be judged by labels alone, the release is refused. Cells printed as bounds or codes
    must not lose any difference; values drawn from cells, or at their centers, do not affect any model. O(cells).

    Args:
        result: the release.
        seen: each of the tables as read back.
        place: where they were written to, for the message.

    Raises:
        InputError: a model no longer holds, or cannot be judged.
        BrokenPromise: a column is missing, or there are more rows than were written.
    """
    made, told = list(result.tables.values()), dict(zip(result.tables, seen, strict=True))
    for frame, read in zip(made, seen, strict=True):
        if read.height > frame.height or any(name not in frame.columns for name in read.columns):
            raise BrokenPromise(f"What was written to {place} is not what was to be written; a bug in shoal.")
    pairs = [(frame[name], read[name]) for frame, read in zip(made, seen, strict=True) for name in read.columns]
    are_same = side_by_side(lambda pair: same_values(*pair), pairs, made[0].height)
    inside = _inside_cells(result)
    changed = [
        read.name for (_, read), is_same in zip(pairs, are_same, strict=True) if not is_same and read.name not in inside
    ]
    if changed:
        told = {name: frame.with_columns(pl.col(pl.Categorical).cast(pl.String)) for name, frame in told.items()}
        _judge(result, _as_labels(result, told, changed, place), changed[0], place)


def _inside_cells(result: VerifiedRelease) -> set[str]:
    """The printed columns from which cells are not read back."""
    columns = {} if result.printed is None else result.printed.columns
    return {name for column, form in result.formed.items() if not FORMS[form].keeps_cells for name in columns[column]}


def _as_labels(
    result: VerifiedRelease, seen: Mapping[str, pl.DataFrame], changed: Sequence[str], place: str
) -> list[pl.DataFrame]:
    """The tables as read, with the labels of cells that are printed in another form."""
    first, others = seen[""], [frame for name, frame in seen.items() if name == "sensitive"]
    if result.printed is None:
        return [first, *others]
    lost = {name for names in result.printed.columns.values() for name in names} & {*changed}
    if lost or first.height < result.frame.height:
        raise InputError(f"In {place}, different cells of {min(lost or changed)!r} would look alike; write .parquet.")
    formed = result.frame.select(result.formed.keys())
    gone = [name for names in result.printed.columns.values() for name in names]
    return [first.drop(gone).hstack(formed), *others]


def _judge(result: VerifiedRelease, seen: Sequence[pl.DataFrame], changed: str, place: str) -> None:
    release = _release(result, seen)
    for promise in result.goal.promises:
        verdict = promise.check(release) if _is_visible(promise, result.release) else None
        if verdict is None or not verdict.holds:
            said = f"{promise} cannot be judged" if verdict is None else str(verdict)
            raise InputError(
                f"In {place}, the column {changed!r} loses differences between values (a missing value and an empty "
                f"text, the last digits of numbers or moments), and then {said}; write .parquet, or make such values "
                "equal first. Nothing was written."
            )


def _release(result: VerifiedRelease, seen: Sequence[pl.DataFrame]) -> Release:
    """The release that an outsider sees."""
    try:
        if result.values is not None:
            return in_buckets(seen[0], seen[1], names_of(seen[0], seen[1], result.schema))
        beside = result.beside if result.frame.height == seen[0].height else None
        quasi, sensitive = result.schema.quasi_identifiers, result.schema.sensitive
        return Release.identity(as_it_stands(seen[0], quasi, sensitive, beside=beside))
    except InputError as problem:
        raise BrokenPromise(f"What was written cannot be read back ({problem}); a bug in shoal.") from None


def _is_visible(promise: PrivacyModel, release: Release) -> bool:
    """Whether labels alone show if the model holds."""
    if not is_visible(promise):
        return False
    return release.matches is None or promise.reads == "classes"
