"""Counts people whose rows are in a file: the rows of a person are gathered on disk, some people at a time."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Offsets
from shoal.engine.backends.coded_columns import CodedColumns, CountedPeople
from shoal.engine.backends.row_files import RowFiles
from shoal.io.people import known_keys
from shoal.io.table_file import TableFile

_KEY = "key"
"""The column of keys beside the numbered columns of codes."""


def count_people(rows: TableFile, columns: CodedColumns, person: str, folder: Path, batch: int) -> CountedPeople:
    """The number of people, and how many have each sensitive value. Memory O(batch) unless one has most of the rows."""
    names = [column.name for column in columns.sensitive]
    held = [np.zeros(column.domain.n_leaves, np.int64) for column in columns.sensitive]
    n_files, n_unnamed = -(-rows.n_rows // batch), 0
    with closing(RowFiles(folder, "people")) as files:
        for some in rows.batches(batch, [person, *names]):
            coded = _coded(some, columns, person, names)
            unnamed, named = coded.filter(pl.col(_KEY).is_null()), coded.drop_nulls(_KEY)
            _add(held, unnamed)
            n_unnamed += unnamed.height
            files.deal(named, (named[_KEY].hash().to_numpy() % n_files).astype(np.int64))
    by_length = np.array([0, n_unnamed], np.int64)
    for _, theirs in files.numbered():
        by_length = added(by_length, np.bincount(theirs[_KEY].value_counts()["count"].to_numpy()))
        for place in range(len(names)):
            _add(held[place : place + 1], theirs.select(_KEY, str(place)).unique())
    return CountedPeople(int(by_length.sum()), n_unnamed, tuple(held), by_length)


def files_of(keys: pl.Series, n_files: int) -> Offsets:
    """A number for each row, equal for all rows of a person; rows without a key are distributed in turn."""
    known = known_keys(keys).cast(pl.String)
    numbers = np.where(known.is_null().to_numpy(), np.arange(len(keys)), (known.hash() % n_files).to_numpy())
    return (numbers % n_files).astype(np.int64)


class PeopleNumbers:
    """Numbers people from 0 as their rows are read: those with a key by it, then each row without one."""

    def __init__(self, keys: pl.Series) -> None:
        """Take the distinct keys of all rows, one of which may be missing."""
        self._known = known_keys(keys).cast(pl.String).alias(_KEY).drop_nulls().to_frame().with_row_index("number")
        self._next = self._known.height

    def of(self, keys: pl.Series) -> Codes:
        """The numbers of the next rows. O(rows)."""
        sought = known_keys(keys).cast(pl.String).alias(_KEY).to_frame()
        found = sought.join(self._known, on=_KEY, how="left", maintain_order="left")["number"]
        is_unnamed = found.is_null().to_numpy()
        numbers = found.fill_null(0).to_numpy().astype(np.int32)
        numbers[is_unnamed] = self._next + np.arange(is_unnamed.sum())
        self._next += int(is_unnamed.sum())
        return numbers


def added(some: Offsets, more: Offsets) -> Offsets:
    """The sum of two lists of counts of any lengths."""
    longer = np.zeros(max(some.size, more.size), np.int64)
    longer[: some.size] += some
    longer[: more.size] += more
    return longer


def _coded(some: pl.DataFrame, columns: CodedColumns, person: str, names: list[str]) -> pl.DataFrame:
    """The keys as texts, missing if there is none, and the codes of sensitive values, named by column position."""
    keys = known_keys(some[person]).cast(pl.String).alias(_KEY)
    codes = [pl.Series(str(place), columns.codes_of(some[name], name)) for place, name in enumerate(names)]
    return pl.DataFrame([keys, *codes])


def _add(held: list[Offsets], coded: pl.DataFrame) -> None:
    """Count the values of each row; the first column has the keys."""
    for counts, codes in zip(held, coded.get_columns()[1:], strict=True):
        counts += np.bincount(codes.to_numpy(), minlength=counts.size)
