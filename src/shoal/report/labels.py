"""Labels of single rows and records."""

from __future__ import annotations

from shoal.core.domain import Domain
from shoal.core.hierarchy import MISSING
from shoal.core.release import Release
from shoal.report.figures import cut


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
        column.name: leaf_text(column.domain, int(codes[row]))
        for column, codes in zip(release.table.quasi, release.table.codes, strict=True)
    }


def sensitive_labels(release: Release, row: int) -> dict[str, str]:
    """The sensitive values of a row, by column."""
    return {column.name: leaf_text(column.domain, int(column.codes[row])) for column in release.table.sensitive}


def leaf_text(domain: Domain, code: int) -> str:
    """A single value as printed in reports."""
    return MISSING if code == domain.missing else cut(domain.texts[code])
