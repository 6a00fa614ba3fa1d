"""The forms of cells: labels, bounds, codes, center, sampled. Each says what a column is printed as."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from shoal.core.arrays import Codes as Ids
from shoal.core.arrays import Offsets
from shoal.core.randomness import Randomness
from shoal.errors import BrokenPromise, InputError
from shoal.io.cell_forms.estimate import Drawn, Estimate, estimate
from shoal.io.cell_forms.taken_apart import CodedLabels, ColumnCells

_MANY = 1 << 24


@dataclass(frozen=True, eq=False)
class Column:
    """How a column is printed, once all its cells are known: records may then come in pieces.

    ``by_cell`` has the columns that it becomes, with what each distinct cell is printed as; where values are drawn for
    every record anew, those are nothing but a name and a type, and ``drawn`` says how. ``codes`` is what codes mean.
    """

    cells: ColumnCells
    by_cell: tuple[pl.Series, ...]
    codes: Mapping[int, Any] = field(default_factory=dict)
    drawn: Estimate | None = None

    def records(self, ids: Ids, randomness: Randomness) -> tuple[pl.Series, ...]:
        """What records with these cells are printed as. O(records).

        Raises:
            BrokenPromise: a drawn value is not in its cell, which is our bug.
        """
        if self.drawn is None:
            return tuple(each.gather(ids.astype(np.uint32)) for each in self.by_cell)
        drawn = self.drawn.draw(ids, randomness)
        check_inside(self.cells.at(ids), drawn)
        return (drawn.values,)


class Form(ABC):
    """A form of cells."""

    name: ClassVar[str]
    summary: ClassVar[str]
    keeps_cells: ClassVar[bool] = True
    """Whether the cells can be read back from what is printed."""
    is_random: ClassVar[bool] = False

    @abstractmethod
    def column(self, cells: ColumnCells) -> Column:
        """How the cells of a column are printed.

        Raises:
            InputError: the column cannot have this form.
        """

    @abstractmethod
    def check(self, made: Column) -> None:
        """Read back what distinct cells will be printed as.

        Raises:
            InputError: two cells would look alike, so the column cannot have this form.
        """


class Labels(Form):
    """The label as it is."""

    name = "labels"
    summary = "the label, as in [31..44]"

    def column(self, cells: ColumnCells) -> Column:
        """The labels."""
        dtype = pl.String() if any(isinstance(label, str) for label in cells.labels) else cells.dtype
        return Column(cells, (cells.distinct(cells.labels, dtype),))

    def check(self, made: Column) -> None:
        """They are what they were."""


class Bounds(Form):
    """Two columns with the ends of each cell; one where all cells are single values."""

    name = "bounds"
    summary = "two columns, age_low and age_high, or one where they agree"

    def column(self, cells: ColumnCells) -> Column:
        """``age_low`` and ``age_high``; a star has neither, a range that is open at one end only the other.

        Where a column has missing values a third one, ``age_missing``, tells them from stars.
        """
        if not cells.has_line and cells.kind != "ordinal":
            raise InputError(f"The column {cells.name!r} is not ordered and has no bounds")
        if all(cell.what in ("value", "missing") for cell in cells.cells):
            return Column(cells, (cells.distinct([cell.low for cell in cells.cells]),))
        ends = [(cell.low, cell.high) if cell.values is None else _ends(cell.values, cells) for cell in cells.cells]
        low, high = (
            cells.distinct([pair[side] for pair in ends], name=f"{cells.name}_{end}")
            for side, end in enumerate(("low", "high"))
        )
        is_missing = [cell.what == "missing" for cell in cells.cells]
        if not any(is_missing):
            return Column(cells, (low, high))
        return Column(cells, (low, high, cells.distinct(is_missing, pl.Boolean(), f"{cells.name}_missing")))

    def check(self, made: Column) -> None:
        """Cells with different labels have different bounds, with their types as well."""
        _check_told_apart(made, self.name)


def _ends(values: Sequence[Any], cells: ColumnCells) -> tuple[Any, Any]:
    present = [value for value in values if value is not None]
    if len(present) < len(values) or not present:
        raise InputError(f"A cell of {cells.name!r} may be a value or missing, and has no bounds")
    order = cells.meaning.order
    rank = order.index if order is not None and cells.kind == "ordinal" else lambda value: value
    return min(present, key=rank), max(present, key=rank)


class Codes(Form):
    """A small integer per distinct cell, from 1, in the order of the cells; missing stays missing."""

    name = "codes"
    summary = "small integers, with a codebook"

    def column(self, cells: ColumnCells) -> Column:
        """The numbers, and the label of each."""
        numbers = [None if cell.what == "missing" else number for number, cell in enumerate(cells.cells, 1)]
        texts = cells.texts
        codes = {number: texts[number - 1] for number in numbers if number is not None}
        return Column(cells, (cells.distinct(numbers, pl.Int32()),), codes)

    def check(self, made: Column) -> None:
        """The codebook gives back the labels."""
        if len({*made.codes.values()}) < len(made.codes):
            raise InputError(f"Two labels of {made.cells.name!r} are written alike and cannot be told apart by codes")
        _check_told_apart(made, self.name)


class Center(Form):
    """The middle of each cell."""

    name = "center"
    summary = "the middle of a range, the commonest value of a set"
    keeps_cells = False

    def column(self, cells: ColumnCells) -> Column:
        """A value inside each cell, with its type."""
        return Column(cells, (cells.retyped(cells.distinct(estimate(cells).centers())),))

    def check(self, made: Column) -> None:
        """Every value lies in its cell."""
        check_inside(made.cells.at(np.arange(len(made.cells.cells), dtype=np.int32)), Drawn(made.by_cell[0]))


class Sampled(Form):
    """A value drawn inside each cell, by how values spread in the release."""

    name = "sampled"
    summary = "a value drawn inside the cell, by the release alone"
    keeps_cells = False
    is_random = True

    def column(self, cells: ColumnCells) -> Column:
        """Drawn anew for each record."""
        drawn = estimate(cells)
        return Column(cells, (pl.Series(cells.name, [], dtype=drawn.dtype),), drawn=drawn)

    def check(self, made: Column) -> None:
        """Every value is looked at when it is drawn."""


def _check_told_apart(made: Column, form: str) -> None:
    """Distinct cells look different, also with the types that they are printed with."""
    if len({*zip(*(each.to_list() for each in made.by_cell), strict=True)}) < len(made.cells.cells):
        raise InputError(f"Different cells of {made.cells.name!r} would look alike as {form}")


def check_inside(cells: ColumnCells, drawn: Drawn) -> None:
    """Every value lies in its cell: between its ends, among its values, or where any value may be."""
    values = drawn.values
    if not cells.has_line or any(cell.what == "set" for cell in cells.cells):
        _check_among(cells, drawn.coded or CodedLabels.of(values))
        return
    low = cells.spread([cell.low for cell in cells.cells])
    high = cells.spread([cell.high for cell in cells.cells])
    may_miss = cells.spread([cell.what in ("any", "missing") for cell in cells.cells], pl.Boolean())
    is_fine = pl.select(
        pl.when(values.is_null())
        .then(may_miss)
        .otherwise((low.is_null() | (values >= low)) & (high.is_null() | (values <= high)))
    ).to_series()
    if not is_fine.all():
        raise BrokenPromise(f"A value of {cells.name!r} lies outside its cell; this is a bug in shoal.")


def _check_among(cells: ColumnCells, coded: CodedLabels) -> None:
    n_values, known = len(coded.distinct), coded.distinct.cast(cells.dtype).to_list()
    pairs = _occurring(cells.ids.astype(np.int64) * n_values + coded.ids, len(cells.cells) * n_values)
    for place, value in zip((pairs // n_values).tolist(), (pairs % n_values).tolist(), strict=True):
        cell = cells.cells[place]
        if cell.what in ("set", "value", "missing") and known[value] not in (cell.values or (None,)):
            raise BrokenPromise(f"A value of {cells.name!r} is not in its cell; this is a bug in shoal.")


def _occurring(numbers: Offsets, n: int) -> Offsets:
    """Which of the numbers below ``n`` occur."""
    if n > _MANY:
        return np.unique(numbers)
    occurs = np.zeros(n, bool)
    occurs[numbers] = True
    return np.flatnonzero(occurs)


FORMS: Mapping[str, Form] = {form.name: form for form in (Labels(), Bounds(), Codes(), Center(), Sampled())}
"""The forms by name."""
