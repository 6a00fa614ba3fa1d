"""Reads the written file again, counts it with polars, and judges every model about classes from the counts."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO
from uuid import uuid4

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.contracts import GroupModel, ReleaseModel, Verdict
from shoal.core.groups import GroupCounts, Groups
from shoal.core.table import SensitiveColumn, Table
from shoal.engine.backends.coded_columns import CODE, CodedColumns
from shoal.engine.backends.colliding_blocks import BlocksCollide
from shoal.engine.release_check import broken, refuse_broken
from shoal.engine.whole_histories import check_one_to_one
from shoal.errors import BrokenPromise
from shoal.io.appending import appender
from shoal.io.column_rules import BLOCK
from shoal.io.table_file import COUNT, VALUE
from shoal.kernels.distinct import number_rows
from shoal.report.as_it_is import AsItIs, known_columns, n_once, with_counts

KEY = "key"
"""The column of people's keys in a file of its own; beside the user's own columns it is ``WHOSE``."""


@dataclass(frozen=True, eq=False)
class Counted:
    """The facts found in the file: the size of each class, its people if they were counted, and the verdicts."""

    sizes: Offsets
    verdicts: tuple[Verdict, ...]
    people: Offsets | None = None

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.sizes.sum())

    @property
    def risks(self) -> dict[str, float]:
        """The risks if an adversary knows one row of a person; empty if people were not counted."""
        if self.people is None:
            return {}
        return {
            "highest": 1 / int(self.people.min()),
            "average": float((self.sizes / self.people).sum() / self.n_records),
            "unique": float(self.sizes[self.people == 1].sum() / self.n_records),
        }


_COMPARED = 8_000_000
"""At most this many records are compared, chosen by their content: of equal ones all or none."""


@dataclass(frozen=True, eq=False)
class WrittenFile:
    """A written release as a third party would read it, without ever having all of it in memory.

    Columns are identified by position, because a name that looks like a spreadsheet formula is written with an
    apostrophe in front. If people are counted, ``keys`` has the key of each record's person and its block, in the order
    of the file.
    """

    path: Path
    ending: str
    columns: CodedColumns
    keys: Path | None = None

    def check(self, promises: Sequence[GroupModel | ReleaseModel]) -> Counted:
        """Count the classes, and judge the models.

        Raises:
            BrokenPromise: a model does not hold, or a sensitive value is not among the original ones.
            BlocksCollide: a model about people holds in each block, but not in classes that several of them share.
        """
        found = self._by_groups([promise for promise in promises if isinstance(promise, GroupModel)])
        if wholes := [promise for promise in promises if isinstance(promise, ReleaseModel)]:
            columns = self.columns
            nobody = columns.counted(np.empty((len(columns.coded), 0), np.int32), np.empty(0, np.int64))
            verdicts = [*found.verdicts, *(each.judge_counts(nobody, self._count) for each in wholes)]
            found = _counted(found.sizes, verdicts, found.people)
        return found

    def check_pseudonyms(self) -> None:
        """Raise BrokenPromise unless people and the pseudonyms in the first column correspond one to one."""
        pairs = self._with_keys(self._records.select("c0")).select("c0", KEY).unique()
        counts = pairs.select(people=pl.n_unique(KEY), pseudonyms=pl.n_unique("c0"), pairs=pl.len())
        check_one_to_one(*counts.collect(engine="streaming").row(0))

    def people_of_classes(self) -> Offsets:
        """The number of different people of each class, by the keys of the records."""
        return self._count(range(len(self._quasi))).people

    def count_as_it_is(self, found: AsItIs) -> AsItIs:
        """How many records are unique if the columns without a recoding are known too. Memory O(records compared)."""
        step = -(-found.n_records // _COMPARED)
        sets = known_columns([column.name for column in self.columns.quasi], found.others, found.sensitive)
        counts = {}
        for names in dict.fromkeys(sets):
            hashes = self._records.select(hash=pl.struct(self._places[name] for name in names).hash())
            some = hashes.filter(pl.col("hash") % step == 0) if step > 1 else hashes
            counts[names] = step * n_once(some.collect(engine="streaming")["hash"].to_numpy())
        told = with_counts(found, [counts[names] for names in sets], self.columns.order)
        return replace(told, is_estimate=step > 1)

    @cached_property
    def _records(self) -> pl.LazyFrame:
        return scan(self.path, self.ending, len(self.columns.order))

    @cached_property
    def _places(self) -> dict[str, str]:
        return {name: f"c{place}" for place, name in enumerate(self.columns.order)}

    @cached_property
    def _quasi(self) -> list[str]:
        return [self._places[column.name] for column in self.columns.quasi]

    def _with_keys(self, records: pl.LazyFrame) -> pl.LazyFrame:
        assert self.keys is not None
        return pl.concat([records, pl.scan_parquet(self.keys)], how="horizontal")

    def _count(self, columns: Sequence[int]) -> GroupCounts:
        """Count the records, and the people if they have keys, that agree on some quasi-identifiers."""
        labels = self._records.select(self._quasi)
        rows, people = pl.len().alias(COUNT), pl.len().alias("people")
        if self.keys is not None:
            labels, people = self._with_keys(labels), pl.col(KEY).n_unique().alias("people")
        found = labels.group_by([self._quasi[place] for place in columns]).agg(rows, people).collect(engine="streaming")
        return GroupCounts(*(found[name].to_numpy().astype(np.int64) for name in (COUNT, "people")))

    def _by_groups(self, models: Sequence[GroupModel]) -> Counted:
        """The size of each class, and the verdicts of the models on groups."""
        if self.keys is not None and all(model.is_growing and model.is_monotone for model in models):
            found = self._count(range(len(self._quasi)))
            verdicts = [model.verdict(found.people.astype(np.float64)) for model in models]
            return _counted(found.records, verdicts, found.people)
        judged = () if all(model.is_about_size for model in models) else self.columns.sensitive
        texts = self._records.select([*self._quasi, *(self._places[column.name] for column in judged)])
        if self.keys is not None:
            return self._by_people(self._with_keys(texts), judged, models)
        tallies = texts.group_by(pl.all()).agg(pl.len().alias(COUNT)).collect(engine="streaming")
        classes, n_classes = _classes(tallies.select(self._quasi))
        counts = tallies[COUNT].to_numpy().astype(np.int64)
        sizes = np.bincount(classes, counts, n_classes).astype(np.int64)
        own = self._coded(tallies, judged)
        return _counted(sizes, [_judge(model, sizes, classes, counts, own) for model in models])

    def _by_people(
        self, records: pl.LazyFrame, judged: Sequence[SensitiveColumn], models: Sequence[GroupModel]
    ) -> Counted:
        """The verdicts of models on the people of each class and their values. Memory O(records), without texts."""
        classes = records.select(self._quasi).unique().with_row_index("class").collect(engine="streaming")
        people = records.select(KEY).unique().with_row_index("person").collect(engine="streaming")
        of_class = records.join(classes.lazy(), on=self._quasi, nulls_equal=True)
        found = of_class.join(people.lazy(), on=KEY).drop(*self._quasi, KEY).collect(engine="streaming")
        ids, own = found["class"].to_numpy().astype(np.int32), self._coded(found, judged)
        nothing = np.empty((0, found.height), np.int32)
        table = Table((), nothing, own, people=found["person"].to_numpy().astype(np.int32))
        groups, blocks = Groups.from_ids(ids, classes.height), found[BLOCK].to_numpy()
        verdicts = []
        for model in models:
            measured = model.judged_groups(table, groups)
            for some, measures in measured:
                _refuse_collisions(model, measures, some, blocks)
            verdicts.append(model.verdict(np.concatenate([measures for _, measures in measured])))
        pairs = found.select("class", "person").unique()["class"].to_numpy()
        return _counted(groups.sizes, verdicts, np.bincount(pairs, minlength=classes.height).astype(np.int64))

    def _coded(self, texts: pl.DataFrame, columns: Sequence[SensitiveColumn]) -> tuple[SensitiveColumn, ...]:
        """Sensitive columns with the codes of what was written; values written alike count as the same."""
        return tuple(
            replace(column, codes=self._codes(texts[self._places[column.name]], self.columns.known[column.name]))
            for column in columns
        )

    def _codes(self, texts: pl.Series, known: pl.DataFrame) -> Codes:
        file = io.BytesIO()
        with appender(file, self.ending) as add:
            add(known.select(VALUE, CODE))
        file.seek(0)
        written = scan(file, self.ending, 2).collect().unique("c0", keep="first", maintain_order=True)
        found = texts.alias("c0").to_frame().join(written, on="c0", how="left", nulls_equal=True, maintain_order="left")
        if found["c1"].null_count():
            raise BrokenPromise(broken("a sensitive value was written that no row has"))
        return found["c1"].cast(pl.Int32).to_numpy()


def named_keys(keys: pl.Series) -> pl.DataFrame:
    """The keys of records as texts; each record without a key gets its own."""
    texts, own = keys.cast(pl.String), "\0" + pl.int_range(pl.len()).cast(pl.String) + uuid4().hex
    return texts.alias(KEY).to_frame().select(pl.col(KEY).fill_null(own))


def _refuse_collisions(model: GroupModel, measures: Floats, groups: Groups, blocks: Codes) -> None:
    """Raise BlocksCollide if all failing classes have records of several blocks; a failing block is our bug."""
    if model.survives_union:
        return
    failing = np.flatnonzero(measures < model.threshold)
    shared = [frozenset(np.unique(blocks[groups.of(int(group))]).tolist()) for group in failing]
    if shared and all(len(some) > 1 for some in shared):
        raise BlocksCollide(shared)


def _counted(sizes: Offsets, verdicts: Sequence[Verdict], people: Offsets | None = None) -> Counted:
    refuse_broken(verdicts)
    return Counted(sizes, tuple(verdicts), people)


def scan_written(path: Path | IO[bytes], ending: str) -> pl.LazyFrame:
    """A written table; all columns as text if it is delimited text."""
    if ending == ".parquet":
        return pl.scan_parquet(path)
    return pl.scan_csv(path, separator="\t" if ending == ".tsv" else ",", infer_schema=False)


def scan(path: Path | IO[bytes], ending: str, n_columns: int) -> pl.LazyFrame:
    """The records as texts under our own column names; an empty field is missing."""
    names = [f"c{place}" for place in range(n_columns)]
    read = scan_written(path, ending)
    found = read.collect_schema().names()
    if len(found) != n_columns:
        raise BrokenPromise(broken(f"{len(found)} columns were written, not {n_columns}"))
    text = pl.all().cast(pl.String)
    renamed = read.rename(dict(zip(found, names, strict=True))).select(text)
    return renamed if ending == ".parquet" else renamed.select(pl.when(pl.all() != "").then(pl.all()))


def _classes(labels: pl.DataFrame) -> tuple[Codes, int]:
    """The class of each row: rows with equal labels, with missing as a label like any other."""
    codes = [column.rank("dense").fill_null(0).to_numpy().astype(np.int32) for column in labels]
    ids, firsts = number_rows(np.array(codes, np.int32))
    return ids, firsts.size


def _judge(
    model: GroupModel, sizes: Offsets, classes: Codes, counts: Offsets, sensitive: Sequence[SensitiveColumn]
) -> Verdict:
    """Judge groups of rows that have nothing but a class and sensitive values."""
    if model.is_about_size:
        bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        nobody = Table((), np.empty((0, 0), np.int32))
        return model.verdict(model.measure(nobody, Groups(bounds, np.empty(0, np.int32))))
    rows = np.repeat(np.arange(counts.size), counts)
    own = tuple(SensitiveColumn(column.domain, column.codes[rows], column.hierarchy) for column in sensitive)
    table = Table((), np.empty((0, rows.size), np.int32), own)
    return model.verdict(model.measure(table, Groups.from_ids(classes[rows], sizes.size)))
