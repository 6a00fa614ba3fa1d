"""Losses by their definitions, record by record and leaf by leaf. A new metric gets a twin here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import log2, prod

from naive.patterns import usefulness
from naive.plain import PlainColumn, classes_of, column_of, records_of
from shoal.core.cells import Cells
from shoal.core.release import Release
from shoal.core.table import QuasiColumn

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


def _by_column(release: Release, price: Price) -> list[Fraction]:
    """The mean price of each column, the cells of suppressed rows at 1."""
    records, n_rows = records_of(release), release.table.n_rows
    found = []
    for j, column in enumerate(map(column_of, release.table.quasi)):
        paid = sum((price(column, record.cells[j]) for record in records), Fraction(n_rows - len(records)))
        found.append(paid / n_rows)
    return found


def lm_geometric(release: Release) -> float:
    """The geometric mean of 1 + weight · loss, less 1."""
    losses = zip(release.table.quasi, _by_column(release, _other_values), strict=True)
    return prod(float(1 + Fraction(column.weight) * loss) for column, loss in losses) ** (1 / release.table.n_quasi) - 1


def lm_rank(release: Release) -> Fraction:
    """The largest weight · loss."""
    losses = zip(release.table.quasi, _by_column(release, _other_values), strict=True)
    return max(Fraction(column.weight) * loss for column, loss in losses)


def _levels(column: QuasiColumn, cells: Cells, cell: int) -> tuple[Fraction, int]:
    """The level of a cell and that of the root; for ranges and sets a share of the values stands for it."""
    leaves, all_leaves = cells.leaves(cell).tolist(), range(column.domain.n_leaves)
    if column.recoding.name in ("range", "sets"):
        return Fraction(len(leaves) - 1, max(1, len(all_leaves) - 1)), 1
    tree = column.recoding.nested
    if cells.levels is not None:
        return Fraction(int(cells.levels[cell])), tree.n_levels - 1
    for level in range(tree.n_levels):
        node = [leaf for leaf in all_leaves if tree.low[level, leaf] == tree.low[level, leaves[0]]]
        if node == leaves:
            return Fraction(level), tree.n_levels - 1
    raise AssertionError("not a node")


def _mean_levels(release: Release, relative: bool) -> list[Fraction]:
    """Per column the mean level of the rows' cells, suppressed rows at the root; over the height if relative."""
    found = []
    for column, cells in zip(release.table.quasi, release.cells, strict=True):
        root = column.recoding.nested.n_levels - 1 if column.recoding.name in ("tree", "suppress") else 1
        paid = Fraction(root * release.n_suppressed)
        for shape in release.shapes.tolist():
            paid += _levels(column, cells, int(cells.ids[shape]))[0]
        found.append(paid / release.table.n_rows / (root if relative else 1))
    return found


def height(release: Release) -> Fraction:
    """The levels, added up."""
    levels = zip(release.table.quasi, _mean_levels(release, relative=False), strict=True)
    return sum((Fraction(column.weight) * level for column, level in levels), Fraction(0))


def precision(release: Release) -> Fraction:
    """The weighted mean relative level."""
    weights = [Fraction(column.weight) for column in release.table.quasi]
    levels = _mean_levels(release, relative=True)
    return sum((w * level for w, level in zip(weights, levels, strict=True)), Fraction(0)) / sum(weights)


def _all_cells(release: Release) -> Iterator[tuple[float, list[int], list[int], int]]:
    """Per row and column: the weight, all rows' codes, those that lie in its cell (all if suppressed), its own."""
    records = {record.owner: record for record in records_of(release)}
    for j, column in enumerate(release.table.quasi):
        codes = release.table.codes[j].tolist()
        for row, code in enumerate(codes):
            cell = records[row].cells[j] if row in records else set(codes)
            yield column.weight, codes, [other for other in codes if other in cell], code


def entropy(release: Release) -> float:
    """The entropy of the values in each cell."""
    total = 0.0
    for weight, _, inside, _ in _all_cells(release):
        counts = Counter(inside).values()
        total += weight * sum(-c / len(inside) * log2(c / len(inside)) for c in counts)
    return total


def nonuniform_entropy(release: Release) -> float:
    """The surprise at the owner's value among those in the cell."""
    return sum(-weight * log2(codes.count(code) / len(inside)) for weight, codes, inside, code in _all_cells(release))


def dm_star(release: Release) -> Fraction:
    """Everybody pays the size of their class, the suppressed being one class."""
    sizes = [len(members) for members in classes_of(records_of(release))]
    return Fraction(sum(size * size for size in sizes) + (release.table.n_rows - sum(sizes)) ** 2)


def _combinations(release: Release) -> dict[int, int]:
    """How many combinations of values each row may have."""
    everything = prod(column.domain.n_leaves for column in release.table.quasi)
    known = {record.owner: prod(map(len, record.cells)) for record in records_of(release)}
    return {row: known.get(row, everything) for row in range(release.table.n_rows)}


def ambiguity(release: Release) -> Fraction:
    """Their mean."""
    return Fraction(sum(_combinations(release).values()), release.table.n_rows)


def kl_divergence(release: Release) -> float:
    """Row by row: its share of the table over what its class, spread evenly, gives it."""
    n_rows, volumes = release.table.n_rows, _combinations(release)
    rows = [tuple(row) for row in release.table.codes.T.tolist()]
    sizes = {r.owner: len(members) for members in classes_of(records_of(release)) for r in members}
    total = 0.0
    for row in range(n_rows):
        share, size = rows.count(rows[row]) / n_rows, sizes.get(row, n_rows - len(sizes))
        total += log2(share / (size / n_rows / volumes[row])) / n_rows
    return total


def classification(release: Release) -> Fraction:
    """Rows that are suppressed or differ from the commonest value of their class in the first sensitive column."""
    right = 0
    for members in classes_of(records_of(release)):
        values = [next(iter(record.sensitive.values()), None) for record in members]
        right += max(Counter(values).values())
    return 1 - Fraction(right, release.table.n_rows)


def _dimensions(column: QuasiColumn) -> list[dict[int, float]]:
    """Where each leaf lies, one dictionary a dimension: the value or rank and whether it is there, or indicators."""
    domain = column.domain
    leaves = range(domain.n_leaves)
    if domain.kind == "nominal":
        return [{leaf: float(leaf == each) for leaf in leaves} for each in leaves]
    there = [leaf for leaf in leaves if leaf != domain.missing]
    line = {leaf: float(domain.points[leaf]) if domain.kind != "ordinal" else float(leaf) for leaf in there}
    if domain.missing is None:
        return [line]
    rows = [line[leaf] for leaf in there if line[leaf] == line[leaf] for _ in range(int(domain.counts[leaf]))]
    line[domain.missing] = sum(rows) / len(rows)
    return [line, {leaf: float(leaf != domain.missing) for leaf in leaves}]


def squared_error(release: Release) -> float:
    """Squared distances to the mean of the class over those to the mean of all, each column over its variance."""
    lost = total = 0.0
    classes = [[record.owner for record in members] for members in classes_of(records_of(release))]
    kept = {owner for members in classes for owner in members}
    for column, codes in zip(release.table.quasi, release.table.codes.tolist(), strict=True):
        parts = [_dimensions(column)] if column.domain.kind == "nominal" else [[each] for each in _dimensions(column)]
        for dimensions in parts:
            found = everything = 0.0
            for places in dimensions:
                values = [places[code] for code in codes]
                mean = sum(values) / len(values)
                everything += sum((value - mean) ** 2 for value in values)
                found += sum((value - mean) ** 2 for row, value in enumerate(values) if row not in kept)
                for members in classes:
                    middle = sum(values[row] for row in members) / len(members)
                    found += sum((values[row] - middle) ** 2 for row in members)
            if everything > 1e-12:
                lost, total = lost + column.weight * found / everything, total + column.weight
    return lost / total if total else 0.0


TWINS: Mapping[str, Callable[[Release], float | Fraction]] = {
    "lm": lm,
    "lm_geometric": lm_geometric,
    "lm_rank": lm_rank,
    "gcp": gcp,
    "precision": precision,
    "height": height,
    "entropy": entropy,
    "nonuniform_entropy": nonuniform_entropy,
    "dm": dm,
    "dm_star": dm_star,
    "aecs": aecs,
    "ambiguity": ambiguity,
    "kl_divergence": kl_divergence,
    "classification": classification,
    "squared_error": squared_error,
    "suppression": suppression,
    "usefulness": usefulness,
}
"""The twins by the metric's name."""
