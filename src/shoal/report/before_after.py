"""Rows next to their published records, for the data owner only, and the labels of rows, records and worst groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.table import Table as Grid
from rich.text import Text

from shoal.core.contracts import Verdict
from shoal.core.domain import Domain
from shoal.core.hierarchy import MISSING
from shoal.core.release import Release
from shoal.report.figures import cut, listed

_WIDEST = 28


@dataclass(frozen=True)
class Pair:
    """The quasi-identifiers of one row and of its record, by column, and their common sensitive values."""

    before: dict[str, str]
    after: dict[str, str]
    sensitive: dict[str, str]


def pairs_of(release: Release, n: int = 6) -> tuple[Pair, ...]:
    """Up to ``n`` pairs, spread over the release. Secret: they link records to rows."""
    spread = np.linspace(0, release.n_records - 1, min(n, release.n_records)).astype(np.int64)
    owners = [(record, int(release.owners[record])) for record in spread.tolist()]
    return tuple(
        Pair(original_labels(release, row), published_labels(release, record), _sensitive_labels(release, row))
        for record, row in owners
    )


def before_after_table(pairs: Sequence[Pair], identifiers: Sequence[str] = (), max_columns: int = 8) -> Grid:
    """A table for the terminal: each row above its record. ``identifiers`` are listed as removed."""
    quasi = list(pairs[0].before)[:max_columns] if pairs else []
    sensitive = list(pairs[0].sensitive)[: max(0, max_columns - len(quasi))] if pairs else []
    removed = f"Removed: {listed([cut(name) for name in identifiers])}" if identifiers else ""
    grid = Grid(title="Before and after", caption=Text(removed), title_justify="left", caption_justify="left")
    grid.add_column("", style="dim", no_wrap=True, min_width=6)
    for name in [*quasi, *sensitive]:
        grid.add_column(Text(cut(name, _WIDEST)), min_width=4)
    for pair in pairs:
        same = [_text(pair.sensitive[name]) for name in sensitive]
        grid.add_row("before", *(_text(pair.before[name], "dim") for name in quasi), *same)
        after = [_text(pair.after[name], "" if pair.after[name] == pair.before[name] else "bold") for name in quasi]
        grid.add_row("after", *after, *same, end_section=True)
    return grid


def _text(label: str, style: str = "") -> Text:
    """Never a plain string: rich would interpret ``[low..high]`` as markup."""
    return Text(cut(label, _WIDEST), style)


def published_labels(release: Release, record: int) -> dict[str, str]:
    """The published cells of a record, by column."""
    shape = int(release.shapes[record])
    labels = {}
    for column, cells in zip(release.table.quasi, release.cells, strict=True):
        label = column.recoding.label(cells, int(cells.ids[shape]))
        labels[column.name] = MISSING if label is None else cut(label)
    return labels


def original_labels(release: Release, row: int) -> dict[str, str]:
    """The original quasi-identifiers of a row, by column. Secret."""
    return {
        column.name: _leaf_text(column.domain, int(codes[row]))
        for column, codes in zip(release.table.quasi, release.table.codes, strict=True)
    }


def _sensitive_labels(release: Release, row: int) -> dict[str, str]:
    """The sensitive values of a row, by column."""
    return {column.name: _leaf_text(column.domain, int(column.codes[row])) for column in release.table.sensitive}


def _leaf_text(domain: Domain, code: int) -> str:
    """A single value as printed in reports."""
    return MISSING if code == domain.missing else cut(domain.texts[code])


@dataclass(frozen=True)
class NamedGroup:
    """A class or pool: its published labels by column (none for a bucket), its size, its sensitive values by column.

    ``n_values`` counts the distinct values of each sensitive column.
    """

    labels: dict[str, str]
    size: int
    n_values: dict[str, int]

    def __str__(self) -> str:
        return ", ".join(f"{cut(name)} {label}" for name, label in self.labels.items()) or "a bucket"


def worst_groups(release: Release, verdict: Verdict, limit: int = 3) -> tuple[NamedGroup, ...]:
    """The groups that a verdict refers to, the worst first. O(records) for the first call."""
    groups = release.classes if verdict.reads == "classes" else release.pools
    record_of = np.full(release.table.n_rows, -1, np.int32)
    record_of[release.owners] = np.arange(release.n_records, dtype=np.int32)
    named = []
    for group in verdict.worst[:limit]:
        rows = groups.of(group)
        alike = release.buckets is None or verdict.reads == "classes"
        labels = published_labels(release, int(record_of[rows[0]])) if alike else {}
        values = {column.name: int(np.unique(column.codes[rows]).size) for column in release.table.sensitive}
        named.append(NamedGroup(labels, rows.size, values))
    return tuple(named)
