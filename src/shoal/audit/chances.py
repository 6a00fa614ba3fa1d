"""The chance of each match, if all complete assignments are equally likely.

The chance of a match is the number of complete assignments that use it over the number of all: a ratio of two
permanents. Counting them is hard in general; here it is exact where that is easy, and estimated well elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from shoal.audit.matches import Edges, Matches
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.randomness import Randomness
from shoal.kernels.belief import propagate_parts, sample
from shoal.kernels.permanent import small_parts

MOST_STATES = 1 << 12
"""Maximum number of ways to use up the people of a component for which chances are counted exactly."""

MOST_EDGES = 20_000_000
"""Maximum number of matches whose chances are computed individually; beyond, chances are products of two scales."""

FEW_EDGES = 1_500_000
"""The same for quick audits."""


@dataclass(frozen=True, eq=False)
class Chances:
    """The chance of each person's likeliest record, ``best_of_type``, and of each record's likeliest person.

    In a complete component every match has the chance 1 / size. The matches of the other components are ``edges`` with
    a chance each (of a given person and a given record), or, if there are too many, products of ``scales`` of type and
    shape. ``people_by_method`` counts people by how their chances were computed.
    """

    matches: Matches
    best_of_type: Floats
    best_of_shape: Floats
    edges: Edges | None
    values: Floats
    scales: tuple[Floats, Floats] | None
    people_by_method: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, matches: Matches, most_states: int = MOST_STATES, most_edges: int = MOST_EDGES, close: float = 1e-6
    ) -> Chances:
        """Exact in complete and in small components; by belief propagation, or by scaling, in the others.

        ``close`` is the largest change of a chance in the last round of belief propagation.
        """
        is_open = ~matches.is_complete
        n_closed = int(matches.sizes[~is_open].sum())
        methods = {"equally likely": n_closed} if n_closed else {}
        made = cls(matches, *_closed(matches), None, np.zeros(0), None, methods)
        if not is_open.any():
            return made
        if matches.links.n_edges > most_edges:
            return made._scaled()
        return made._listed(most_states, close)

    def _listed(self, most_states: int, close: float) -> Chances:
        edges = Edges.of(self.matches, np.flatnonzero(~self.matches.is_complete).astype(np.int32))
        values, is_small = _exact(edges, most_states)
        rest = edges.of_parts(~is_small)
        if rest.shapes.size:
            whole = np.array([0, rest.people.size])
            found, _ = propagate_parts(whole, rest.offsets, rest.shapes, rest.people, edges.records, 400, close)
            values[np.repeat(~is_small[edges.parts], np.diff(edges.offsets))] = found
        sizes = np.bincount(edges.parts, edges.people, is_small.size)
        n_small = int(sizes[is_small].sum())
        methods = {"counted": n_small, "belief propagation": int(sizes.sum()) - n_small}
        methods = dict(self.people_by_method) | {name: n for name, n in methods.items() if n}
        return replace(self, edges=edges, people_by_method=methods).with_values(values)

    def with_values(self, values: Floats) -> Chances:
        """The same with other chances of the edges, as far as symmetry allows."""
        assert self.edges is not None
        edges, links = self.edges, self.matches.links
        values = np.minimum(values, _most(edges))
        shown = np.where(edges.shapes < links.n_shapes, values, 0.0)
        of_type, of_shape = self.best_of_type.copy(), self.best_of_shape.copy()
        of_type[edges.types] = np.maximum.reduceat(shown, edges.offsets[:-1])
        of_shape[np.unique(edges.shapes)] = 0
        np.maximum.at(of_shape, edges.shapes, values)
        return replace(self, best_of_type=of_type, best_of_shape=of_shape, values=values)

    def _scaled(self) -> Chances:
        x, y = scale(self.matches)
        links = self.matches.links
        most = 1.0 / np.maximum(1, links.records)
        shown, known = (np.where(np.arange(y.size) < links.n_shapes, one, 0.0) for one in (y, most))
        return replace(
            self,
            best_of_type=np.minimum(x * links.largest_shape(shown), links.largest_shape(known)),
            best_of_shape=np.minimum(y * links.largest_type(x), most),
            scales=(x, y),
            people_by_method={"scaling": int(links.people.sum())},
        )

    def of_types(self, chosen: Codes) -> tuple[Offsets, Codes, Floats]:
        """The shapes that match each chosen type, and the chance of each of their records. O(their matches)."""
        starts, shapes = self.matches.links.shapes_of(chosen)
        types = np.repeat(chosen, np.diff(starts))
        if self.scales is not None:
            most = 1.0 / np.maximum(1, self.matches.links.records[shapes])
            return starts, shapes, np.minimum(self.scales[0][types] * self.scales[1][shapes], most)
        values = 1.0 / self.matches.sizes[self.matches.of_type[types]]
        if self.edges is not None:
            open_ = ~self.matches.is_complete[self.matches.of_type[types]]
            values[open_] = self.values[self.edges.find(types[open_], shapes[open_])]
        return starts, shapes, values

    @cached_property
    def likeliest(self) -> Codes:
        """The shape of the likeliest record of each type; −1 if there is none, or matches were not listed."""
        matches = self.matches
        n_shown = matches.links.n_shapes
        some = np.full(matches.n_components, -1, np.int32)
        some[matches.of_shape[:n_shown][::-1]] = np.arange(n_shown, dtype=np.int32)[::-1]
        best = np.where(self.best_of_type > 0, some[matches.of_type], -1).astype(np.int32)
        if self.scales is not None:
            return np.full_like(best, -1)
        if self.edges is not None:
            shown = np.where(self.edges.shapes < n_shown, self.values, -1.0)
            best[self.edges.types] = self.edges.shapes[first_largest(shown, self.edges.offsets)]
        return best

    @cached_property
    def expected_hits(self) -> float:
        """The expected number of people found by naming the likeliest record of each."""
        return float(self.best_of_type @ self.matches.links.people)


def _closed(matches: Matches) -> tuple[Floats, Floats]:
    """Chances in complete components; 0 for people without a published record there."""
    links = matches.links
    even = np.where(matches.is_complete, 1.0 / np.maximum(1, matches.sizes), 0.0)
    has_records = np.bincount(matches.of_shape, links.visible, matches.n_components) > 0
    return np.where(has_records, even, 0.0)[matches.of_type], even[matches.of_shape]


def _most(edges: Edges) -> Floats:
    """Upper bounds on chances: n people of one type, or n records of one shape, share theirs equally."""
    alike = np.maximum(np.repeat(edges.people, np.diff(edges.offsets)), edges.records[edges.shapes])
    return np.asarray(1.0 / np.maximum(1, alike))


def _exact(edges: Edges, most_states: int) -> tuple[Floats, Flags]:
    values = np.zeros(edges.shapes.size)
    is_small = small_parts(
        edges.types_at,
        edges.shapes_at,
        edges.shape_list,
        edges.places,
        edges.people,
        edges.records,
        edges.offsets,
        edges.shapes,
        most_states,
        values,
    )
    return values, is_small


def first_largest(values: Floats, offsets: Offsets) -> Offsets:
    """The position of the first largest value in each list."""
    largest = np.repeat(np.maximum.reduceat(values, offsets[:-1]), np.diff(offsets))
    at = np.flatnonzero(values == largest)
    return at[np.searchsorted(at, offsets[:-1])].astype(np.int64)


def scale(matches: Matches, rounds: int = 200, close: float = 1e-4) -> tuple[Floats, Floats]:
    """Scale types and shapes so that their products, as chances, add up to 1 for each: Sinkhorn's scaling.

    O(pieces) a round. If the last round still changed a sum by more than ``close``, the estimate is used as it is.
    """
    links = matches.links
    x, y = np.ones(links.n_types), np.ones(links.records.size)
    for _ in range(rounds):
        y = 1.0 / np.maximum(links.sum_types(x * links.people), 1e-300)
        sums = links.sum_shapes(y * links.records)
        off = float(np.abs(x * sums - 1.0).max(initial=0.0))
        x = 1.0 / np.maximum(sums, 1e-300)
        if off < close:
            break
    return x, y


def sampled(chances: Chances, n_samples: int, randomness: Randomness, owner: Offsets | None = None) -> Floats:
    """``[batch, edge]``: chances of the edges estimated from ten batches of random complete assignments.

    ``owner``, if given, is the initial assignment and is overwritten by the last one drawn. O(samples · people in open
    components · a few).
    """
    edges = chances.edges
    assert edges is not None
    owner = edges.owners(chances.matches) if owner is None else owner
    n = int(edges.people.sum())
    counts = sample(
        edges.offsets, edges.shapes, edges.people, edges.records, owner, n_samples, 4 * n, randomness.words(1)[0]
    )
    pairs = np.repeat(edges.people, np.diff(edges.offsets)) * edges.records[edges.shapes]
    return np.asarray(counts * (10.0 / n_samples) / pairs)
