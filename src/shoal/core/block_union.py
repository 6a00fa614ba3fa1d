"""Blocks of a table, and the union of their releases as a release of the table."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.cells import Cells
from shoal.core.consistency import consistency_of
from shoal.core.contracts import Algorithm, Goal
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ShoalError
from shoal.kernels.assignment_graph import expand

Block = TypeVar("Block")


def join_neighbours(
    blocks: Iterable[Block],
    is_able: Callable[[Block], bool],
    join: Callable[[Block, Block], Block],
    held: int | None = None,
) -> Iterator[Block]:
    """Blocks that can each be anonymized alone: one that cannot is joined with the next, the last with those before it.

    A block may be a frame, a list of rows or a range of counts: only ``join`` needs to know.

    Args:
        blocks: neighbours are similar.
        is_able: whether a block can be anonymized alone.
        join: merges two neighbours into one.
        held: how many blocks are held back so that the last one can be joined with them; all by default.
    """
    ready: deque[Block] = deque()
    waiting: Block | None = None
    for block in blocks:
        waiting = block if waiting is None else join(waiting, block)
        if is_able(waiting):
            ready.append(waiting)
            waiting = None
            if held is not None and len(ready) > held:
                yield ready.popleft()
    while waiting is not None and ready:
        last = join(ready.pop(), waiting)
        waiting = None if is_able(last) else last
        if waiting is None:
            ready.append(last)
    yield from ready
    if waiting is not None:
        yield waiting


def can_stand_alone(table: Table, goal: Goal, algorithm: Algorithm) -> bool:
    """Whether models and algorithm accept these rows as a table, and all rows as one class would meet the goal."""
    try:
        for promise in goal.promises:
            promise.refuse(table)
        algorithm.refuse(table, goal)
    except ShoalError:
        return False
    return bool(goal.accepts(table, Groups.whole(table.n_rows)).all())


def block_of(table: Table, rows: Codes) -> Table:
    """Some rows as a table of their own.

    Domains keep the counts of the whole table, so that prices of cells and the distribution of sensitive values are
    those of the whole table. People are numbered from 0 again.
    """
    people = None if table.people is None else np.unique(table.people[rows], return_inverse=True)[1].astype(np.int32)
    return replace(
        table,
        codes=np.ascontiguousarray(table.codes[:, rows]),
        sensitive=tuple(replace(column, codes=column.codes[rows]) for column in table.sensitive),
        passengers=table.passengers[rows] if table.passengers.width else table.passengers,
        people=people,
        sample_weights=None if table.sample_weights is None else table.sample_weights[rows],
    )


def join_releases(table: Table, blocks: Groups, releases: Sequence[Release]) -> Release:
    """The union of releases of disjoint blocks of rows. O(records + shapes · columns)."""
    rows = [blocks.of(block) for block in range(len(blocks))]
    starts = np.cumsum([0, *(len(release.cells[0]) for release in releases)])
    return Release(
        table=table,
        owners=_chain(own[release.owners] for own, release in zip(rows, releases, strict=True)),
        shapes=_chain(release.shapes + start for release, start in zip(releases, starts[:-1], strict=True)),
        cells=tuple(join_cells([release.cells[j] for release in releases]) for j in range(table.n_quasi)),
        buckets=_joined_buckets(releases),
        matches=_joined_matches(rows, releases),
        account=tuple(dict.fromkeys(said for release in releases for said in release.account)),
    )


def naming_all_fits(release: Release) -> Release:
    """The same release, listing all rows inside each record, of any block, as its matches. O(rows that fit)."""
    graph = consistency_of(release)
    by_type = Groups.from_ids(graph.type_of, graph.n_types)
    first = np.zeros(len(release.cells[0]), np.int32)
    first[release.shapes] = graph.shape_of
    one_each = np.arange(first.size + 1, dtype=np.int64)
    types = expand(one_each, first, graph.offsets, graph.types)
    offsets, records = expand(*types, by_type.offsets, by_type.members)
    return replace(release, matches=Groups(offsets, release.owners[records]))


def join_cells(lists: Sequence[Cells]) -> Cells:
    """Concatenate lists of cells; equal cells get equal ids."""
    starts = np.cumsum([0, *(cells.n_distinct for cells in lists)])
    ids = np.concatenate([cells.ids + start for cells, start in zip(lists, starts[:-1], strict=True)])
    if any(cells.are_sets for cells in lists):
        leaves = Groups.concatenated(
            [replace(cells, ids=np.arange(cells.n_distinct, dtype=np.int32)).as_groups() for cells in lists]
        )
        n_leaves = int(leaves.members.max(initial=-1)) + 1
        distinct = Cells.of_sets(leaves, np.arange(n_leaves, dtype=np.int32), n_leaves)
    else:
        levels = None
        if any(cells.levels is not None for cells in lists):
            levels = _chain(np.full(c.n_distinct, -1, np.int32) if c.levels is None else c.levels for c in lists)
        distinct = Cells.of_intervals(_chain(c.low for c in lists), _chain(c.high for c in lists), levels)
    return distinct.take(ids)


def _joined_buckets(releases: Sequence[Release]) -> Codes | None:
    """The buckets of all blocks, renumbered so that no two blocks share one."""
    buckets = [release.buckets for release in releases if release.buckets is not None]
    if len(buckets) < len(releases):
        return None
    starts = np.cumsum([0, *(int(each.max(initial=-1)) + 1 for each in buckets)])
    return _chain(each + start for each, start in zip(buckets, starts[:-1], strict=True))


def _joined_matches(rows: Sequence[Codes], releases: Sequence[Release]) -> Groups | None:
    """The matches listed by the blocks; a block that lists none contributes its equivalence classes."""
    if all(release.matches is None for release in releases):
        return None
    named = [release.matches or _class_matches(release) for release in releases]
    return Groups.concatenated([Groups(g.offsets, own[g.members]) for own, g in zip(rows, named, strict=True)])


def _class_matches(release: Release) -> Groups:
    """For each shape, the rows whose records have its cells."""
    of_shape = np.zeros(len(release.cells[0]), np.int32)
    of_shape[release.shapes] = release.classes.ids(release.table.n_rows)[release.owners]
    return release.classes.take(of_shape)


def _chain(arrays: object) -> Codes:
    return np.concatenate([np.empty(0, np.int32), *arrays]).astype(np.int32)  # type: ignore[misc]
