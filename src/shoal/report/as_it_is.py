"""Columns published unchanged, and how many records are unique for an adversary who knows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.core.arrays import Words64
from shoal.core.parallel_work import side_by_side
from shoal.report.figures import counted, listed

_MOST = 8
"""Maximum number of columns listed by name."""


@dataclass(frozen=True)
class AsItIs:
    """Columns without a recoding, and the number of unique records for each of three adversaries.

    The first knows the quasi-identifiers, the second also the other columns, the third everything; None if values are
    not tied to records. ``is_estimate`` if only a sample of the records was counted. ``prepared`` are columns that were
    changed in preparation, independently of the privacy models.
    """

    others: tuple[str, ...]
    sensitive: tuple[str, ...]
    n_records: int
    n_alone: int = 0
    n_with_others: int = 0
    n_with_all: int | None = None
    is_estimate: bool = False
    prepared: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.others or self.sensitive)

    def __str__(self) -> str:
        if not self:
            return ""
        found = [(self.others, self.n_with_others), (self.sensitive, self.n_with_all)]
        told = [(names, n) for names, n in found if names and n is not None]
        named = self._named
        if not told:
            return named
        about = "about " if self.is_estimate else ""
        (known, n), *more = told
        says = (
            f"{named} An adversary who knows {listed(known, _MOST)} as well as the quasi-identifiers finds "
            f"{about}{n:,} of {counted(self.n_records, 'record')} unique ({about}{self.n_alone:,} by the "
            "quasi-identifiers alone)"
        )
        return f"{says}{''.join(f'; with {listed(names, _MOST)} too, {about}{n:,}' for names, n in more)}."

    @property
    def _named(self) -> str:
        names = (*self.others, *self.sensitive)
        kinds = {
            "Published unchanged": [name for name in names if name not in self.prepared],
            "Published as prepared": [name for name in names if name in self.prepared],
        }
        return " ".join(f"{kind}: {', '.join(those)}." for kind, those in kinds.items() if those)


def look_as_it_is(frame: pl.DataFrame, quasi: Sequence[str], others: Sequence[str], sensitive: Sequence[str]) -> AsItIs:
    """Count in a published table; sensitive columns missing from it are in another table. O(records · columns).

    >>> look_as_it_is(pl.DataFrame({"age": [1, 1, 2], "job": ["a", "b", "a"]}), ["age"], ["job"], []).n_with_others
    3
    """
    found = AsItIs(tuple(others), tuple(sensitive), frame.height)
    if not found:
        return found
    sets = known_columns(quasi, others, [name for name in sensitive if name in frame.columns])
    known = list(dict.fromkeys(sets))
    numbers = side_by_side(lambda names: n_once(frame.select(names).hash_rows().to_numpy()), known, frame.height)
    counts = dict(zip(known, numbers, strict=True))
    return with_counts(found, [counts[names] for names in sets], frame.columns)


def known_columns(quasi: Sequence[str], others: Sequence[str], sensitive: Sequence[str]) -> list[tuple[str, ...]]:
    """The columns known to the three adversaries: the quasi-identifiers, also the other columns, everything."""
    return [tuple(quasi), (*quasi, *others), (*quasi, *others, *sensitive)]


def with_counts(found: AsItIs, counts: Sequence[int], columns: Sequence[str]) -> AsItIs:
    """Add the numbers of records that are unique for the three adversaries, in a table with these columns."""
    alone, with_others, with_all = counts
    is_tied = set(found.sensitive) <= set(columns)
    return replace(found, n_alone=alone, n_with_others=with_others, n_with_all=with_all if is_tied else None)


def n_once(hashes: Words64) -> int:
    """Count the numbers that occur exactly once. O(n log n)."""
    ordered = np.sort(hashes)
    differs = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])
    return int((differs[1:] & differs[:-1]).sum()) if ordered.size else 0
