"""Settings as options of a command: the inverse of ``spelling``."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from shoal.engine.words import Word, Words


def as_options(words: type[Words], said: Mapping[str, Any]) -> list[str] | None:
    """The settings as shell-quoted options; None if the command line cannot express them."""
    known = words.vocabulary()
    try:
        return [
            f"{known[name].options[0]} {shlex.quote(text)}"
            for name, value in said.items()
            for text in _WRITTEN.get(known[name].form, _plain)(known[name], value)
        ]
    except ValueError:
        return None


def _plain(word: Word, value: Any) -> Iterator[str]:
    yield str(value)


def _names(word: Word, value: Sequence[str]) -> Iterator[str]:
    yield _line(value)


def _pairs(word: Word, value: Mapping[str, Any]) -> Iterator[str]:
    for name, one in value.items():
        if isinstance(one, Mapping):
            raise ValueError(word.name)
        yield f"{_column(name)}={one}"


def _orders(word: Word, value: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name, one in value.items():
        yield f"{_column(name)}={_line(one)}"


def _labels(word: Word, value: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for name, labels in value.items():
        for label, meaning in labels.items():
            if ":" in name or "=" in label:
                raise ValueError(word.name)
            yield f"{name}:{label}={meaning}"


_WRITTEN: dict[str, Callable[[Word, Any], Iterator[str]]] = {
    "names": _names, "pairs": _pairs, "orders": _orders, "labels": _labels,
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
