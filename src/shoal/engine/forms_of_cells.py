"""Turns a judged release into the tables that are published, with cells in the requested forms."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.core.hierarchy import Hierarchy
from shoal.core.randomness import Randomness
from shoal.core.release import Publication
from shoal.core.schema import Schema
from shoal.core.table import QuasiColumn
from shoal.engine.vocabulary import FormWords
from shoal.io.cell_forms import Printed, print_cells
from shoal.io.cell_forms.printing import chosen_forms
from shoal.io.cell_forms.taken_apart import ColumnMeaning
from shoal.io.labels import coded_labels


def in_forms(
    publication: Publication, frame: pl.DataFrame, schema: Schema, words: FormWords, randomness: Randomness
) -> Printed | None:
    """The table in the requested forms; None if all cells are labels.

    Besides the labels, only the settings and types of the columns are used: the values that occur in the original are
    not passed on.
    """
    if not chosen_forms(words.cells, schema.quasi_identifiers, words.draws):
        return None
    meanings = meanings_of(publication.quasi, schema)
    return print_cells(frame, meanings, words.cells, randomness, words.draws, coded_labels(publication))


def meanings_of(quasi: Sequence[QuasiColumn], schema: Schema) -> dict[str, ColumnMeaning]:
    """The facts about columns besides their labels."""
    return {column.name: _meaning(column, schema) for column in quasi}


def _meaning(column: QuasiColumn, schema: Schema) -> ColumnMeaning:
    given = schema.hierarchies.get(column.name)
    tree = given if isinstance(given, Hierarchy) and column.recoding.has_labels else None
    return ColumnMeaning(column.domain.kind, column.domain.values.dtype, schema.orders.get(column.name), tree)
