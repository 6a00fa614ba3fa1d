"""The public edition: what may be told about a release to anybody who has it.

A ``PublicSummary`` is not a ``Summary`` with parts removed. It is built from the published table and from settings
chosen before the data was seen, by code that has access neither to the original table nor to the owners of the records.
So it contains nothing that its reader could not compute. It contains

* the number of records, the names and roles of the published columns;
* the policy and the privacy models, what they mean, and whether each was found to hold;
* the class sizes, the resulting risks, the smallest number of distinct sensitive values in a class, and how many
  records are unique for an adversary who also knows the columns without a recoding;
* the smallest and the least diverse classes, under their published labels, and the first records (they are shuffled);
* the preparation of columns before the table was anonymized, as it was requested;
* the name of the algorithm, the name of the metric it minimized, and the version of shoal.

What it leaves out, and why: risks before (facts about the original); losses, in total and by column (they compare cells
with the original domain and count suppressed rows); the number of suppressed rows and its limit (together with the
number of records they reveal the size of the original); the value that a privacy model achieved by its own measure
(some models measure against the original; the sizes and diversities above are measured here instead, on the published
table); why the algorithm was chosen, its parameters and its times (they may depend on the data or contain paths); names
of files and of dropped columns; hashes; the seed, which no edition contains.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any

import polars as pl

from shoal.core.contracts import PrivacyModel
from shoal.core.hierarchy import MISSING
from shoal.report.as_it_is import AsItIs, look_as_it_is
from shoal.report.figures import cut, figure
from shoal.report.risk import RecordRisk

MAX_COLUMNS = 12
"""Maximum number of columns in a table of a report."""


@dataclass(frozen=True)
class PublishedColumns:
    """The published columns by role."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True)
class Promise:
    """A privacy model of the run: its name, its meaning in a sentence, and whether it was found to hold."""

    name: str
    meaning: str
    holds: bool


def meaning(model: PrivacyModel) -> str:
    """Describe a privacy model, with its parameters in place of the letters.

    Models describe themselves with their flag or parameters as capital letters: "at least K - 1 others".
    """
    text = model.means
    said: dict[str, Any] = asdict(model) if is_dataclass(model) else {}
    for name, value in ({model.flag: getattr(model, model.flag, None)} | said).items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            letter = re.escape(name.upper())
            text = re.sub(rf"\b{letter} - 1\b", figure(value - 1), text)
            text = re.sub(rf"\b{letter}\b", figure(value), text)
    return text[:1].upper() + text[1:] + "."


@dataclass(frozen=True)
class DistinctValues:
    """The smallest number of distinct values of a sensitive column in any class."""

    column: str
    fewest: int


@dataclass(frozen=True)
class PublishedClass:
    """A class with its published labels; ``n_values`` counts the distinct values of each sensitive column."""

    labels: tuple[str, ...]
    size: int
    n_values: tuple[int, ...]


@dataclass(frozen=True)
class Sample:
    """Some records, quasi-identifiers first; ``n_more_columns`` did not fit."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_more_columns: int


@dataclass(frozen=True)
class PolicyFollowed:
    """The policy that a run followed: its name, its source, and the settings that deviate from it."""

    name: str
    summary: str
    dated: str
    source: str
    rationale: str
    changed: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The policy in one line, with deviating settings."""
        changed = f"; changed: {'; '.join(self.changed)}" if self.changed else ""
        return f"{self.name} ({self.summary}; {self.source}){changed}"


@dataclass(frozen=True)
class Asked:
    """Settings chosen before the data was seen. ``class_size`` is the required minimum class size, if any.

    ``prepared`` describes the preparation of columns, and ``caveats`` its limits.
    """

    promises: tuple[Promise, ...] = ()
    class_size: int | None = None
    algorithm: str = ""
    metric: str = ""
    version: str = ""
    policy: str = ""
    prepared: tuple[tuple[str, str], ...] = ()
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True)
class PublicSummary:
    """The content of the public edition; see the module's docstring."""

    n_records: int
    columns: PublishedColumns
    asked: Asked
    risk: RecordRisk
    diversity: tuple[DistinctValues, ...]
    smallest: tuple[PublishedClass, ...]
    least_diverse: tuple[PublishedClass, ...]
    sample: Sample
    in_buckets: bool = False
    as_it_is: AsItIs | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, tuples, numbers and texts."""
        return asdict(self)


def describe(
    frame: pl.DataFrame,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    asked: Asked,
    *,
    by_class: bool = True,
    as_it_is: AsItIs | None = None,
) -> PublicSummary:
    """Describe a published table as its readers see it. O(records · quasi-identifiers).

    Classes are formed by printed labels, with missing values equal to each other. Sensitive values are counted in each
    class, unless they are tied to records in another way (Anatomy's buckets): then pass ``by_class=False``.
    ``as_it_is`` was counted before, in the same table.
    """
    counted = sensitive if by_class else []
    classes = _classes(frame, quasi, counted)
    others = tuple(name for name in frame.columns if name not in {*quasi, *sensitive})
    return PublicSummary(
        n_records=frame.height,
        columns=PublishedColumns(_short(quasi), _short(sensitive), _short(others)),
        asked=asked,
        risk=RecordRisk.of_sizes(classes["size"].to_numpy()),
        diversity=tuple(DistinctValues(cut(name), _least(classes[f"s{i}"])) for i, name in enumerate(counted)),
        smallest=_named(classes.sort(classes.columns), len(counted)),
        least_diverse=_least_diverse(classes, len(counted)),
        sample=_sample(frame, [name for name in (*quasi, *sensitive, *others) if name in frame.columns]),
        in_buckets=not by_class,
        as_it_is=look_as_it_is(frame, quasi, others, sensitive) if as_it_is is None else as_it_is,
    )


def shown(value: object) -> str:
    """A value as printed in reports."""
    return MISSING if value is None else cut(str(value))


def _classes(frame: pl.DataFrame, quasi: Sequence[str], sensitive: Sequence[str]) -> pl.DataFrame:
    """One row per class: size, s0, s1, … (distinct sensitive values), q0, q1, … (labels)."""
    keys = [pl.col(name).alias(f"q{i}") for i, name in enumerate(quasi)]
    counts = [pl.col(name).n_unique().alias(f"s{i}") for i, name in enumerate(sensitive)]
    classes = frame.group_by(keys).agg(pl.len().alias("size"), *counts)
    return classes.select("size", pl.col("^s\\d+$"), pl.col("^q\\d+$"))


def _least(counts: pl.Series) -> int:
    return int(counts.to_numpy().min()) if counts.len() else 0


def _least_diverse(classes: pl.DataFrame, n_sensitive: int) -> tuple[PublishedClass, ...]:
    """The least diverse classes by their least diverse sensitive column; empty without such columns."""
    if not n_sensitive:
        return ()
    return _named(classes.sort(pl.min_horizontal("^s\\d+$"), *classes.columns), n_sensitive)


def _named(classes: pl.DataFrame, n_sensitive: int, n: int = 5) -> tuple[PublishedClass, ...]:
    first = 1 + n_sensitive
    return tuple(
        PublishedClass(tuple(map(shown, row[first : first + MAX_COLUMNS])), row[0], row[1:first])
        for row in classes.head(n).iter_rows()
    )


def _sample(frame: pl.DataFrame, names: Sequence[str], n: int = 10) -> Sample:
    kept = names[:MAX_COLUMNS]
    rows = tuple(tuple(map(shown, row)) for row in frame.select(kept).head(n).iter_rows())
    return Sample(_short(kept), rows, len(names) - len(kept))


def _short(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(cut(name) for name in names)
