"""Reads a published table, with cells that can be computed with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import polars as pl

from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.core.randomness import Randomness
from shoal.engine.vocabulary import Reading, ReadWords
from shoal.errors import InputError
from shoal.io.cell_forms import print_cells
from shoal.io.cell_forms.printing import Printed, decoded
from shoal.io.cell_forms.taken_apart import ColumnCells, ColumnMeaning
from shoal.io.frames import to_polars
from shoal.io.hierarchies import parse_hierarchy
from shoal.io.place import place_at
from shoal.io.read_release import cells_of, columns_with_cells, interval_objects, read_published, structs, with_labels

FrameKind = Literal["pandas", "polars", "pyarrow"]


def read_release(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str] = (),
    cells: str | Mapping[str, str] = "structs",
    kind: FrameKind | None = None,
    codebook: Any = None,
    draws: int = 1,
    seed: int | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    folder: str | Path = ".",
    **more: Any,
) -> Any:
    """Read a release, from a file or a frame, with cells that you can compute with.

    As ``structs``, each quasi-identifier becomes a column of structs: ``is`` is the kind of cell, ``low`` and ``high``
    are the ends of a range (for a single value, both are the value), and ``values`` lists a set (or the single value;
    a missing value is null). As ``intervals``, numbers and dates become pandas Intervals, and other cells lists. The
    other forms are those of ``anonymize``. Numbers and dates get their types. A label of a hierarchy becomes the set
    of its values if the hierarchy is given; otherwise it is read as a value. Other columns stay unchanged.

    Args:
        data: A path, or a pandas, polars or pyarrow table.
        quasi_identifiers: Columns whose cells are to be parsed; by default those in which some label means several
            values.
        cells: What cells become: structs, intervals, bounds, codes, center, sampled or labels, for all columns or per
            column.
        kind: pandas, polars or pyarrow; what came in if not given, polars for a file.
        codebook: The codebook of a release whose cells are codes.
        draws: How many tables to draw if cells are sampled, for multiple imputation; a list is then returned.
        seed: Makes the drawn values repeatable.
        hierarchies: Per column what ``anonymize`` was given: a file, a ``Hierarchy``, nested groups.
        kinds: Per column its type, if the guess is wrong: numeric, ordinal, nominal or date.
        orders: Per ordinal column its values in order, so that its ranges can be read.
        folder: Where relative paths of hierarchies start.
        more: How to read a file, as for ``anonymize``.

    Raises:
        InputError: a column does not exist, or a label cannot be read.

    Example:
        >>> import polars as pl
        >>> import shoal
        >>> table = pl.DataFrame({"age": ["[20..29]", "[30..39]"]})
        >>> shoal.read_release(table, cells="center")["age"].to_list()
        [24, 34]
    """
    words = ReadWords.called_with(locals())
    restore = _restoring(data, kind)
    if words.cells in ("structs", "intervals"):  # Python objects, which no file can store
        frame, meanings = _labelled(words, data, Path(folder))
        columns = cells_of(frame, meanings)
        if words.cells == "intervals":
            return _with_intervals(restore(frame), columns)
        return restore(frame.with_columns(map(structs, columns.values())))
    drawn = [restore(frame) for frame in printed_release(words, data, Path(folder)).frames]
    return drawn if words.draws > 1 else drawn[0]


def printed_release(words: ReadWords, data: Any, folder: Path) -> Printed:
    """A published table in other forms of cells."""
    frame, meanings = _labelled(words, data, folder)
    return print_cells(frame, meanings, words.cells, Randomness(words.seed), words.draws)


def known_codes(words: ReadWords, release: str | Path, made: Printed) -> dict[str, Any]:
    """The codes and missing values of an SPSS, Stata or SAS release, for writing such a file again."""
    found = place_at(release).read(None, **_reading(words)).meanings
    kept = {name: own for name, own in found.items() if name not in made.in_cells}
    return {"meanings": kept, "codes": {name: own.codes for name, own in kept.items() if own.codes is not None}}


def _reading(words: ReadWords) -> dict[str, Any]:
    return {name: value for name, value in words.of(Reading).items() if value and name != "query"}


def _labelled(words: ReadWords, data: Any, folder: Path) -> tuple[pl.DataFrame, dict[str, ColumnMeaning]]:
    """The table with its labels, and the facts about its quasi-identifiers."""
    frame = read_published(data, **_reading(words))
    if words.codebook is not None:
        frame = decoded(frame, read_published(words.codebook))
    names = tuple(words.quasi_identifiers) or columns_with_cells(frame)
    frame = with_labels(frame, names)
    return frame, {name: _meaning(words, name, folder) for name in names}


def _meaning(words: ReadWords, name: str, folder: Path) -> ColumnMeaning:
    spec = words.hierarchies.get(name)
    tree = None if spec is None else parse_hierarchy(spec, folder, name)
    if tree is not None and not isinstance(tree, Hierarchy):
        raise InputError(f"The hierarchy of {name!r} is only a rule; to read a release, give its file or a Hierarchy.")
    return ColumnMeaning(words.kinds.get(name), None, words.orders.get(name), tree)


def _with_intervals(native: Any, columns: Mapping[str, ColumnCells]) -> Any:
    if not hasattr(native, "iloc"):
        raise InputError("Intervals exist only in pandas; add kind='pandas', or use cells='bounds'.")
    pandas = import_module("pandas")
    for name, column in columns.items():
        objects = interval_objects(column)
        kept = [objects[place] for place in column.ids.tolist()]
        native[name] = pandas.arrays.IntervalArray(kept) if column.has_line else pandas.Series(kept, dtype=object)
    return native


def _restoring(data: Any, kind: FrameKind | None) -> Callable[[pl.DataFrame], Any]:
    """How to convert a frame to the requested type."""
    if kind is None:
        return (lambda frame: frame) if isinstance(data, str | Path) else to_polars(data)[1]
    if kind not in _KINDS:
        raise InputError(f"kind must be one of {', '.join(_KINDS)}, got {kind!r}.")
    return _KINDS[kind]


_KINDS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "pandas": lambda frame: frame.to_pandas(),
    "polars": lambda frame: frame,
    "pyarrow": lambda frame: frame.to_arrow(compat_level=pl.CompatLevel.oldest()),
}
