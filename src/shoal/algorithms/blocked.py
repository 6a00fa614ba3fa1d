"""Blocked: cut the table into blocks of similar rows, run any algorithm on each, and join the releases."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from shoal.core.block_tree import learn_cuts
from shoal.core.block_union import block_of, can_stand_alone, join_neighbours, join_releases, naming_all_fits
from shoal.core.contracts import Algorithm, Goal, PrivacyModel, inner_algorithm
from shoal.core.groups import Groups
from shoal.core.orders import curve_stretches
from shoal.core.parameters import whole_number
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Claim, Release
from shoal.core.table import Table
from shoal.errors import InputError

By = Literal["quantiles", "curve"]

_SAMPLE = 500_000
"""A sample of this many rows is enough to choose the cuts."""


@dataclass(frozen=True)
class Blocked(Algorithm):
    """Blocks of about ``rows`` similar rows, the ``inner`` algorithm on each in parallel, and the union of all.

    Blocks are cut at quantiles of the columns (``by="quantiles"``) or are segments of the Hilbert order
    (``by="curve"``); one that could not keep the promises by itself is merged with its neighbours. If the union of
    releases might break a promise that each of them keeps, the union is checked, and while the check fails half as many
    blocks are tried, in the end one; docs/algorithms/blocked.md says for each promise which case it is.

    Guarantees of the inner algorithm about its loss hold within blocks only; a time budget applies to each block.

    Cost: that of the inner algorithm on a block, times the number of blocks, plus O(rows · columns · log blocks).

    Reference: the cuts at quantiles are those of LeFevre, DeWitt and Ramakrishnan 2006, Mondrian Multidimensional
    k-Anonymity; the proofs for the union are our own.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Blocked(inner="hilbert"), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '[23..25]'), ('0214*', '[61..67]')]
    """

    inner: str | Mapping[str, Any] | Algorithm = "mondrian:relaxed"
    rows: int = 50_000
    by: By = "quantiles"

    name: ClassVar[str] = "blocked"
    summary: ClassVar[str] = "another algorithm on blocks of similar rows, in parallel (for large tables)"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole_number("rows", self.rows, least=1))
        if self.by not in get_args(By):
            raise InputError(f"by must be 'quantiles' or 'curve', got {self.by!r}.")
        if isinstance(self.algorithm, Blocked):
            raise InputError("The algorithm inside 'blocked' cannot be 'blocked' itself; choose another.")
        for attribute in ("serves", "asks_about_cells", "is_local", "suppresses"):
            object.__setattr__(self, attribute, getattr(self.algorithm, attribute))

    @cached_property
    def algorithm(self) -> Algorithm:
        """The inner algorithm, looked up on first use."""
        return inner_algorithm(self.inner)

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse what the inner algorithm refuses, for tables of any size, so that a longer one is no surprise."""
        self.algorithm.refuse(table, goal)
        self.algorithm.refuse_blocks(goal)

    def claims(self, table: Table, goal: Goal) -> tuple[Claim, ...]:
        """The inner algorithm's claims that hold for any input; its claims about one release do not survive a union."""
        return self.algorithm.claims(table, goal)

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Cut, run, join, and check the promises that a union may break."""
        self.algorithm.refuse_blocks(goal)
        progress.stage("cutting into blocks")
        blocks = make_blocks(table, goal, self.algorithm, self.rows, self.by, randomness.child("blocks"))
        in_doubt = [promise for promise in goal.promises if not self._is_kept(promise)]
        while True:
            release = self._union(table, goal, blocks, randomness, progress)
            if len(blocks) == 1 or all(promise.check(release).holds for promise in in_doubt):
                return release
            blocks = halved(blocks)

    def _is_kept(self, promise: PrivacyModel) -> bool:
        """Whether the union keeps a promise that the blocks keep; not if it concerns matches across blocks."""
        return promise.survives_union and not self.algorithm.looks_across(promise)

    def _union(self, table: Table, goal: Goal, blocks: Groups, randomness: Randomness, progress: Progress) -> Release:
        if len(blocks) == 1:
            return self.algorithm.run(table, goal, randomness.child("block 0"), progress)
        goal = goal.for_parts(table.n_rows)
        progress.stage("running on blocks", len(blocks))

        def work(block: int) -> Release:
            part = block_of(table, blocks.of(block))
            done = self.algorithm.run(part, goal, randomness.child(f"block {block}"), Silent())
            progress.advance()
            return done

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            releases = list(pool.map(work, range(len(blocks))))
        union = join_releases(table, blocks, releases)
        return naming_all_fits(union) if self.algorithm.matches_are_fits else union


def make_blocks(table: Table, goal: Goal, algorithm: Algorithm, rows: int, by: str, randomness: Randomness) -> Groups:
    """Blocks of about ``rows`` rows, each of which can keep the goal's promises; at worst the whole table."""
    n_blocks = max(1, round(table.n_rows / rows))
    if n_blocks == 1:
        return Groups.whole(table.n_rows)
    blocks = curve_stretches(table, rows) if by == "curve" else _quantiles(table, rows, randomness)

    def is_able(span: range) -> bool:
        rows = blocks.members[blocks.offsets[span.start] : blocks.offsets[span.stop]]
        return can_stand_alone(block_of(table, rows), goal, algorithm)

    alone = (range(block, block + 1) for block in range(len(blocks)))
    spans = join_neighbours(alone, is_able, lambda one, other: range(one.start, other.stop))
    return Groups(blocks.offsets[[0, *(span.stop for span in spans)]], blocks.members)


def halved(blocks: Groups) -> Groups:
    """Merge neighbouring blocks in pairs."""
    return Groups(np.append(blocks.offsets[:-1][::2], blocks.offsets[-1]), blocks.members)


def _quantiles(table: Table, rows: int, randomness: Randomness) -> Groups:
    """Blocks between quantiles, estimated from a sample if the table is large."""
    sample = table.codes
    if table.n_rows > _SAMPLE:
        sample = np.ascontiguousarray(sample[:, randomness.integers(table.n_rows, _SAMPLE).astype(np.int64)])
    cuts = learn_cuts(table.quasi, sample, rows * sample.shape[1] / table.n_rows)
    groups = Groups.from_ids(cuts.place(table.codes), cuts.n_blocks)
    kept = groups.sizes > 0
    return Groups(np.append(groups.offsets[:-1][kept], groups.offsets[-1]), groups.members)
