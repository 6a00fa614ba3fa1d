"""Prints labels from a file in other forms of cells, piece by piece, and checks the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import QuasiColumn
from shoal.engine.backends.written_file import scan
from shoal.engine.forms_of_cells import meanings_of
from shoal.engine.release_check import broken
from shoal.engine.vocabulary import FormWords
from shoal.errors import BrokenPromise, InputError
from shoal.io.appending import appender
from shoal.io.cell_forms import FORMS
from shoal.io.cell_forms.printing import Printer, chosen_forms
from shoal.io.cell_forms.taken_apart import CodedLabels
from shoal.io.table_file import COUNT, TableFile


def learn_forms(labels: Path, quasi: Sequence[QuasiColumn], schema: Schema, words: FormWords) -> Printer:
    """How to print the labels in a Parquet file, from the number of records with each. Memory O(labels).

    Raises:
        InputError: a column cannot have the requested form.
    """
    wanted = chosen_forms(words.cells, schema.quasi_identifiers, words.draws)
    read = pl.scan_parquet(labels)
    counted: dict[str, CodedLabels] = {}
    for name in wanted:
        found = read.select(pl.col(name)).group_by(name).agg(pl.len().alias(f"{name}{COUNT}"))
        counted[name] = counted_labels(found.collect(engine="streaming"))
    return Printer.learned(read.collect_schema().names(), counted, meanings_of(quasi, schema), words.cells)


def counted_labels(found: pl.DataFrame) -> CodedLabels:
    """Coded labels from a frame with the labels in the first column and their counts in the second."""
    labels, counts = found
    return CodedLabels(labels, np.arange(len(labels), dtype=np.int32), counts.to_numpy().astype(np.int64))


@dataclass(frozen=True)
class LabelFile:
    """Records as labels: in a Parquet file to print from, and as judged, in the requested file type.

    The two may be the same file.
    """

    labels: Path
    judged: Path
    ending: str

    def print_to(self, target: Path, printer: Printer, randomness: Randomness, draw: int, batch: int) -> None:
        """Write the records in their forms, and check the result. Memory O(batch + labels)."""
        names, n_rows = pq.read_schema(self.labels).names, pq.read_metadata(self.labels).num_rows
        pieces = TableFile(self.labels, self.labels, names, n_rows).batches(batch)
        with appender(target, self.ending) as add:
            for number, piece in enumerate(pieces):
                add(printer.print(piece, printer.ids(piece), randomness, f"{draw} {number}"))
        self._check(target, printer, names, n_rows)

    def _check(self, target: Path, printer: Printer, names: list[str], n_rows: int) -> None:
        """Check that a third party finds the same cells in the file, and everything else as it was judged.

        Raises:
            InputError: different cells look alike, as empty texts and missing values do in delimited text.
            BrokenPromise: something else was written, which is our bug.
        """
        places: dict[str, list[str]] = {}
        for name in names:
            start = sum(map(len, places.values()))
            places[name] = [f"c{start + i}" for i in range(len(printer.names.get(name, (name,))))]
        written = scan(target, self.ending, sum(map(len, places.values())))
        if written.select(pl.len()).collect(engine="streaming").item() != n_rows:
            raise BrokenPromise(broken("records were lost in printing"))
        for name, own in places.items():
            if name in printer.forms:
                told = pl.scan_parquet(self.labels).select(pl.col(name).cast(pl.String).alias("label"))
                both = pl.concat([written.select(own), told], how="horizontal").unique().collect(engine="streaming")
                _check_cells(both, own, printer.forms[name], name, self.ending)
            else:
                judged = scan(self.judged, self.ending, len(names)).select(pl.nth(names.index(name)).alias("judged"))
                beside = pl.concat([written.select(own), judged], how="horizontal")
                same = (
                    beside.select(pl.col(own[0]).eq_missing(pl.col("judged")).all()).collect(engine="streaming").item()
                )
                if not same:
                    raise BrokenPromise(broken(f"the column {name!r} was printed otherwise than it was judged"))


def _check_cells(both: pl.DataFrame, own: list[str], form: str, name: str, ending: str) -> None:
    """Check that each label is printed in one way, and no two alike if cells can be read back."""
    if FORMS[form].is_random:
        return  # checked when they were drawn
    if both.height != both["label"].n_unique():
        raise BrokenPromise(broken(f"equal cells of {name!r} were printed differently"))
    if FORMS[form].keeps_cells and both.select(own).n_unique() != both.height:
        raise InputError(f"As {ending} cells of {name!r} would look alike; write .parquet.")
