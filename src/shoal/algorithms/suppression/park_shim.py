"""Park and Shim: cover the rows by patterns that star little, greedily."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.algorithms.suppression.problem import Cover, SuppressionAlgorithm, SuppressionProblem, nothing
from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.cover import pick_patterns
from shoal.kernels.distinct import number_rows

_MOST_PATTERNS = 2**25
"""The most rows times masks that are examined."""

_PARTS = 200


@dataclass(frozen=True)
class ParkShim(SuppressionAlgorithm):
    """A greedy cover by stars: at most 2 · (1 + ln 2k) times the fewest stars, by weight.

    It repeatedly takes the set of k to 2k − 1 rows with the fewest stars (those of one record) per newly covered row;
    overlapping sets give up rows or are merged. The exact factor is (2k − 1)/k · H(2k − 1), with H(m) = 1 + 1/2 + … +
    1/m: far below the other algorithms with a guarantee.

    There are O(n^(2k)) such sets. But rows that can be starred alike are the rows of a pattern, so it is enough to
    examine all patterns with k rows, at most n · 2^columns, and the best set of each: the choices are the same. Tables
    with more than 2^25 of them are refused: 30,162 rows of ten columns.

    The guarantee is for k-anonymity with cells that are kept or starred. With other recodings the groups are published
    with their smallest cells, which lose no more. Groups that break a promise beyond class size are merged with others.

    Cost: O(n · 2^columns) time and memory, and O(n) for each set that is taken.

    Reference: Park and Shim 2007, Approximate Algorithms for k-Anonymity; Ciriani et al. 2007, k-Anonymity (section
    3.2.3).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"sex": ["m", "m", "f", "f"], "town": ["Ely", "Ripon", "Truro", "Truro"]})
    >>> words = {"quasi_identifiers": ["sex", "town"], "recodings": {"sex": "suppress", "town": "suppress"}}
    >>> release = shoal.anonymize(table, algorithm=shoal.ParkShim(), privacy=shoal.KAnonymity(2), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('f', 'Truro'), ('m', '*')]
    """

    name: ClassVar[str] = "park-shim"
    summary: ClassVar[str] = "cover rows by what is starred, greedily (at most 2 + 2 ln 2k times the fewest stars)"

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse tables that are too large."""
        super().refuse(table, goal)
        problem = SuppressionProblem.of(table)
        if problem.n_rows << problem.n_columns > _MOST_PATTERNS:
            raise InputError(
                f"The algorithm {self.name!r} takes tables whose rows times 2^columns are at most {_MOST_PATTERNS:,}, "
                f"this one has {problem.n_rows:,} rows and {problem.n_columns} columns with more than one value; "
                f"choose 'forest', which has a guarantee too, or fewer columns."
            )

    def groups(self, problem: SuppressionProblem, k: int, progress: Progress) -> Groups:
        """Those of a cover."""
        return cover_by_patterns(problem, k, progress).groups


def cover_by_patterns(problem: SuppressionProblem, k: int, progress: Progress) -> Cover:
    """Groups of k to 2k − 1 rows; each pick is the pattern with the least price per newly covered row.

    Proof of the factor: a group of the best partition has a pattern, and no pick costs more per row than that pattern
    would. So the stars of one record, added up over the picks, are at most H(2k − 1) times those over the best groups.
    Two sets that share a row can be merged with no more stars than both have. Groups of the best partition have at
    least k rows, ours at most 2k − 1.
    """
    n, longest = problem.n_rows, 2 * k - 1
    ids, uncovered = _patterns(problem, k, progress)
    prices = _mask_prices(problem)
    keys = _keys(prices, longest)
    heads, following = _lists(ids, uncovered, longest)
    homes, turns, sizes = nothing(n)
    masks = np.full(n, -1, np.int64)
    progress.stage("covering", float(n))
    n_left = n
    for some in np.array_split(keys, _PARTS):
        pick_patterns(ids, k, some, uncovered, heads, following, homes, sizes, turns, masks)
        before, n_left = n_left, int((homes < 0).sum())
        progress.advance(float(before - n_left))
    return Cover(homes, turns, prices[masks[: int(turns.max()) + 1]])


def _patterns(problem: SuppressionProblem, k: int, progress: Progress) -> tuple[Codes, Offsets]:
    """The pattern of each row for each mask, −1 if fewer than k rows have it; the number of rows of each pattern."""
    n, n_masks = problem.n_rows, 1 << problem.n_columns
    progress.stage("listing patterns", float(n_masks))
    ids, counts, n_patterns = np.empty((n_masks, n), np.int32), [], 0
    for mask in range(n_masks):
        kept = [j for j in range(problem.n_columns) if not mask >> j & 1]
        numbers, _ = number_rows(problem.codes[kept]) if kept else (np.zeros(n, np.int32), None)
        support = np.bincount(numbers)
        places = np.where(support >= k, np.cumsum(support >= k) - 1 + n_patterns, -1)
        ids[mask] = places[numbers]
        counts.append(support[support >= k])
        n_patterns += counts[-1].size
        progress.advance()
    return ids, np.concatenate(counts).astype(np.int64)


def _mask_prices(problem: SuppressionProblem) -> Floats:
    """What the stars of a record cost, for each mask."""
    masks = np.arange(1 << problem.n_columns)
    stars = masks[:, None] >> np.arange(problem.n_columns) & 1
    return np.asarray(stars @ problem.prices, np.float64)


def _keys(prices: Floats, longest: int) -> Offsets:
    """Masks and numbers of rows, sorted by price per row; ties go to more rows."""
    masks, numbers = np.divmod(np.arange(prices.size * longest), longest)
    order = np.lexsort((masks, -numbers, prices[masks] / (numbers + 1)))
    return np.stack([masks[order], numbers[order] + 1], axis=1)


def _lists(ids: Codes, uncovered: Offsets, longest: int) -> tuple[Codes, Codes]:
    """All patterns in lists by mask and number of rows."""
    heads = np.full((len(ids), longest + 1), -1, np.int32)
    following = np.full(uncovered.size, -1, np.int32)
    starts = np.append(0, np.maximum.accumulate(ids.max(axis=1) + 1))
    for mask in range(len(ids)):
        numbers = np.minimum(uncovered[starts[mask] : starts[mask + 1]], longest)
        order = np.argsort(numbers, kind="stable")[::-1]
        same = numbers[order[1:]] == numbers[order[:-1]]
        following[starts[mask] + order[1:][same]] = starts[mask] + order[:-1][same]
        heads[mask, numbers[order]] = starts[mask] + order
    return heads, following
