"""Prints labels in other forms of cells on the executors; the result is checked in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from pyspark.sql import functions as f

from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.engine.backends.coded_columns import CodedColumns
from shoal.engine.backends.forms_on_disk import counted_labels
from shoal.engine.backends.spark.dataframes import as_polars, changed, counted, quoted
from shoal.engine.forms_of_cells import meanings_of
from shoal.engine.vocabulary import FormWords
from shoal.errors import BrokenPromise, InputError
from shoal.io.cell_forms import FORMS
from shoal.io.cell_forms.printing import Printer, chosen_forms
from shoal.io.column_rules import OURS

MOST_LABELS = 1_000_000
"""The most distinct labels of one column that the driver takes."""

_LABEL = f"{OURS}label "


def learn_forms(kept: Any, columns: CodedColumns, schema: Schema, words: FormWords) -> Printer:
    """How to print the records, from the number of records with each label.

    Raises:
        InputError: a column cannot have the requested form, or has more labels than the driver can take.
    """
    wanted = chosen_forms(words.cells, schema.quasi_identifiers, words.draws)
    labels = {name: counted_labels(_counts(kept, name)) for name in wanted}
    return Printer.learned(columns.order, labels, meanings_of(columns.quasi, schema), words.cells)


def _counts(kept: Any, name: str) -> pl.DataFrame:
    found = as_polars(counted(kept, [name]).limit(MOST_LABELS + 1))
    if found.height > MOST_LABELS:
        raise InputError(
            f"The column {name!r} has more than {MOST_LABELS:,} distinct labels, too many to print otherwise; leave "
            "its cells as labels."
        )
    return found.rename({"c0": name})


def printed(labels: Any, printer: Printer, key: str) -> Any:
    """The records in their forms, checked. Draws follow from ``key`` and the position of a record.

    Raises:
        BrokenPromise: equal cells are printed differently, or different ones alike, which is our bug.
    """
    randomness = Randomness(int(key, 16)).child("cells")

    def change(frame: pl.DataFrame, place: str) -> pl.DataFrame:
        shown = printer.print(frame, printer.ids(frame), randomness, place)
        return shown.with_columns(frame[name].cast(pl.String).alias(f"{_LABEL}{name}") for name in printer.forms)

    both = changed(labels, change)
    _check(both, printer)
    return both.select(*(quoted(name) for name in both.columns if not name.startswith(_LABEL)))


def _check(both: Any, printer: Printer) -> None:
    """Count labels, printed forms, and pairs of both: all the same if cells can be read back."""

    def distinct(names: Sequence[str]) -> Any:
        return f.count_distinct(
            f.to_json(f.struct(*(f.col(quoted(name)) for name in names)), {"ignoreNullFields": "false"})
        )

    asked = {name: form for name, form in printer.forms.items() if not FORMS[form].is_random}
    if not asked:
        return
    counts = []
    for name in asked:
        label, own = f"{_LABEL}{name}", printer.names[name]
        counts += [distinct([label]), distinct(own), distinct([label, *own])]
    found = both.agg(*counts).first()
    for (name, form), n_labels, n_shown, n_pairs in zip(
        asked.items(), found[::3], found[1::3], found[2::3], strict=True
    ):
        if n_pairs != n_labels or (FORMS[form].keeps_cells and n_shown != n_labels):
            raise BrokenPromise(f"Cells of {name!r} cannot be read back as {form}; this is a bug in shoal.")
