"""Statistics of one column that need no knowledge of its meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.domain import Kind
from shoal.io.inspect.partition import NumberedColumn
from shoal.io.kinds import guess_kind

_N_SAMPLED = 200
_N_EXAMPLES = 3
_LONGEST_SAMPLE = 200
_LONGEST_EXAMPLE = 40
_WHOLE = re.compile(r"-?\d+")
_CODE = re.compile(r"[A-Za-z]{1,6}[-_/ ]?\d{3,}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE = 4
_OFTEN_NEW = 0.5
_FEW = 20
_UNEVEN = 0.2


@dataclass(frozen=True)
class Profile:
    """Statistics of a column, with some of its distinct values as texts."""

    name: str
    kind: Kind
    n_rows: int
    n_distinct: int
    n_missing: int
    n_unique: int
    separation: float
    largest_share: float
    sample: tuple[str, ...]

    @property
    def n_present(self) -> int:
        """Number of rows that have a value."""
        return self.n_rows - self.n_missing

    @property
    def distinction(self) -> float:
        """Distinct values per non-missing value: 1 if all differ."""
        return self.n_distinct / self.n_present if self.n_present else 0.0

    @property
    def is_measured(self) -> bool:
        """Whether the values are dates or fractions, which may all differ without being identifiers."""
        if self.kind == "numeric":
            return not all(_WHOLE.fullmatch(text) for text in self.sample)
        return self.kind == "date"

    @property
    def are_names(self) -> bool:
        """Whether values that nearly all differ may be identifiers: not dates, fractions or amounts.

        Numeric identifiers are consecutive, or have similar numbers of digits and are spread evenly; amounts range from
        few digits to many.
        """
        if self.is_measured:
            return False
        numbers = [int(text) for text in self.sample if _WHOLE.fullmatch(text)] if self.kind == "numeric" else []
        if len(numbers) < _FEW:
            return True
        low, *_, high = sorted(numbers)
        is_counted = high - low < 3 * self.n_rows
        middle, lower = sorted(numbers)[len(numbers) // 2], sorted(numbers)[len(numbers) // 50]
        is_even = abs(middle - (low + high) / 2) < _UNEVEN * (high - low)
        return is_counted or (low > 0 and len(str(high)) - len(str(lower)) < 2 and is_even)

    @property
    def are_codes(self) -> bool:
        """Whether each value consists of letters and a number, of similar length: P0301."""
        is_code = self.kind == "nominal" and all(_CODE.fullmatch(text) for text in self.sample)
        return is_code and len({len(text) for text in self.sample}) <= 2

    @property
    def is_wordy(self) -> bool:
        """Whether at least half of the values are phrases of four words or more."""
        wordy = [len(_WORD.findall(text)) >= _SENTENCE for text in self.sample]
        return self.kind == "nominal" and 2 * sum(wordy) >= len(wordy) > 0

    @property
    def is_free_text(self) -> bool:
        """Whether the values are free text: phrases, most of which occur only once."""
        return self.distinction > _OFTEN_NEW and self.n_distinct > 1 and self.is_wordy

    @property
    def examples(self) -> tuple[str, ...]:
        """A few values, truncated."""
        return tuple(
            text if len(text) <= _LONGEST_EXAMPLE else text[: _LONGEST_EXAMPLE - 1] + "…"
            for text in self.sample[:_N_EXAMPLES]
        )


def profile(values: pl.Series) -> Profile:
    """Profile one column. O(rows)."""
    return profile_of(NumberedColumn.of(values))


def profile_of(column: NumberedColumn) -> Profile:
    """Profile a numbered column. O(distinct values)."""
    distinct, n_rows = column.distinct, column.n_rows
    sizes = np.append(column.sizes, column.n_missing)
    n_pairs = n_rows * (n_rows - 1)
    together = float(np.dot(sizes.astype(np.float64), sizes - 1.0))
    return Profile(
        name=column.name,
        kind=guess_kind(distinct) if len(distinct) else "nominal",
        n_rows=n_rows,
        n_distinct=len(distinct),
        n_missing=column.n_missing,
        n_unique=int((sizes == 1).sum()),
        separation=1.0 - together / n_pairs if n_pairs else 0.0,
        largest_share=float(sizes.max()) / n_rows if n_rows else 0.0,
        sample=_sample(distinct),
    )


def _sample(distinct: pl.Series) -> tuple[str, ...]:
    """Some distinct values, spread evenly from first to last, truncated for speed."""
    step = max(1, -(-len(distinct) // _N_SAMPLED))
    some = distinct.gather_every(step).to_list() if step > _FEW else distinct.to_list()[::step]
    return tuple(str(value)[:_LONGEST_SAMPLE] for value in some)
