"""Checking the unrecoded part of a release: people singled out by unchanged columns, and people named in texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from shoal.audit.knowledge import Named, Others
from shoal.core.arrays import Codes
from shoal.core.hierarchy import STAR
from shoal.io.column_rules import WHOSE, is_emptied
from shoal.io.dictionaries import dictionary_of
from shoal.io.inspect.exact_dates import share_of_exact_dates
from shoal.io.inspect.profile import profile
from shoal.io.inspect.roles import RoleSuggestion, suggest, suggest_by_content
from shoal.io.label_grammar import parse_label

IN_TEXT: Mapping[str, str] = {
    "e-mail addresses": r"[^\s@,;<>]+@[^\s@]+\.\p{L}{2,}",
    "web addresses": r"(?i)\b(?:https?://|www\.)\S+",
    "phone numbers": r"\+\d[\d ()./-]{6,}\d|\b0\d{1,5}[ /-]\d{3,}|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b"
    r"|\(\d{3}\) ?\d{3}[-. ]\d{4}\b",
    "numbers that may name a person": r"\b\d{3}-\d{2}-\d{4}\b|\b\d{7,}\b"
    r"|(?i)\b(?:mrn|ssn|nhs|id|case|patient|fall|akte|dossier)\b[ .:#-]*(?:no|nr)?[ .:#-]*\d{3,}",
    "names of people": r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herrn?|Frau|Mme|Mlle|Sra?|Signora?|Dhr|Mevr)\.? +\p{Lu}\p{L}+",
    "dates": r"(?i)\b(?:\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})|(?:19|20)\d{2}-\d{2}-\d{2})\b"
    r"|\b\d{1,2}\.? (?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}*\.?,? \d{4}\b",
}
"""Patterns of references to people inside a text. Names without a title before them are not found."""


_N_LABELS = 200
"""At most this many distinct labels of a column are parsed."""


def look_at_others(
    frame: pl.DataFrame,
    quasi: Sequence[str],
    others: Sequence[str],
    dropped: pl.DataFrame | None = None,
    sensitive: Iterable[pl.Series] = (),
    people: Codes | None = None,
) -> Others:
    """Find out how unrecoded columns distinguish records, and whom any column names. O(records · columns).

    If people are counted, several records of one person count like a single one.

    Args:
        frame: the release.
        quasi: its quasi-identifiers, whose cells may print identifiers, texts or exact dates, if only in sets.
        others: the columns without a recoding.
        dropped: the columns of the original that the release lacks, if known: their names and numbers are searched for.
        sensitive: the sensitive columns, which may name people as well.
        people: the person of each record, if people are counted.
    """
    columns = (*(frame[name] for name in others), *sensitive)
    named = [found for column in columns for found in named_in(column, dropped)]
    labels = [frame[name] for name in quasi if frame.schema[name] == pl.String]
    named += [found for column in labels for found in _named_in_cells(column, dropped)]
    dates = {column.name: share for column in labels if (share := share_of_exact_dates(column))}
    told = Others(tuple(others), frame.height, named=tuple(named), exact_dates=dates)
    return _counted(told, frame, quasi, people) if others else told


def _counted(told: Others, frame: pl.DataFrame, quasi: Sequence[str], people: Codes | None) -> Others:
    """Add the numbers of people singled out."""
    others = told.columns
    size = pl.len()
    if people is not None:
        size, frame = pl.col(WHOSE).n_unique(), frame.with_columns(pl.Series(WHOSE, people))
    sizes = frame.select(before=size.over(quasi), alone=size.over(others), both=size.over([*quasi, *others]))
    by_others = (sizes["both"] == 1) & ((sizes["before"] > 1) | (sizes["alone"] == 1))
    return replace(
        told,
        n_alone=int((sizes["before"] == 1).sum()),
        n_exposed=int(by_others.sum()),
        fewest_before=int(sizes["before"].to_numpy().min(initial=frame.height)),
        fewest_alike=int(sizes["both"].to_numpy().min(initial=frame.height)),
        by_column={name: int((frame.select(n=size.over(name))["n"] == 1).sum()) for name in others},
    )


def named_in(values: pl.Series, dropped: pl.DataFrame | None = None) -> list[Named]:
    """Find references to people in one column: its values, or parts of its texts. O(records)."""
    column = profile(values)
    if said := _identifier(suggest_by_content(column)):
        return [Named(values.name, f"identifiers ({said.reason})", column.n_present)]
    return _named_in_texts(values, dropped) if column.is_wordy else []


def _named_in_cells(labels: pl.Series, dropped: pl.DataFrame | None) -> list[Named]:
    """Find references to people in the cells of a quasi-identifier: values by themselves or in sets. O(records)."""
    distinct = dictionary_of(labels)[1]
    some = distinct.gather_every(max(1, -(-distinct.len() // _N_LABELS)))
    members = profile(pl.Series(labels.name, [text for label in some for text in parse_label(label).texts], pl.String))
    if said := _identifier(suggest_by_content(members)):
        return [Named(labels.name, f"identifiers ({said.reason})", int((labels != STAR).sum()))]
    return _named_in_texts(labels, dropped) if members.is_wordy else []


def _named_in_texts(values: pl.Series, dropped: pl.DataFrame | None) -> list[Named]:
    texts = values.cast(pl.String)
    counts = {what: int(texts.str.contains(pattern).sum() or 0) for what, pattern in IN_TEXT.items()}
    counts |= {} if dropped is None else _dropped_words(texts, dropped)
    return [Named(values.name, what, n) for what, n in counts.items() if n]


def _identifier(said: RoleSuggestion | None) -> RoleSuggestion | None:
    """The suggestion, if it is that these are identifiers."""
    return said if said is not None and said.role == "identifier" and not said.is_free_text else None


def _dropped_words(texts: pl.Series, dropped: pl.DataFrame) -> dict[str, int]:
    """How many texts contain a capitalized word or a number from a dropped identifier, by the column it comes from."""
    found = {}
    words = texts.str.extract_all(_TELLING)
    for column in dropped.iter_columns():
        if is_emptied(column) or not _identifier(suggest(profile(column))):
            continue
        known = column.unique().cast(pl.String).str.extract_all(_TELLING).explode().drop_nulls().unique()
        n_found = int(words.list.eval(pl.element().is_in(known.implode())).list.any().sum() or 0)
        found[f"words of {column.name!r}, which was dropped,"] = n_found
    return found


_TELLING = r"\b(?:\p{Lu}\p{L}{2,}|\p{L}{0,4}-?\d{3,})\b"
"""What may be a person's name or number: a capitalized word of three letters or more, or a code with three digits."""
