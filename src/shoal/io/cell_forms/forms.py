"""The forms of cells: labels, bounds, codes, center, sampled. Each defines how a column is printed."""

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
    """How a column is printed, known once all its cells are; records can then be printed in pieces.

    ``by_cell`` holds the printed columns with one entry per distinct cell. Where a value is drawn for every record
    instead, they only carry name and type, and ``drawn`` draws the values. ``codes`` maps codes to labels.
    """

    cells: ColumnCells
    by_cell: tuple[pl.Series, ...]
    codes: Mapping[int, Any] = field(default_factory=dict)
    drawn: Estimate | None = None

    def records(self, ids: Ids, randomness: Randomness) -> tuple[pl.Series, ...]:
        """Print records that have these cells. O(records).

        Raises:
            BrokenPromise: a drawn value is not in its cell, which is a bug in shoal.
        """
        if self.drawn is None:
            return tuple(each.gather(ids.astype(np.uint32)) for each in self.by_cell)
        drawn = self.drawn.draw(ids, randomness)
        check_inside(self.cells.at(ids), drawn)
        return (drawn.values,)


class Form(ABC):
    """A form of published cells."""

    name: ClassVar[str]
    summary: ClassVar[str]
    keeps_cells: ClassVar[bool] = True
    """Whether the cells can be read back from what is printed."""
    is_random: ClassVar[bool] = False

    @abstractmethod
    def column(self, cells: ColumnCells) -> Column:
        """Return how the cells of a column are printed.

        Raises:
            InputError: the column cannot have this form.
        """

    def check(self, made: Column) -> None:  # noqa: B027 (labels, and values checked when drawn, need no check)
        """Check that distinct cells can be told apart, or that printed values lie in their cells.

        Raises:
            InputError: two cells would look alike, so the column cannot have this form.
        """


class Labels(Form):
    """The unchanged labels."""

    name = "labels"
    summary = "the label, as in [31..44]"

    def column(self, cells: ColumnCells) -> Column:
        """The labels themselves."""
        dtype = pl.String() if any(isinstance(label, str) for label in cells.labels) else cells.dtype
        return Column(cells, (cells.distinct(cells.labels, dtype),))


class Bounds(Form):
    """Two columns with the ends of each cell; one column where all cells are single values."""

    name = "bounds"
    summary = "two columns, age_low and age_high, or one where they agree"

    def column(self, cells: ColumnCells) -> Column:
        """Print ``age_low`` and ``age_high``: both empty for a star, one empty for a range that is open at one end.

        A column with missing values gets a third one, ``age_missing``, to distinguish them from stars.
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
        """Check that cells with different labels have different bounds after conversion to their types."""
        _check_told_apart(made, self.name)


def _ends(values: Sequence[Any], cells: ColumnCells) -> tuple[Any, Any]:
    present = [value for value in values if value is not None]
    if len(present) < len(values) or not present:
        raise InputError(f"A cell of {cells.name!r} may be a value or missing, and has no bounds")
    order = cells.meaning.order
    rank = order.index if order is not None and cells.kind == "ordinal" else lambda value: value
    return min(present, key=rank), max(present, key=rank)


class Codes(Form):
    """A small integer per distinct cell, counted from 1 in the order of the cells; missing stays missing."""

    name = "codes"
    summary = "small integers, with a codebook"

    def column(self, cells: ColumnCells) -> Column:
        """The codes, and the label of each."""
        numbers = [None if cell.what == "missing" else number for number, cell in enumerate(cells.cells, 1)]
        texts = cells.texts
        codes = {number: texts[number - 1] for number in numbers if number is not None}
        return Column(cells, (cells.distinct(numbers, pl.Int32()),), codes)

    def check(self, made: Column) -> None:
        """Check that the codebook maps every code back to its own label."""
        if len({*made.codes.values()}) < len(made.codes):
            raise InputError(f"Two labels of {made.cells.name!r} are written alike and cannot be told apart by codes")
        _check_told_apart(made, self.name)


class Center(Form):
    """The middle of each cell."""

    name = "center"
    summary = "the middle of a range, the commonest value of a set"
    keeps_cells = False

    def column(self, cells: ColumnCells) -> Column:
        """A value inside each cell, with the column's type."""
        return Column(cells, (cells.retyped(cells.distinct(estimate(cells).centers())),))

    def check(self, made: Column) -> None:
        """Check that every value lies in its cell."""
        check_inside(made.cells.at(np.arange(len(made.cells.cells), dtype=np.int32)), Drawn(made.by_cell[0]))


class Sampled(Form):
    """A value drawn inside each cell from the distribution estimated from the release."""

    name = "sampled"
    summary = "a value drawn inside the cell, by the release alone"
    keeps_cells = False
    is_random = True

    def column(self, cells: ColumnCells) -> Column:
        """Values are drawn anew for each record."""
        drawn = estimate(cells)
        return Column(cells, (pl.Series(cells.name, [], dtype=drawn.dtype),), drawn=drawn)


def _check_told_apart(made: Column, form: str) -> None:
    """Check that distinct cells look different with the types they are printed with."""
    if len({*zip(*(each.to_list() for each in made.by_cell), strict=True)}) < len(made.cells.cells):
        raise InputError(f"Different cells of {made.cells.name!r} would look alike as {form}")


def check_inside(cells: ColumnCells, drawn: Drawn) -> None:
    """Check that every value lies in its cell: within its range, among its values, or anywhere for a star."""
    values = drawn.values
    if not cells.has_line or any(cell.what == "set" for cell in cells.cells):
        _check_among(cells, drawn.coded or CodedLabels.of(values))
        return
    low = cells.spread([cell.low for cell in cells.cells])
    high = cells.spread([cell.high for cell in cells.cells])
    may_miss = cells.spread([cell.what in ("any", "missing") for cell in cells.cells], pl.Boolean())
    is_inside = (low.is_null() | (values >= low)) & (high.is_null() | (values <= high))
    if not is_inside.zip_with(values.is_not_null(), may_miss).all():
        raise BrokenPromise(f"A value of {cells.name!r} lies outside its cell; this is a bug in shoal.")


def _check_among(cells: ColumnCells, coded: CodedLabels) -> None:
    n_values, known = len(coded.distinct), coded.distinct.cast(cells.dtype).to_list()
    pairs = _occurring(cells.ids.astype(np.int64) * n_values + coded.ids, len(cells.cells) * n_values)
    for place, value in zip((pairs // n_values).tolist(), (pairs % n_values).tolist(), strict=True):
        cell = cells.cells[place]
        if cell.what in ("set", "value", "missing") and known[value] not in (cell.values or (None,)):
            raise BrokenPromise(f"A value of {cells.name!r} is not in its cell; this is a bug in shoal.")


def _occurring(numbers: Offsets, n: int) -> Offsets:
    """Return the numbers below ``n`` that occur."""
    if n > _MANY:
        return np.unique(numbers)
    occurs = np.zeros(n, bool)
    occurs[numbers] = True
    return np.flatnonzero(occurs)


FORMS: Mapping[str, Form] = {form.name: form for form in (Labels(), Bounds(), Codes(), Center(), Sampled())}
"""The forms by name."""
