"""The probability of each match for an adversary who considers all complete assignments equally likely.

That probability is a ratio of numbers of assignments, i.e. of permanents. In a component in which everybody fits every
record it is one over its size. In small components the assignments are counted. In the others the probabilities are
estimated by belief propagation (the Bethe approximation of the permanent), raised by a margin, and capped by the share
that interchangeable rows or records leave each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from shoal.core.arrays import Flags, Floats
from shoal.core.consistency import Consistency, consistency_of
from shoal.core.match_bundles import Bundles
from shoal.core.release import Release
from shoal.kernels.belief import propagate_parts
from shoal.kernels.permanent import small_parts

MOST_STATES = 1 << 16
"""Assignments are counted in components with at most this many ways to have used up their rows."""

MARGIN = 2.5
"""An estimate e is reported as e · (1 + 2.5 · e), but at most 1.

The estimate alone can be too low: 0.33 for 0.45 in a ring of three, 0.2 for 0.23 in one of five. With the margin, one
of 62,928 probabilities was below the truth in 3,000 random graphs of up to 15 rows, 0.284 for 0.300 in a graph with
hubs (``benchmarks/link_chances.py``). It is not a bound: in graphs found by a search that changed pair after pair,
0.170 is reported where 0.249 is true (tests/core/test_linkage.py). A verdict therefore says for how many rows
probabilities are estimated.
"""

ROUNDS = 1000
"""The most rounds of belief propagation; components of thousands of rows take all of them."""

WORK = 1_000_000_000
"""The most messages passed where a rough estimate is enough: ten seconds."""

HAIR = 1e-9
"""A probability exceeds another only by more than this share; less is rounding."""

_FEWEST, _CLOSE = 50, 1e-7


@dataclass(frozen=True, eq=False)
class Linkage:
    """``of_types[t]``: probability of a row's likeliest record; ``of_shapes[s]``: of a record's likeliest row.

    ``rows_by_method`` counts rows by how their probabilities were found: "equal", "counted" or "estimated", the latter
    in at most ``rounds`` rounds.
    """

    consistency: Consistency
    of_types: Floats
    of_shapes: Floats
    rows_by_method: Mapping[str, int]
    rounds: int = ROUNDS

    @classmethod
    def of(cls, consistency: Consistency, most_states: int = MOST_STATES, most_work: int | None = None) -> Linkage:
        """Compute the probabilities; exact in complete and in small components.

        O(matches · rounds) time at most; O(matches) memory. ``most_work`` limits matches times rounds where a rough
        estimate is enough, never for a verdict.
        """
        if not consistency.is_true.all():
            return cls(consistency, np.ones(consistency.n_types), np.ones(consistency.n_shapes), {})
        bundles = Bundles.of(consistency)
        chances, is_small = _counted(bundles, most_states)
        rounds = ROUNDS
        if not is_small.all():
            is_open = ~is_small[bundles.edge_parts]
            rounds = rounds_for(int(is_open.sum()), most_work)
            chances[is_open] = _estimated(bundles, ~is_small, rounds)
        chances = np.minimum(chances, bundles.ceilings)
        of_bundles, of_shapes = np.zeros(bundles.people.size), np.zeros(bundles.records.size)
        np.maximum.at(of_bundles, bundles.edge_owners, chances)
        np.maximum.at(of_shapes, bundles.shapes, chances)
        sizes = np.bincount(bundles.parts, bundles.people, is_small.size)
        n_open, n_counted = int(sizes.sum()), int(sizes[is_small].sum())
        counts = {
            "equal": int(consistency.people.sum()) - n_open,
            "counted": n_counted,
            "estimated": n_open - n_counted,
        }
        methods = {name: n for name, n in counts.items() if n}
        return cls(consistency, *_spread(consistency, bundles, of_bundles, of_shapes), methods, rounds)

    @property
    def largest(self) -> float:
        """The probability of the likeliest match of all."""
        return float(max(self.of_types.max(initial=0.0), self.of_shapes.max(initial=0.0)))

    def rows_above(self, chance: float) -> int:
        """Number of rows that can be linked to some record with a larger probability."""
        return int(self.consistency.people[self.of_types > chance * (1 + HAIR)].sum())


def linkage_of(release: Release) -> Linkage:
    """The link probabilities of a release, computed once and cached."""
    if release not in _KNOWN:
        _KNOWN[release] = Linkage.of(consistency_of(release))
    return _KNOWN[release]


def glimpsed(release: Release, most_work: int) -> Linkage:
    """The link probabilities of a release with limited work, or the full ones if they are already known."""
    return _KNOWN[release] if release in _KNOWN else Linkage.of(consistency_of(release), most_work=most_work)


_KNOWN: WeakKeyDictionary[Release, Linkage] = WeakKeyDictionary()


def _counted(bundles: Bundles, most_states: int) -> tuple[Floats, Flags]:
    """The probability of each edge in small parts, and which parts are small."""
    chances = np.zeros(bundles.shapes.size)
    is_small: Flags = small_parts(
        bundles.starts,
        bundles.shapes_at,
        bundles.shape_list,
        bundles.places,
        bundles.people,
        bundles.records,
        bundles.offsets,
        bundles.shapes,
        most_states,
        chances,
    )
    return chances, is_small


def rounds_for(n_edges: int, most_work: int | None) -> int:
    """The rounds of message passing along this many edges within this much work: at least 50, all without a limit."""
    return ROUNDS if most_work is None else min(ROUNDS, max(_FEWEST, most_work // max(1, n_edges)))


def _estimated(bundles: Bundles, wanted: Flags, rounds: int) -> Floats:
    """The estimated probability of each edge of these parts, raised by the margin."""
    kept, sizes = wanted[bundles.parts], np.diff(bundles.offsets)
    offsets = np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64)
    shapes, in_part = bundles.shapes[np.repeat(kept, sizes)], np.diff(bundles.starts)[wanted]
    starts = np.concatenate([[0], np.cumsum(in_part)]).astype(np.int64)
    people, records = bundles.people[kept], bundles.records
    chances: Floats = propagate_parts(starts, offsets, shapes, people, records, rounds, _CLOSE)[0]
    return np.where(chances <= 1.0, np.minimum(1.0, chances * (1.0 + MARGIN * chances)), 1.0)


def _spread(graph: Consistency, bundles: Bundles, of_bundles: Floats, of_shapes: Floats) -> tuple[Floats, Floats]:
    """The probabilities of types and shapes: those of their bundles, or one over the size of a complete component."""
    of_type, of_shape = graph.components
    sizes = np.maximum(1, np.bincount(of_type, graph.people))
    types, shapes = 1.0 / sizes[of_type], 1.0 / sizes[of_shape]
    types[bundles.of_type >= 0] = of_bundles[bundles.of_type[bundles.of_type >= 0]]
    shapes[bundles.of_shape >= 0] = of_shapes[bundles.of_shape[bundles.of_shape >= 0]]
    return types, shapes
