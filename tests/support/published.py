"""What an outsider reads in a published frame: labels, nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import polars as pl

from naive import concealment
from naive import models as twins
from naive import release_models as release_twins
from naive.assignment import drawn_pools, matches_of, possible, splits
from naive.plain import grouped, people_of, records_of
from shoal.core.contracts import Algorithm, Goal, GroupModel, PrivacyModel, ReleaseModel
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Publication, Release, publish
from shoal.core.table import Table
from shoal.io.labels import to_frame, to_sensitive_frame
from shoal.models import UniformMatching
from support.promises import entry

Printed = Counter[tuple[str | None, ...]]


@dataclass(frozen=True)
class Run:
    """One run of an algorithm and what came of it."""

    table: Table
    release: Release
    publication: Publication
    frame: pl.DataFrame


def run(algorithm: Algorithm, table: Table, goal: Goal, seed: int = 0) -> Run:
    """Run as the engine does, and publish."""
    algorithm.refuse(table, goal)
    release = algorithm.run(table, goal, Randomness(seed).child("algorithm"), Silent())
    publication = publish(release, Randomness(seed).child("publish"))
    return Run(table, release, publication, to_frame(publication))


def keeps(promise: PrivacyModel, done: Run) -> bool:
    """Whether the printed table keeps a promise about groups, by counting labels; about matches, by trying them."""
    if isinstance(promise, UniformMatching):
        return splits(_matches(done), promise.k)
    if promise.name in concealment.GRAPH_TWINS:
        return concealment.GRAPH_TWINS[promise.name](promise, concealment.graph_of(done.release))
    if isinstance(promise, ReleaseModel):
        labels = [column.name for column in done.publication.quasi]
        return release_twins.keeps(promise, done.frame.select(labels).rows(), names=labels)
    assert isinstance(promise, GroupModel), f"say here how an outsider checks {promise.name!r}"
    if promise.judges_cells:
        twin_of_cells = entry("CELL_TWINS of tests/naive/models.py", twins.CELL_TWINS, promise.name)
        least = entry("WANTED of tests/naive/models.py", twins.WANTED, promise.name)(promise)
        return all(twin_of_cells(promise, record.cells, done.table) >= least for record in records_of(done.release))
    quasi = [column.name for column in done.publication.quasi]
    buckets = done.publication.buckets
    rows = list(done.frame.iter_rows(named=True))
    keys = [tuple(row[name] for name in quasi) for row in rows]
    assert buckets is None or promise.reads == "pools", "buckets are not classes"
    names = done.publication.sensitive
    if buckets is not None:
        rows, keys = _counted_out(done)
    people = [{name: row[name] for name in names} for row in rows]
    twin = entry("TWINS of tests/naive/models.py", twins.TWINS, promise.name)
    wanted = entry("WANTED of tests/naive/models.py", twins.WANTED, promise.name)(promise)
    everybody = people_of(done.table)
    groups = grouped(zip(keys, people, strict=True))
    if promise.reads == "pools" and not done.publication.pools_are_classes and buckets is None:
        pools = [*drawn_pools(done.release), *_printed_pools(done.release)]
        groups = [[everybody[owner] for owner in pool] for pool in pools]
    return all(twin(promise, members, everybody) >= wanted for members in groups)


def _printed_pools(release: Release) -> list[list[int]]:
    """For each published row, the owners of the records whose cells hold its values and that can be its own."""
    owners = release.owners.tolist()
    return [[owners[r] for r in records] for records in possible(concealment.graph_of(release))]


def _counted_out(done: Run) -> tuple[list[dict[str, object]], list[tuple[object, ...]]]:
    """The rows of the second table, each as often as it counts, and their buckets."""
    told = to_sensitive_frame(done.publication)
    assert told is not None
    bucket, number = told.columns[0], told.columns[-1]
    rows = [row for row in told.iter_rows(named=True) for _ in range(row[number])]
    keys: list[tuple[object, ...]] = [(row[bucket],) for row in rows]
    assert Counter((value,) for value in done.frame[bucket]) == Counter(keys), "the two tables do not fit together"
    return rows, keys


def _matches(done: Run) -> list[list[int]]:
    """The published records that each published row may be, by their cells."""
    cells = done.publication.cells
    boxes = [[set(c.leaves(int(c.ids[r])).tolist()) for c in cells] for r in range(done.publication.n_records)]
    return matches_of([done.table.codes[:, owner].tolist() for owner in done.release.owners], boxes)


def printed(frame: pl.DataFrame) -> Printed:
    """The rows of a frame, counted; as text, because a column of exact cells keeps its type."""
    return Counter(tuple(None if value is None else str(value) for value in row) for row in frame.iter_rows())


def expected(release: Release) -> Printed:
    """The rows that a release should print: the labels of its cells, with its owners' other values."""
    table, rows = release.table, Printed()
    hidden = {column.name for column in table.sensitive} if release.buckets is not None else set()
    order = [name for name in table.order if name not in hidden]
    for shape, owner in zip(release.shapes.tolist(), release.owners.tolist(), strict=True):
        row = table.passengers.row(owner, named=True) if table.passengers.width else {}
        for column, cells in zip(table.quasi, release.cells, strict=True):
            row[column.name] = column.recoding.label(cells, int(cells.ids[shape]))
        rows[tuple(None if row[name] is None else str(row[name]) for name in order)] += 1
    return rows
