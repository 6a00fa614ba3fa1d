"""Pattern-guided anonymity by its definitions: every pattern, every row, one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from naive.plain import classes_of, records_of
from shoal.core.release import Release
from shoal.core.table import QuasiColumn

Row = tuple[int, ...]
Pattern = tuple[bool, ...]
"""For each column whether it is starred."""


def greedy(rows: Sequence[Row], patterns: Sequence[Pattern], k: int) -> list[int]:
    """Algorithm 1: the number of each row's pattern, −1 for the rows left over. ``patterns`` are in order of cost."""
    chosen = [-1] * len(rows)
    for number, pattern in enumerate(patterns):
        homes = defaultdict(list)
        for place, row in enumerate(rows):
            if chosen[place] < 0:
                homes[starred(row, pattern)].append(place)
        for members in homes.values():
            if len(members) >= k:
                for place in members:
                    chosen[place] = number
    return chosen


def starred(row: Row, pattern: Pattern) -> tuple[int | None, ...]:
    """The row with None in place of starred values."""
    return tuple(None if star else value for value, star in zip(row, pattern, strict=True))


def usefulness(release: Release) -> Fraction:
    """The mean over classes of their tuple diversity; all suppressed rows are one class that spans every column."""
    table = release.table
    classes = [[record.owner for record in members] for members in classes_of(records_of(release))]
    diversities = [
        sum((_diversity(column, codes.tolist(), rows) for column, codes in zip(table.quasi, table.codes, strict=True)))
        for rows in classes
    ]
    if sum(map(len, classes)) < table.n_rows:
        diversities.append(Fraction(table.n_quasi))
    return Fraction(sum(diversities)) / max(1, len(diversities))


def _diversity(column: QuasiColumn, codes: Sequence[int], rows: Sequence[int]) -> Fraction:
    """Definition 3."""
    values, everywhere = {codes[row] for row in rows}, set(codes)
    if column.domain.kind not in ("numeric", "date"):
        return Fraction(len(values), len(everywhere))
    missing = column.domain.missing
    if missing in values:
        return Fraction(len(values) > 1)
    points = [Fraction(float(column.domain.points[code])) for code in everywhere if code != missing]
    inside = [Fraction(float(column.domain.points[code])) for code in values]
    span = max(points) - min(points)
    return (max(inside) - min(inside)) / span if span else Fraction(0)
