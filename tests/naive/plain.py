"""A table and a release as plain Python: what the twins look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table

Item = TypeVar("Item")


@dataclass(frozen=True)
class PlainRecord:
    """One record: who owns it, the leaves in each of its cells, its sensitive values, its bucket."""

    owner: int
    cells: tuple[frozenset[int], ...]
    sensitive: dict[str, object]
    bucket: object


@dataclass(frozen=True)
class PlainColumn:
    """One quasi-identifier: all leaves, those that rows have, where they lie, what it weighs."""

    leaves: frozenset[int]
    occurring: frozenset[int]
    places: dict[int, Fraction] | None
    missing: int | None
    weight: Fraction


def people_of(table: Table) -> list[dict[str, object]]:
    """The sensitive values of each row."""
    return table.passengers.select(column.name for column in table.sensitive).to_dicts() or [{}] * table.n_rows


def records_of(release: Release) -> list[PlainRecord]:
    """The records, one by one."""
    people = people_of(release.table)
    found = []
    for record in range(release.n_records):
        shape, owner = int(release.shapes[record]), int(release.owners[record])
        found.append(
            PlainRecord(
                owner,
                tuple(frozenset(cells.leaves(int(cells.ids[shape])).tolist()) for cells in release.cells),
                people[owner],
                None if release.buckets is None else int(release.buckets[record]),
            )
        )
    return found


def column_of(column: QuasiColumn) -> PlainColumn:
    """A quasi-identifier; ``places`` only where its cells are stretches of a line."""
    domain = column.domain
    occurring = frozenset(leaf for leaf, count in enumerate(domain.counts.tolist()) if count > 0)
    places = None
    if column.recoding.name == "range" and domain.kind in ("numeric", "date"):
        places = {leaf: Fraction(domain.points[leaf]) for leaf in occurring - {domain.missing}}
    return PlainColumn(frozenset(range(domain.n_leaves)), occurring, places, domain.missing, Fraction(column.weight))


def grouped(items: Iterable[tuple[Hashable, Item]]) -> list[list[Item]]:
    """The items with equal keys, together."""
    groups: dict[Hashable, list[Item]] = defaultdict(list)
    for key, item in items:
        groups[key].append(item)
    return list(groups.values())


def classes_of(records: Iterable[PlainRecord]) -> list[list[PlainRecord]]:
    """Records with equal cells, together."""
    return grouped((record.cells, record) for record in records)


def pools_of(records: Iterable[PlainRecord]) -> list[list[PlainRecord]]:
    """Records of one bucket, or, where there are no buckets, of one class."""
    return grouped((record.cells if record.bucket is None else record.bucket, record) for record in records)
