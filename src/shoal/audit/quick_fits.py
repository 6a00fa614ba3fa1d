"""Who fits which record, in plain numpy: for quick audits that must not wait for kernels to compile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from shoal.audit.knowledge import Knowledge
from shoal.audit.links import WhoFits, shape_numbers
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.core.release import Publication

Bits = npt.NDArray[np.uint8]

MOST_PAIRS = 100_000_000
"""Maximum number of pairs of a type and a shape that a quick audit compares; of more people it takes a sample."""

MOST_FITS = 3_000_000
"""Maximum number of fitting pairs that are listed."""

_CHUNK = 16_000_000
_PILOT = 200


@dataclass(frozen=True, eq=False)
class Fits(WhoFits):
    """The fitting pairs of a type and a shape, listed: ``found[starts[r]:starts[r + 1]]`` for type ``r``.

    The quick counterpart of ``Links``; every pair is compared, eight to a byte.
    """

    starts: Offsets
    found: Codes

    @classmethod
    def of(cls, seen: Publication, known: Knowledge) -> Fits:
        """Compare all types with all shapes. O(types · shapes / 8 · columns), in chunks."""
        types, shapes, firsts = known.types, *_shapes(seen)
        cells = [column.take(firsts) for column in seen.cells]
        codes = known.codes[:, types.firsts]
        step = max(1, _CHUNK // max(1, firsts.size))
        chunks = [_compare(codes[:, at : at + step], cells) for at in range(0, codes.shape[1], step)]
        sizes = np.concatenate([np.bincount(rows, minlength=n) for n, rows, _ in chunks])
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        records = np.bincount(shapes, minlength=firsts.size).astype(np.int64)
        return cls(types.ids, shapes, types.weights, records, starts, np.concatenate([found for _, _, found in chunks]))

    @cached_property
    def owners(self) -> npt.NDArray[np.intp]:
        """The type of each pair."""
        return np.repeat(np.arange(self.n_types), np.diff(self.starts))

    @cached_property
    def records_fitting(self) -> Offsets:
        """The number of records that fit a person of each type."""
        return np.bincount(self.owners, self.records[self.found], self.n_types).astype(np.int64)

    @cached_property
    def people_fitting(self) -> Offsets:
        """The number of people who fit a record of each shape."""
        return np.bincount(self.found, self.people[self.owners], self.n_shapes).astype(np.int64)

    @cached_property
    def smallest_class(self) -> Offsets:
        """The size of the smallest class that fits a person of each type; 0 if none does."""
        least = np.full(self.n_types, np.iinfo(np.int64).max)
        np.minimum.at(least, self.owners, self.records[self.found])
        return np.where(np.diff(self.starts) > 0, least, 0)

    @cached_property
    def only_shape(self) -> Codes:
        """The only shape that fits each type; −1 if several fit or none does."""
        single = np.diff(self.starts) == 1
        return np.where(single, np.append(self.found, -1)[self.starts[:-1]], -1).astype(np.int32)

    def shapes_of(self, chosen: Codes) -> tuple[Offsets, Codes]:
        """The shapes that fit each of some types: ``found[starts[i]:starts[i + 1]]``."""
        fitting = Groups(self.starts, self.found).take(chosen)
        return fitting.offsets, fitting.members


def affordable(seen: Publication, known: Knowledge) -> int:
    """The maximum number of types of people that a quick audit can compare with all records."""
    _, firsts = _shapes(seen)
    wide = sum(column.domain.n_leaves > 1000 for column in known.quasi)
    most = max(1, MOST_PAIRS // max(1, firsts.size * (1 + wide)))
    few = np.linspace(0, known.n_people - 1, min(known.n_people, _PILOT, most)).astype(np.int64)
    _, rows, _ = _compare(known.codes[:, few], [column.take(firsts) for column in seen.cells])
    return min(most, max(1, MOST_FITS * few.size // max(1, rows.size)))


def _shapes(seen: Publication) -> tuple[Codes, Codes]:
    shapes = shape_numbers(seen)
    n = int(shapes.max(initial=-1)) + 1
    firsts = np.zeros(n, np.int32)
    firsts[shapes[::-1]] = np.arange(shapes.size - 1, -1, -1, dtype=np.int32)
    return shapes, firsts


def _compare(codes: Codes, cells: list[Cells]) -> tuple[int, npt.NDArray[np.intp], Codes]:
    """The number of types, and the type and shape of each fitting pair."""
    n_types, n_shapes = codes.shape[1], len(cells[0])
    bits = np.full((n_types, -(-n_shapes // 8)), 255, np.uint8)
    for row, column in zip(codes, cells, strict=True):
        distinct, which = np.unique(row, return_inverse=True)
        bits &= np.packbits(_inside(column, distinct), axis=1)[which]
    return n_types, *_set_bits(bits, n_shapes)


def _inside(cells: Cells, codes: Codes) -> Flags:
    """``[code, position]``: whether the cell at the position contains the code. O(codes · positions)."""
    if cells.offsets is None or cells.members is None:
        low, high = cells.low[cells.ids], cells.high[cells.ids]
        return (low[None] <= codes[:, None]) & (codes[:, None] <= high[None])
    place = np.full(max(int(codes.max(initial=0)), int(cells.high.max(initial=0))) + 1, -1, np.int64)
    place[codes] = np.arange(codes.size)
    rows = place[cells.members]
    holds = np.zeros((codes.size, cells.n_distinct), bool)
    holds[rows[rows >= 0], np.repeat(np.arange(cells.n_distinct), cells.sizes)[rows >= 0]] = True
    return holds[:, cells.ids]


def _set_bits(bits: Bits, n_shapes: int) -> tuple[npt.NDArray[np.intp], Codes]:
    """Row and position of every set bit, row by row."""
    rows, at = np.nonzero(bits)
    which, inside = np.nonzero(np.unpackbits(bits[rows, at][:, None], axis=1))
    places = (8 * at[which] + inside).astype(np.int32)
    real = places < n_shapes
    return rows[which][real], places[real]


def mixed(
    starts: Offsets, groups: Codes, weights: Floats, offsets: Offsets, values: Codes, counts: Floats, n_values: int
) -> tuple[Offsets, Codes, Floats]:
    """Like the kernel ``mix``: for each mixture its values, ascending, and their shares. O(entries · log)."""
    sizes = np.diff(offsets)[groups]
    before = np.cumsum(sizes) - sizes
    entry = np.repeat(offsets[:-1][groups] - before, sizes) + np.arange(sizes.sum())
    mixture = np.repeat(np.repeat(np.arange(starts.size - 1), np.diff(starts)), sizes)
    amounts = np.repeat(weights, sizes) * counts[entry]
    kept = amounts > 0
    keys, at = np.unique(mixture[kept] * np.int64(n_values) + values[entry[kept]], return_inverse=True)
    totals = np.bincount(at, amounts[kept], keys.size)
    owner = keys // n_values
    whole = np.bincount(owner, totals, starts.size - 1)
    found_at = np.searchsorted(owner, np.arange(starts.size)).astype(np.int64)
    return found_at, (keys % n_values).astype(np.int32), totals / whole[owner]
