"""The consistency graph of a release: which rows fit which records, with equal rows and equal records merged.

An adversary who knows everybody can draw this graph: a row is *consistent* with a record whose cells contain its
values. A pair is a *match* if some complete assignment of records to rows uses it. The owners are one such assignment,
so a pair is a match exactly if both lie in one strong component of the graph in which rows lead to the records they fit
and records lead back to their owners.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.assignment import boxes_of
from shoal.core.cells import Cells
from shoal.core.release import Release
from shoal.errors import InputError
from shoal.kernels.assignment_graph import invert
from shoal.kernels.distinct import number_rows
from shoal.kernels.fitting import grow, pieces, signatures
from shoal.kernels.scc import strong_components
from shoal.kernels.sweeps import add_up, list_rows

MOST_PAIRS = 500_000_000
"""The graph is not built if it has more pairs of a type and a shape than this, which take two gigabytes."""


@dataclass(frozen=True, eq=False)
class Consistency:
    """Shape ``s`` contains the row types ``types[offsets[s]:offsets[s + 1]]``.

    ``type_of[r]`` and ``shape_of[r]`` are the type of record ``r``'s owner and the shape of the record; ``people`` and
    ``records`` count the published rows of each type and the records of each shape. ``is_true[r]`` says whether a
    record's cells contain its owner's values.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Definitions 4 and
    6, Proposition 10, Algorithm 4).
    """

    type_of: Codes
    shape_of: Codes
    people: Offsets
    records: Offsets
    offsets: Offsets
    types: Codes
    is_true: Flags

    @classmethod
    def of(cls, release: Release) -> Consistency:
        """Build the graph of the published rows. O(types · columns · log types + pairs) time, O(pairs) memory.

        Raises:
            InputError: the records overlap so much that the graph does not fit in memory.
        """
        owned = np.ascontiguousarray(release.table.codes[:, release.owners])
        type_of, firsts = number_rows(owned)
        shape_of, shapes = number_rows(np.array([c.ids[release.shapes] for c in release.cells], np.int32))
        cells = tuple(c.take(release.shapes[shapes]) for c in release.cells)
        small = np.array([column.domain.n_leaves <= 64 for column in release.table.quasi])
        codes = np.ascontiguousarray(owned[:, firsts])
        return cls(
            type_of,
            shape_of,
            np.bincount(type_of, minlength=firsts.size).astype(np.int64),
            np.bincount(shape_of, minlength=shapes.size).astype(np.int64),
            *_pairs(codes, cells, small),
            release.truthful(),
        )

    @property
    def n_types(self) -> int:
        """Number of different rows."""
        return self.people.size

    @property
    def n_shapes(self) -> int:
        """Number of different records."""
        return self.records.size

    @cached_property
    def components(self) -> tuple[Codes, Codes]:
        """The strong component of each type and of each shape. O(pairs)."""
        bounds, shapes = invert(self.offsets, self.types, self.n_types)
        owners = np.unique(self.shape_of.astype(np.int64) * self.n_types + self.type_of)
        counts = np.bincount(owners // self.n_types, minlength=self.n_shapes)
        offsets = np.concatenate([bounds, bounds[-1] + np.cumsum(counts)])
        heads = np.concatenate([shapes + np.int32(self.n_types), (owners % self.n_types).astype(np.int32)])
        found: Codes = strong_components(offsets, heads)[0]
        return found[: self.n_types], found[self.n_types :]

    @cached_property
    def is_match(self) -> Flags:
        """Whether each pair is a match; none is if any record does not contain its owner's values."""
        if not self.is_true.all():
            return np.zeros(self.types.size, bool)
        of_type, of_shape = self.components
        flags: Flags = of_type[self.types] == np.repeat(of_shape, np.diff(self.offsets))
        return flags

    @cached_property
    def fits(self) -> tuple[Offsets, Offsets]:
        """How many records each type fits, and how many rows fit each shape."""
        return self._counted(np.ones(self.types.size, bool))

    @cached_property
    def matches(self) -> tuple[Offsets, Offsets]:
        """How many records match each type, and how many rows match each shape."""
        return self._counted(self.is_match)

    def _counted(self, kept: Flags) -> tuple[Offsets, Offsets]:
        of_types, of_shapes = add_up(self.offsets, self.types, kept, self.people, self.records)
        return of_types, of_shapes


def consistency_of(release: Release) -> Consistency:
    """The graph of a release, built once and cached."""
    if release not in _DRAWN:
        _DRAWN[release] = Consistency.of(release)
    return _DRAWN[release]


_DRAWN: WeakKeyDictionary[Release, Consistency] = WeakKeyDictionary()


def _pairs(codes: Codes, cells: tuple[Cells, ...], small: Flags) -> tuple[Offsets, Codes]:
    boxes = boxes_of(cells)
    n_codes = int(max(codes.max(initial=0), boxes.high.max(initial=0))) + 1
    tree = grow(codes, n_codes)
    offsets, found = pieces(tree, boxes, signatures(boxes), small, MOST_PAIRS)
    if offsets.size:
        bounds, types = list_rows(tree, offsets, found)
        return bounds, types
    raise InputError(
        f"{boxes.low.shape[1]:,} kinds of records overlap so much that their matches do not fit in memory; "
        "check a part of the columns or a sample of the records."
    )
