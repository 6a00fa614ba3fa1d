"""The individual matches of components in which not everybody fits every record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.audit.matches import Matches
from shoal.core.arrays import Codes, Flags, Offsets


@dataclass(frozen=True, eq=False)
class Edges:
    """Type ``types[i]`` has the edges to ``shapes[offsets[i]:offsets[i + 1]]``; types are in order of their component.

    ``parts[i]`` numbers the component among those listed, whose types begin at ``types_at`` and whose shapes are
    ``shape_list[shapes_at[c]:shapes_at[c + 1]]``; ``places`` gives the position of a shape there. ``people`` counts the
    people of the listed types, ``records`` the records of all shapes (0 for shapes of other components).
    """

    types: Codes
    parts: Codes
    people: Offsets
    records: Offsets
    offsets: Offsets
    shapes: Codes
    types_at: Offsets
    shapes_at: Offsets
    shape_list: Codes
    places: Codes

    @classmethod
    def of(cls, matches: Matches, components: Codes) -> Edges:
        """The edges of these components. O(pieces + edges)."""
        links = matches.links
        number = np.full(matches.n_components, -1, np.int32)
        number[components] = np.arange(components.size, dtype=np.int32)
        types = _in_order(number[matches.of_type])
        shape_list = _in_order(number[matches.of_shape])
        parts, shape_parts = number[matches.of_type[types]], number[matches.of_shape[shape_list]]
        shapes_at = _starts(shape_parts, components.size)
        places = np.zeros(links.records.size, np.int32)
        places[shape_list] = np.arange(shape_list.size) - shapes_at[shape_parts]
        offsets, shapes = links.shapes_of(types)
        records = np.where(number[matches.of_shape] >= 0, links.records, 0)
        people = links.people[types]
        types_at = _starts(parts, components.size)
        return cls(types, parts, people, records, offsets, shapes, types_at, shapes_at, shape_list, places)

    def of_parts(self, wanted: Flags) -> Edges:
        """The same without the types of other parts; shapes keep their numbers."""
        kept = wanted[self.parts]
        sizes = np.diff(self.offsets)
        offsets = np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64)
        shapes = self.shapes[np.repeat(kept, sizes)]
        parts = self.parts[kept]
        return Edges(
            types=self.types[kept],
            parts=parts,
            people=self.people[kept],
            records=self.records,
            offsets=offsets,
            shapes=shapes,
            types_at=_starts(parts, self.types_at.size - 1),
            shapes_at=self.shapes_at,
            shape_list=self.shape_list,
            places=self.places,
        )

    def find(self, types: Codes, shapes: Codes) -> Offsets:
        """The positions of the edges between these types and shapes. O(edges log edges)."""
        span = np.int64(self.places.size)
        known = np.repeat(self.types, np.diff(self.offsets)) * span + self.shapes
        order = np.argsort(known, kind="stable")
        at = np.searchsorted(known[order], types * span + shapes)
        return order[at].astype(np.int64)

    def owners(self, matches: Matches) -> Offsets:
        """A complete assignment: the owner of each record, with people ordered by listed type and records by shape."""
        links = matches.links
        bounds = np.concatenate([[0], np.cumsum(links.people)])
        slots = np.concatenate([matches.assigned[bounds[r] : bounds[r + 1]] for r in self.types.tolist()])
        return np.argsort(slots, kind="stable").astype(np.int64)


def _in_order(parts: Codes) -> Codes:
    """The positions of non-negative numbers, sorted by these."""
    chosen = np.flatnonzero(parts >= 0)
    return chosen[np.argsort(parts[chosen], kind="stable")].astype(np.int32)


def _starts(parts: Codes, n_parts: int) -> Offsets:
    """The start of each part in an ascending list of part numbers."""
    return np.concatenate([[0], np.cumsum(np.bincount(parts, minlength=n_parts))]).astype(np.int64)
