"""The last check of a release: what a reader of the written file gets, before the file takes its name."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.core.contracts import GroupModel, PrivacyModel
from shoal.core.release import Release
from shoal.engine.release_check import as_it_stands, in_buckets, names_of
from shoal.engine.verified_release import VerifiedRelease
from shoal.errors import BrokenPromise, InputError
from shoal.io.read_back import same_values


def check_written(result: VerifiedRelease, seen: Sequence[pl.DataFrame], place: str) -> None:
    """Judge the table, or the two tables in buckets, as they were read back.

    Where every column that a promise speaks of has the same values, but for their spelling, every verdict stands.
    Where some became equal or got lost, as an empty text and a missing value do in a CSV file, all promises are judged
    anew on what was read; those that labels alone do not show cannot be, and then the release is refused. O(cells).

    Args:
        result: the release.
        seen: what was read of the frame and, where there is one, of the second table.
        place: what they were written to, for the message.

    Raises:
        InputError: a promise does not hold any more, or cannot be judged.
        BrokenPromise: a column is missing, or there are more rows than were written.
    """
    made = [frame for frame in (result.frame, result.values) if frame is not None]
    for frame, read in zip(made, seen, strict=True):
        if read.height > frame.height or any(name not in frame.columns for name in read.columns):
            raise BrokenPromise(f"What was written to {place} is not what was to be written; a bug in shoal.")
    changed = [
        name for frame, read in zip(made, seen, strict=True) for name in read.columns
        if not same_values(frame[name], read[name])
    ]  # fmt: skip
    if changed:
        _judge(result, seen, changed[0], place)


def _judge(result: VerifiedRelease, seen: Sequence[pl.DataFrame], changed: str, place: str) -> None:
    release = _release(result, seen)
    for promise in result.goal.promises:
        verdict = promise.check(release) if _is_visible(promise, result.release) else None
        if verdict is None or not verdict.holds:
            said = f"{promise} cannot be judged" if verdict is None else str(verdict)
            raise InputError(
                f"As {place} the column {changed!r} loses differences between values (a missing value and an empty "
                f"text, the last digits of numbers or moments), and then {said}; write .parquet, or make such values "
                "equal before. Nothing was written."
            )


def _release(result: VerifiedRelease, seen: Sequence[pl.DataFrame]) -> Release:
    """The release that an outsider sees."""
    try:
        if result.values is not None:
            return in_buckets(seen[0], seen[1], names_of(seen[0], seen[1], result.schema))
        keys = result.keys if result.keys is not None and len(result.keys) == seen[0].height else None
        quasi, sensitive = result.schema.quasi_identifiers, result.schema.sensitive
        return Release.identity(as_it_stands(seen[0], quasi, sensitive, keys=keys))
    except InputError as problem:
        raise BrokenPromise(f"What was written cannot be read back ({problem}); a bug in shoal.") from None


def _is_visible(promise: PrivacyModel, release: Release) -> bool:
    """Whether labels alone show if the promise holds."""
    if not isinstance(promise, GroupModel) or promise.needs_original:
        return False
    return release.matches is None or promise.reads == "classes"
