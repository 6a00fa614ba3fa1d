"""Reading printed labels back into cells: what an outsider can infer from a release, with the user's hierarchies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.cells import Cells
from shoal.core.domain import Domain
from shoal.core.groups import Groups
from shoal.core.hierarchy import MISSING, STAR
from shoal.core.table import QuasiColumn
from shoal.errors import InputError
from shoal.io.dictionaries import dictionary_of
from shoal.io.formula import rearmed
from shoal.io.label_reader import LabelReader

MOST_SHOWN = 5
"""Number of labels that a message lists."""


@dataclass(frozen=True, eq=False)
class ReadColumn:
    """The cells of a column, one per record; ``strange`` labels were not understood, ``nobodys`` match no value.

    Both come with the number of records that have them, most frequent first. A cell that matches nobody gets the code
    after the last one, which no row has. ``ends`` flags the distinct cells whose labels name their outermost values.
    """

    cells: Cells
    ends: Flags
    strange: tuple[tuple[str, int], ...]
    nobodys: tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class PlainLabels:
    """The meaning of labels: the codes from ``low`` to ``high``, or the ``members`` that are ``owned`` by the label.

    ``is_known`` flags the labels that were understood; the others are not described.
    """

    low: Codes
    high: Codes
    owned: Offsets
    members: Codes
    is_known: Flags

    @classmethod
    def none(cls, n_labels: int) -> PlainLabels:
        """None of these labels is understood."""
        nothing = np.full(n_labels, -1, np.int32)
        return cls(nothing, nothing, np.empty(0, np.int64), np.empty(0, np.int32), np.zeros(n_labels, bool))


def read_cells(
    labels: pl.Series, column: QuasiColumn, declared: Mapping[str, str] | None = None, *, from_file: bool = True
) -> ReadColumn:
    """Read the labels of one column in terms of the original's domain. O(records + labels · values).

    Labels from a file may have an apostrophe that stops spreadsheets from running them; it is removed first.
    """
    texts, ids, counts = distinct_texts(labels)
    domain, hierarchy = column.domain, column.recoding.labelled
    printed = pl.Series(texts, dtype=pl.String).to_frame("text").select(rearmed(pl.col("text")))["text"].to_list()
    meant: list[str | None] = printed if from_file else texts
    is_plain = not declared and hierarchy is None
    plain = plain_labels(meant, domain) if is_plain else PlainLabels.none(len(texts))
    others, reader = np.flatnonzero(~plain.is_known).tolist(), LabelReader(domain, hierarchy, declared)
    read: dict[int, Codes | None] = {}
    for place in others:
        codes = reader.read(meant[place])
        read[place] = reader.read(texts[place]) if codes is None else codes
    cells, low, high = _cells(plain, read, domain.n_leaves)
    strange = _listed(texts, counts, [place for place, codes in read.items() if codes is None])
    nobodys = _listed(texts, counts, [place for place, codes in read.items() if codes is not None and not codes.size])
    return ReadColumn(cells.take(ids), _named_ends(texts, low, high, cells, domain), strange, nobodys)


def _named_ends(texts: Sequence[str | None], low: Codes, high: Codes, cells: Cells, domain: Domain) -> Flags:
    """Whether all labels of a distinct cell name its outermost values: ``[17..30]`` if both ages occur."""
    values = [*domain.texts, None]  # the last code matches nobody
    said = zip(texts, low.tolist(), high.tolist(), strict=True)
    named = [_names(text, values[first]) and _names(text, values[last]) for text, first, last in said]
    ends = np.ones(cells.n_distinct, bool)
    ends[cells.ids[~np.array(named, bool)]] = False
    return ends


def _names(text: str | None, value: str | None) -> bool:
    return text is not None and value is not None and value in text


def aggregated_cells(labels: pl.Series, cells: Cells) -> ReadColumn:
    """The cells of labels that are aggregates, found by their printed text; no label names the ends of its cell."""
    assert cells.printed is not None
    texts, ids, _ = distinct_texts(labels)
    places = {text: place for place, text in enumerate(cells.printed.cast(pl.String).to_list())}
    own = np.array([places[text] for text in texts], np.int32)
    return ReadColumn(replace(cells, ids=own[ids]), np.zeros(cells.n_distinct, bool), (), ())


def refuse_strange(columns: Mapping[str, ReadColumn]) -> None:
    """Raise InputError if labels were not understood: says which, how often, and how to declare them."""
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
    """The distinct values as texts, the position of each row's value among them, and their counts. O(rows)."""
    ids, distinct = dictionary_of(values.cast(pl.String))
    texts: list[str | None] = distinct.to_list()
    if values.null_count():
        ids = np.where(ids < 0, np.int32(len(texts)), ids)
        texts.append(None)
    return texts, ids, np.bincount(ids, minlength=len(texts)).tolist()


def _cells(plain: PlainLabels, read: Mapping[int, Codes | None], n_leaves: int) -> tuple[Cells, Codes, Codes]:
    """One cell per label, intervals if all labels are intervals, otherwise sets; and its first and last code."""
    nobody = np.array([n_leaves], np.int32)
    own = [nobody if codes is None or not codes.size else codes for codes in read.values()]
    owned = np.concatenate([plain.owned, np.repeat([*read], [codes.size for codes in own]).astype(np.int64)])
    members = np.concatenate([plain.members, *own])
    low, high = plain.low.copy(), plain.high.copy()
    listed, starts, sizes = np.unique(owned, return_index=True, return_counts=True)
    if listed.size:
        low[listed] = np.minimum.reduceat(members, starts)
        high[listed] = np.maximum.reduceat(members, starts)
    if (high[listed] - low[listed] + 1 == sizes).all():
        return Cells.of_intervals(low, high), low, high
    spans = np.setdiff1d(np.arange(low.size), listed)
    widths = (high[spans] - low[spans] + 1).astype(np.int64)
    firsts = np.repeat(low[spans] - np.cumsum(widths) + widths, widths)
    owned = np.concatenate([owned, np.repeat(spans, widths)])
    members = np.concatenate([members, np.arange(widths.sum()) + firsts])[np.argsort(owned, kind="stable")]
    offsets = np.concatenate([[0], np.cumsum(np.bincount(owned, minlength=low.size))]).astype(np.int64)
    groups = Groups(offsets, members.astype(np.int32))
    return Cells.of_sets(groups, np.arange(n_leaves + 1, dtype=np.int32), n_leaves + 1), low, high


def _listed(texts: Sequence[str | None], counts: Sequence[int], places: Sequence[int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(((str(texts[place]), counts[place]) for place in places), key=lambda pair: -pair[1]))


def _named(labels: Sequence[tuple[str, int]]) -> str:
    shown = [f"{text!r} ({n:,} record{'' if n == 1 else 's'})" for text, n in labels[:MOST_SHOWN]]
    return ", ".join([*shown, "…"] if len(labels) > len(shown) else shown)


def plain_labels(texts: Sequence[str | None], domain: Domain) -> PlainLabels:
    """Read many labels at once: those that shoal prints without quotes in a column without a hierarchy.

    These are values, ranges ``[first..last]``, sets ``{a, b}`` and stars. O(characters + values).
    """
    label, n_chars = pl.col("label"), pl.col("label").str.len_chars()
    is_range = label.str.starts_with("[") & label.str.ends_with("]")
    is_set = label.str.starts_with("{") & label.str.ends_with("}") & (n_chars > 2)
    frame = pl.DataFrame({"label": pl.Series(texts, dtype=pl.String)}).with_row_index("place")
    clear = frame.with_columns(inner=label.str.slice(1, n_chars - 2)).filter(~label.str.contains('"', literal=True))
    stars, ranges, sets = (clear.filter(kind) for kind in (label == STAR, is_range, is_set))
    values = clear.filter(label != STAR, ~is_range, ~is_set)
    known = _codes(domain)
    spans = [
        stars.select("place", first=pl.lit(0), last=pl.lit(domain.n_leaves - 1)),
        values.join(known, left_on="label", right_on="text").select("place", first="code", last="code"),
        *([_ranges(ranges, known)] if domain.is_ordered else []),
    ]
    low, high = (np.full(frame.height, -1, np.int32) for _ in range(2))
    for found in spans:
        low[found["place"]], high[found["place"]] = found["first"], found["last"]
    owned, members = _sets(sets, known, domain)
    is_known: Flags = low >= 0
    is_known[owned] = True
    return PlainLabels(low, high, owned, members, is_known)


def _codes(domain: Domain) -> pl.DataFrame:
    """The code of each text; the first one if several print alike."""
    codes = pl.DataFrame({"text": pl.Series(domain.texts, dtype=pl.String), "code": np.arange(domain.n_leaves)})
    if domain.missing is not None:
        codes = codes.filter(pl.col("code") != domain.missing)
    return codes.unique("text", keep="first", maintain_order=True)


def _ranges(ranges: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """Read ranges of ordered values. Ends that are empty or end like a range are left to the slower reader."""
    ends = pl.col("inner").str.split_exact("..", 2)
    parts = ranges.select("place", ends.alias("ends")).unnest("ends").filter(pl.col("field_2").is_null())
    clear = [~pl.col(name).str.contains(r"(^|[.\]])$") for name in ("field_0", "field_1")]
    found = parts.filter(clear).join(known, left_on="field_0", right_on="text").rename({"code": "first"})
    found = found.join(known, left_on="field_1", right_on="text").rename({"code": "last"})
    return found.filter(pl.col("first") <= pl.col("last"))


def _sets(sets: pl.DataFrame, known: pl.DataFrame, domain: Domain) -> tuple[Offsets, Codes]:
    """The positions of sets, repeated for each member, and the members."""
    inner = pl.col("inner")
    sets = sets.filter(~inner.str.contains(r"[{}]")).with_columns(text=inner.str.split(", "))
    sets = sets.filter(
        inner.str.count_matches(",", literal=True) < pl.col("text").list.len(), ~pl.col("text").list.contains("")
    )
    known = known.filter(pl.col("text") != MISSING)
    if domain.missing is not None:
        known = pl.concat([known, pl.DataFrame({"text": [MISSING], "code": [domain.missing]})])
    members = sets.select("place", "text").explode("text").join(known, on="text", how="left")
    strange = members.filter(pl.col("code").is_null()).select("place").unique()
    members = members.join(strange, on="place", how="anti").unique(["place", "code"]).sort("place", "code")
    return members["place"].to_numpy().astype(np.int64), members["code"].to_numpy().astype(np.int32)
