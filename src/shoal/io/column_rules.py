"""Requirements for every input table: distinct column names, and values that can be published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import polars as pl

from shoal.errors import InputError

TO_TEXT = (pl.Categorical, pl.Enum, pl.Null, pl.Time)
"""Types that become text: a dictionary could carry categories that no row has."""

FLOAT_DIGITS = 15
"""Decimal digits that every float preserves."""

OURS = "shoal's "
"""Prefix of our temporary columns; no input column may begin with it."""

WHOSE, BLOCK = f"{OURS}whose", f"{OURS}block"
"""The columns with the key of each record's person, if people are counted, and its block; never published."""


def check_names(names: Sequence[object], where: str) -> None:
    """Raise InputError if a column name is not text, is blank, is a pattern, has our prefix or occurs twice.

    Polars takes ``*`` and ``^…$`` for patterns that select other columns, wherever it accepts a name. Messages call the
    table ``where``.
    """
    for position, name in enumerate(names, start=1):
        if not isinstance(name, str):
            kind = type(name).__name__
            raise InputError(
                f"The column name {name!r} of {where} is of type {kind}; give every column a name in text."
            )
        if not name.strip():
            raise InputError(f"Column {position} of {where} has a blank name; give every column a name.")
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise InputError(f"The column name {name!r} of {where} would be taken for a pattern; rename the column.")
        if name.lower().startswith(OURS):
            raise InputError(f"The column name {name!r} of {where} is one that shoal itself uses; rename the column.")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"The column name {twice[0]!r} occurs {names.count(twice[0])} times in {where}; rename one.")


def joined_names(rows: Sequence[Sequence[str | None]]) -> list[str]:
    """Join a header of several rows: the texts above each column, from top to bottom, as one name.

    A blank cell in an upper row belongs to the heading on its left, which spans several columns.

    >>> joined_names([["patient", None, "stay"], ["name", "age", "from"]])
    ['patient name', 'patient age', 'stay from']
    """
    *above, last = [[(cell or "").strip() for cell in row] for row in rows]
    for row in above:
        for place in range(1, len(row)):
            row[place] = row[place] or row[place - 1]
    parts = zip(*above, last, strict=True) if above else ([name] for name in rows[-1])
    return [" ".join(dict.fromkeys(part for part in column if part)) for column in parts]


def settle(frame: pl.DataFrame, *, empty_nested: bool = False, folds: bool = True) -> pl.DataFrame:
    """The same table with plain column types: text, Booleans, integers, floats, dates and date-times.

    Categories, times of day and columns of nothing but nulls become text; decimals become floats, or text where a float
    might lose a digit; NaN becomes missing, and negative zero becomes zero. O(cells) where something changes.

    Args:
        frame: the table.
        empty_nested: whether a column that cannot be published (nested, binary, a duration) is replaced by an empty
            placeholder, for tables that may drop it; ``refuse_nested`` checks that they do.
        folds: whether NaN and negative zeros change; a table that is assessed as it is keeps them, because its readers
            can tell them from missing values and zeros (``told_apart``).

    Raises:
        InputError: a column has a type that cannot be published.
    """
    return pl.DataFrame([_settle_column(column, empty_nested, folds) for column in frame.iter_columns()])


def told_apart(frame: pl.DataFrame, names: Collection[str]) -> pl.DataFrame:
    """Convert those of the named float columns that contain NaN or a negative zero to text. O(cells)."""
    floats = [frame[name] for name in names if name in frame.columns and frame[name].dtype.is_float()]
    return frame.with_columns(column.cast(pl.String) for column in floats if _would_fold(column))


def _would_fold(column: pl.Series) -> bool:
    zeros = column.filter((column == 0).fill_null(value=False))
    return bool(column.is_nan().any() or (1 / zeros < 0).any())


_EMPTIED = pl.List(pl.Null)
"""The placeholder type of a column that cannot be published; none of its values are kept."""


def is_emptied(column: pl.Series) -> bool:
    """Whether this is the placeholder of a column that cannot be published."""
    return column.dtype == _EMPTIED


def refuse_nested(frame: pl.DataFrame, identifiers: Sequence[str]) -> None:
    """Raise InputError if a column that cannot be published is not an identifier, which would be dropped."""
    for column in frame.iter_columns():
        if is_emptied(column) and column.name not in identifiers:
            raise InputError(
                f"The column {column.name!r} holds lists, records or another type that cannot be published; name it "
                "among the identifiers (--identifiers) to drop it, or turn it into text."
            )


def _settle_column(column: pl.Series, empty_nested: bool, folds: bool) -> pl.Series:
    dtype = column.dtype
    if isinstance(dtype, TO_TEXT):
        return column.cast(pl.String)
    if isinstance(dtype, pl.Decimal):
        return column.cast(pl.String if dtype.precision > FLOAT_DIGITS else pl.Float64)
    if dtype.is_float():
        return _folded(column) if folds else column
    if dtype.is_integer() or isinstance(dtype, (pl.String, pl.Boolean, pl.Date, pl.Datetime)):
        return column
    if empty_nested:
        return pl.Series(column.name, [None] * len(column), _EMPTIED)
    raise InputError(
        f"The column {column.name!r} is of type {dtype}, which cannot be published; turn it into text or drop it."
    )


def _folded(column: pl.Series) -> pl.Series:
    """Floats with NaN as missing and a single zero: -0.0 and 0.0 are equal, and must be printed alike."""
    column = column.fill_nan(None) if column.is_nan().any() else column
    is_zero = column == 0
    return column.set(is_zero.fill_null(value=False), 0.0) if is_zero.any() else column


def mark_missing(frame: pl.DataFrame, tokens: Sequence[str]) -> pl.DataFrame:
    """Replace these texts by missing values in text columns. O(cells)."""
    if not tokens:
        return frame
    text = pl.col(pl.String)
    return frame.with_columns(pl.when(~text.is_in(list(tokens))).then(text).name.keep())


def fresh(frame: pl.DataFrame) -> pl.DataFrame:
    """The same table with no values left in memory under its missing cells.

    A cell that was set to null is only marked as missing: its old value stays in the column's buffer, and an Arrow file
    or a pickle of the table would contain it. Here such slots are overwritten with zero or empty text. O(cells of
    columns with missing values).
    """
    columns = (_overwrite(column) if column.null_count() else column for column in frame.iter_columns())
    return pl.DataFrame(list(columns))


def _overwrite(column: pl.Series) -> pl.Series:
    """The column with neutral values under its nulls."""
    values = pl.col("values")
    neutral = pl.lit("") if column.dtype == pl.String else pl.lit(0).cast(column.dtype)
    clean = pl.when(values.is_null()).then(None).otherwise(values.fill_null(neutral))
    return column.to_frame("values").select(values=clean).to_series().alias(column.name)
