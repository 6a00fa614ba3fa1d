"""Printing a table of labels in other forms of cells; each column is checked by reading it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
"""One form for all columns, or one per column; columns not named keep their labels."""


@dataclass(frozen=True, eq=False)
class Printed:
    """The printed table (one frame per draw), the codebook and remarks.

    ``columns`` maps each quasi-identifier to its printed columns, ``forms`` to its form.
    """

    frames: tuple[pl.DataFrame, ...]
    codebook: pl.DataFrame | None
    columns: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, str]
    notes: tuple[str, ...]

    @property
    def in_cells(self) -> frozenset[str]:
        """The columns whose numbers stand for cells rather than values, so that value labels do not apply to them."""
        return frozenset(name for name, form in self.forms.items() if FORMS[form].keeps_cells)


@dataclass(frozen=True, eq=False)
class Printer:
    """How the columns of a table are printed, known once the labels of all records are.

    ``columns`` holds those not printed as labels, ``names`` their printed columns, ``forms`` their forms.
    """

    columns: Mapping[str, Column]
    names: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, str]
    notes: tuple[str, ...]

    @classmethod
    def learned(
        cls, order: Sequence[str], coded: Mapping[str, CodedLabels], meanings: Mapping[str, ColumnMeaning], forms: Forms
    ) -> Printer:
        """Build a printer from labels; ``order`` lists the table's columns. O(records + labels log labels).

        A form given for all columns applies to those that support it; the others keep their labels, with a remark.

        Raises:
            InputError: unknown form or column, or a column cannot have the form given for it.
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
        """The column, code and label of every code; None if no column has codes."""
        rows = [(self.names[name][0], *pair) for name, column in self.columns.items() for pair in column.codes.items()]
        kinds = {"column": pl.String, "code": pl.Int32, "label": pl.String}
        return pl.DataFrame(rows, kinds, orient="row") if rows else None

    def ids(self, frame: pl.DataFrame) -> dict[str, Codes]:
        """The cell number of each record by its label, for records that come in pieces. O(records)."""
        return {name: column.cells.ids_of(frame[name]) for name, column in self.columns.items()}

    def print(
        self, frame: pl.DataFrame, ids: Mapping[str, Codes], randomness: Randomness, draw: str = "0"
    ) -> pl.DataFrame:
        """Print a table of labels; ``draw`` names the random stream, so that draws are independent. O(records).

        Raises:
            BrokenPromise: a printed value is not in its cell, which is a bug in shoal.
        """
        columns: list[pl.Series] = []
        for series in frame:
            if (name := series.name) in self.columns:
                printed = self.columns[name].records(ids[name], randomness.child(f"{name} {draw}"))
                columns += [one.alias(own) for one, own in zip(printed, self.names[name], strict=True)]
            else:
                columns.append(series)
        return pl.DataFrame(columns)


def print_cells(
    frame: pl.DataFrame,
    meanings: Mapping[str, ColumnMeaning],
    forms: Forms,
    randomness: Randomness,
    draws: int = 1,
    coded: Mapping[str, CodedLabels] | None = None,
) -> Printed:
    """Print the labels of the columns with ``meanings`` in other forms, in ``draws`` tables if values are drawn.

    Other columns are left unchanged; ``coded`` holds the same labels as distinct values and codes, where available.
    O(records + labels log labels).

    Raises:
        InputError: unknown form or column, or a column cannot have the form given for it.
        BrokenPromise: a printed value is not in its cell, which is a bug in shoal.
    """
    wanted = chosen_forms(forms, tuple(meanings), draws)
    known = {name: (coded or {}).get(name) or CodedLabels.of(frame[name]) for name in wanted}
    printer = Printer.learned(frame.columns, known, meanings, forms)
    ids = {name: column.cells.ids for name, column in printer.columns.items()}
    frames = tuple(printer.print(frame, ids, randomness, str(draw)) for draw in range(draws))
    return Printed(frames, printer.codebook, printer.names, printer.forms, printer.notes)


def check_forms(forms: Iterable[str]) -> None:
    """Raise InputError if a form does not exist."""
    for form in forms:
        if form not in FORMS:
            raise InputError(f"There is no form of cells {form!r}.{did_you_mean(form, FORMS)}")


def chosen_forms(forms: Forms, columns: tuple[str, ...], draws: int = 1) -> dict[str, str]:
    """Return the form of each column that is not printed as labels.

    Raises:
        InputError: unknown form or column, or several draws of a form that draws nothing.
    """
    said = dict.fromkeys(columns, forms) if isinstance(forms, str) else dict(forms)
    for name, form in said.items():
        if name not in columns:
            raise InputError(f"cells: {name!r} is not a quasi-identifier.{did_you_mean(name, columns)}")
        check_forms([form])
    if draws < 1:
        raise InputError(f"draws must be at least 1, got {draws}.")
    if draws > 1 and not any(FORMS[form].is_random for form in said.values()):
        raise InputError("Several draws need values that are drawn: say cells = sampled as well.")
    return {name: form for name, form in said.items() if form != "labels"}


def _names(order: Sequence[str], made: Mapping[str, Column]) -> dict[str, tuple[str, ...]]:
    """Name the printed columns so that no name clashes with another column."""
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
    """Replace the codes in a table by their labels.

    Raises:
        InputError: this is not a codebook, or it lacks a column or a code.
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
    """Each drawn table with the suffix for its file name; the first has none."""
    return zip(chain([""], (f"draw{number}" for number in count(2))), printed.frames, strict=False)
