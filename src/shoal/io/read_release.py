"""A published table, its cells given back as structured values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.domain import Kind
from shoal.core.hierarchy import STAR, Hierarchy
from shoal.errors import InputError, did_you_mean
from shoal.io.formula import ARMED, PLAIN_NUMBER
from shoal.io.frames import to_polars
from shoal.io.hierarchies import parse_hierarchy
from shoal.io.kinds import guess_kind
from shoal.io.label_grammar import parse_label
from shoal.io.read import EXCEL, TEXT, read_frame

_TIME = pl.Datetime("us")
IS = pl.Enum(["value", "range", "set", "any", "missing"])
"""What a cell is: one value, all values between two, a list of values, any value at all, or a missing one."""


@dataclass(frozen=True)
class _Cell:
    """A label taken apart."""

    what: str
    low: Any = None
    high: Any = None
    values: tuple[Any, ...] | None = None

    def converted(self, convert: Callable[[str], Any]) -> _Cell:
        """The same with values made of texts."""
        low, high = (None if text is None else convert(text) for text in (self.low, self.high))
        values = self.values and tuple(None if text is None else convert(text) for text in self.values)
        return _Cell(self.what, low, high, values)


def read_release(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    folder: str | Path = ".",
    **reading: Any,
) -> pl.DataFrame:
    """Read a table that shoal published, from a file or a frame, with cells that can be computed with.

    Each quasi-identifier becomes a column of structs: ``is`` says what the cell is, ``low`` and ``high`` are the ends
    of a range and both the value itself where there is one, ``values`` lists a set (or the one value; a missing one
    among them is null). Numbers and dates get their types. A hierarchy's label becomes the set of its values where the
    hierarchy is given, and is a value like any other where not. Other columns stay as they are. O(records + labels).

    Args:
        data: a path, or a pandas, polars or pyarrow table.
        quasi_identifiers: the columns whose cells are to be taken apart.
        hierarchies: per column what ``anonymize`` was given: a file, a ``Hierarchy``, nested groups.
        kinds: per column "numeric", "date" or anything else for text, where the guess is wrong.
        orders: per ordinal column its values in order; then ranges of them are unmistakable.
        folder: where relative paths of hierarchies start.
        reading: how to read a file, as for ``anonymize``.

    Raises:
        InputError: a column that is not there, or a label that cannot be taken apart.
    """
    frame = read_published(data, **reading)
    for name in quasi_identifiers:
        if name not in frame.columns:
            raise InputError(f"The table has no column {name!r}.{did_you_mean(name, frame.columns)}")
    trees = {name: parse_hierarchy(spec, Path(folder), name) for name, spec in (hierarchies or {}).items()}
    changed = []
    for name in quasi_identifiers:
        tree = trees.get(name)
        if tree is not None and not isinstance(tree, Hierarchy):
            raise InputError(f"The hierarchy of {name!r} is not made yet; give a file or a Hierarchy to read it back.")
        changed.append(_column(frame[name], (kinds or {}).get(name), (orders or {}).get(name), tree))
    return frame.with_columns(changed)


def read_published(data: str | Path | Any, **reading: Any) -> pl.DataFrame:
    """The frame; from a file that a spreadsheet may open, without the apostrophes that keep formulas from running."""
    if not isinstance(data, str | Path):
        return to_polars(data)[0]
    source = read_frame(data, **reading)
    if source.path.suffix.lower() not in (*TEXT, *EXCEL):
        return source.frame
    text = pl.col(pl.String)
    is_armed = text.str.contains(ARMED) & ~text.str.contains(PLAIN_NUMBER) & text.str.starts_with("'")
    return source.frame.with_columns(pl.when(is_armed).then(text.str.slice(1)).otherwise(text).name.keep())


def _column(labels: pl.Series, kind: Kind | None, order: Sequence[str] | None, tree: Hierarchy | None) -> pl.Series:
    """One column of structs; each distinct label is taken apart once."""
    distinct = labels.unique(maintain_order=True)
    if labels.dtype == pl.String:
        cells = [_taken_apart(label, labels.name, order, tree) for label in distinct]
        dtype, convert = _type_of(cells, kind)
        cells = [cell.converted(convert) for cell in cells]
    else:
        cells, dtype = [_exact(value) for value in distinct], labels.dtype
    fields = {"is": IS, "low": dtype, "high": dtype, "values": pl.List(dtype)}
    made = pl.DataFrame([(cell.what, cell.low, cell.high, cell.values) for cell in cells], fields, orient="row")
    numbered = distinct.to_frame("label").with_row_index("place")
    places = labels.to_frame("label").join(numbered, on="label", how="left", nulls_equal=True, maintain_order="left")
    return made.to_struct(labels.name).gather(places["place"])


def _exact(value: Any) -> _Cell:
    return _Cell("missing") if value is None else _Cell("value", value, value, (value,))


def _type_of(cells: Sequence[_Cell], kind: Kind | None) -> tuple[pl.DataType, Callable[[str], Any]]:
    """The type of a column's values, and how to make one of a text."""
    texts = [text for cell in cells for text in (cell.low, cell.high, *(cell.values or ())) if text is not None]
    kind = kind or guess_kind(pl.Series(texts, dtype=pl.String))
    if not texts or kind not in ("numeric", "date"):
        return pl.String(), str
    if kind == "numeric":
        return (
            (pl.Int64(), int)
            if all(re.fullmatch(r"[+-]?[0-9]{1,18}", text) for text in texts)
            else (pl.Float64(), float)
        )
    return (pl.Date(), date.fromisoformat) if all(len(t) == 10 for t in texts) else (_TIME, datetime.fromisoformat)


def _taken_apart(label: str | None, name: str, order: Sequence[str] | None, tree: Hierarchy | None) -> _Cell:
    """The parts of a label: the other way round from ``Recoding.label``."""
    if label is not None and tree is not None:
        return _node(label, name, tree)
    if label is None:
        return _Cell("missing")
    parsed = parse_label(label)
    if parsed.what == "any":
        return _Cell("any")
    if parsed.what == "set":
        return _Cell("set", values=parsed.texts)
    if parsed.what == "range":
        return _Cell("range", low=parsed.texts[0], high=parsed.texts[1])
    if label[:1] == "{" and label[-1:] == "}":
        raise InputError(f"The set {label!r} of {name!r} cannot be taken apart; was it made by shoal?")
    if label[:1] == "[" and label[-1:] == "]" and ".." in label:
        return _Cell("range", *_ends(label, name, order))
    return _exact(parsed.texts[0])


def _node(label: str, name: str, tree: Hierarchy) -> _Cell:
    """The leaves below the lowest node of that label."""
    for level, labels in enumerate(tree.labels):
        if label in labels:
            at = labels.index(label)
            leaves = tree.leaves[int(tree.low[level, at]) : int(tree.high[level, at]) + 1]
            if len(leaves) == tree.n_leaves > 1:
                return _Cell("any")
            return _exact(leaves[0]) if len(leaves) == 1 else _Cell("set", values=tuple(leaves))
    if label == STAR:
        return _Cell("any")
    raise InputError(f"The hierarchy of {name!r} has no node {label!r}; give the one that the table was made with.")


def _ends(label: str, name: str, order: Sequence[str] | None) -> tuple[str, str]:
    """``[17..30]`` → 17 and 30; where dots are part of a value, the order of the column tells which."""
    inner = label[1:-1]
    cuts = [at.start() for at in re.finditer(r"(?=\.\.)", inner)]
    pairs = [(inner[:cut], inner[cut + 2 :]) for cut in cuts]
    if order is not None:
        pairs = [(low, high) for low, high in pairs if low in order and high in order]
    if len(pairs) != 1:
        raise InputError(f"The range {label!r} of {name!r} can be read in {len(pairs)} ways; say its order.")
    return pairs[0]
