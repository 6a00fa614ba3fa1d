"""From printed labels back to cells: what an outsider can make of a release, with the user's hierarchies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Flags
from shoal.core.cells import Cells
from shoal.core.domain import Domain
from shoal.core.groups import Groups
from shoal.core.hierarchy import Hierarchy
from shoal.core.recoding import Suppress, Tree
from shoal.core.table import QuasiColumn
from shoal.errors import InputError
from shoal.io.dictionaries import dictionary_of
from shoal.io.formula import ARMED, PLAIN_NUMBER
from shoal.io.label_reader import LabelReader

MOST_SHOWN = 5
"""Labels that a message names."""


@dataclass(frozen=True, eq=False)
class ReadColumn:
    """The cells of a column, one per record; ``strange`` labels were not understood, ``nobodys`` fit no value at all.

    Both come with the number of records that have them, most frequent first. A cell that fits nobody is the leaf
    after the last, which no row has. ``ends`` says of each distinct cell whether its labels name its outermost values.
    """

    cells: Cells
    ends: Flags
    strange: tuple[tuple[str, int], ...]
    nobodys: tuple[tuple[str, int], ...]


def read_cells(
    labels: pl.Series, column: QuasiColumn, declared: Mapping[str, str] | None = None, *, from_file: bool = True
) -> ReadColumn:
    """Read the labels of one column in the domain of the original's. O(records + labels · values).

    Labels from a file may have an apostrophe that keeps spreadsheets from running them; it is taken off first.
    """
    texts, ids, counts = distinct_texts(labels)
    reader = LabelReader(column.domain, hierarchy_of(column), declared)
    rearmed = _rearmed(texts) if from_file else texts
    spans = [span for span in takewhile(lambda span: span is not None, map(reader.span, rearmed)) if span is not None]
    if len(spans) == len(texts):
        return _of_spans(spans, texts, ids, column.domain)
    read = [reader.read(text) for text in rearmed]
    read = [reader.read(text) if codes is None else codes for codes, text in zip(read, texts, strict=True)]
    nobody = np.array([column.domain.n_leaves], np.int32)
    found = [nobody if codes is None or not codes.size else codes for codes in read]
    strange = _listed(texts, counts, [codes is None for codes in read])
    nobodys = _listed(texts, counts, [codes is not None and not codes.size for codes in read])
    cells = _cells(found, column.domain.n_leaves + 1)
    bounds = [(int(codes[0]), int(codes[-1])) for codes in found]
    return ReadColumn(cells.take(ids), _named_ends(texts, bounds, cells, column.domain), strange, nobodys)


def _of_spans(spans: Sequence[tuple[int, int]], texts: Sequence[str | None], ids: Codes, domain: Domain) -> ReadColumn:
    """The same where every label stands for all values between two, without listing these."""
    low, high = np.array(spans, np.int32).reshape(-1, 2).T
    cells = Cells.of_intervals(low, high)
    return ReadColumn(cells.take(ids), _named_ends(texts, spans, cells, domain), (), ())


def _named_ends(texts: Sequence[str | None], bounds: Sequence[tuple[int, int]], cells: Cells, domain: Domain) -> Flags:
    """Whether all labels of a distinct cell name its outermost values: ``[17..30]`` where somebody is 17 and 30."""
    ends = np.ones(cells.n_distinct, bool)
    values, n = domain.texts, domain.n_leaves
    named = [
        text is not None and last < n and values[first] in text and values[last] in text
        for text, (first, last) in zip(texts, bounds, strict=True)
    ]
    np.logical_and.at(ends, cells.ids, named)
    return ends


def aggregated_cells(labels: pl.Series, cells: Cells) -> ReadColumn:
    """The cells of labels that are aggregates, found by what is printed; no label names the ends of its cell."""
    assert cells.printed is not None
    texts, ids, _ = distinct_texts(labels)
    places = {text: place for place, text in enumerate(cells.printed.cast(pl.String).to_list())}
    own = np.array([places[text] for text in texts], np.int32)
    return ReadColumn(replace(cells, ids=own[ids]), np.zeros(cells.n_distinct, bool), (), ())


def hierarchy_of(column: QuasiColumn) -> Hierarchy | None:
    """The hierarchy that a column's labels may come from."""
    recoding = column.recoding
    return recoding.hierarchy if isinstance(recoding, Tree) and not isinstance(recoding, Suppress) else None


def refuse_strange(columns: Mapping[str, ReadColumn]) -> None:
    """Raise InputError where labels were not understood: which, how often, and how to declare them."""
    strange = {name: read.strange for name, read in columns.items() if read.strange}
    if not strange:
        return
    total = sum(len(labels) for labels in strange.values())
    shown = "; ".join(f"{name}: {_named(labels)}" for name, labels in list(strange.items())[:MOST_SHOWN])
    name, labels = next(iter(strange.items()))
    raise InputError(
        f"{total:,} label{'' if total == 1 else 's'} of the release cannot be understood ({shown}). Give the hierarchy "
        f"they come from (--hierarchy {name}=FILE), or say what each stands for "
        f"(--label '{name}:{labels[0][0]}={{value, value}}')."
    )


def distinct_texts(values: pl.Series) -> tuple[list[str | None], Codes, Sequence[int]]:
    """The distinct values as texts, which of them each row has, and how many rows each has. O(rows)."""
    ids, distinct = dictionary_of(values.cast(pl.String))
    texts: list[str | None] = distinct.to_list()
    if values.null_count():
        ids = np.where(ids < 0, np.int32(len(texts)), ids)
        texts.append(None)
    return texts, ids, np.bincount(ids, minlength=len(texts)).tolist()


def _rearmed(texts: Sequence[str | None]) -> list[str | None]:
    """Without the apostrophe that keeps spreadsheets from running a text."""
    text = pl.col("text")
    is_disarmed = text.str.starts_with("'") & text.str.contains(ARMED) & ~text.str.contains(PLAIN_NUMBER)
    frame = pl.DataFrame({"text": pl.Series(texts, dtype=pl.String)})
    return frame.select(pl.when(is_disarmed).then(text.str.slice(1)).otherwise(text))["text"].to_list()


def _cells(found: Sequence[Codes], n_leaves: int) -> Cells:
    """One for each label: intervals where all labels are intervals, else sets."""
    if all(codes[-1] - codes[0] + 1 == codes.size for codes in found):
        low = np.array([codes[0] for codes in found], np.int32)
        high = np.array([codes[-1] for codes in found], np.int32)
        return Cells.of_intervals(low, high)
    offsets = np.concatenate([[0], np.cumsum([codes.size for codes in found])]).astype(np.int64)
    groups = Groups(offsets, np.concatenate(found))
    return Cells.of_sets(groups, np.arange(n_leaves, dtype=np.int32), n_leaves)


def _listed(texts: Sequence[str | None], counts: Sequence[int], wanted: Sequence[bool]) -> tuple[tuple[str, int], ...]:
    found = [(str(text), n) for text, n, is_wanted in zip(texts, counts, wanted, strict=True) if is_wanted]
    return tuple(sorted(found, key=lambda pair: -pair[1]))


def _named(labels: Sequence[tuple[str, int]]) -> str:
    shown = [f"{text!r} ({n:,} record{'' if n == 1 else 's'})" for text, n in labels[:MOST_SHOWN]]
    return ", ".join([*shown, "…"] if len(labels) > len(shown) else shown)
