"""The settings that an inspection suggests, each with its reason: for a job file, or to be run at once."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.core.schema import UNPUBLISHED
from shoal.engine.file_formats import JOB
from shoal.engine.vocabulary import Reading
from shoal.io.inspect.findings import Inspection
from shoal.io.toml import to_toml

K = 5
"""A common minimal class size; statistical offices require 3 to 10."""

_ROLE_WORDS = {
    "identifiers": ("identifier", "dropped"),
    "quasi_identifiers": ("quasi-identifier", "recoded, since others may know them"),
    "sensitive": ("sensitive", "published unchanged, and not to be linked to a person"),
    "others": ("other", "published unchanged"),
}
_TOO_COMMON = 0.8
_WIDTH = 101


@dataclass(frozen=True)
class Suggestion:
    """A setting, its value, and the reasons: one for all of it, or one for each column."""

    word: str
    value: Any
    reason: str = ""
    by_column: Mapping[str, str] | None = None


def suggestions(found: Inspection, frame: pl.DataFrame) -> list[Suggestion]:
    """The settings that a run needs and that were not given, in the order of a job file."""
    return [*_roles(found), *_privacy(found, frame), *_reading(found), *_meaning(found)]


def suggested_words(found: Inspection, frame: pl.DataFrame) -> dict[str, Any]:
    """The suggestions as settings and their values."""
    return {one.word: one.value for one in suggestions(found, frame)}


def job_text(found: Inspection, frame: pl.DataFrame, source: str, said: Mapping[str, Any], outputs: str) -> str:
    """A job file that can be run as it is, with the reason for each line.

    It names the table ``source``, has the settings for reading that were ``said``, and the names of its outputs begin
    with ``outputs``.
    """
    lines = [
        f"# Suggested by shoal inspect for {source}: {found.n_rows:,} rows. Look through it, then: shoal run JOB.toml"
    ]
    lines += [f"# You have to decide: {question}" for question in found.questions]
    lines += ["", to_toml({"format": JOB.mark, "input": source}).rstrip()]
    lines += [to_toml({"output": f"{outputs}_release.csv", "report": f"{outputs}_report.html"}).rstrip()]
    plain = {word: list(value) if isinstance(value, tuple) else value for word, value in said.items()}
    every = [*suggestions(found, frame), *(Suggestion(word, value, "as it was said") for word, value in plain.items())]
    scalars = [one for one in every if not isinstance(one.value, Mapping)]
    sections = [one for one in every if isinstance(one.value, Mapping)]
    for one in (*scalars, *sections):
        lines += ["", *_comments(one), to_toml({one.word: one.value}).strip()]
    return "\n".join(lines) + "\n"


def _roles(found: Inspection) -> Iterator[Suggestion]:
    person = found.words.get("person")
    reasons = {column.name: column.reason or column.kind for column in found.columns}
    for word, (role, what) in _ROLE_WORDS.items():
        names = [name for name in found.named(role) if name != person]  # type: ignore[arg-type]
        if names:
            yield Suggestion(word, names, f"Columns that are {what}.", {name: reasons[name] for name in names})
    if person:
        yield Suggestion("person", person, "The person of each row: people are counted, not rows.")


def _privacy(found: Inspection, frame: pl.DataFrame) -> Iterator[Suggestion]:
    k = min(K, max(1, found.n_rows // 2))
    why = (
        f"Everybody hides among at least {k} people with equal quasi-identifiers; l requires that many different "
        "sensitive values among them."
    )
    yield Suggestion("privacy", {"k": k, **_diversity(found, frame)}, why)


def _diversity(found: Inspection, frame: pl.DataFrame) -> dict[str, Any]:
    """Two values per class for each sensitive column, unless it is so uneven that this costs more than it gains."""
    sensitive = found.named("sensitive")
    counts = {name: frame[name].alias("value").value_counts()["count"] for name in sensitive if ":" not in name}
    even = [name for name, own in counts.items() if own.max() / frame.height <= _TOO_COMMON]  # type: ignore[operator]
    if not even:
        return {}
    return {"l": 2} if sensitive == even and len(even) == 1 else {"l": [f"2:of={name}:others=ignore" for name in even]}


def _reading(found: Inspection) -> Iterator[Suggestion]:
    for word, value in found.words.items():
        if word in Reading.model_fields:
            reasons = [one.what for one in found.advice if word in one.words]
            yield Suggestion(word, value, " ".join(dict.fromkeys(reasons)))


def _meaning(found: Inspection) -> Iterator[Suggestion]:
    published = {column.name for column in found.columns if column.role not in UNPUBLISHED}
    recoded = {*found.named("quasi-identifier"), *found.named("sensitive")}
    if orders := {name: order for name, order in found.words.get("orders", {}).items() if name in published}:
        yield Suggestion("orders", orders, "Values that have an order, from the lowest to the highest.")
    fits = {name: fit.spec for name, fit in found.hierarchies.items()} | {
        name: spec for name, spec in found.words.get("hierarchies", {}).items() if name in recoded
    }
    if fits:
        reasons = {name: fit.why for name, fit in found.hierarchies.items()}
        yield Suggestion("hierarchies", fits, "How values become coarser.", reasons)


def _comments(one: Suggestion) -> list[str]:
    """The reasons, wrapped to lines of a readable length."""
    lines = _folded(one.reason)
    for name, reason in (one.by_column or {}).items():
        lines += _folded(f"{_one_line(name)}: {reason}", "  ")
    return lines


def _folded(text: str, indent: str = "") -> list[str]:
    lines = textwrap.wrap(_one_line(text), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [f"# {indent}{line}" for line in lines]


def _one_line(text: str) -> str:
    """The text without line breaks and control characters, which would end a comment."""
    return "".join(sign if sign.isprintable() else " " for sign in text)
