"""Improve a partition in rounds of independent changes, each kept only if it keeps every promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.clustering.agglomeration import grouped
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.threads import shared
from shoal.algorithms.clustering.vantage_point_leaves import leaves
from shoal.core.arrays import Flags, Whole
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness

LEAF = 1000
"""How many clusters are searched together; neighbours beyond a border are found in other rounds, which draw other
borders."""

Accepts = Callable[[Groups], Flags]
"""Returns which groups keep every promise."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """Some clusters with their rows, renumbered: cluster ``c`` has rows ``offsets[c] … offsets[c + 1] − 1``.

    ``share`` is their share of the total loss.
    """

    cells: Whole
    colours: Whole
    offsets: Whole
    seed: int
    share: float

    @property
    def state(self) -> Whole:
        """The initial state of the leaf's stream of random numbers."""
        return np.array([self.seed], np.int64)

    @property
    def unchanged(self) -> tuple[Whole, Whole]:
        """A proposal that changes nothing."""
        sizes = np.diff(self.offsets)
        return np.repeat(np.arange(sizes.size), sizes), np.full(int(self.offsets[-1]), -1, np.int64)


Work = Callable[[Leaf], tuple[Whole, Whole]]
"""Proposes a new cluster for each row of a leaf (−1: suppress it), and numbers the changes that belong together (−1:
none)."""

_Part = tuple[Whole, int, float]
"""The clusters of a leaf, its seed and its share of the total loss."""


def improved(
    coding: Coding,
    groups: Groups,
    work: Work,
    accepts: Accepts,
    randomness: Randomness,
    most_dropped: int = 0,
    leaf: int = LEAF,
) -> Groups:
    """Run one round: apply the work to all leaves, and undo changes that create a refused group.

    Changes that would suppress more than ``most_dropped`` rows in total are also undone, those that gain least per row
    first. Rows in no group stay out. O(rows + work).
    """
    before = groups.ids(coding.n_rows).astype(np.int64)
    homes, changes = before.copy(), np.full(coding.n_rows, -1, np.int64)
    n_homes, n_changes = len(groups), 0

    def proposed(part: _Part) -> tuple[Whole, Whole, Whole]:
        rows, cut = _leaf(coding, groups, *part)
        return rows, *work(cut)

    for some, into, of in shared(proposed, _parts(coding, groups, randomness, leaf)):
        homes[some] = np.where(of < 0, before[some], np.where(into < 0, -1, into + n_homes))
        changes[some] = np.where(of < 0, -1, of + n_changes)
        n_homes += int(into.max()) + 1
        n_changes += int(of.max()) + 1
    if n_changes == 0:
        return groups
    refused = _refused(homes, changes, n_changes, accepts)
    refused |= _too_many(coding, groups, homes, np.where(refused[changes], -1, changes), n_changes, most_dropped)
    return grouped(np.where(refused[changes] & (changes >= 0), before, homes))


def _parts(coding: Coding, groups: Groups, randomness: Randomness, most: int) -> list[_Part]:
    """What will be the leaves of a round."""
    closed, prices = coding.closed(groups)
    losses = prices * groups.sizes
    total = max(1, int(losses.sum()))
    clusters = leaves(coding.space, closed, most, randomness)
    seeds = randomness.integers(2**32 - 1, len(clusters)).astype(np.int64) + 1
    return [(some, int(seed), int(losses[some].sum()) / total) for some, seed in zip(clusters, seeds, strict=True)]


def _leaf(coding: Coding, groups: Groups, clusters: Whole, seed: int, share: float) -> tuple[Whole, Leaf]:
    """The rows of a leaf, and the leaf."""
    sizes = groups.sizes[clusters]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    places = np.repeat(groups.offsets[clusters] - offsets[:-1], sizes) + np.arange(offsets[-1])
    rows = groups.members[places].astype(np.int64)
    cells = np.take(coding.cells, coding.row[rows], axis=1)
    return rows, Leaf(cells, coding.colours[rows], offsets, seed, share)


def _refused(homes: Whole, changes: Whole, n_changes: int, accepts: Accepts) -> Flags:
    """Which changes create a group that breaks a promise."""
    rows = np.flatnonzero((changes >= 0) & (homes >= 0))
    if rows.size == 0:  # every change only drops rows
        return np.zeros(n_changes, bool)
    local = grouped(homes[rows])
    made = Groups(local.offsets, rows[local.members].astype(np.int32))
    refused = np.zeros(n_changes, bool)
    refused[changes[made.members[made.offsets[:-1]]][~accepts(made)]] = True
    return refused


def _too_many(coding: Coding, groups: Groups, homes: Whole, changes: Whole, n_changes: int, most_dropped: int) -> Flags:
    """Which changes drop rows beyond the limit; those that gain most per dropped row are kept."""
    touched = changes >= 0
    dropped = np.bincount(changes[touched & (homes < 0)], minlength=n_changes)
    if not dropped.any():
        return np.zeros(n_changes, bool)
    gains = _row_prices(coding, groups) - _row_prices(coding, grouped(homes))
    gain = np.bincount(changes[touched], gains[touched], minlength=n_changes) / np.maximum(1, dropped)
    order = np.argsort(np.where(dropped > 0, -gain, -np.inf), kind="stable")
    too_many = np.zeros(n_changes, bool)
    too_many[order] = (np.cumsum(dropped[order]) > most_dropped) & (dropped[order] > 0)
    return too_many


def _row_prices(coding: Coding, groups: Groups) -> Whole:
    """What each row pays; rows in no group pay the price of a suppressed row."""
    _, own = coding.closed(groups)
    prices = np.full(coding.n_rows, coding.lost, np.int64)
    prices[groups.members] = np.repeat(own, groups.sizes)
    return prices
