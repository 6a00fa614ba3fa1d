"""The result of checking any table, as a sentence and as tables."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.core.hierarchy import MISSING
from shoal.engine.verifying import Verification, WorstClass
from shoal.report.figures import counted, cut, figure, listed
from shoal.report.grids import Grid

_MOST_COLUMNS = 8


def verification_headline(found: Verification) -> str:
    """The number of records, and which privacy models they satisfy."""
    return f"{counted(found.n_records, 'record')}, {_state(found)}."


def worst_grids(found: Verification) -> list[Grid]:
    """For each model, the classes with the worst measures."""
    promises = dict.fromkeys(entry.promise for entry in found.worst)
    return [_worst(promise, [entry for entry in found.worst if entry.promise == promise]) for promise in promises]


def _state(found: Verification) -> str:
    broken = listed([verdict.promise for verdict in found.verdicts if not verdict.holds])
    untold = listed([one.promise for one in found.untold])
    if broken:
        return f"without {broken}" + (f"; {untold} cannot be decided" if untold else "")
    if untold:
        return f"but whether {untold} {'holds' if len(found.untold) == 1 else 'hold'} cannot be decided"
    return "and every promise holds"


def _worst(promise: str, classes: Sequence[WorstClass]) -> Grid:
    names = list(classes[0].labels)[:_MOST_COLUMNS]
    heads = [*names, "Records", "Achieved"]
    shown = [[MISSING if (label := one.labels[name]) is None else cut(label) for name in names] for one in classes]
    rows = [[*own, f"{one.size:,}", figure(one.measure)] for own, one in zip(shown, classes, strict=True)]
    return Grid(f"Where {promise} is kept least", heads, rows, (len(names), len(names) + 1))
