"""A table of labels printed in other forms of cells, each column checked by reading it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count

import polars as pl

from shoal.core.randomness import Randomness
from shoal.core.release import free_name
from shoal.errors import InputError, did_you_mean
from shoal.io.cell_forms.forms import FORMS, Column
from shoal.io.cell_forms.taken_apart import CodedLabels, Meaning, take_apart

Forms = str | Mapping[str, str]
"""One form for all columns, or one per column; columns that are not named keep their labels."""


@dataclass(frozen=True, eq=False)
class Printed:
    """The table in its forms, drawn as often as was asked for; the codebook; and remarks.

    ``columns`` says which printed columns each quasi-identifier became, ``forms`` in which form.
    """

    frames: tuple[pl.DataFrame, ...]
    codebook: pl.DataFrame | None
    columns: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, str]
    notes: tuple[str, ...]


def print_cells(
    frame: pl.DataFrame,
    meanings: Mapping[str, Meaning],
    forms: Forms,
    randomness: Randomness,
    draws: int = 1,
    coded: Mapping[str, CodedLabels] | None = None,
) -> Printed:
    """Print the labels of these columns in other forms.

    A form that is said for all columns is taken by those that can have it; the others keep their labels, and a remark
    says so. O(records + labels log labels).

    Args:
        frame: the labels, and other columns, which stay as they are.
        meanings: what is known of the columns to print.
        forms: their forms.
        randomness: for forms that draw.
        draws: how many tables to draw.
        coded: the labels once more, each distinct one once, where that is known.

    Raises:
        InputError: there is no such form or column, or a column cannot have the form that was said for it.
        BrokenPromise: a printed value is not in its cell, which is our bug.
    """
    wanted = chosen_forms(forms, tuple(meanings), draws)
    made: dict[str, list[Column]] = {}
    taken: dict[str, str] = {}
    notes: list[str] = []
    for name, form in wanted.items():
        cells = take_apart((coded or {}).get(name) or CodedLabels.of(frame[name]), meanings[name])
        n = draws if FORMS[form].is_random else 1
        try:
            columns = [FORMS[form].column(cells, randomness.child(f"{name} {draw}")) for draw in range(n)]
            for each in columns:
                FORMS[form].check(cells, each)
        except InputError as problem:
            if not isinstance(forms, str):
                raise InputError(f"{problem}; leave its cells as labels.") from None
            notes.append(f"{problem}, so it is printed as labels.")
            continue
        made[name], taken[name] = columns * (draws // n), form
    names = _names(frame, made)
    frames = tuple(_table(frame, {name: each[draw] for name, each in made.items()}, names) for draw in range(draws))
    codes = {names[name][0]: each[0].codes for name, each in made.items() if each[0].codes}
    return Printed(frames, _codebook(codes), names, taken, tuple(notes))


def chosen_forms(forms: Forms, columns: tuple[str, ...], draws: int = 1) -> dict[str, str]:
    """The form of each column that is not printed as it is.

    Raises:
        InputError: there is no such form or column, or several draws are wanted of what is not drawn.
    """
    said = dict.fromkeys(columns, forms) if isinstance(forms, str) else dict(forms)
    for name, form in said.items():
        if name not in columns:
            raise InputError(f"cells: {name!r} is not a quasi-identifier.{did_you_mean(name, columns)}")
        if form not in FORMS:
            raise InputError(f"There is no form of cells {form!r}.{did_you_mean(form, FORMS)}")
    if draws < 1:
        raise InputError(f"draws must be at least 1, got {draws}.")
    if draws > 1 and not any(FORMS[form].is_random for form in said.values()):
        raise InputError("Several draws need values that are drawn: say cells = sampled as well.")
    return {name: form for name, form in said.items() if form != "labels"}


def _names(frame: pl.DataFrame, made: Mapping[str, list[Column]]) -> dict[str, tuple[str, ...]]:
    """What the printed columns are called: like nothing else in the table."""
    taken = [name for name in frame.columns if name not in made]
    names: dict[str, tuple[str, ...]] = {}
    for name, columns in made.items():
        own = []
        for series in columns[0].printed:
            own.append(free_name(series.name, [*taken, *(set(frame.columns) - {name})]))
            taken.append(own[-1])
        names[name] = tuple(own)
    return names


def _table(frame: pl.DataFrame, made: Mapping[str, Column], names: Mapping[str, tuple[str, ...]]) -> pl.DataFrame:
    columns: list[pl.Series] = []
    for series in frame:
        if series.name not in made:
            columns.append(series)
            continue
        printed = zip(made[series.name].printed, names[series.name], strict=True)
        columns += [one.alias(name) for one, name in printed]
    return pl.DataFrame(columns)


def _codebook(codes: Mapping[str, Mapping[int, object]]) -> pl.DataFrame | None:
    """Column, code and label of every code."""
    rows = [(name, code, label) for name, book in codes.items() for code, label in book.items()]
    return (
        pl.DataFrame(rows, {"column": pl.String, "code": pl.Int32, "label": pl.String}, orient="row") if rows else None
    )


def decoded(frame: pl.DataFrame, codebook: pl.DataFrame) -> pl.DataFrame:
    """The labels that a table of codes stands for.

    Raises:
        InputError: the codebook is no codebook, or lacks a column or a code.
    """
    if [*codebook.columns] != ["column", "code", "label"]:
        raise InputError("A codebook has the columns column, code and label; give the one beside the release.")
    changed = []
    for (name,), book in codebook.group_by("column", maintain_order=True):
        if name not in frame.columns:
            raise InputError(f"The table has no column {name!r}, which the codebook is about.")
        series = frame[str(name)].cast(pl.String)
        codes, labels = book["code"].cast(pl.String).to_list(), book["label"].cast(pl.String).to_list()
        unknown = series.drop_nulls().filter(~series.drop_nulls().is_in(codes))
        if len(unknown):
            raise InputError(f"The codebook does not know the code {unknown[0]!r} of {name!r}.")
        changed.append(series.replace(dict(zip(codes, labels, strict=True))).alias(str(name)))
    return frame.with_columns(changed)


def drawn_tables(printed: Printed) -> Iterator[tuple[str, pl.DataFrame]]:
    """Every drawn table, with what its file is called after: the first after nothing."""
    return zip(chain([""], (f"draw{number}" for number in count(2))), printed.frames, strict=False)
