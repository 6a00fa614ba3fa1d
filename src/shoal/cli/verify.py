"""``shoal verify``: which promises a table keeps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from shoal.cli.bundles import bundled
from shoal.cli.options import Said, options_of
from shoal.cli.progress import reporting
from shoal.cli.promises import Promises
from shoal.cli.reading import File
from shoal.cli.release_text import verdict_table
from shoal.cli.shown import Shown, show, show_json
from shoal.core.hierarchy import MISSING
from shoal.engine import Verification, verify
from shoal.engine.verifying import WorstClass
from shoal.engine.vocabulary import VerifyWords
from shoal.errors import InputError
from shoal.report.figures import counted, cut, figure, listed
from shoal.report.grids import Grid
from shoal.report.text_edition import rich_table

Options = Annotated[Said, options_of(VerifyWords, without=("privacy",))]


@bundled
def command(file: File, options: Options, promises: Promises, shown: Shown) -> None:
    """Check which promises a table keeps, whichever tool made it.

    The table is taken as printed: equal cells are equal, and missing is a value like any other. Promises about
    matches, such as (k,k)-anonymity, need the original in order to interpret the labels. The exit status is 1 if a
    promise does not hold, and 2 if none is broken but one cannot be decided.

    shoal verify release.csv --quasi age,zip,sex --sensitive disease --k 10 --l 3
    shoal verify release.csv --quasi age,zip,sex --concealment 5 --original patients.csv
    """
    with reporting(shown.quiet) as progress:
        progress.stage("checking")
        found = verify(file, privacy=promises.models(), **options.words())
    shown.notes(found.notes)
    if shown.json:
        show_json(_as_data(found))
    if shown.for_people:
        show(*verification_parts(found))
    if not found.holds:
        if not found.is_broken:
            raise InputError(f"{found.untold[0].promise}: {found.untold[0].why}")
        raise typer.Exit(1)


def _as_data(found: Verification) -> dict[str, Any]:
    """Plain dicts, lists, texts and finite numbers."""
    verdicts = [asdict(verdict) for verdict in found.verdicts]
    for verdict in verdicts:
        verdict["achieved"] = verdict["achieved"] if math.isfinite(verdict["achieved"]) else None
        del verdict["worst"], verdict["worst_measures"]
    return {
        "holds": found.holds,
        "n_records": found.n_records,
        "verdicts": verdicts,
        "untold": [asdict(untold) for untold in found.untold],
        "notes": list(found.notes),
        "worst": [asdict(entry) for entry in found.worst],
    }


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
