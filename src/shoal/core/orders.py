"""Orders of the rows of a table in which neighbours are similar."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.core.groups import Groups
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError
from shoal.kernels.hilbert import curve_positions
from shoal.kernels.rings import part_sorted

Parting = Literal["finest", "published"]


def columns_by_size(table: Table) -> list[int]:
    """The quasi-identifiers, those with the fewest occurring values first: a difference there costs most."""
    sizes = [int(column.domain.occurs.sum()) for column in table.quasi]
    return sorted(range(table.n_quasi), key=lambda j: sizes[j])


def lexicographic_order(table: Table) -> Codes:
    """The rows sorted by the column with the fewest values, then by the next; equal rows keep the table's order.

    O(rows · columns + rows · log rows).
    """
    keys = np.zeros(table.n_rows, np.int64)
    most = 1
    for j in columns_by_size(table):
        n = table.quasi[j].domain.n_leaves
        if most * n >= 2**62:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            most = int(keys.max(initial=0)) + 1
        keys = keys * n + table.codes[j]
        most *= n
    return np.argsort(keys, kind="stable").astype(np.int32)


def lexicographic_parts(table: Table, k: int, parting: Parting = "finest") -> Groups:
    """Parts of at least ``k`` rows: sorted lexicographically, split value by value, small parts merged with neighbours.

    If a column has a single value in a part, ``finest`` goes on with the next column, and it merges a small part with
    the neighbour that suits better. ``published`` stops there and merges with the next neighbour, which reproduces the
    part sizes and losses that the paper prints. Reference: Wong, Mamoulis and Cheung 2010, Non-Homogeneous
    Generalization in Privacy Preserving Data Publishing, figure 8. O(rows · (columns + log rows)).
    """
    order = lexicographic_order(table)
    codes = np.ascontiguousarray(table.codes[columns_by_size(table)][:, order])
    return Groups(part_sorted(codes, k, parting == "published"), order)


def refuse_parting(parting: str) -> None:
    """Raise InputError if ``parting`` is not one of the known values."""
    if parting not in get_args(Parting):
        raise InputError(f"parting must be 'finest' or 'published', got {parting!r}.")


def curve_order(table: Table, *, stretch: bool = True, by_value: bool = False, n_bits: int = 0) -> Codes:
    """The rows along a Hilbert curve over the columns' dense ranks; equal rows keep the table's order.

    With ``stretch`` every column spans as many steps as the widest, or 2^``n_bits``, so that all count alike; without,
    a column of two values hardly affects the curve. ``by_value`` places numbers and dates by value instead of by rank.
    O(rows · columns · bits).
    """
    return np.lexsort(_along_curve(table, stretch, by_value, n_bits)[::-1]).astype(np.int32)


def curve_stretches(table: Table, most: float) -> Groups:
    """Stretches of the Hilbert curve of at most about ``most`` rows, cut where the curve moves from box to box.

    Each half, quarter, … of the curve is a box. A stretch with arbitrary ends is not, and its enclosing cells cover
    nearly everything; so a stretch is cut, within its middle half, where the curve jumps farthest, i.e. where the
    highest digit of the position changes. O(rows · (columns · bits + log rows)).
    """
    words = _along_curve(table, True, False, 0)
    order = np.lexsort(words[::-1]).astype(np.int32)
    steps = _step_heights(np.ascontiguousarray(words[:, order]))
    bounds, waiting = [order.size], [(0, order.size)]
    while waiting:
        start, end = waiting.pop()
        cut = _cut(steps, start, end) if end - start > most else 0
        if cut:
            waiting += [(start, cut), (cut, end)]
        else:
            bounds.append(start)
    return Groups(np.sort(np.array(bounds, np.int64)), order)


def _cut(steps: Offsets, start: int, end: int) -> int:
    """The highest step in the middle half, the one nearest the middle on a tie; if there is none, any step, or 0."""
    quarter = max(1, (end - start) // 4)
    for margin in (quarter, 1):
        inside = steps[start + margin : end - margin + 1]
        if inside.max(initial=0):
            from_middle = np.abs(np.arange(inside.size) - inside.size // 2)
            return start + margin + int(np.lexsort((from_middle, -inside))[0])
    return 0


def _step_heights(words: Offsets) -> Offsets:
    """The position of the highest digit in which each position differs from the one before, 0 if equal."""
    heights = np.zeros(words.shape[1], np.int64)
    for number, word in enumerate(words):
        change = np.frexp((word[1:] ^ word[:-1]).astype(np.float64))[1] + 64 * (words.shape[0] - 1 - number)
        is_first = (heights[1:] == 0) & (word[1:] != word[:-1])
        heights[1:][is_first] = change[is_first]
    return heights


def _along_curve(table: Table, stretch: bool, by_value: bool, n_bits: int) -> Offsets:
    """Positions on the curve, as words, the highest first."""
    counts = [int(column.domain.occurs.sum()) for column in table.quasi]
    most = 2**n_bits - 1 if n_bits else max(1, max(counts) - 1)
    steps = [
        _steps(column, most if stretch else max(1, count - 1), by_value)[codes]
        for column, codes, count in zip(table.quasi, table.codes, counts, strict=True)
    ]
    return np.asarray(curve_positions(np.array(steps, np.int32), max(1, most.bit_length())))


def _steps(column: QuasiColumn, most: int, by_value: bool) -> Offsets:
    """The position of each occurring leaf on an axis of ``0 … most``; missing values lie at its end."""
    domain = column.domain
    ranks = np.cumsum(domain.occurs) - 1
    if not (by_value and domain.kind in ("numeric", "date")):
        return np.asarray(ranks * most // max(1, ranks[-1]), np.int64)
    present = domain.occurs & (np.arange(domain.n_leaves) != domain.missing)
    steps = np.full(present.size, most, np.int64)
    points = domain.places[present]
    if points.size:
        width = np.ptp(points) or 1.0
        steps[present] = np.floor((points - points.min()) / width * most).astype(np.int64)
    return steps
