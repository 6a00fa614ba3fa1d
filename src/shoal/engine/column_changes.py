"""The distributions of columns and pairs of columns before and after anonymization."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Floats
from shoal.core.cells import Cells
from shoal.core.domain import Domain
from shoal.core.release import Release
from shoal.report.figures import cut, figure

MOST_COLUMNS, MOST_BARS, MOST_TILES = 12, 20, 10
"""The most columns that are drawn, and the most parts of their values, alone and in pairs."""

OTHERS = "others"
"""The part of all values without a part of their own."""


@dataclass(frozen=True)
class ColumnSpread:
    """The number of rows and of records with each part of a column's values; ``means`` for numeric columns.

    A record whose cell contains several values counts in equal shares for each of them that occurs.
    """

    column: str
    parts: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    means: tuple[float, float] | None = None
    said: str = ""


@dataclass(frozen=True)
class Heat:
    """How often parts of two columns occur together: ``before[row][column]`` in rows, ``after`` in records."""

    first: str
    second: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]

    @property
    def moved(self) -> float:
        """The share of the distribution that has moved: 0 if nothing changed, 1 if nothing is where it was."""
        was, now = sum(map(sum, self.before)) or 1.0, sum(map(sum, self.after)) or 1.0
        pairs = zip(self.before, self.after, strict=True)
        return sum(abs(b / was - a / now) for one, two in pairs for b, a in zip(one, two, strict=True)) / 2


@dataclass(frozen=True, eq=False)
class _Column:
    """A column of the release: its domain, the codes of the rows, its cells, and the cell of each record."""

    domain: Domain
    codes: Codes
    cells: Cells | None
    record_cells: Codes

    @property
    def n_cells(self) -> int:
        """The number of distinct cells, or of values if they are published unchanged."""
        return self.domain.n_leaves if self.cells is None else self.cells.n_distinct

    def parts(self, most: int) -> tuple[list[str], Codes]:
        """The names of at most ``most`` parts, and the part of each value: ranges of numbers, or common values."""
        domain = self.domain
        if domain.kind in ("numeric", "date") and domain.n_leaves > most:
            return _ranges(domain, most)
        order = np.argsort(-domain.counts, kind="stable")
        kept = np.sort(order[: most - 1] if domain.n_leaves > most else order)
        of = np.full(domain.n_leaves, kept.size, np.int32)
        of[kept] = np.arange(kept.size, dtype=np.int32)
        names = [cut(domain.texts[leaf], 24) for leaf in kept]
        return (names if kept.size == domain.n_leaves else [*names, OTHERS]), of

    def shares(self, part_of: Codes, n_parts: int) -> Floats:
        """``shares[cell, part]``: a cell counts in equal shares for each of its occurring values."""
        if self.cells is None:
            return np.eye(n_parts)[part_of]
        shares = np.zeros((self.n_cells, n_parts))
        for cell in range(self.n_cells):
            leaves = self.cells.leaves(cell)
            occurs = self.domain.counts[leaves] > 0
            even = occurs if occurs.any() else np.ones(leaves.size)
            shares[cell] = np.bincount(part_of[leaves], even / even.sum(), minlength=n_parts)
        return shares


def _ranges(domain: Domain, most: int) -> tuple[list[str], Codes]:
    """Ranges of equal width along the points; missing and unknown values form a part of their own."""
    points = domain.points
    known = np.isfinite(points)
    edges = np.linspace(points[known].min(), points[known].max(), most)
    of = np.clip(np.searchsorted(edges, np.where(known, points, edges[0]), side="right") - 1, 0, most - 2)
    of[~known] = most - 1
    places = [np.flatnonzero(of == part) for part in range(most - 1)]
    names = [cut(domain.texts[own[0]], 12) if own.size else figure(edges[i]) for i, own in enumerate(places)]
    return names + ([] if known.all() else ["(missing)"]), of.astype(np.int32)


def spreads(release: Release) -> list[ColumnSpread]:
    """The distribution of each column before and after, and the means of numeric columns."""
    return [_spread(column) for column in _columns(release)]


def heats(release: Release) -> list[Heat]:
    """How often values of two columns occur together, before and after, for every pair of columns."""
    columns = _columns(release)
    return [_heat(one, other) for one, other in combinations(columns, 2)]


def _columns(release: Release) -> list[_Column]:
    table = release.table
    quasi = [
        _Column(column.domain, codes, cells, cells.ids[release.shapes])
        for column, codes, cells in zip(table.quasi, table.codes, release.cells, strict=True)
    ]
    sensitive = [_Column(column.domain, column.codes, None, column.codes[release.owners]) for column in table.sensitive]
    return [*quasi, *sensitive][:MOST_COLUMNS]


def _spread(column: _Column) -> ColumnSpread:
    names, part_of = column.parts(MOST_BARS)
    before = np.bincount(part_of[column.codes], minlength=len(names))
    uses = np.bincount(column.record_cells, minlength=column.n_cells)
    shares = column.shares(part_of, len(names))
    means = _means(column, uses) if column.domain.kind == "numeric" else None
    n = len(names) - (names[-1] == OTHERS)
    said = f"The {n} commonest of {column.domain.n_leaves:,} values." if n < len(names) else ""
    after = _floats(uses @ shares)
    return ColumnSpread(cut(column.domain.name), tuple(names[:n]), _floats(before)[:n], after[:n], means, said)


def _means(column: _Column, uses: npt.NDArray[np.integer]) -> tuple[float, float] | None:
    """The mean before, and the mean after with each cell at the mean of its occurring values."""
    points, counts = column.domain.points, column.domain.counts
    known = np.isfinite(points) & (counts > 0)
    if not known.any():
        return None
    before = float(np.average(points[known], weights=counts[known]))
    middles = points
    if column.cells is not None:
        inside = (leaves[known[leaves]] for leaves in map(column.cells.leaves, range(column.n_cells)))
        middles = np.array([points[own].mean() if own.size else np.nan for own in inside])
    told = np.isfinite(middles) & (uses > 0)
    after = float(np.average(middles[told], weights=uses[told])) if told.any() else float("nan")
    return before, after


def _heat(one: _Column, other: _Column) -> Heat:
    (rows, row_of), (columns, column_of) = one.parts(MOST_TILES), other.parts(MOST_TILES)
    width = len(columns)
    before = np.bincount(row_of[one.codes] * width + column_of[other.codes], minlength=len(rows) * width)
    both = one.record_cells.astype(np.int64) * other.n_cells + other.record_cells
    pairs, uses = np.unique(both, return_counts=True)
    first = one.shares(row_of, len(rows))[pairs // other.n_cells]
    second = other.shares(column_of, width)[pairs % other.n_cells]
    after = (first * uses[:, None]).T @ second
    grids = (tuple(map(_floats, grid)) for grid in (before.reshape(len(rows), width), after))
    return Heat(cut(one.domain.name), cut(other.domain.name), tuple(rows), tuple(columns), *grids)


def _floats(values: npt.NDArray[np.number]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
