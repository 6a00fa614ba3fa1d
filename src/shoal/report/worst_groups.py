"""The groups with the worst result for a privacy model, by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.contracts import Verdict
from shoal.core.release import Release
from shoal.report.before_after import published_labels
from shoal.report.figures import cut


@dataclass(frozen=True)
class NamedGroup:
    """A class or pool: its published labels by column (none for a bucket), its size, its sensitive values by column.

    ``n_values`` counts the distinct values of each sensitive column.
    """

    labels: dict[str, str]
    size: int
    n_values: dict[str, int]

    def __str__(self) -> str:
        return ", ".join(f"{cut(name)} {label}" for name, label in self.labels.items()) or "a bucket"


def worst_groups(release: Release, verdict: Verdict, limit: int = 3) -> tuple[NamedGroup, ...]:
    """The groups that a verdict refers to, the worst first. O(records) for the first call."""
    groups = release.classes if verdict.reads == "classes" else release.pools
    record_of = np.full(release.table.n_rows, -1, np.int32)
    record_of[release.owners] = np.arange(release.n_records, dtype=np.int32)
    named = []
    for group in verdict.worst[:limit]:
        rows = groups.of(group)
        alike = release.buckets is None or verdict.reads == "classes"
        labels = published_labels(release, int(record_of[rows[0]])) if alike else {}
        values = {column.name: int(np.unique(column.codes[rows]).size) for column in release.table.sensitive}
        named.append(NamedGroup(labels, rows.size, values))
    return tuple(named)
