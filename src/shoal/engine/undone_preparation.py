"""What an adversary without the key can undo of a prepared release, for audits of our own and other releases."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from shoal.audit.knowledge import Pseudonymized, Shifted
from shoal.core.arrays import Codes
from shoal.engine.verified_release import VerifiedRelease
from shoal.io import preparation
from shoal.io.undoing import undo_pseudonyms, undo_shift


def undone_pseudonyms(result: VerifiedRelease, shapes: Codes) -> tuple[Pseudonymized, ...]:
    """Attack the pseudonym columns of our own release."""
    before = result.before
    steps = [step for step in result.preparation.steps if isinstance(step, preparation.Pseudonyms)]
    if before is None or result.values is not None:
        return ()
    return tuple(
        undo_pseudonyms(
            step.column, before[step.column].cast(pl.String), result.frame[step.column], shapes, _true(step)
        )
        for step in steps
    )


def undone_shift(result: VerifiedRelease) -> Shifted | None:
    """Attack the shifted dates of our own release; None if none is published to the day."""
    steps = [step for step in result.preparation.steps if isinstance(step, preparation.ShiftedDates)]
    quasi, told = result.schema.quasi_identifiers, result.preparation.told
    shown = [step for step in steps if step.column not in quasi and len(told[step.column]) == 1]
    if result.before is None or result.values is not None or not shown:
        return None
    before = result.before
    moved = before
    for step in shown:
        before = before.with_columns(step.dates(before))
        moved = step.apply(moved)
    names, first = [step.column for step in shown], shown[0]
    units = [step.column for step in result.preparation.steps if isinstance(step, preparation.Pseudonyms)]
    fresh = first.person if first.person in result.frame.columns else None
    unit = fresh or next((name for name in units if _follows(result.before, name, first.person)), None)
    return undo_shift(before, result.frame, names, first.person, unit, first.most, moved)


def likely_pseudonyms(
    original: pl.DataFrame, release: pl.DataFrame, names: Sequence[str], shapes: Codes
) -> tuple[Pseudonymized, ...]:
    """Attack the columns of any release without an original value as pseudonyms of the original values."""
    tried = [
        name
        for name in names
        if name in original.columns
        and release[name].dtype == pl.String
        and not release[name].drop_nulls().is_in(original[name].cast(pl.String).implode()).any()
    ]
    return tuple(undo_pseudonyms(name, original[name].cast(pl.String), release[name], shapes, None) for name in tried)


def _true(step: preparation.Pseudonyms) -> Callable[[pl.Series], pl.Series]:
    return lambda ids: step.apply(ids.alias(step.column).to_frame())[step.column]


def _follows(before: pl.DataFrame, name: str, person: str) -> bool:
    """Whether a column identifies the person of each row as well as the person column does."""
    return before.select(name, person).unique().height == before[person].n_unique()
