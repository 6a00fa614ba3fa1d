"""What an adversary without the key can undo of a prepared release: for audits of ours, and of any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from shoal.audit.undone_columns import Pseudonymized, Shifted
from shoal.core.arrays import Codes
from shoal.engine.verified_release import VerifiedRelease
from shoal.io import preparation
from shoal.io.undoing import undo_pseudonyms, undo_shift


def undone_pseudonyms(result: VerifiedRelease, shapes: Codes) -> tuple[Pseudonymized, ...]:
    """The columns of pseudonyms of a release of ours, tried."""
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
    """The shifted dates of a release of ours, tried; None where none is published to the day."""
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
    """The columns of any release that no value of the original is left in, tried as pseudonyms of the old values."""
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
    """Whether a column says whose row it is as well as the person's does."""
    return before.select(name, person).unique().height == before[person].n_unique()
