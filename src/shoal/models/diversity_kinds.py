"""The readings of "well represented values": what each measures in a group."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.tallies import Tallies
from shoal.models.sensitive import beyond, whole_rows


def distinct(tallies: Tallies) -> Floats:
    """The number of different values; of people, 1 where all have one in common, whatever else they have."""
    values = np.diff(tallies.offsets).astype(np.float64)
    if tallies.people is None:
        return values
    return np.where(tallies.largest(tallies.counts) >= tallies.sizes, np.minimum(values, 1.0), values)


def entropy(tallies: Tallies) -> Floats:
    """The number of equally frequent values that would be as uncertain: e to the entropy. O(entries)."""
    counts = tallies.counts.astype(np.float64)
    return _effective(tallies, np.log(tallies.sizes), np.log(counts))


def grassberger(tallies: Tallies) -> Floats:
    """The same with Grassberger's G in place of all logarithms; never above the number of values.

    ARX's check may give up before it has added the (negative) terms of values that occur once, in the order of a
    hash table; it then refuses groups that keep its own promise, and this accepts.
    """
    sizes = tallies.sizes.astype(np.int64)
    logarithms = grassberger_logarithms(int(sizes.max(initial=1)))
    return np.minimum(_effective(tallies, logarithms[sizes], logarithms[tallies.counts]), distinct(tallies))


def frequency(tallies: Tallies) -> Floats:
    """One over the share of the most frequent value."""
    return tallies.sizes / tallies.largest(tallies.counts)


def recursive(tallies: Tallies, l: int) -> Floats:  # noqa: E741 (the paper's letter is the name)
    """Minus: rows of the most frequent value over rows of the l-th and all rarer ones; −∞ where there is none such.

    O(entries · log entries).
    """
    heads, tails = heads_and_tails(tallies, l)
    ratios = np.full(heads.size, -np.inf)
    np.divide(-heads, tails, out=ratios, where=tails > 0)
    return ratios


def heads_and_tails(tallies: Tallies, l: int) -> tuple[Floats, Floats]:  # noqa: E741
    """Of each group the rows of the most frequent value, and of the l-th and all rarer ones.

    Of people, the fewest who may be left without those who have one of the l − 1 most frequent values.
    """
    scale = int(tallies.counts.max(initial=0)) + 1
    places = np.arange(tallies.counts.size) - tallies.offsets[tallies.owners]
    ranked = (tallies.owners + 1) * scale - np.sort((tallies.owners + 1) * scale - tallies.counts)
    tails = tallies.summed(np.where(places >= l - 1, ranked, 0))
    if tallies.people is not None:
        tails = np.maximum(0.0, tails - (tallies.summed(tallies.counts) - tallies.sizes))
    return tallies.largest(tallies.counts), tails


def doomed(kind: str, tallies: Tallies, l: float, c: float | None) -> Floats:  # noqa: E741
    """Of each group rows that are in failing parts however it is cut; 0 where the kind says nothing.

    Entropy is concave: with a part w of the rows in failing parts it is at least (1 − w) · ln l. Largest shares are
    convex. Of ``recursive``, head − c · tail of a group is at most the sum over its parts, in parts that keep the
    promise below 0 and in others at most their rows.
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
    """G(0), …, G(most): what stands in for the logarithm of a count. G(0) is never asked for.

    G(1) = −γ − ln 2, G(2) = 2 − γ − ln 2, G(2n + 1) = G(2n), G(2n + 2) = G(2n) + 2 / (2n + 1).
    Reference: Grassberger 2003, Entropy estimates from insufficient samplings.
    """
    pairs = np.arange(max(1, most // 2))
    even = np.cumsum(2.0 / (2 * pairs + 1)) - np.euler_gamma - np.log(2)
    first = np.full(2, -np.euler_gamma - np.log(2))
    values: Floats = np.concatenate([first, np.repeat(even, 2)])[: most + 1]
    return values


def _effective(tallies: Tallies, of_sizes: Floats, of_counts: Floats) -> Floats:
    """exp(log n − Σ c · log c / n), with these logarithms."""
    effective: Floats = np.exp(of_sizes - tallies.summed(tallies.counts * of_counts) / tallies.sizes)
    return effective
