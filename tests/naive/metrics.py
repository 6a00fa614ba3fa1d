"""Losses by their definitions, record by record and leaf by leaf. A new metric gets a twin here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from naive.plain import PlainColumn, classes_of, column_of, records_of
from shoal.core.release import Release

Price = Callable[[PlainColumn, frozenset[int]], Fraction]


def _mean_price(release: Release, price: Price) -> Fraction:
    """The weighted mean over all cells of all rows, those of suppressed rows at 1."""
    columns = [column_of(column) for column in release.table.quasi]
    records = records_of(release)
    n_rows = release.table.n_rows
    total = Fraction(0)
    for j, column in enumerate(columns):
        paid = sum((price(column, record.cells[j]) for record in records), Fraction(n_rows - len(records)))
        total += column.weight * paid / n_rows
    return total / sum(column.weight for column in columns)


def _other_values(column: PlainColumn, cell: frozenset[int]) -> Fraction:
    """The share of the other leaves that the cell cannot be told from."""
    others = len(column.leaves) - 1
    return Fraction(len(cell) - 1, others) if others else Fraction(0)


def _certainty(column: PlainColumn, cell: frozenset[int]) -> Fraction:
    """NCP: by width on a line, with the missing value among others everything; else by occurring values."""
    if column.places is None:
        others = len(column.occurring) - 1
        return Fraction(max(len(cell & column.occurring) - 1, 0), others) if others > 0 else Fraction(0)
    if len(cell) == 1:
        return Fraction(0)
    if column.missing in cell:
        return Fraction(1)
    inside, everywhere = [column.places[leaf] for leaf in cell], column.places.values()
    return (max(inside) - min(inside)) / (max(everywhere) - min(everywhere))


def lm(release: Release) -> Fraction:
    """Mean of (leaves − 1) / (all leaves − 1)."""
    return _mean_price(release, _other_values)


def gcp(release: Release) -> Fraction:
    """Mean NCP."""
    return _mean_price(release, _certainty)


def dm(release: Release) -> Fraction:
    """Everybody pays the size of their class, the suppressed the size of the table."""
    sizes = [len(members) for members in classes_of(records_of(release))]
    kept = sum(size for size in sizes for _ in range(size))
    return Fraction(kept + release.table.n_rows * (release.table.n_rows - sum(sizes)))


def aecs(release: Release) -> Fraction:
    """Rows by classes, the suppressed being one class."""
    records = records_of(release)
    suppressed = 1 if len(records) < release.table.n_rows else 0
    return Fraction(release.table.n_rows, len(classes_of(records)) + suppressed)


def suppression(release: Release) -> Fraction:
    """The share of rows without a record."""
    owners = {record.owner for record in records_of(release)}
    return Fraction(sum(row not in owners for row in range(release.table.n_rows)), release.table.n_rows)


TWINS: Mapping[str, Callable[[Release], Fraction]] = {
    "lm": lm,
    "gcp": gcp,
    "dm": dm,
    "aecs": aecs,
    "suppression": suppression,
}
"""The twins by the metric's name."""
