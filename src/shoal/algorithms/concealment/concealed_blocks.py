"""Blocks of similar rows, each concealed separately, for tables that are too large to process as a whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import inf

import numpy as np

from shoal.algorithms.concealment.draft_release import Draft, empty
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.algorithms.concealment.shared_cells import Shares, shared_from
from shoal.core.arrays import Whole
from shoal.core.block_union import join_neighbours
from shoal.core.progress import Progress, Silent
from shoal.kernels.compiled import working_time
from shoal.kernels.concealment_records import Records

BLOCK = 100_000
"""The largest number of rows that is processed as one block."""


def in_blocks(
    field: RowTree,
    make: Callable[[RowTree, int], Draft],
    most: int = BLOCK,
    least: int = 1,
    progress: Progress | None = None,
) -> Draft:
    """Make one draft for a table of at most ``most`` rows, else one per block of a quarter of that, in threads.

    The union of k-concealed blocks is k-concealed: assignments of the blocks combine to assignments of the whole, and
    records that also hold rows of other blocks only add to them. The same is true for (1,k), (k,1) and (k,k). It is not
    true for l-diversity or a bound on chances: matches across blocks may repeat a value or shift the odds. ``make``
    gets a block and its number.
    """
    if field.n_rows <= most:
        return make(field, 0)
    whole, parts = Draft(field, empty(field, field.n_rows)), list(blocks(field, max(1, most // 4), least))
    progress = progress or Silent()
    progress.stage("blocks", len(parts))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        laid = (RowTree.on(field.table, field.tariff, field.rows[rows]) for rows in parts)
        for rows, made in zip(parts, threads.map(make, laid, range(len(parts))), strict=True):
            for part, there in zip(whole.records, made.records, strict=True):
                part[rows] = there
            progress.advance()
    return whole


def shared_in_blocks(
    start: Draft, k: int, users: int, work: int, most: int, progress: Progress | None = None, until: float = inf
) -> Shares:
    """Let rows of groups take cells that hold k rows and have ``users`` users, block by block, if that lowers the loss.

    A block has all rows of its groups and about ``most`` rows. The costliest come first, in threads; blocks for which
    no time is left keep their groups. The union keeps a bound of 1 / ``users`` on chances whatever the blocks are,
    because each of that many equal records can take the place of the others in every assignment. Matches have to be
    ensured for the whole table afterwards. Every column must be a hierarchy.
    """
    field, parts, prices = start.field, list(blocks_of_groups(start, most)), start.costs()
    parts.sort(key=lambda rows: -int(prices[rows].sum()))
    progress = progress or Silent()
    progress.stage("blocks", len(parts))

    def make(rows: Whole) -> Shares | None:
        block = RowTree.on(field.table, field.tariff, field.rows[rows])
        groups = Draft(block, Records(*(np.ascontiguousarray(part[rows]) for part in start.records)))
        found = None if working_time() > until else shared_from(groups, k, users, work, until)
        progress.advance()
        return found

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        made = zip(parts, threads.map(make, parts), strict=True)
        return Shares.united(start, [(rows, shares) for rows, shares in made if shares is not None], users)


def blocks_of_groups(start: Draft, most: int) -> Iterator[Whole]:
    """The rows of each block, ascending: whole classes of equal records, similar ones together.

    Classes are ordered by their first rows along the tree. A block has about ``most`` rows, or one class.
    """
    classes = start.classes()
    first = np.full(int(classes.max()) + 1, start.field.n_types)
    np.minimum.at(first, classes, start.field.types)
    order = np.argsort(first, kind="stable")
    sizes = np.bincount(classes)[order]
    number = np.empty(order.size, np.int64)
    number[order] = (np.cumsum(sizes) - sizes) // most
    of_row = number[classes]
    for block in np.unique(of_row):
        yield np.flatnonzero(of_row == block)


def blocks(field: RowTree, most: int, least: int = 1) -> Iterator[Whole]:
    """The rows of each block, ascending: runs along the tree, where similar rows are neighbours.

    Equal rows stay together, so a block may be a little larger than ``most``; none has fewer than ``least`` rows.
    """
    n_blocks = max(1, min(-(-field.n_rows // most), field.n_rows // max(1, 2 * least)))
    middles = np.cumsum(field.people) - field.people / 2
    of_type = np.minimum(middles * n_blocks // field.n_rows, n_blocks - 1).astype(np.int64)
    of_type = _merged(of_type, field.people, least)
    of_row = of_type[field.types]
    for block in np.unique(of_type):
        yield np.flatnonzero(of_row == block)


def _merged(of_type: Whole, people: Whole, least: int) -> Whole:
    """Join blocks that frequent types left too small with the next one (the last with the one before)."""
    number = np.unique(of_type, return_inverse=True)[1]
    before = np.concatenate([[0], np.cumsum(np.bincount(number, people))])
    alone = (range(block, block + 1) for block in range(before.size - 1))
    spans = join_neighbours(
        alone,
        lambda span: bool(before[span.stop] - before[span.start] >= least),
        lambda one, other: range(one.start, other.stop),
    )
    merged: Whole = np.repeat(*np.array([(block, len(span)) for block, span in enumerate(spans)]).T)[number]
    return merged
