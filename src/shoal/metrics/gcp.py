"""GCP: the mean normalized certainty penalty (NCP) of the cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import CellMetric
from shoal.core.table import QuasiColumn


@dataclass(frozen=True)
class GCP(CellMetric):
    """Mean over cells of NCP: how much of the data's own domain a cell covers.

    For a range of numbers or days: its width over the width of all occurring values. For any other cell: (occurring
    values in it − 1) / (occurring values − 1). Unlike LM, only values that rows have count, so releases made with
    different hierarchies can be compared.

    Monotone: a wider cell has no smaller width and no fewer values, and a suppressed one has them all.

    Cost: O(rows · columns).

    Reference: Wong, Mamoulis and Cheung 2010, Non-Homogeneous Generalization in Privacy Preserving Data Publishing
    (Definition 8); Doka, Xue, Tsoumakos and Karras 2015, k-Anonymization by Freeform Generalization (section 3) for
    ranges.

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import GCP
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(GCP().score(release)), 3)
    0.333
    """

    name: ClassVar[str] = "gcp"
    summary: ClassVar[str] = "mean share of the occurring domain a cell covers (NCP; ranges by width)"
    is_monotone: ClassVar[bool] = True

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """NCP of each distinct cell."""
        domain = column.domain
        if column.recoding.has_width:
            return _width(column, cells)
        n = int(domain.occurs.sum())
        if n < 2:
            return np.zeros(cells.n_distinct)
        if cells.offsets is None or cells.members is None:
            before = domain.n_occurring_before
            counts = before[cells.high + 1] - before[cells.low]
        else:
            counts = np.add.reduceat(domain.occurs[cells.members].astype(np.int64), cells.offsets[:-1])
        return np.asarray(np.maximum(counts - 1, 0) / (n - 1))


def _width(column: QuasiColumn, cells: Cells) -> Floats:
    """Width of each range over the width of the occurring values; 1 if it includes the missing value and others."""
    domain = column.domain
    present = np.flatnonzero(domain.occurs & (np.arange(domain.n_leaves) != domain.missing))
    if present.size == 0:
        return np.zeros(cells.n_distinct)
    least, most = domain.places[present[0]], domain.places[present[-1]]
    widths = np.clip(domain.places[cells.high], least, most) - np.clip(domain.places[cells.low], least, most)
    prices: Floats = widths / (most - least) if most > least else np.zeros(cells.n_distinct)
    if domain.missing is not None:
        prices[cells.high == domain.missing] = 1.0
        prices[cells.low == domain.missing] = 0.0
    return prices
