"""The written file is read again, counted by polars, and every promise about groups is judged from the counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Offsets
from shoal.core.contracts import GroupModel, PrivacyModel, Verdict
from shoal.core.groups import Groups
from shoal.core.table import SensitiveColumn, Table
from shoal.engine.scale.columns import COUNT, Columns
from shoal.errors import BrokenPromise
from shoal.kernels.distinct import number_rows


@dataclass(frozen=True, eq=False)
class Counted:
    """What was found in the file: the size of each class, and the verdicts."""

    sizes: Offsets
    verdicts: tuple[Verdict, ...]

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.sizes.sum())


def check_file(path: Path, ending: str, columns: Columns, promises: Sequence[PrivacyModel]) -> Counted:
    """Judge a written release as a stranger would read it, without ever having all of it in memory.

    Raises:
        BrokenPromise: a promise about groups does not hold.
    """
    quasi, sensitive = [c.name for c in columns.quasi], [c.name for c in columns.sensitive]
    models = [promise for promise in promises if isinstance(promise, GroupModel) and not promise.judges_cells]
    looks = [] if all(model.is_about_size for model in models) else sensitive
    texts = _scan(path, ending).select(pl.col([*quasi, *looks]).cast(pl.String))
    tallies = texts.group_by([*quasi, *looks]).agg(pl.len().alias(COUNT)).collect(engine="streaming")
    classes, n_classes = _classes(tallies.select(quasi))
    counts = tallies[COUNT].to_numpy().astype(np.int64)
    sizes = np.bincount(classes, counts, n_classes).astype(np.int64)
    verdicts = [_judge(model, sizes, classes, counts, tallies, columns) for model in models]
    for verdict in verdicts:
        if not verdict.holds:
            raise BrokenPromise(
                f"The release failed its own check ({verdict}); this is a bug in shoal, please report it. "
                "Nothing was written."
            )
    return Counted(sizes, tuple(verdicts))


def _scan(path: Path, ending: str) -> pl.LazyFrame:
    if ending == ".parquet":
        return pl.scan_parquet(path)
    return pl.scan_csv(path, separator="\t" if ending == ".tsv" else ",", infer_schema=False)


def _classes(labels: pl.DataFrame) -> tuple[Codes, int]:
    """The number of each row's class: rows with equal labels, missing being a label like any other."""
    codes = [column.rank("dense").fill_null(0).to_numpy().astype(np.int32) for column in labels]
    ids, firsts = number_rows(np.array(codes, np.int32))
    return ids, firsts.size


def _judge(
    model: GroupModel, sizes: Offsets, classes: Codes, counts: Offsets, tallies: pl.DataFrame, columns: Columns
) -> Verdict:
    """Ask a model about groups of rows that have nothing but a class and sensitive values."""
    if model.is_about_size:
        bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        nobody = Table((), np.empty((0, 0), np.int32))
        return model.verdict(model.measure(nobody, Groups(bounds, np.empty(0, np.int32))))
    rows = np.repeat(np.arange(counts.size), counts)
    table = Table(
        (),
        np.empty((0, rows.size), np.int32),
        tuple(SensitiveColumn(c.domain, _codes(tallies, c, columns)[rows], c.hierarchy) for c in columns.sensitive),
    )
    return model.verdict(model.measure(table, Groups.from_ids(classes[rows], sizes.size)))


def _codes(tallies: pl.DataFrame, column: SensitiveColumn, columns: Columns) -> Codes:
    """The codes of sensitive values by their texts."""
    known = columns.known[column.name].with_columns(pl.col(column.name).cast(pl.String)).unique(column.name)
    found = tallies.select(column.name).join(known, on=column.name, how="left", nulls_equal=True, maintain_order="left")
    return found["code"].fill_null(-1).to_numpy().astype(np.int32)
