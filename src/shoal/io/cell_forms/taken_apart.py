"""Parsing the labels of a column: each distinct label is a value, a range, a set, anything, or missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Offsets
from shoal.core.domain import Kind
from shoal.core.hierarchy import STAR, Hierarchy
from shoal.errors import BrokenPromise, InputError
from shoal.io.dictionaries import dictionary_of
from shoal.io.kinds import guess_kind
from shoal.io.label_grammar import parse_label

What = Literal["value", "range", "set", "any", "missing"]
"""What a cell covers: one value, a range of values, a list of values, any value at all, or a missing one."""

_TIME = pl.Datetime("us")
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_OPEN = re.compile(r"\[([^\[\]{}\"]*?)\.\.([^\[\]{}\"]*?)[\])]")
_PERIODS: Mapping[str, Callable[..., tuple[int, int, int]]] = {
    r"(\d{4})-(\d{2})": lambda year, month: (year, month, 1),
    r"(\d{4})-Q([1-4])": lambda year, quarter: (year, 3 * quarter - 2, 3),
    r"(\d{4})": lambda year: (year, 1, 12),
    r"(\d{3})0s": lambda decade: (10 * decade, 1, 120),
}
"""How the date builder prints periods, and the first year, first month and number of months of each."""


class Cell(NamedTuple):
    """A parsed label; an end of a range that is None is open."""

    what: What
    low: Any = None
    high: Any = None
    values: tuple[Any, ...] | None = None

    def converted(self, convert: Callable[[str], Any]) -> Cell:
        """The same cell with its texts converted to values."""
        low = None if self.low is None else convert(self.low)
        high = None if self.high is None else convert(self.high)
        if self.values is None:
            return Cell(self.what, low, high)
        return Cell(self.what, low, high, tuple(None if text is None else convert(text) for text in self.values))


@dataclass(frozen=True)
class ColumnMeaning:
    """Metadata of a column: kind, type, order, and the hierarchy if one was given."""

    kind: Kind | None = None
    dtype: pl.DataType | None = None
    order: Sequence[str] | None = None
    tree: Hierarchy | None = None


@dataclass(frozen=True, eq=False)
class ColumnCells:
    """The parsed cells of a column: ``cells[ids[i]]`` is the cell of record i, ``counts`` the records per cell.

    Distinct cells are sorted by content, so nothing here depends on the order of the records.
    """

    name: str
    kind: Kind
    dtype: pl.DataType
    labels: tuple[Any, ...]
    cells: tuple[Cell, ...]
    ids: Codes
    counts: Offsets
    meaning: ColumnMeaning = field(default_factory=ColumnMeaning)

    @property
    def has_line(self) -> bool:
        """Whether values lie on a line, as numbers and dates do."""
        return self.kind in ("numeric", "date")

    @property
    def texts(self) -> list[str | None]:
        """The distinct labels as texts; labels of typed columns as a file would show them."""
        is_text = any(isinstance(label, str) for label in self.labels)
        typed = pl.Series(self.labels, dtype=pl.String() if is_text else self.dtype, strict=False)
        return typed.cast(pl.String).to_list()

    def listed(self) -> ColumnCells:
        """The same cells, with labels that look like ranges read as single values where the column has no order."""
        if self.kind != "nominal":
            return self
        cells = [
            _exact(label) if cell.what == "range" else cell for label, cell in zip(self.labels, self.cells, strict=True)
        ]
        return replace(self, cells=tuple(cells))

    def distinct(self, values: Sequence[Any], dtype: pl.DataType | None = None, name: str | None = None) -> pl.Series:
        """A column with one value per distinct cell."""
        return pl.Series(name or self.name, values, dtype=dtype or self.dtype, strict=False)

    def spread(self, values: Sequence[Any], dtype: pl.DataType | None = None) -> pl.Series:
        """Give each record the value of its cell."""
        given: pl.Series = self.distinct(values, dtype).gather(self.ids.astype(np.uint32))
        return given

    def ids_of(self, labels: pl.Series) -> Codes:
        """Return the cell numbers of these labels, for records that come in pieces. O(records).

        Raises:
            BrokenPromise: a label is unknown, which is a bug in shoal.
        """
        known = {label: number for number, label in enumerate(self.labels) if label is not None}
        missing = self.labels.index(None) if None in self.labels else None
        found = labels.replace_strict([*known], [*known.values()], default=None, return_dtype=pl.Int32)
        found = found.set(labels.is_null(), missing) if missing is not None else found
        if found.null_count():
            raise BrokenPromise(f"A label of {self.name!r} was printed that no record has; this is a bug in shoal.")
        return found.to_numpy()

    def at(self, ids: Codes) -> ColumnCells:
        """The same cells for other records."""
        return replace(self, ids=ids)

    def retyped(self, values: pl.Series) -> pl.Series:
        """Convert texts to the column's original type, if all of them fit it."""
        wanted = self.meaning.dtype
        if values.dtype != pl.String or wanted is None or wanted == pl.String:
            return values
        if wanted == pl.Boolean:
            typed = values.replace_strict({"true": True, "false": False}, default=None, return_dtype=pl.Boolean)
        else:
            typed = values.cast(wanted, strict=False)
        return typed if typed.cast(pl.String).eq_missing(values).all() else values


@dataclass(frozen=True, eq=False)
class CodedLabels:
    """The distinct labels of a column and codes: record i has ``distinct[ids[i]]``."""

    distinct: pl.Series
    ids: Codes
    weights: Offsets | None = None
    """How many records each entry of ``ids`` stands for, if not one."""

    @classmethod
    def of(cls, labels: pl.Series) -> CodedLabels:
        """Encode the labels of all records. O(records)."""
        ids, found = dictionary_of(labels)
        distinct = [*found.to_list(), *([None] if labels.null_count() else [])]
        if labels.null_count():
            ids = np.where(ids < 0, np.int32(len(distinct) - 1), ids)
        return cls(pl.Series(labels.name, distinct, dtype=labels.dtype), ids)

    @property
    def labels(self) -> pl.Series:
        """The labels of all records."""
        all_of_them: pl.Series = self.distinct.gather(self.ids.astype(np.uint32))
        return all_of_them


def take_apart(coded: CodedLabels, meaning: ColumnMeaning) -> ColumnCells:
    """Parse the labels of a column, each distinct label once. O(records + labels log labels).

    Raises:
        InputError: a label was not printed by shoal, or is ambiguous.
    """
    labels, distinct = coded.distinct, coded.distinct.to_list()
    dtype, kind = labels.dtype, meaning.kind or guess_kind(labels.drop_nulls())
    if labels.dtype == pl.String:
        cells = [_read(label, labels.name, meaning) for label in distinct]
        dtype, kind, convert = _type_of(cells, meaning)
        cells = [cell.converted(convert) for cell in cells]
    else:
        cells = [_exact(value) for value in distinct]
    places = sorted(range(len(cells)), key=lambda place: _rank(cells[place], distinct[place], meaning.order))
    places = [place for at, place in enumerate(places) if not at or distinct[places[at - 1]] != distinct[place]]
    number = {distinct[place]: rank for rank, place in enumerate(places)}
    ids = np.array([number[label] for label in distinct], np.int32)[coded.ids]
    return ColumnCells(
        labels.name, kind, dtype, tuple(distinct[p] for p in places), tuple(cells[p] for p in places),
        ids, np.bincount(ids, coded.weights, minlength=len(places)).astype(np.int64), meaning,
    )  # fmt: skip


def _exact(value: Any) -> Cell:
    return Cell("missing") if value is None else Cell("value", value, value, (value,))


def _rank(cell: Cell, label: Any, order: Sequence[str] | None) -> tuple[Any, ...]:
    """Sort key: by first and last value, then cells without values, missing last."""
    if not order and cell.low is not None and cell.high is not None:
        return (0, cell.low, cell.high, len(cell.values or ()), label if isinstance(label, str) else str(label))
    ends = [min(present), max(present)] if (present := _present(cell, order)) else []
    place = {"any": 2, "missing": 3}.get(cell.what, 0 if ends else 1)
    return (place, *ends, len(cell.values or ()), str(label))


def _present(cell: Cell, order: Sequence[str] | None) -> list[Any]:
    found = [value for value in (cell.low, cell.high, *(cell.values or ())) if value is not None]
    return [order.index(value) for value in found] if order and all(v in order for v in found) else found


def _type_of(cells: Sequence[Cell], meaning: ColumnMeaning) -> tuple[pl.DataType, Kind, Callable[[str], Any]]:
    """The type and kind of a column's values, and how to parse one; texts if some value cannot be parsed."""
    texts = {text for cell in cells for text in (cell.low, cell.high, *(cell.values or ()))} - {None}
    kind: Kind = meaning.kind or guess_kind(pl.Series(list(texts), dtype=pl.String))
    try:
        if texts and kind == "numeric":
            dtype, convert = _number_type(texts, meaning.dtype)
        elif texts and kind == "date":
            dtype, convert = _date_type(texts, meaning.dtype)
        elif kind in ("numeric", "date"):
            own = meaning.dtype if meaning.dtype not in (None, pl.String) else None
            return own or (pl.Int64() if kind == "numeric" else pl.Date()), kind, str
        else:
            return pl.String(), kind if kind == "ordinal" else "nominal", str
        values = {text: convert(text) for text in texts}
    except ValueError:
        return pl.String(), "nominal", str
    return dtype, kind, values.__getitem__


def _number_type(texts: Collection[str], dtype: pl.DataType | None) -> tuple[pl.DataType, Callable[[str], Any]]:
    if dtype is not None and dtype.is_integer() and all(re.fullmatch(r"[+-]?[0-9]+", text) for text in texts):
        return dtype, int
    if all(_WHOLE.fullmatch(text) for text in texts) and (dtype is None or not dtype.is_float()):
        return pl.Int64(), int
    return (dtype if dtype is not None and dtype.is_float() else pl.Float64()), float


def _date_type(texts: Collection[str], dtype: pl.DataType | None) -> tuple[pl.DataType, Callable[[str], Any]]:
    if dtype == pl.Date or (dtype in (None, pl.String) and all(len(text) == 10 for text in texts)):
        return pl.Date(), lambda text: date.fromisoformat(text[:10])
    return (dtype if isinstance(dtype, pl.Datetime) else _TIME), datetime.fromisoformat


def _read(label: str | None, name: str, meaning: ColumnMeaning) -> Cell:
    """Parse a label: the inverse of ``Recoding.label``."""
    if label is None:
        return Cell("missing")
    if meaning.tree is not None:
        return _node(label, name, meaning.tree)
    cut = label.find("..")
    if label[0:1] == "[" and label[-1] == "]" and 1 < cut < len(label) - 3 and _is_plain(label, cut):
        return Cell("range", label[1:cut], label[cut + 2 : -1])
    parsed = parse_label(label)
    if parsed.what == "any":
        return Cell("any")
    if parsed.what == "set":
        return Cell("set", values=parsed.texts)
    if parsed.what == "range":
        return Cell("range", low=parsed.texts[0], high=parsed.texts[1])
    if label[:1] == "{" and label[-1:] == "}":
        raise InputError(f"The set {label!r} of {name!r} cannot be taken apart; was it made by shoal?")
    return _open_range(label, name, meaning) or _period(label, meaning) or _exact(parsed.texts[0])


def _is_plain(label: str, cut: int) -> bool:
    """Whether a range needs no closer look; most do not."""
    return '"' not in label and label.find("..", cut + 1) < 0 and label[cut - 1] not in ".]" and label[-2] not in ".]"


def _node(label: str, name: str, tree: Hierarchy) -> Cell:
    """The leaves below the lowest node with that label."""
    for level, labels in enumerate(tree.labels):
        if label in labels:
            at = labels.index(label)
            leaves = tree.leaves[int(tree.low[level, at]) : int(tree.high[level, at]) + 1]
            if len(leaves) == tree.n_leaves > 1:
                return Cell("any")
            return _exact(leaves[0]) if len(leaves) == 1 else Cell("set", values=tuple(leaves))
    if label == STAR:
        return Cell("any")
    raise InputError(f"The hierarchy of {name!r} has no node {label!r}; give the one that the table was made with.")


def _open_range(label: str, name: str, meaning: ColumnMeaning) -> Cell | None:
    """Parse ``[..17]``, ``[65..]`` and ``[1.5..2.5)``, as bin builders print them, and ends with dots in them."""
    if label[:1] != "[" or label[-1:] not in "])" or ".." not in label:
        return None
    ends = _OPEN.fullmatch(label)
    if ends and (not ends[1] or not ends[2] or label[-1] == ")"):
        return Cell("range", ends[1] or None, ends[2] or None) if ends[1] or ends[2] else None
    return Cell("range", *_ends(label, name, meaning.order)) if label[-1] == "]" else None


def _ends(label: str, name: str, order: Sequence[str] | None) -> tuple[str, str]:
    """``[17..30]`` → 17 and 30; where values contain dots, the order of the column decides where to split."""
    inner = label[1:-1]
    cuts = [at.start() for at in re.finditer(r"(?=\.\.)", inner)]
    pairs = [(inner[:cut], inner[cut + 2 :]) for cut in cuts]
    if order is not None:
        pairs = [(low, high) for low, high in pairs if low in order and high in order]
    if len(pairs) != 1:
        raise InputError(f"The range {label!r} of {name!r} can be read in {len(pairs)} ways; say its order.")
    return pairs[0]


def _period(label: str, meaning: ColumnMeaning) -> Cell | None:
    """A month, quarter, year or decade, as the date builder prints it."""
    if meaning.kind != "date":
        return None
    last_moment = "T23:59:59.999999" if isinstance(meaning.dtype, pl.Datetime) else ""
    for form, months in _PERIODS.items():
        if found := re.fullmatch(form, label):
            return _months(*months(*map(int, found.groups())), last_moment)
    return None


def _months(year: int, month: int, n: int, last_moment: str) -> Cell | None:
    """The range of ``n`` months from this one, up to its last day, or that day's last moment for date-times."""
    if not 1 <= month <= 12 or not 1 <= year <= 9989:
        return None
    after = year * 12 + month - 1 + n
    last = date(after // 12, after % 12 + 1, 1) - timedelta(days=1)
    return Cell("range", date(year, month, 1).isoformat(), f"{last.isoformat()}{last_moment}")


def known_values(column: ColumnCells) -> list[Any]:
    """Every value that the labels or the hierarchy name, in order, without missing."""
    named = {value for cell in column.cells for value in (cell.low, cell.high, *(cell.values or ()))} - {None}
    order = column.meaning.order
    if column.kind == "ordinal" and order is not None:
        known = [value for value in order if value in named or _between(value, column, order)]
        return [*known, *sorted(named - {*order})]
    return sorted(named)


def _between(value: str, column: ColumnCells, order: Sequence[str]) -> bool:
    at = order.index(value)
    return any(
        cell.what == "range" and cell.low in order and cell.high in order
        and order.index(cell.low) <= at <= order.index(cell.high)
        for cell in column.cells
    )  # fmt: skip
