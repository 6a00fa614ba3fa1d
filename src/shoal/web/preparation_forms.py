"""Forms for the preparation of columns: which steps suit a column, and changing the settings of a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from shoal.engine.vocabulary import Coarsening
from shoal.web.history import JobWords

Form = Literal["limit", "number", "bands", "periods", "whole"]
"""A value of the column, a number, a width or edges, a calendar period, a number of rows."""


@dataclass(frozen=True)
class PreparationField:
    """One preparation setting of a column: its label, and the values it takes."""

    word: str
    form: Form
    hint: str
    named: str = ""

    @property
    def label(self) -> str:
        """The label of its field."""
        return self.named or Coarsening.vocabulary()[self.word].label


_TOP = PreparationField("top", "limit", "Top coding: larger values become the largest one.")
_BOTTOM = PreparationField("bottom", "limit", "Bottom coding: smaller values become the smallest.")
_RARE = PreparationField("rare", "whole", "Rarer categories become “other”.")
_SUITED = {
    "numeric": (
        _TOP,
        _BOTTOM,
        PreparationField("rounding", "number", "Numbers become the nearest multiple."),
        PreparationField("bands", "bands", "One number is a width, several are the edges."),
    ),
    "date": (_TOP, _BOTTOM, PreparationField("bands", "periods", "Dates become their period.", "Publish only the")),
}


def suited(kind: str) -> tuple[PreparationField, ...]:
    """The preparation steps that suit a column of this kind."""
    return _SUITED.get(kind, (_RARE,))


def said_of(words: JobWords, word: str, column: str) -> str:
    """The current value of the setting; empty if it is not set."""
    return str(words.get(word, {}).get(column, ""))


def with_preparation(words: JobWords, word: str, column: str, value: str) -> JobWords:
    """Set a preparation step of a column, or remove it if the value is empty.

    Bands do not fit a hierarchy of the original values, so setting bands removes the column's hierarchy.
    """
    known: Mapping[str, Any] = words.get(word, {})
    said = {name: one for name, one in known.items() if name != column} | ({column: value} if value else {})
    changed = {key: one for key, one in words.items() if key != word} | ({word: said} if said else {})
    if word == "bands" and value and column in words.get("hierarchies", {}):
        changed["hierarchies"] = {name: tree for name, tree in words["hierarchies"].items() if name != column}
    return changed


def everything_said(words: JobWords) -> list[tuple[str, str, str]]:
    """All preparation settings: name, column and value of each."""
    return [
        (word, column, str(value)) for word in Coarsening.model_fields for column, value in words.get(word, {}).items()
    ]
