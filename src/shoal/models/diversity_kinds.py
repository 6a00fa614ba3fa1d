"""The kinds of l-diversity: how each measures "well-represented values" in a group."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.tallies import Tallies
from shoal.models.sensitive import beyond, whole_rows


def distinct(tallies: Tallies) -> Floats:
    """The number of different values; counting people, 1 if all share one value, whatever else they have."""
    values = np.diff(tallies.offsets).astype(np.float64)
    if tallies.people is None:
        return values
    return np.where(tallies.largest(tallies.counts) >= tallies.sizes, np.minimum(values, 1.0), values)


def entropy(tallies: Tallies) -> Floats:
    """The number of equally frequent values with the same entropy: e to the entropy. O(entries)."""
    counts = tallies.counts.astype(np.float64)
    return _effective(tallies, np.log(tallies.sizes), np.log(counts))


def grassberger(tallies: Tallies) -> Floats:
    """Like ``entropy``, with Grassberger's G for all logarithms; at most the number of values.

    ARX's check may stop before adding the (negative) terms of values that occur once, in the order of a hash table; it
    then rejects groups that satisfy its own model, which are accepted here.
    """
    sizes = tallies.sizes.astype(np.int64)
    logarithms = grassberger_logarithms(int(sizes.max(initial=1)))
    return np.minimum(_effective(tallies, logarithms[sizes], logarithms[tallies.counts]), distinct(tallies))


def frequency(tallies: Tallies) -> Floats:
    """One over the share of the most frequent value."""
    return tallies.sizes / tallies.largest(tallies.counts)


def recursive(tallies: Tallies, l: int) -> Floats:  # noqa: E741 (the paper's letter)
    """Minus the rows of the most frequent value over those of the l-th and all rarer ones; −∞ if there are none.

    O(entries · log entries).
    """
    heads, tails = heads_and_tails(tallies, l)
    ratios = np.full(heads.size, -np.inf)
    np.divide(-heads, tails, out=ratios, where=tails > 0)
    return ratios


def heads_and_tails(tallies: Tallies, l: int) -> tuple[Floats, Floats]:  # noqa: E741
    """For each group, the rows of the most frequent value, and those of the l-th and all rarer ones.

    Counting people, the latter is the smallest possible number of people with none of the l − 1 most frequent values.
    """
    scale = int(tallies.counts.max(initial=0)) + 1
    places = np.arange(tallies.counts.size) - tallies.offsets[tallies.owners]
    ranked = (tallies.owners + 1) * scale - np.sort((tallies.owners + 1) * scale - tallies.counts)
    tails = tallies.summed(np.where(places >= l - 1, ranked, 0))
    if tallies.people is not None:
        tails = np.maximum(0.0, tails - (tallies.summed(tallies.counts) - tallies.sizes))
    return tallies.largest(tallies.counts), tails


def doomed(kind: str, tallies: Tallies, l: float, c: float | None) -> Floats:  # noqa: E741
    """For each group, a number of rows that are in failing parts however it is split; 0 if nothing is known.

    Entropy is concave: with a share w of the rows in failing parts it is at least (1 − w) · ln l. Largest shares are
    convex. For ``recursive``, head − c · tail of a group is at most the sum over its parts; it is below 0 in parts that
    satisfy the model and at most the number of rows in others.
    """
    sizes = tallies.sizes
    if kind == "entropy" and l > 1:
        return whole_rows(np.maximum(0.0, 1 - np.log(entropy(tallies)) / np.log(l)) * sizes)
    if kind == "frequency":
        return beyond(tallies.largest(tallies.shares), 1 / l, 1.0, sizes)
    if kind == "recursive" and c is not None:
        heads, tails = heads_and_tails(tallies, int(l))
        return np.where(heads >= c * tails, np.maximum(1.0, whole_rows(heads - c * tails)), 0.0)
    return np.zeros(sizes.size)


def grassberger_logarithms(most: int) -> Floats:
    """G(0), …, G(most), which replace the logarithms of counts. G(0) is never used.

    G(1) = −γ − ln 2, G(2) = 2 − γ − ln 2, G(2n + 1) = G(2n), G(2n + 2) = G(2n) + 2 / (2n + 1). Reference: Grassberger
    2003, Entropy estimates from insufficient samplings.
    """
    pairs = np.arange(max(1, most // 2))
    even = np.cumsum(2.0 / (2 * pairs + 1)) - np.euler_gamma - np.log(2)
    first = np.full(2, -np.euler_gamma - np.log(2))
    return np.concatenate([first, np.repeat(even, 2)])[: most + 1]


def _effective(tallies: Tallies, of_sizes: Floats, of_counts: Floats) -> Floats:
    """exp(log n − Σ c · log c / n), with the given logarithms."""
    return np.exp(of_sizes - tallies.summed(tallies.counts * of_counts) / tallies.sizes)
