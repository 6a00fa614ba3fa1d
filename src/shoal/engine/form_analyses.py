"""Analyses a release in each form of its cells and compares with the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Flags
from shoal.core.randomness import Randomness
from shoal.core.release import Publication, Release, publish, published_order
from shoal.core.schema import Schema
from shoal.core.table import QuasiColumn, Table
from shoal.engine.forms_of_cells import in_forms
from shoal.engine.vocabulary import FormWords
from shoal.errors import InputError, did_you_mean
from shoal.io.cell_forms import FORMS
from shoal.io.cell_forms.printing import check_forms
from shoal.io.labels import to_frame
from shoal.utility import analyses
from shoal.utility.analyses import Study
from shoal.utility.learning import some_people, target_of

DRAWS = 5
"""The number of tables drawn for sampled cells; regressions are pooled by Rubin's rules, other figures averaged."""

_HELD_OUT, _SEED = 0.3, 1


def analyses_of_release(
    release: Release, schema: Schema, forms: Sequence[str], target: str | None
) -> dict[str, float | None]:
    """Every analysis of our own release in these forms, named ``form: analysis``.

    Models are trained on the records of seven people in ten and tested on the originals of the others.
    """
    check_forms(forms)
    if release.buckets is not None:
        return {}
    table, randomness = release.table, Randomness(_SEED)
    held_out = some_people(table, _HELD_OUT, randomness.child("holdout"))
    owners = release.owners[published_order(release, Randomness(_SEED))]
    publication = publish(release, Randomness(_SEED))
    return analyses_of_publication(publication, schema, forms, table, target, split=(held_out, ~held_out[owners]))


def analyses_of_publication(
    seen: Publication,
    schema: Schema,
    forms: Sequence[str],
    table: Table,
    target: str | None,
    test: pl.DataFrame | None = None,
    split: tuple[Flags, Flags] | None = None,
) -> dict[str, float | None]:
    """The same for any release; models are tested on the rows of ``test``, and left out if there are none.

    With ``split``, they are tested on these rows of the original instead, and trained on these records.
    """
    check_forms(forms)
    if target is not None:
        target_of(table, target)
    original, frame = _plain(table), to_frame(seen)
    unseen = original.filter(pl.Series(split[0])) if split else _like(test, table) if test is not None else None
    rows = original.filter(pl.Series(~split[0])) if split else original
    numbers = tuple(column.name for column in table.quasi if column.domain.kind == "numeric")
    baselines: dict[str, float] = {}
    found: dict[str, float | None] = {}
    for form in forms:
        drawn, printed = _printed(seen, frame, schema, form)
        study = Study(original, drawn, printed, numbers, target, rows, unseen, baselines)
        trained = study
        if split is not None:  # models do not learn from the records of held-out people
            trained = replace(study, released=tuple(frame.filter(pl.Series(split[1])) for frame in study.released))
        for name, made in analyses.ALL.items():
            found[f"{form}: {name}"] = made().compare(trained if made.learns else study)
    return found


def _printed(
    publication: Publication, frame: pl.DataFrame, schema: Schema, form: str
) -> tuple[tuple[pl.DataFrame, ...], Mapping[str, tuple[str, ...]]]:
    """The tables in a form, and the columns that each quasi-identifier became; numeric columns stay as they are."""
    names = [column.name for column in publication.quasi]
    means = [c.name for c, cells in zip(publication.quasi, publication.cells, strict=True) if cells.printed is not None]
    forms = {name: form for name in names if name not in means}
    words = FormWords.said(
        {"cells": form if len(forms) == len(names) else forms, "draws": DRAWS if FORMS[form].is_random else 1}
    )
    made = in_forms(publication, frame, schema, words, Randomness(1)) if forms else None
    if made is None:
        return (frame,), {name: (name,) for name in names}
    return made.frames, {name: made.columns.get(name, (name,)) for name in names}


def _plain(table: Table) -> pl.DataFrame:
    """The original: numbers as floats, other quasi-identifiers as texts, the rest unchanged."""
    columns = [_values(column, codes) for column, codes in zip(table.quasi, table.codes, strict=True)]
    return pl.DataFrame([*columns, *table.passengers.iter_columns()])


def _values(column: QuasiColumn, codes: Codes) -> pl.Series:
    domain = column.domain
    if domain.kind == "numeric":
        return pl.Series(column.name, domain.points[codes]).fill_nan(None)
    texts = pl.Series(column.name, domain.texts, pl.String).gather(codes.astype(np.uint32))
    return texts if domain.missing is None else texts.set(pl.Series(codes == domain.missing), None)


def _like(test: pl.DataFrame, table: Table) -> pl.DataFrame:
    """A test table in the column types of the original."""
    kinds = {column.name: column.domain.kind for column in table.quasi}
    for name in (*kinds, *table.passengers.columns):
        if name not in test.columns:
            raise InputError(f"The table to test on has no column {name!r}.{did_you_mean(name, test.columns)}")
    types = {name: pl.Float64 if kind == "numeric" else pl.String for name, kind in kinds.items()}
    recoded = (pl.col(name).cast(dtype, strict=False) for name, dtype in types.items())
    return test.select(*recoded, *table.passengers.columns)
