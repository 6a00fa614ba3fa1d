"""Who fits which record: people of equal type and records of equal shape are grouped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from shoal.audit.knowledge import Knowledge
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.assignment import boxes_of
from shoal.core.groups import Groups
from shoal.core.release import Publication
from shoal.errors import InputError
from shoal.kernels.assignment_graph import Boxes
from shoal.kernels.distinct import number_rows
from shoal.kernels.fitting import Tree, grow, pieces, signatures
from shoal.kernels.sweeps import gather, list_boxes, scatter

MOST_PIECES = 64
"""Maximum average number of tree pieces kept per type and shape; beyond, the table is too large."""


class AttackTooLarge(InputError):
    """An attack would need more memory than is reasonable."""


@dataclass(frozen=True, eq=False)
class WhoFits(ABC):
    """Who fits which record, however it was computed; see ``Links`` and ``Fits``.

    ``types[person]`` and ``shapes[record]`` number the distinct ones; ``people[r]`` and ``records[s]`` count them.
    """

    types: Codes
    shapes: Codes
    people: Offsets
    records: Offsets

    @property
    def n_types(self) -> int:
        """Number of types of people."""
        return self.people.size

    @property
    def n_shapes(self) -> int:
        """Number of published shapes."""
        return self.records.size

    @property
    @abstractmethod
    def records_fitting(self) -> Offsets:
        """The number of published records that fit a person of each type."""

    @property
    @abstractmethod
    def people_fitting(self) -> Offsets:
        """The number of people who fit a record of each shape."""

    @abstractmethod
    def shapes_of(self, chosen: Codes) -> tuple[Offsets, Codes]:
        """The shapes that fit each of some types: ``found[starts[i]:starts[i + 1]]``."""


@dataclass(frozen=True, eq=False)
class Links(WhoFits):
    """The graph of who fits which record, as boxes over a tree of types. Memory is linear in types and shapes.

    ``n_hidden`` people have no record: then the last shape, with that many records, is not published and fits all.
    Arrays per type are in the order of types.
    """

    codes: Codes
    boxes: Boxes
    is_small: Flags
    tree: Tree
    offsets: Offsets
    pieces: Codes
    n_hidden: int = 0

    @classmethod
    def of(cls, seen: Publication, known: Knowledge) -> Links:
        """Join people and records. O(types · columns · log types + nodes that boxes touch).

        Raises:
            AttackTooLarge: the boxes overlap so much that their pieces do not fit.
        """
        types = known.types
        shapes = shape_numbers(seen)
        firsts = np.unique(shapes, return_index=True)[1].astype(np.int32)
        boxes = boxes_of(tuple(cells.take(firsts) for cells in seen.cells))
        codes = np.ascontiguousarray(known.codes[:, types.firsts])
        is_small = np.array([column.domain.n_leaves < 64 for column in known.quasi])
        records = np.bincount(shapes, minlength=firsts.size).astype(np.int64)
        return cls(types.ids, shapes, types.weights, records, codes, boxes, is_small, *_joined(codes, boxes, is_small))

    @property
    def n_shapes(self) -> int:
        """Number of shapes, without the hidden one."""
        return self.records.size - (self.n_hidden > 0)

    def with_hidden(self) -> Links:
        """Add a shape that fits everybody for the people without a record, if there are any."""
        n_hidden = int(self.people.sum() - self.records.sum())
        if n_hidden <= 0 or self.n_hidden:
            return self
        boxes, nothing = self.boxes, np.zeros((self.codes.shape[0], 1), np.int64)
        with_all = Boxes(
            low=np.column_stack([boxes.low, self.codes.min(axis=1)]).astype(np.int32),
            high=np.column_stack([boxes.high, self.codes.max(axis=1)]).astype(np.int32),
            starts=np.column_stack([boxes.starts, nothing]),
            stops=np.column_stack([boxes.stops, nothing]),
            members=boxes.members,
        )
        return replace(
            self,
            records=np.append(self.records, n_hidden),
            boxes=with_all,
            offsets=np.append(self.offsets, self.offsets[-1] + 1),
            pieces=np.append(self.pieces, np.int32(0)),
            n_hidden=n_hidden,
        )

    def within(self, of_type: Codes, of_shape: Codes) -> Links:
        """Restrict to pairs of a type and a shape with the same number, as if it were one more column."""
        codes = np.vstack([of_type, self.codes]).astype(np.int32)
        boxes, row = self.boxes, of_shape.astype(np.int32)[None]
        nothing = np.zeros_like(boxes.starts[:1])
        parts = Boxes(
            low=np.vstack([row, boxes.low]),
            high=np.vstack([row, boxes.high]),
            starts=np.vstack([nothing, boxes.starts]),
            stops=np.vstack([nothing, boxes.stops]),
            members=boxes.members,
        )
        is_small = np.append(False, self.is_small)
        tree, offsets, found = _joined(codes, parts, is_small)
        return replace(self, codes=codes, boxes=parts, is_small=is_small, tree=tree, offsets=offsets, pieces=found)

    def sum_types(self, values: npt.NDArray[np.number]) -> Floats:
        """For each shape, the sum of a number per type over the fitting types."""
        return self._gather(values, largest=False)

    def largest_type(self, values: npt.NDArray[np.number]) -> Floats:
        """For each shape, the largest of a number per type over the fitting types; 0 if there are none."""
        return self._gather(values, largest=True)

    def sum_shapes(self, amounts: npt.NDArray[np.number]) -> Floats:
        """For each type, the sum of a number per shape over the fitting shapes."""
        return self._scatter(amounts, largest=False)

    def largest_shape(self, amounts: npt.NDArray[np.number]) -> Floats:
        """For each type, the largest of a number per shape over the fitting shapes; 0 if there are none."""
        return self._scatter(amounts, largest=True)

    def _gather(self, values: npt.NDArray[np.number], *, largest: bool) -> Floats:
        placed = values[self.tree.order].astype(np.float64)
        return np.asarray(gather(self.tree, self.offsets, self.pieces, placed, largest))

    def _scatter(self, amounts: npt.NDArray[np.number], *, largest: bool) -> Floats:
        placed = scatter(self.tree, self.offsets, self.pieces, amounts.astype(np.float64), largest)
        values = np.empty(self.n_types)
        values[self.tree.order] = placed
        return values

    @cached_property
    def visible(self) -> Offsets:
        """The number of records of each shape; 0 for the hidden one."""
        return np.append(self.records[:-1], 0) if self.n_hidden else self.records

    @cached_property
    def records_fitting(self) -> Offsets:
        """The number of published records that fit a person of each type."""
        return self.sum_shapes(self.visible).astype(np.int64)

    @cached_property
    def people_fitting(self) -> Offsets:
        """The number of people who fit a record of each shape."""
        return self.sum_types(self.people).astype(np.int64)

    @cached_property
    def positions(self) -> Codes:
        """The position of each type in the tree."""
        return inverse(self.tree.order)

    @cached_property
    def n_edges(self) -> int:
        """Number of pairs of a type and a shape that fit."""
        return int(self.sum_types(np.ones(self.n_types)).sum())

    def shapes_of(self, chosen: Codes) -> tuple[Offsets, Codes]:
        """The shapes that fit each of some types: ``found[starts[i]:starts[i + 1]]``. O(pieces + found)."""
        at = self.positions[chosen]
        order = np.argsort(at)
        found = Groups(*list_boxes(self.tree, self.offsets, self.pieces, at[order])).take(inverse(order))
        return found.offsets, found.members


_NUMBERED: WeakKeyDictionary[Publication, Codes] = WeakKeyDictionary()


def shape_numbers(seen: Publication) -> Codes:
    """Number the records of a publication by their cells, in order of first appearance; cached per publication."""
    if seen not in _NUMBERED:
        _NUMBERED[seen] = number_rows(np.array([cells.ids for cells in seen.cells], np.int32))[0]
    return _NUMBERED[seen]


def _joined(codes: Codes, boxes: Boxes, is_small: Flags) -> tuple[Tree, Offsets, Codes]:
    n_codes = int(max(codes.max(initial=0), boxes.high.max(initial=0))) + 1
    tree = grow(codes, n_codes)
    most = max(1 << 20, MOST_PIECES * (codes.shape[1] + boxes.low.shape[1]))
    offsets, found = pieces(tree, boxes, signatures(boxes), is_small, most)
    if not offsets.size:
        raise AttackTooLarge(
            f"{boxes.low.shape[1]:,} kinds of records overlap so much that their matches do not fit in memory; "
            "audit a part of the columns or a sample of the records."
        )
    return tree, offsets, found


def fewest(counts: Offsets, default: int = 0) -> int:
    """The smallest number that is not 0."""
    found = counts[counts > 0]
    return int(found.min()) if found.size else default


def inverse(order: npt.NDArray[np.integer]) -> Codes:
    """The place of each number in a permutation."""
    places = np.empty(order.size, np.int32)
    places[order] = np.arange(order.size, dtype=np.int32)
    return places
