"""Bundles of rows that match the same records, and of records that match the same rows.

Members of a bundle are interchangeable, so what is counted or estimated for one of them holds for all. Only components
in which not everybody fits every record are bundled; in the others all matches are equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.consistency import Consistency
from shoal.core.groups import Groups
from shoal.kernels.assignment_graph import invert
from shoal.kernels.distinct import number_lists


@dataclass(frozen=True, eq=False)
class Bundles:
    """Bundle ``b`` of ``people[b]`` rows matches the bundles ``shapes[offsets[b]:offsets[b + 1]]`` of records.

    ``of_type`` and ``of_shape`` are the bundles of each type and shape, −1 in complete components. Bundles of rows are
    sorted by component, ``parts``, whose bundles begin at ``starts``; those of records are listed by component in
    ``shape_list``, beginning at ``shapes_at``, each at position ``places`` of its component.
    """

    of_type: Codes
    of_shape: Codes
    people: Offsets
    records: Offsets
    offsets: Offsets
    shapes: Codes
    parts: Codes
    starts: Offsets
    shape_list: Codes
    shapes_at: Offsets
    places: Codes

    @classmethod
    def of(cls, graph: Consistency) -> Bundles:
        """Bundle the matches of a release. O(matches)."""
        number = _open_components(graph)
        of_type, of_shape = number[graph.components[0]], number[graph.components[1]]
        types, shapes = in_order(of_type), in_order(of_shape)
        of_rows = _matching(graph, types, shapes, of_type >= 0)
        rows, row_firsts = number_lists(of_rows.offsets, of_rows.members)
        of_boxes = _inverted(of_rows.take(row_firsts), shapes.size)
        boxes, box_firsts = number_lists(of_boxes.offsets, of_boxes.members)
        edges = _inverted(of_boxes.take(box_firsts), row_firsts.size)
        n_parts = int(number.max(initial=-1)) + 1
        parts, box_parts = of_type[types[row_firsts]], of_shape[shapes[box_firsts]]
        shapes_at = starts_of(box_parts, n_parts)
        return cls(
            of_type=_placed(graph.n_types, types, rows),
            of_shape=_placed(graph.n_shapes, shapes, boxes),
            people=np.bincount(rows, graph.people[types], row_firsts.size).astype(np.int64),
            records=np.bincount(boxes, graph.records[shapes], box_firsts.size).astype(np.int64),
            offsets=edges.offsets,
            shapes=edges.members,
            parts=parts,
            starts=starts_of(parts, n_parts),
            shape_list=np.arange(box_firsts.size, dtype=np.int32),
            shapes_at=shapes_at,
            places=(np.arange(box_firsts.size) - shapes_at[box_parts]).astype(np.int32),
        )

    @property
    def edge_owners(self) -> Codes:
        """The bundle of rows of each edge."""
        return np.repeat(np.arange(self.people.size, dtype=np.int32), np.diff(self.offsets))

    @property
    def ceilings(self) -> Floats:
        """An upper bound on each match's probability: interchangeable rows or records share it equally."""
        return 1.0 / np.maximum(self.people[self.edge_owners], self.records[self.shapes])

    @property
    def edge_parts(self) -> Codes:
        """The component of each edge."""
        return np.repeat(self.parts, np.diff(self.offsets))


def _open_components(graph: Consistency) -> Codes:
    """The number of each component among those that are not complete, −1 for the others."""
    of_type, of_shape = graph.components
    n = int(of_type.max(initial=-1)) + 1
    sizes = np.bincount(of_type, graph.people, n)
    is_open = np.zeros(n, bool)
    is_open[of_shape[graph.matches[1] < sizes[of_shape]]] = True
    return np.where(is_open, np.cumsum(is_open) - 1, -1).astype(np.int32)


def _matching(graph: Consistency, types: Codes, shapes: Codes, is_open: Flags) -> Groups:
    """For each of these types, the shapes it matches, both by their position in the lists."""
    kept = graph.is_match & is_open[graph.types]
    owners = np.repeat(np.arange(graph.n_shapes), np.diff(graph.offsets))[kept]
    order = np.argsort(_placed(graph.n_shapes, shapes)[owners], kind="stable")
    sizes = np.bincount(owners, minlength=graph.n_shapes)[shapes]
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return _inverted(Groups(bounds, _placed(graph.n_types, types)[graph.types[kept][order]]), types.size)


def _inverted(lists: Groups, n: int) -> Groups:
    """For each of ``n`` members, the lists that have it."""
    return Groups(*invert(lists.offsets, lists.members, n))


def _placed(n: int, which: Codes, values: Codes | None = None) -> Codes:
    """An array of ``n`` values: the i-th value (or i) at the i-th position of ``which``, −1 elsewhere."""
    placed = np.full(n, -1, np.int32)
    placed[which] = np.arange(which.size) if values is None else values
    return placed


def starts_of(parts: npt.NDArray[np.integer], n_parts: int) -> Offsets:
    """The start of each part in an ascending list of part numbers, and the end of the last."""
    return np.concatenate([[0], np.cumsum(np.bincount(parts, minlength=n_parts))]).astype(np.int64)


def in_order(parts: Codes) -> Codes:
    """The positions of the non-negative numbers, sorted by number."""
    chosen = np.flatnonzero(parts >= 0)
    return chosen[np.argsort(parts[chosen], kind="stable")].astype(np.int32)
