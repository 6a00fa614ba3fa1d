"""The links that a complete assignment can use: an adversary who knows everybody can rule out the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.audit.links import Links
from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.groups import Groups
from shoal.core.match_bundles import in_order, starts_of
from shoal.kernels.matching import fill, improve, walks
from shoal.kernels.scc import strong_components
from shoal.kernels.sweeps import gather


@dataclass(frozen=True, eq=False)
class Matches:
    """The remaining links, in components: a type and a shape of the same component match if they fit.

    ``n_unplaced`` records have no owner in any assignment: then the release does not stem from these people, nothing
    can be concluded, and ``links`` holds all links. ``assigned[slot]`` is the shape of the record of each person in one
    complete assignment, with people ordered by type.

    Reference: Wong, Mamoulis and Cheung 2010, Non-Homogeneous Generalization in Privacy Preserving Data Publishing
    (Theorem 1); Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithm 4).
    """

    links: Links
    n_unplaced: int
    of_type: Codes
    of_shape: Codes
    assigned: Codes

    @classmethod
    def of(cls, links: Links) -> Matches:
        """Find a complete assignment, then the strong components around it. Close to O(pieces + people)."""
        full = links.with_hidden()
        slots_at, slots, n_unplaced = _assignment(full)
        if n_unplaced:
            of_type, of_shape, nothing = (np.zeros(n, np.int32) for n in (links.n_types, links.n_shapes, 0))
            return cls(links, n_unplaced, of_type, of_shape, nothing)
        of_type, of_shape = _components(full, slots_at, slots)
        by_type = of_type[full.positions]
        kept = full if _all_stay(full, of_type, of_shape) else full.within(by_type, of_shape)
        return cls(kept, 0, by_type, of_shape, Groups(slots_at, slots).take(full.positions).members)

    def slots(self, of_person: Codes, types: Codes) -> Codes:
        """What people of some types have, if people are ordered by type."""
        bounds = np.concatenate([[0], np.cumsum(self.links.people)]).astype(np.int64)
        return Groups(bounds, of_person).take(types).members

    @property
    def n_components(self) -> int:
        """Number of components."""
        return int(self.of_shape.max(initial=-1)) + 1

    @cached_property
    def sizes(self) -> Offsets:
        """Number of people in each component; equals its number of records, including hidden ones."""
        return np.bincount(self.of_type, self.links.people, self.n_components).astype(np.int64)

    @cached_property
    def is_complete(self) -> Flags:
        """Whether everybody in a component fits every record of it: then all matches are equally likely."""
        full = self.links.people_fitting == self.sizes[self.of_shape]
        complete = np.ones(self.n_components, bool)
        np.logical_and.at(complete, self.of_shape, full)
        return complete


def _assignment(links: Links) -> tuple[Offsets, Codes, int]:
    """Slots of positions, the shape in each, and the number of records without an owner."""
    people = links.people[links.tree.order]
    slots_at = np.concatenate([[0], np.cumsum(people)]).astype(np.int64)
    slots, taken = np.full(int(slots_at[-1]), -1, np.int32), np.zeros(people.size, np.int64)
    needs = links.records.copy()
    order = np.argsort(links.people_fitting, kind="stable")
    fill(links.tree, links.offsets, links.pieces, needs, order, slots_at, slots, taken)
    n_unplaced = improve(links.tree, links.offsets, links.pieces, needs, slots_at, slots, taken)
    return slots_at, slots, n_unplaced


def _components(links: Links, slots_at: Offsets, slots: Codes) -> tuple[Codes, Codes]:
    """The component of each position and of each shape, numbered from 0 without gaps."""
    n_shapes, n_positions = links.records.size, links.n_types
    found, n_found = strong_components(*walks(links.tree, links.offsets, links.pieces, slots_at, slots))
    shapes, positions = found[:n_shapes], found[found.size - n_positions :]
    numbers = np.zeros(n_found, np.int32)
    numbers[shapes] = 1
    numbers[positions] = 1
    numbers = (np.cumsum(numbers) - 1).astype(np.int32)
    return numbers[positions], numbers[shapes]


def _all_stay(links: Links, of_type: Codes, of_shape: Codes) -> bool:
    """Whether every link stays inside a component, from the smallest and largest number inside each box."""
    highest = gather(links.tree, links.offsets, links.pieces, of_type + 1.0, True)
    top = of_shape.max(initial=0) + 1.0
    lowest = top - gather(links.tree, links.offsets, links.pieces, top - of_type, True)
    return bool((highest == of_shape + 1).all() and (lowest == of_shape).all())


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
        types = in_order(number[matches.of_type])
        shape_list = in_order(number[matches.of_shape])
        parts, shape_parts = number[matches.of_type[types]], number[matches.of_shape[shape_list]]
        shapes_at = starts_of(shape_parts, components.size)
        places = np.zeros(links.records.size, np.int32)
        places[shape_list] = np.arange(shape_list.size) - shapes_at[shape_parts]
        offsets, shapes = links.shapes_of(types)
        records = np.where(number[matches.of_shape] >= 0, links.records, 0)
        people = links.people[types]
        types_at = starts_of(parts, components.size)
        return cls(types, parts, people, records, offsets, shapes, types_at, shapes_at, shape_list, places)

    def of_parts(self, wanted: Flags) -> Edges:
        """The same without the types of other parts; shapes keep their numbers."""
        kept = np.flatnonzero(wanted[self.parts]).astype(np.int32)
        edges, parts = Groups(self.offsets, self.shapes).take(kept), self.parts[kept]
        return replace(
            self,
            types=self.types[kept],
            parts=parts,
            people=self.people[kept],
            offsets=edges.offsets,
            shapes=edges.members,
            types_at=starts_of(parts, self.types_at.size - 1),
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
        return np.argsort(matches.slots(matches.assigned, self.types), kind="stable").astype(np.int64)
