"""Hierarchies from user input: files in ARX's format, groups, builders and their descriptions."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import MISSING as REQUIRED
from dataclasses import fields
from pathlib import Path
from typing import TextIO, cast

from shoal.core import builders
from shoal.core.hierarchy import Hierarchy
from shoal.core.schema import HierarchyBuilder
from shoal.errors import InputError, did_you_mean
from shoal.io.csv_encoding import to_utf8
from shoal.io.location import check_regular

DELIMITERS = (";", ",", "\t", "|")
"""Delimiters that may separate the labels in a file; if several fit equally well, the first wins."""

SAMPLE = 1 << 16
"""Number of characters examined to find a file's delimiter."""


def parse_hierarchy(spec: object, folder: Path, name: str) -> Hierarchy | HierarchyBuilder:
    """Return the hierarchy of column ``name``, or the builder that will make it, from any accepted description.

    ``spec`` is a Hierarchy or a builder; a path to a file, relative to ``folder``; a builder with its parameters,
    ``{"builder": "mask", "levels": 3}`` or, as one text, ``"mask:levels=3"`` (parameters separated by commas, lists by
    slashes or commas: ``"intervals:cuts=18/65,factors=2"``); or nested groups, ``{"north": ["ME", "VT"], …}``. A text
    that begins with the name of a builder is never taken for a file.

    >>> parse_hierarchy("fanout:fanout=4", Path(), "grade")
    FanOut(fanout=4, order=None)

    Raises:
        InputError: none of these, or a builder, parameter or file that does not exist or is invalid.
    """
    if isinstance(spec, Hierarchy):
        return spec
    if not isinstance(spec, type) and callable(getattr(spec, "build", None)):
        return cast(HierarchyBuilder, spec)
    if isinstance(spec, Path):
        return read_hierarchy(folder / spec.expanduser())
    if isinstance(spec, str):
        return _from_text(spec, folder, name)
    if isinstance(spec, Mapping):
        return _from_mapping(spec, name)
    raise InputError(
        f"The hierarchy of {name!r} must be a file, a builder such as 'mask', groups or a Hierarchy, got {spec!r}."
    )


def read_hierarchy(path: Path | str) -> Hierarchy:
    """Read a file in ARX's format: one line per value, ``value;level 1;…;root``, without a header.

    Labels are separated by semicolons, commas, tabs or bars: the first of these that splits all lines alike and ends in
    a single root is used. Labels may be quoted; a byte-order mark and blank lines are skipped. O(file).

    Raises:
        InputError: the file is missing, unreadable, not text, empty, ragged, or not a hierarchy.
    """
    path = Path(path)
    text = to_utf8(_load(path), None, f"The hierarchy file {str(path)!r}")[0].decode()
    sample = text if len(text) <= SAMPLE else text[:SAMPLE].rpartition("\n")[0] or text[:SAMPLE]
    lines = _lines(path, text, max(DELIMITERS, key=lambda delimiter: _fit(sample, delimiter)))
    if not lines:
        raise InputError(f"The hierarchy file {str(path)!r} is empty; it needs one line per value.")
    width = len(lines[0][1])
    for number, row in lines:
        if len(row) != width:
            raise InputError(
                f"The hierarchy file {str(path)!r} has {len(row)} labels on line {number} where line {lines[0][0]} "
                f"has {width}; repeat a label to fill a short branch."
            )
    return Hierarchy.from_rows([row for _, row in lines], str(path))


def write_hierarchy(hierarchy: Hierarchy, file: Path | str | TextIO) -> None:
    """Write a file that ``read_hierarchy`` can read, to a path or an open text file. O(leaves · levels).

    Labels are separated by semicolons, and quoted if they contain a semicolon, a quote or a line break.
    """
    if isinstance(file, (str, Path)):
        with Path(file).open("w", encoding="utf-8", newline="") as opened:
            return write_hierarchy(hierarchy, opened)
    quoted = [{label: _quoted(label) for label in level} for level in hierarchy.labels]
    for row in zip(*hierarchy.labels, strict=True):
        file.write(";".join(labels[label] for labels, label in zip(quoted, row, strict=True)) + "\n")
    return None


def _quoted(label: str) -> str:
    return '"' + label.replace('"', '""') + '"' if set(label) & set(';"\r\n') else label


def _from_text(spec: str, folder: Path, name: str) -> Hierarchy | HierarchyBuilder:
    """A builder such as ``mask`` or ``intervals:width=5``, else a file."""
    builder, _, rest = spec.partition(":")
    if builder.strip().lower() in builders.BUILDERS:
        return _make(builder.strip().lower(), _parameters(rest, name), name)
    path = folder / Path(spec).expanduser()
    if not _exists(path):
        raise InputError(f"The hierarchy of {name!r}: there is no {_unknown(spec, path)}")
    return read_hierarchy(path)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _unknown(spec: str, path: Path) -> str:
    """Say what does not exist, with a hint: a file if the text looks like one, otherwise a file or a builder."""
    if path.suffix:
        beside = [other.name for other in path.parent.glob(f"*{path.suffix}")]
        return f"file {str(path)!r}.{did_you_mean(path.name, beside)}"
    builder = spec.partition(":")[0]
    return f"file {str(path)!r} and no builder {builder!r}.{did_you_mean(builder, builders.BUILDERS)}"


def _parameters(text: str, name: str) -> dict[str, object]:
    """Parse ``width=5,factors=2/2``; the builder itself converts the texts to numbers and lists.

    A part after a comma that names no parameter continues the list before it: ``cuts=30,50`` is ``cuts=30/50``.
    """
    parameters: dict[str, str] = {}
    for part in text.split(",") if text.strip() else []:
        key, sign, value = part.partition("=")
        if not sign and part.strip() and parameters:
            parameters[[*parameters][-1]] += f"/{part.strip()}"
        elif not sign or not key.strip() or not value:
            raise InputError(
                f"The hierarchy of {name!r}: a parameter is written like width=5, or cuts=30/50, got {part!r}."
            )
        else:
            parameters[key.strip()] = value
    return dict(parameters)


def _from_mapping(spec: Mapping[object, object], name: str) -> Hierarchy | HierarchyBuilder:
    """A builder with its parameters if the key ``builder`` holds a text, otherwise nested groups."""
    builder = spec.get("builder")
    if not isinstance(builder, str):
        return Hierarchy.from_dict({str(group): below for group, below in spec.items()}, name=name)
    return _make(builder.strip().lower(), {str(key): value for key, value in spec.items() if key != "builder"}, name)


def _make(builder: str, parameters: dict[str, object], name: str) -> HierarchyBuilder:
    where = f"The hierarchy of {name!r}"
    if builder not in builders.BUILDERS:
        raise InputError(f"{where}: there is no builder {builder!r}.{did_you_mean(builder, builders.BUILDERS)}")
    known = {field.name: field.default is REQUIRED for field in fields(builders.BUILDERS[builder])}
    for key in parameters:
        if key not in known:
            raise InputError(f"{where}: the builder {builder!r} has no parameter {key!r}.{did_you_mean(key, known)}")
    for key, is_required in known.items():
        if is_required and key not in parameters:
            raise InputError(f"{where}: the builder {builder!r} needs the parameter {key!r}.")
    try:
        return cast(HierarchyBuilder, builders.BUILDERS[builder](**parameters))
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _load(path: Path) -> bytes:
    check_regular(path)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no hierarchy file {str(path)!r}; check the path.") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"The hierarchy file {str(path)!r} cannot be read: {reason}.") from None


def _lines(path: Path, text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """The line number and labels of each line that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [(reader.line_num, row) for row in reader if row and (len(row) > 1 or row[0].strip())]
    except csv.Error as error:
        raise InputError(
            f"The hierarchy file {str(path)!r} cannot be read at line {reader.line_num}: {error}; check its quotes."
        ) from None


def _fit(sample: str, delimiter: str) -> tuple[bool, bool, int]:
    """How well a delimiter fits, larger is better: all lines split alike, one root, most labels if not alike."""
    rows = [row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if len(row) > 1 or any(row)]
    width = len(rows[0]) if rows else 0
    is_alike = width > 1 and all(len(row) == width for row in rows)
    has_root = is_alike and len({row[-1] for row in rows}) == 1
    return is_alike, has_root, 0 if is_alike else width
