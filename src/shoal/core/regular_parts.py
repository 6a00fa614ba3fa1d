"""Draws a release from parts in which every row matches equally many records, and closes parts to other matches."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.block_union import naming_all_fits
from shoal.core.consistency import consistency_of
from shoal.core.contracts import Goal
from shoal.core.diverse_parts import join_until
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import BrokenPromise
from shoal.kernels.assignment import draw, n_words, rows_by_record
from shoal.kernels.assignment_graph import expand


@dataclass(frozen=True, eq=False)
class RegularParts:
    """Rows in parts, and the records that each row may get: a regular graph in every part.

    Part ``p`` has the rows ``rows[offsets[p]:offsets[p + 1]]`` and as many records. If ``is_complete[p]``, all rows
    match all records. The rows of the other parts, in order, have a row of ``edges`` each: the records they match,
    numbered from the first of their part.
    """

    rows: Codes
    offsets: Offsets
    is_complete: Flags
    edges: Codes

    @classmethod
    def complete(cls, groups: Groups) -> RegularParts:
        """Parts in which all rows match all records."""
        return cls(groups.members, groups.offsets, np.ones(len(groups), bool), np.empty((0, 1), np.int32))

    def closed(self, which: Flags) -> RegularParts:
        """The same parts, but all rows of the given parts match all their records."""
        opened = np.repeat(~which[~self.is_complete], self.sizes[~self.is_complete])
        return replace(self, is_complete=self.is_complete | which, edges=self.edges[opened])

    def release(self, table: Table, randomness: Randomness) -> Release:
        """Cells around the matches of each record, and an assignment drawn so that all matches are equally likely.

        O(matches · columns) time and O(matches) memory, where a complete part has as many matches as rows.
        """
        matches, shapes = self._matches()
        cells = tuple(c.recoding.enclose(matches, codes) for c, codes in zip(table.quasi, table.codes, strict=True))
        return Release(table, self.draw(randomness), shapes, cells, matches=matches)

    def draw(self, randomness: Randomness) -> Codes:
        """The row that gets each record: every match in a part of degree k has probability exactly 1/k.

        A complete part is shuffled. Any other part splits into as many assignments without a common match as its rows
        have records; the one to publish is drawn first, and random assignments are made up to that one (figure 7 of
        Wong et al. with both optimisations; rows start with a random free record rather than with a random permutation,
        hardly any of which would be a match in a part much larger than k).
        """
        places = np.empty(self.rows.size, np.int32)
        is_open = ~np.repeat(self.is_complete, self.sizes)
        complete = np.flatnonzero(~is_open)
        parts = np.repeat(np.arange(self.is_complete.size), self.sizes)[complete]
        places[complete] = complete[np.lexsort([randomness.words(complete.size), parts])]
        degree, open_sizes = self.edges.shape[1], self.sizes[~self.is_complete]
        picks = randomness.integers(max(1, degree), open_sizes.size).astype(np.int64)
        words = randomness.words(n_words(open_sizes, picks))
        drawn = draw(self.edges, self.open_offsets, picks, words)
        if (drawn < 0).any():
            raise BrokenPromise("The matches of a part do not split into assignments; this is a bug in shoal.")
        places[is_open] = np.flatnonzero(is_open)[drawn]
        return self.rows[places]

    @property
    def sizes(self) -> Offsets:
        """Number of rows of each part."""
        return np.diff(self.offsets)

    @property
    def open_offsets(self) -> Offsets:
        """The starts of the incomplete parts in ``edges``."""
        return np.concatenate([[0], np.cumsum(self.sizes[~self.is_complete])]).astype(np.int64)

    def _matches(self) -> tuple[Groups, Codes]:
        """The rows that each shape matches, and the shape of each record; a complete part has one shape."""
        is_open = ~np.repeat(self.is_complete, self.sizes)
        begins = np.zeros(self.rows.size, bool)
        begins[self.offsets[:-1]] = True
        opens = is_open | begins
        shapes = (np.cumsum(opens) - 1).astype(np.int32)
        degree = self.edges.shape[1]
        sizes = np.where(is_open, degree, np.repeat(self.sizes, self.sizes))[opens]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        members = np.empty(offsets[-1], np.int32)
        spread = np.repeat(is_open[opens], sizes)
        rows = rows_by_record(self.edges, self.open_offsets)
        members[spread] = self.rows[is_open][rows.ravel()]
        members[~spread] = self.rows[~is_open]
        return Groups(offsets, members), shapes


def closed_to_others(table: Table, goal: Goal, parts: RegularParts, k: int) -> RegularParts:
    """Parts in which models that judge printed matches hold whatever is drawn. O(fitting pairs) per round.

    Records are drawn among the matches that an algorithm lists. An adversary who does not know these considers every
    record a match whose cells contain a person's values, as long as some complete assignment uses the pair. Such
    matches may lie in other parts and add sensitive values that the models have not taken into account.

    Any ``k`` records of a part satisfy the models (``shoal.core.diverse_parts``), and so do unions of them if the
    models are monotone. So a part is safe if nobody has between one and k − 1 matches there. In an unsafe part all rows
    are made to match all records: its records then have equal cells, and a person matches all of them or none. Which
    parts these are does not depend on the draw, so an adversary learns nothing about the draw from it. If a model is
    not monotone, parts are joined until all models hold.
    """
    wary = [model for model in goal.group_models if model.reads_printed]
    while wary and (unsafe := _unsafe(table, parts, k)).any():
        parts = parts.closed(unsafe)
    if all(model.is_monotone for model in wary):
        return parts
    groups = join_until(lambda groups: _fine(table, goal, groups), Groups(parts.offsets, parts.rows))
    return RegularParts.complete(groups)


def _unsafe(table: Table, parts: RegularParts, k: int) -> Flags:
    """The parts in which somebody has matches, but fewer than ``k``."""
    graph = consistency_of(parts.release(table, Randomness(0)))  # any draw: which pairs are matches is always the same
    of_record = np.repeat(np.arange(parts.is_complete.size), parts.sizes)
    pairs, counts = np.unique(graph.shape_of.astype(np.int64) * parts.is_complete.size + of_record, return_counts=True)
    shapes, homes = np.divmod(pairs, parts.is_complete.size)
    kept = graph.is_match
    ends = np.concatenate([[0], np.cumsum(kept)])[graph.offsets].astype(np.int64)
    offsets, types = expand(np.arange(pairs.size + 1), shapes.astype(np.int32), ends, graph.types[kept])
    sizes = np.diff(offsets)
    found, at = np.unique(
        types.astype(np.int64) * parts.is_complete.size + np.repeat(homes, sizes), return_inverse=True
    )
    matches = np.bincount(at, np.repeat(counts, sizes), found.size)
    unsafe = np.zeros(parts.is_complete.size, bool)
    unsafe[found[matches < k] % parts.is_complete.size] = True
    return unsafe & ~parts.is_complete


def _fine(table: Table, goal: Goal, groups: Groups) -> Flags:
    """Whether everybody's matches in a part satisfy the models if each part is a class of equal records."""
    release = naming_all_fits(RegularParts.complete(groups).release(table, Randomness(0)))
    pools = release.pools
    bad = np.zeros(table.n_rows, bool)
    bad[pools.take(np.flatnonzero(~goal.accepts(table, pools))).members] = True
    return ~np.logical_or.reduceat(bad[groups.members], groups.offsets[:-1])
