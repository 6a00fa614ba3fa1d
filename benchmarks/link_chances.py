"""Estimated chances of links beside counted ones: how often, and how far, what is told lies below the truth.

``python benchmarks/link_chances.py [GRAPHS] [STARTS]`` (3,000 and 12). Who fits which record is drawn at random, in
five ways, for 6 to 15 rows; then graphs of 15 rows are searched for by changing pair after pair as long as that makes
what is told worse. Assignments can be counted in all of them, and in releases they are (up to 65,536 states); so this
is about larger components, where they cannot. "told": the estimate with its margin; "below": rows and records whose
true chance is above what is told.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import numpy as np

from shoal.core.consistency import Consistency
from shoal.core.linkage import Linkage

Fits = np.ndarray
"""``fits[row, record]``."""


def at_random(n: int, rng: np.random.Generator) -> Fits:
    return rng.random((n, n)) < rng.uniform(1.5, 5) / n


def ring(n: int, rng: np.random.Generator) -> Fits:
    steps = (np.arange(n)[:, None] - np.arange(n)) % n
    return steps < rng.integers(2, 6)


def blocks(n: int, rng: np.random.Generator) -> Fits:
    cut = rng.integers(2, n - 1)
    side = np.arange(n) < cut
    return (side[:, None] == side) | (rng.random((n, n)) < 1 / n)


def band(n: int, rng: np.random.Generator) -> Fits:
    apart = np.abs(np.arange(n)[:, None] - np.arange(n))
    return (apart <= rng.integers(1, 4)) & (rng.random((n, n)) < 0.8)


def hubs(n: int, rng: np.random.Generator) -> Fits:
    fits = rng.random((n, n)) < rng.uniform(0, 2) / n
    fits[:, : rng.integers(1, 4)] = True
    return fits


KINDS: dict[str, Callable[[int, np.random.Generator], Fits]] = {
    "at random": at_random,
    "ring": ring,
    "blocks": blocks,
    "band": band,
    "hubs": hubs,
}


def graph_of(fits: Fits) -> Consistency:
    """The graph of rows that are all different and records that are all different, everybody's own among them."""
    n = len(fits)
    fits = fits | np.eye(n, dtype=bool)
    records, rows = np.nonzero(fits.T)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(records, minlength=n))]).astype(np.int64)
    ids, ones = np.arange(n, dtype=np.int32), np.ones(n, np.int64)
    return Consistency(ids, ids, ones, ones, offsets, rows.astype(np.int32), np.ones(n, bool))


def chances(fits: Fits, most_states: int) -> np.ndarray:
    """The chance of the likeliest link of each row and each record."""
    found = Linkage.of(graph_of(fits), most_states)
    return np.concatenate([found.of_types, found.of_shapes])


def both(fits: Fits) -> tuple[np.ndarray, np.ndarray]:
    """What is told where assignments are not counted, and the truth."""
    return chances(fits, 0), chances(fits, 1 << 16)


def worst(told: np.ndarray, true: np.ndarray) -> tuple[float, float]:
    """The one that is told least of its truth, certain links apart."""
    at = int(np.argmin(np.where(true < 0.95, told / true, np.inf)))
    return float(told[at]), float(true[at])


def drawn(n_graphs: int) -> None:
    print(f"{'kind':<12}{'graphs':>8}{'chances':>9}{'below':>7}   worst: told / true")
    for kind, make in KINDS.items():
        rng = np.random.default_rng(1)
        pairs = [both(make(int(rng.integers(6, 16)), rng)) for _ in range(n_graphs // len(KINDS))]
        told, true = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
        low = int(np.count_nonzero(told < true * (1 - 1e-6)))
        least, truth = worst(told, true)
        print(f"{kind:<12}{len(pairs):>8,}{told.size:>9,}{low:>7,}   {least:.4f} / {truth:.4f}", flush=True)


def searched(n_starts: int, n: int = 15, n_steps: int = 400) -> None:
    """Change pair after pair as long as the worst of what is told becomes worse."""
    print(f"searched for, {n} rows, {n_steps} steps from each start: told / true")
    for seed in range(n_starts):
        rng = np.random.default_rng(seed)
        fits = [*KINDS.values()][seed % len(KINDS)](n, rng)
        best = worst(*both(fits))
        for _ in range(n_steps):
            row, record = rng.integers(n, size=2)
            fits[row, record] ^= True
            found = worst(*both(fits))
            if found[0] / found[1] <= best[0] / best[1]:
                best = found
            else:
                fits[row, record] ^= True
        print(f"  {best[0]:.4f} / {best[1]:.4f}", flush=True)


def main(words: Sequence[str]) -> None:
    sizes = [int(word) for word in words]
    drawn(sizes[0] if sizes else 3000)
    searched(sizes[1] if len(sizes) > 1 else 12)


if __name__ == "__main__":
    main(sys.argv[1:])
