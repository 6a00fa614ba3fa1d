"""The values of options: parsed, and written as they are parsed."""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from shoal.algorithms import ALL
from shoal.engine.words import Words
from shoal.errors import InputError, did_you_mean


def names(option: str, said: Iterable[str] | None) -> tuple[str, ...]:
    """Names separated by commas, as in a line of CSV: a name with a comma is put in double quotes.

    >>> names("--quasi", ["age, zip", '"last, first"'])
    ('age', 'zip', 'last, first')
    """
    found = tuple(name for text in said or () for name in _split(option, text))
    if "" in found:
        raise InputError(f"{option} has an empty name; write names with commas between them, as in age,zip.")
    return found


def pairs(option: str, said: Iterable[str] | None) -> dict[str, str]:
    """Values by column: ``zip=zip.csv``; a column with ``=`` in its name is put in double quotes.

    >>> pairs("--hierarchy", ["zip=mask", '"a=b"=c.csv'])
    {'zip': 'mask', 'a=b': 'c.csv'}
    """
    found: dict[str, str] = {}
    for text in said or ():
        match = re.fullmatch(r'\s*(?:"((?:[^"]|"")+)"|([^="]+?))\s*=\s*(.+?)\s*', text, re.DOTALL)
        if match is None:
            raise InputError(f"{option} is written column=value, got {text!r}.")
        column = (match[1] or "").replace('""', '"') or match[2]
        if column in found:
            raise InputError(f"{option} is given twice for the column {column!r}; give it once.")
        found[column] = match[3]
    return found


def each(option: str, said: Iterable[str]) -> str | dict[str, str]:
    """One text for all columns, or one per column, separated by commas or given by repeating the option.

    >>> each("--cells", ["bounds"]), each("--cells", ["age=bounds,zip=codes"])
    ('bounds', {'age': 'bounds', 'zip': 'codes'})
    """
    parts = [part for text in said for part in _split(option, text)]
    if len(parts) == 1 and "=" not in parts[0]:
        return parts[0]
    if not all("=" in part for part in parts):
        raise InputError(f"{option} takes one value for all columns, or column=value for each, got {', '.join(parts)}.")
    return pairs(option, parts)


def one_of(option: str, text: str, known: Collection[str]) -> str:
    """Return the text after checking that it is known."""
    if text not in known:
        raise InputError(f"{option} cannot be {text!r}.{did_you_mean(text, known)}")
    return text


def orders(option: str, said: Iterable[str] | None) -> dict[str, tuple[str, ...]]:
    """The values of each column in order: ``size=S,M,L``."""
    return {name: names(option, [values]) for name, values in pairs(option, said).items()}


def labels(option: str, said: Iterable[str]) -> dict[str, dict[str, str]]:
    """The meaning of labels, by column: ``age:young=[..17]``."""
    found: dict[str, dict[str, str]] = {}
    for text in said:
        column, colon, rest = text.partition(":")
        label, sign, meaning = rest.partition("=")
        if not (colon and sign and column and label and meaning):
            raise InputError(f"{option} is written like 'age:young=[..17]', got {text!r}.")
        found.setdefault(column, {})[label] = meaning
    return found


def algorithms(said: str) -> str | list[str]:
    """``all``, or names separated by commas; their options may contain commas, too.

    >>> algorithms("mondrian:relaxed=true,strict=false,lattice")
    ['mondrian:relaxed=true,strict=false', 'lattice']
    """
    if said == "all":
        return said
    found: list[str] = []
    for part in said.split(","):
        is_option = found and ":" in found[-1] and part.partition(":")[0].strip() not in ALL
        if is_option:
            found[-1] += f",{part}"
        else:
            found.append(part.strip())
    return found


def _split(option: str, text: str) -> list[str]:
    try:
        return next(csv.reader([text], skipinitialspace=True, strict=True), [])
    except csv.Error as problem:
        raise InputError(f"{option} cannot be understood ({problem}): {text!r}; close every quote.") from None


def as_options(words: type[Words], said: Mapping[str, Any]) -> list[str] | None:
    """The settings as shell-quoted options; None if the command line cannot express them."""
    known = words.vocabulary()
    try:
        return [
            f"{known[name].options[0]} {shlex.quote(text)}"
            for name, value in said.items()
            for text in _WRITTEN.get(known[name].form, lambda value: [str(value)])(value)
        ]
    except ValueError:
        return None


def _pairs(value: Mapping[str, Any]) -> Iterator[str]:
    for name, one in value.items():
        if isinstance(one, Mapping):
            raise ValueError(name)
        yield f"{_column(name)}={one}"


def _orders(value: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name, one in value.items():
        yield f"{_column(name)}={_line(one)}"


def _labels(value: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for name, labels in value.items():
        for label, meaning in labels.items():
            if ":" in name or "=" in label:
                raise ValueError(name)
            yield f"{name}:{label}={meaning}"


_WRITTEN: dict[str, Callable[[Any], Iterable[str]]] = {
    "names": lambda value: [_line(value)], "pairs": _pairs, "orders": _orders, "labels": _labels,
}  # fmt: skip


def _column(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if "=" in name or '"' in name else name


def _line(values: Sequence[str]) -> str:
    """Names as a line of CSV."""
    if not all(value and value.isprintable() and value == value.strip() for value in values):
        raise ValueError(values)
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()
