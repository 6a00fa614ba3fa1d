"""An adversary's beliefs about a sensitive value of each person."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.audit.chances import Chances
from shoal.audit.links import Links, WhoFits
from shoal.audit.quick_fits import Fits, mixed
from shoal.audit.same_person import Whose
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.groups import Groups
from shoal.core.table import SensitiveColumn
from shoal.core.tallies import Tallies
from shoal.kernels.mixing import mix
from shoal.models.people_values import over_people

MOST_TYPES = 20_000
"""Number of types whose beliefs are computed if there are too many matches to list."""


@dataclass(frozen=True, eq=False)
class Beliefs:
    """People with identical beliefs form a *pool*: pool ``g`` has ``people[g]`` of them.

    They have the value ``values[i]`` with probability ``shares[i]``, for ``i`` in ``offsets[g] … offsets[g + 1] − 1``,
    given that they are in the release. ``prior`` holds the shares of the values among all records: the belief about
    somebody only known to be in the release. ``pool_of[type]`` is −1 for people who cannot be in it.

    If ``whose`` counts people, a pool is a class, and ``shares`` are the shares of its people who have a value in one
    of their records there; they may add up to more than 1, and a person may be in several pools.
    """

    column: SensitiveColumn
    offsets: Offsets
    values: Codes
    shares: Floats
    people: Offsets
    pool_of: Codes
    prior: Floats
    whose: Whose | None = None

    @classmethod
    def of_people(cls, column: SensitiveColumn, whose: Whose) -> Beliefs:
        """Beliefs of an adversary who knows one row of a person and finds its class. O(records · log)."""
        tallies, known = whose.tallies(column), over_people(column)
        nobody, prior = np.empty(0, np.int32), known.domain.counts / max(1, known.whole)
        return cls(column, tallies.offsets, tallies.values, tallies.shares, whose.people_by_shape, nobody, prior, whose)

    @classmethod
    def of(cls, column: SensitiveColumn, links: Links, chances: Chances | None, buckets: Codes | None) -> Beliefs:
        """Beliefs from the chances of matches; without them, from the fitting records, all equally likely.

        O(records + matches · values of a shape).
        """
        tallies = _by_shape(column, links, buckets)
        starts, shapes, weights, pool_of = _matched(chances) if chances else _fitting(links)
        n_values = column.domain.n_leaves
        offsets, values, shares = mix(
            starts, shapes, weights, tallies.offsets, tallies.values, tallies.counts.astype(np.float64), n_values
        )
        has_some = np.diff(offsets) > 0
        pool_of = np.where(has_some[pool_of] & (pool_of >= 0), pool_of, -1).astype(np.int32)
        people = np.bincount(pool_of + 1, links.people, starts.size)[1:].astype(np.int64)
        return cls(column, offsets, values, shares, people, pool_of, _prior(column))

    @classmethod
    def of_classes(cls, column: SensitiveColumn, fits: Fits, buckets: Codes | None) -> Beliefs:
        """For a quick audit: beliefs about people whose class, or bucket, is known. O(records · log).

        A person who fits only one class is in it; one who fits several may be hidden better than this says.
        """
        ids = fits.shapes if buckets is None else buckets
        tallies = Tallies.of_ids(ids, column.codes, column.domain.n_leaves)
        pool_of = fits.only_shape if buckets is None else np.full(fits.n_types, -1, np.int32)
        people = tallies.sizes.astype(np.int64)
        return cls(column, tallies.offsets, tallies.values, tallies.shares, people, pool_of, _prior(column))

    @classmethod
    def of_fits(cls, column: SensitiveColumn, fits: Fits) -> Beliefs:
        """For a quick audit: beliefs from the fitting records, all equally likely. O(pairs · log)."""
        n_values = column.domain.n_leaves
        tallies = Tallies.of_ids(fits.shapes, column.codes, n_values)
        starts, shapes, weights, types = _fitting(fits)
        counts = tallies.counts.astype(np.float64)
        found = mixed(starts, shapes, weights, tallies.offsets, tallies.values, counts, n_values)
        pool_of = np.where(np.diff(found[0]) > 0, types, -1).astype(np.int32)
        return cls(column, *found, np.where(pool_of >= 0, fits.people, 0), pool_of, _prior(column))

    @property
    def n_people(self) -> int:
        """Number of people who may be in the release."""
        return int(self.people.sum()) if self.whose is None else self.whose.n_people

    def count(self, wanted: Flags) -> tuple[int, float]:
        """The number of people with at least one record in the wanted pools, and their share of all."""
        if self.whose is None:
            n = int(self.people[wanted].sum())
        else:
            n = int(np.unique(self.whose.people[wanted[self.whose.shapes]]).size)
        return n, n / max(1, self.n_people)

    @cached_property
    def pools(self) -> Codes:
        """The pool of each entry."""
        return np.repeat(np.arange(self.people.size, dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def n_values(self) -> Offsets:
        """How many values each pool leaves open; when counting people, one if all of them have it."""
        values = np.diff(self.offsets)
        return values if self.whose is None else np.where(self.surest >= 1, np.minimum(values, 1), values)

    def largest(self, terms: Floats) -> Floats:
        """The largest of one term per entry, for each pool; 0 if it has none."""
        most = np.zeros(self.people.size)
        np.maximum.at(most, self.pools, terms)
        return most

    @cached_property
    def surest(self) -> Floats:
        """The probability of the likeliest value of each pool."""
        return self.largest(self.shares)

    @cached_property
    def guesses(self) -> Codes:
        """The likeliest value for people of each type; −1 for people who cannot be in the release."""
        best = np.full(self.people.size, -1, np.int32)
        top = self.shares >= self.surest[self.pools]
        best[self.pools[top][::-1]] = self.values[top][::-1]
        return np.where(self.pool_of >= 0, best[self.pool_of], -1).astype(np.int32)


def _prior(column: SensitiveColumn) -> Floats:
    """The shares of the values among all records."""
    return np.bincount(column.codes, minlength=column.domain.n_leaves) / max(1, column.codes.size)


def _by_shape(column: SensitiveColumn, links: Links, buckets: Codes | None) -> Tallies:
    """The values of the records of each shape, or of their buckets if values are tied to buckets."""
    n_shapes = links.records.size
    shapes = Groups.from_ids(links.shapes, n_shapes)
    if buckets is None:
        return Tallies.of(shapes, column.codes, column.domain.n_leaves)
    by_bucket = Groups.from_ids(buckets, int(buckets.max(initial=-1)) + 1)
    of_records = by_bucket.take(buckets[shapes.members])
    members = Groups(of_records.offsets[shapes.offsets], of_records.members)
    return Tallies.of(members, column.codes, column.domain.n_leaves)


def _matched(chances: Chances) -> tuple[Offsets, Codes, Floats, Codes]:
    """One pool for each complete component and for each type of the others: shapes and chances of their records.

    If there are too many matches to list, a regular sample of types represents the others.
    """
    matches = chances.matches
    links = matches.links
    is_open = ~matches.is_complete if chances.scales is None else np.ones(matches.n_components, bool)
    of_shape = np.where(is_open[matches.of_shape], -1, matches.of_shape)
    shapes = np.flatnonzero(of_shape >= 0)
    shapes = shapes[np.argsort(of_shape[shapes], kind="stable")].astype(np.int32)
    sizes = np.bincount(of_shape[shapes], minlength=matches.n_components)
    types = np.flatnonzero(is_open[matches.of_type]).astype(np.int32)
    types = types[:: 1 if chances.scales is None else 1 + types.size // MOST_TYPES]
    more, more_shapes, values = chances.of_types(types)
    starts = np.concatenate([[0], np.cumsum(np.concatenate([sizes, np.diff(more)]))]).astype(np.int64)
    pool_of = np.where(is_open[matches.of_type], -1, matches.of_type)
    pool_of[types] = matches.n_components + np.arange(types.size)
    mixed = np.concatenate([shapes, more_shapes])
    weights = np.concatenate([np.ones(shapes.size), values])
    is_shown = mixed < links.n_shapes
    return starts, np.where(is_shown, mixed, 0), np.where(is_shown, weights, 0.0), pool_of.astype(np.int32)


def _fitting(links: WhoFits) -> tuple[Offsets, Codes, Floats, Codes]:
    """One pool for each type: all fitting records."""
    types = np.arange(links.n_types, dtype=np.int32)
    starts, shapes = links.shapes_of(types)
    return starts, shapes, np.ones(shapes.size), types
