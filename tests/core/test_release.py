"""A release: classes and pools are worked out from the cells, not from what made them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naive.plain import classes_of, grouped, pools_of, records_of
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.table import Table
from shoal.io.labels import to_frame
from support.strategies import releases, tables
from support.tables import coded, partitioned, sets_of_rows, single


@given(releases())
def test_classes_are_records_with_equal_cells(release: Release) -> None:
    wanted = {frozenset(record.owner for record in members) for members in classes_of(records_of(release))}
    assert sets_of_rows(release.classes) == wanted


@given(releases())
def test_classes_are_records_printed_alike(release: Release) -> None:
    """By the labels of the published table; the note says who is who."""
    frame = to_frame(publish(release, Randomness(1)))
    quasi = [column.name for column in release.table.quasi]
    rows = [(tuple(row[name] for name in quasi), row["note"]) for row in frame.iter_rows(named=True)]
    notes = release.table.passengers["note"]
    by_cells = {frozenset(notes[row] for row in rows) for rows in sets_of_rows(release.classes)}
    assert {frozenset(members) for members in grouped(rows)} == by_cells


@given(releases(), st.data())
def test_pools_are_buckets_where_there_are_any(release: Release, data: st.DataObject) -> None:
    assert sets_of_rows(release.pools) == sets_of_rows(release.classes)
    n = release.n_records
    buckets = np.array(data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)), np.int32)
    pooled = Release(release.table, release.owners, release.shapes, release.cells, buckets)
    wanted = {frozenset(record.owner for record in members) for members in pools_of(records_of(pooled))}
    assert sets_of_rows(pooled.pools) == wanted
    assert (pooled.pools.sizes > 0).all()


def test_groups_that_print_alike_are_one_class() -> None:
    release = partitioned(single([1, 2, 1, 2]), [[0, 1], [2, 3]])
    assert sets_of_rows(release.classes) == {frozenset({0, 1, 2, 3})}


def test_shapes_that_no_record_has_are_no_class() -> None:
    table = single([1, 2, 3])
    rows = np.arange(3, dtype=np.int32)
    release = Release(table, rows[:1], rows[2:], Release.identity(table).cells)
    assert sets_of_rows(release.classes) == {frozenset({0})}


@given(tables())
def test_the_identity_tells_everything(table: Table) -> None:
    release = Release.identity(table)
    assert [record.cells for record in records_of(release)] == [
        tuple(frozenset([code]) for code in row) for row in zip(*table.codes.tolist(), strict=True)
    ]
    assert (release.n_records, release.n_suppressed) == (table.n_rows, 0)


@given(releases())
def test_suppressed_rows_are_those_without_a_record(release: Release) -> None:
    assert release.n_records + release.n_suppressed == release.table.n_rows
    assert release.n_records == len({record.owner for record in records_of(release)})


@given(releases(), st.data())
def test_truthful(release: Release, data: st.DataObject) -> None:
    """True of every release made of groups; where records are dealt to others, true of those inside their cells."""
    assert release.truthful().all()
    owners = np.array(data.draw(st.permutations(release.owners.tolist())), np.int32)
    dealt = Release(release.table, owners, release.shapes, release.cells)
    wanted = [
        all(int(release.table.codes[j, record.owner]) in leaves for j, leaves in enumerate(record.cells))
        for record in records_of(dealt)
    ]
    assert dealt.truthful().tolist() == wanted


def test_nothing_published() -> None:
    table = coded({"a": [1, 2], "b": ["x", "y"], "s": ["u", "v"]}, ["a", "b"], sensitive=("s",))
    release = partitioned(table, [])
    assert (release.n_records, release.n_suppressed, len(release.classes)) == (0, 2, 0)
    assert release.truthful().size == 0
    frame = to_frame(publish(release, Randomness(0)))
    assert (frame.columns, frame.height) == (["a", "b", "s"], 0)
