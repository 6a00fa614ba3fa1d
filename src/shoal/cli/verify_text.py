"""What is printed about a table that was checked."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from shoal.cli.release_text import verdict_table
from shoal.core.hierarchy import MISSING
from shoal.engine import Verification
from shoal.engine.verifying import WorstClass
from shoal.report.figures import counted, cut, figure, listed
from shoal.report.grids import Grid
from shoal.report.text_edition import rich_table

_MOST_COLUMNS = 8


def verification_parts(found: Verification) -> list[RenderableType]:
    """Verdicts, the worst classes of each promise by name, what cannot be told, and what it comes to."""
    line = Text(f"{counted(found.n_records, 'record')}, {_state(found)}.", _style(found))
    promises = dict.fromkeys(entry.promise for entry in found.worst)
    worst = [_worst(promise, [entry for entry in found.worst if entry.promise == promise]) for promise in promises]
    untold = [Text(f"{one.promise}: {one.why}", "yellow") for one in found.untold]
    return [*([verdict_table(found.verdicts)] if found.verdicts else []), *worst, *untold, line]


def _state(found: Verification) -> str:
    """What it comes to."""
    broken = listed([verdict.promise for verdict in found.verdicts if not verdict.holds])
    untold = listed([one.promise for one in found.untold])
    if broken:
        return f"without {broken}" + (f"; {untold} cannot be told" if untold else "")
    if untold:
        return f"but whether {untold} {'holds' if len(found.untold) == 1 else 'hold'} cannot be told"
    return "and every promise holds"


def _style(found: Verification) -> str:
    return "bold red" if found.is_broken else "bold yellow" if found.untold else "bold green"


def _worst(promise: str, classes: Sequence[WorstClass]) -> RenderableType:
    names = list(classes[0].labels)[:_MOST_COLUMNS]
    heads = [*names, "Records", "Achieved"]
    rows = [[*_labels(one, names), f"{one.size:,}", figure(one.measure)] for one in classes]
    return rich_table(Grid(f"Where {promise} is kept least", heads, rows, (len(names), len(names) + 1)))


def _labels(one: WorstClass, names: Sequence[str]) -> list[str]:
    return [MISSING if (label := one.labels[name]) is None else cut(label) for name in names]
