"""Reads the written file again, counts it with polars, and judges every model about classes from the counts."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO
from uuid import uuid4

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.contracts import GroupModel, ReleaseModel, Verdict
from shoal.core.groups import CountGroups, GroupCounts, Groups
from shoal.core.table import SensitiveColumn, Table
from shoal.engine.backends.coded_columns import CODE, CodedColumns
from shoal.engine.backends.colliding_blocks import BlocksCollide
from shoal.engine.release_check import broken, refuse_broken
from shoal.engine.whole_histories import check_one_to_one
from shoal.errors import BrokenPromise
from shoal.io.appending import writer_of
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


def check_file(
    path: Path,
    ending: str,
    columns: CodedColumns,
    promises: Sequence[GroupModel | ReleaseModel],
    keys: Path | None = None,
) -> Counted:
    """Judge a written release as a third party would read it, without ever having all of it in memory.

    Columns are identified by position, because a name that looks like a spreadsheet formula is written with an
    apostrophe in front. If people are counted, ``keys`` has the key of each record's person and its block, in the order
    of the file.

    Raises:
        BrokenPromise: a model does not hold, or a sensitive value is not among the original ones.
        BlocksCollide: a model about people holds in each block, but not in classes that several of them share.
    """
    places = {name: f"c{place}" for place, name in enumerate(columns.order)}
    quasi = [places[column.name] for column in columns.quasi]
    written = scan(path, ending, len(places))
    models = [promise for promise in promises if isinstance(promise, GroupModel)]
    found = _by_groups(written, ending, columns, places, models, keys)
    if wholes := [promise for promise in promises if isinstance(promise, ReleaseModel)]:
        nobody = columns.counted(np.empty((len(columns.coded), 0), np.int32), np.empty(0, np.int64))
        count = _counting(written.select(quasi), keys)
        verdicts = [*found.verdicts, *(each.judge_counts(nobody, count) for each in wholes)]
        found = _counted(found.sizes, verdicts, found.people)
    return found


def _counting(labels: pl.LazyFrame, keys: Path | None) -> CountGroups:
    """A function that counts the records, and the people if they have keys, that agree on some columns of the file."""
    names = labels.collect_schema().names()
    rows, people = pl.len().alias(COUNT), pl.len().alias("people")
    if keys is not None:
        labels = pl.concat([labels, pl.scan_parquet(keys).select(KEY)], how="horizontal")
        people = pl.col(KEY).n_unique().alias("people")

    def count(columns: Sequence[int]) -> GroupCounts:
        found = labels.group_by([names[place] for place in columns]).agg(rows, people).collect(engine="streaming")
        return GroupCounts(*(found[name].to_numpy().astype(np.int64) for name in (COUNT, "people")))

    return count


def _by_groups(
    written: pl.LazyFrame,
    ending: str,
    columns: CodedColumns,
    places: Mapping[str, str],
    models: Sequence[GroupModel],
    keys: Path | None,
) -> Counted:
    """The size of each class, and the verdicts of the models on groups."""
    quasi = [places[column.name] for column in columns.quasi]
    if keys is not None and all(model.is_growing and model.is_monotone for model in models):
        return _people_counted(written.select(quasi), keys, models)
    judged = () if all(model.is_about_size for model in models) else columns.sensitive
    texts = written.select([*quasi, *(places[column.name] for column in judged)])
    if keys is not None:
        return _people_judged(texts, quasi, places, keys, models, columns, ending)
    tallies = texts.group_by(pl.all()).agg(pl.len().alias(COUNT)).collect(engine="streaming")
    classes, n_classes = _classes(tallies.select(quasi))
    counts = tallies[COUNT].to_numpy().astype(np.int64)
    sizes = np.bincount(classes, counts, n_classes).astype(np.int64)
    codes = {c.name: _codes(tallies[places[c.name]], columns.known[c.name], ending) for c in judged}
    return _counted(sizes, [_judge(model, sizes, classes, counts, codes, columns) for model in models])


_COMPARED = 8_000_000
"""At most this many records are compared, chosen by their content: of equal ones all or none."""


def count_as_it_is(path: Path, ending: str, columns: CodedColumns, found: AsItIs) -> AsItIs:
    """How many records of a written release are unique if the columns without a recoding are known too.

    Memory O(records compared).
    """
    places = {name: f"c{place}" for place, name in enumerate(columns.order)}
    written = scan(path, ending, len(places))
    step = -(-found.n_records // _COMPARED)
    sets = known_columns([column.name for column in columns.quasi], found.others, found.sensitive)
    counts = {}
    for names in dict.fromkeys(sets):
        hashes = written.select(hash=pl.struct(places[name] for name in names).hash())
        some = hashes.filter(pl.col("hash") % step == 0) if step > 1 else hashes
        counts[names] = step * n_once(some.collect(engine="streaming")["hash"].to_numpy())
    told = with_counts(found, [counts[names] for names in sets], columns.order)
    return replace(told, is_estimate=step > 1)


def people_of_classes(path: Path, ending: str, columns: CodedColumns, keys: Path) -> Offsets:
    """The number of different people of each class, by the keys of the records in the order of the file."""
    quasi = [f"c{columns.order.index(column.name)}" for column in columns.quasi]
    people = _people_counted(scan(path, ending, len(columns.order)).select(quasi), keys, ()).people
    assert people is not None
    return people


def check_pseudonyms_in(path: Path, ending: str, columns: CodedColumns, keys: Path) -> None:
    """Raise BrokenPromise unless people and the pseudonyms in the first column of a file correspond one to one."""
    both = pl.concat([scan(path, ending, len(columns.order)).select("c0"), pl.scan_parquet(keys)], how="horizontal")
    pairs = (
        both.select("c0", KEY).unique().select(people=pl.n_unique(KEY), pseudonyms=pl.n_unique("c0"), pairs=pl.len())
    )
    check_one_to_one(*pairs.collect(engine="streaming").row(0))


def named_keys(keys: pl.Series) -> pl.DataFrame:
    """The keys of records as texts; each record without a key gets its own."""
    texts, own = keys.cast(pl.String), "\0" + pl.int_range(pl.len()).cast(pl.String) + uuid4().hex
    return texts.alias(KEY).to_frame().select(pl.col(KEY).fill_null(own))


def _people_counted(labels: pl.LazyFrame, keys: Path, models: Sequence[GroupModel]) -> Counted:
    """The number of records and of different people of each class, and the verdicts of the models on the latter."""
    found = _counting(labels, keys)(range(len(labels.collect_schema())))
    verdicts = [model.verdict(found.people.astype(np.float64)) for model in models]
    return _counted(found.records, verdicts, found.people)


def _people_judged(
    texts: pl.LazyFrame,
    quasi: list[str],
    places: Mapping[str, str],
    keys: Path,
    models: Sequence[GroupModel],
    columns: CodedColumns,
    ending: str,
) -> Counted:
    """The verdicts of models on the people of each class and their values. Memory O(records), without texts."""
    both = pl.concat([texts, pl.scan_parquet(keys)], how="horizontal")
    classes = both.select(quasi).unique().with_row_index("class").collect(engine="streaming")
    people = both.select(KEY).unique().with_row_index("person").collect(engine="streaming")
    named = both.join(classes.lazy(), on=quasi, nulls_equal=True).join(people.lazy(), on=KEY).drop(*quasi, KEY)
    found = named.collect(engine="streaming")
    own = tuple(
        replace(column, codes=_codes(found[places[column.name]], columns.known[column.name], ending))
        for column in columns.sensitive
        if places[column.name] in found.columns
    )
    ids = found["class"].to_numpy().astype(np.int32)
    nothing = np.empty((0, found.height), np.int32)
    table = Table((), nothing, own, people=found["person"].to_numpy().astype(np.int32))
    groups, blocks = Groups.from_ids(ids, classes.height), found[BLOCK].to_numpy()
    verdicts = []
    for model in models:
        judged = model.judged_groups(table, groups)
        for some, measures in judged:
            _refuse_collisions(model, measures, some, blocks)
        verdicts.append(model.verdict(np.concatenate([measures for _, measures in judged])))
    pairs = found.select("class", "person").unique()["class"].to_numpy()
    return _counted(groups.sizes, verdicts, np.bincount(pairs, minlength=classes.height).astype(np.int64))


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
    model: GroupModel,
    sizes: Offsets,
    classes: Codes,
    counts: Offsets,
    codes: Mapping[str, Codes],
    columns: CodedColumns,
) -> Verdict:
    """Judge groups of rows that have nothing but a class and sensitive values."""
    if model.is_about_size:
        bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        nobody = Table((), np.empty((0, 0), np.int32))
        return model.verdict(model.measure(nobody, Groups(bounds, np.empty(0, np.int32))))
    rows = np.repeat(np.arange(counts.size), counts)
    table = Table(
        (),
        np.empty((0, rows.size), np.int32),
        tuple(SensitiveColumn(c.domain, codes[c.name][rows], c.hierarchy) for c in columns.sensitive),
    )
    return model.verdict(model.measure(table, Groups.from_ids(classes[rows], sizes.size)))


def _codes(texts: pl.Series, known: pl.DataFrame, ending: str) -> Codes:
    """The codes of sensitive values by their written form; values written alike count as the same."""
    file = io.BytesIO()
    with writer_of(file, ending) as writer:
        writer.add(known.select(VALUE, CODE))
    file.seek(0)
    written = scan(file, ending, 2).collect().unique("c0", keep="first", maintain_order=True)
    found = texts.alias("c0").to_frame().join(written, on="c0", how="left", nulls_equal=True, maintain_order="left")
    if found["c1"].null_count():
        raise BrokenPromise(broken("a sensitive value was written that no row has"))
    return found["c1"].cast(pl.Int32).to_numpy()
