"""A table of labels printed in other forms of cells, each column checked by reading it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

import polars as pl

from shoal.core.arrays import Codes
from shoal.core.randomness import Randomness
from shoal.core.release import free_name
from shoal.errors import InputError, did_you_mean
from shoal.io.cell_forms.forms import FORMS, Column
from shoal.io.cell_forms.taken_apart import CodedLabels, ColumnMeaning, take_apart

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

    @property
    def in_cells(self) -> frozenset[str]:
        """The columns whose numbers stand for cells and not for values, so that labels of values are not theirs."""
        return frozenset(name for name, form in self.forms.items() if FORMS[form].keeps_cells)


@dataclass(frozen=True, eq=False)
class Printer:
    """How the columns of a table are printed, once the labels of all records are known.

    ``columns`` has those that are not printed as labels, ``names`` what each becomes, ``forms`` in which form.
    """

    columns: Mapping[str, Column]
    names: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, str]
    notes: tuple[str, ...]

    @classmethod
    def learned(
        cls, order: Sequence[str], coded: Mapping[str, CodedLabels], meanings: Mapping[str, ColumnMeaning], forms: Forms
    ) -> Printer:
        """From the labels of columns, of a table whose columns are in this ``order``. O(records + labels log labels).

        A form that is said for all columns is taken by those that can have it; the others keep their labels, and a
        remark says so.

        Raises:
            InputError: there is no such form or column, or a column cannot have the form that was said for it.
        """
        made: dict[str, Column] = {}
        notes: list[str] = []
        wanted = chosen_forms(forms, tuple(meanings))
        for name, form in wanted.items():
            try:
                column = FORMS[form].column(take_apart(coded[name], meanings[name]))
                FORMS[form].check(column)
            except InputError as problem:
                if not isinstance(forms, str):
                    raise InputError(f"{problem}; leave its cells as labels.") from None
                notes.append(f"{problem}, so it is printed as labels.")
                continue
            made[name] = column
        return cls(made, _names(order, made), {name: wanted[name] for name in made}, tuple(notes))

    @property
    def codebook(self) -> pl.DataFrame | None:
        """Column, code and label of every code; None where there are no codes."""
        rows = [(self.names[name][0], *pair) for name, column in self.columns.items() for pair in column.codes.items()]
        kinds = {"column": pl.String, "code": pl.Int32, "label": pl.String}
        return pl.DataFrame(rows, kinds, orient="row") if rows else None

    def ids(self, frame: pl.DataFrame) -> dict[str, Codes]:
        """The cells of records by their labels, for records that come in pieces. O(records)."""
        return {name: column.cells.ids_of(frame[name]) for name, column in self.columns.items()}

    def print(
        self, frame: pl.DataFrame, ids: Mapping[str, Codes], randomness: Randomness, draw: str = "0"
    ) -> pl.DataFrame:
        """A table of labels as it is printed; ``draw`` names what is drawn, each draw being independent. O(records).

        Raises:
            BrokenPromise: a printed value is not in its cell, which is our bug.
        """
        columns: list[pl.Series] = []
        for series in frame:
            if series.name not in self.columns:
                columns.append(series)
                continue
            name = series.name
            printed = self.columns[name].records(ids[name], randomness.child(f"{name} {draw}"))
            columns += [one.alias(own) for one, own in zip(printed, self.names[name], strict=True)]
        return pl.DataFrame(columns)


def print_cells(
    frame: pl.DataFrame,
    meanings: Mapping[str, ColumnMeaning],
    forms: Forms,
    randomness: Randomness,
    draws: int = 1,
    coded: Mapping[str, CodedLabels] | None = None,
) -> Printed:
    """Print the labels of these columns in other forms. O(records + labels log labels).

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
    known = {name: (coded or {}).get(name) or CodedLabels.of(frame[name]) for name in wanted}
    printer = Printer.learned(frame.columns, known, meanings, forms)
    ids = {name: column.cells.ids for name, column in printer.columns.items()}
    frames = tuple(printer.print(frame, ids, randomness, str(draw)) for draw in range(draws))
    return Printed(frames, printer.codebook, printer.names, printer.forms, printer.notes)


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


def _names(order: Sequence[str], made: Mapping[str, Column]) -> dict[str, tuple[str, ...]]:
    """What the printed columns are called: like nothing else in the table."""
    taken = [name for name in order if name not in made]
    names: dict[str, tuple[str, ...]] = {}
    for name, column in made.items():
        own = []
        for series in column.by_cell:
            own.append(free_name(series.name, [*taken, *(set(order) - {name})]))
            taken.append(own[-1])
        names[name] = tuple(own)
    return names


def decoded(frame: pl.DataFrame, codebook: pl.DataFrame) -> pl.DataFrame:
    """The labels that a table of codes stands for.

    Raises:
        InputError: the codebook is no codebook, or lacks a column or a code.
    """
    if [*codebook.columns] != ["column", "code", "label"]:
        raise InputError("A codebook has the columns column, code and label; give the one of the release.")
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
