"""Reading many labels at once: those that shoal prints without quotes in a column without a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.domain import Domain
from shoal.core.hierarchy import MISSING, STAR


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


def plain_labels(texts: Sequence[str | None], domain: Domain) -> PlainLabels:
    """Read values, ranges ``[first..last]``, sets ``{a, b}`` and stars. O(characters + values)."""
    label, inner = pl.col("label"), pl.col("label").str.slice(1, pl.col("label").str.len_chars() - 2)
    is_range = label.str.starts_with("[") & label.str.ends_with("]")
    is_set = label.str.starts_with("{") & label.str.ends_with("}") & (label.str.len_chars() > 2)
    frame = pl.DataFrame({"label": pl.Series(texts, dtype=pl.String)}).with_row_index("place")
    frame = frame.with_columns(
        inner.alias("inner"),
        pl.when(label.str.contains('"', literal=True) | label.is_null())
        .then(pl.lit("strange"))
        .when(label == STAR)
        .then(pl.lit("star"))
        .when(is_range)
        .then(pl.lit("range"))
        .when(is_set)
        .then(pl.lit("set"))
        .otherwise(pl.lit("value"))
        .alias("what"),
    )
    stars, values, ranges, sets = (frame.filter(what=what) for what in ("star", "value", "range", "set"))
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
