"""Non-uniform entropy: the bits needed to tell each value from the others in its cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Floats
from shoal.core.cells import Cells
from shoal.core.contracts import PriceMetric
from shoal.core.node import Node, levels_of, suppressed_rows
from shoal.core.parameters import checked, real_number
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError
from shoal.metrics.cell_measures import logarithms, summed
from shoal.metrics.suppression_weight import factors


@dataclass(frozen=True)
class NonUniformEntropy(PriceMetric):
    """Sum over all cells of −log2(rows with the owner's value / rows with a value in the cell).

    Rows of the whole table are counted, and columns count by their weight. ``suppressed`` sets the cost of a suppressed
    row:

    * ``star``: that of a cell with every value in it;
    * ``ignored``: that of its level in a full-domain release; nothing in any other release;
    * ``two_step``: like ``ignored``, plus, per column, the bits that distinguish the suppressed rows' generalized
      values (in a release that is not full-domain, their values) from each other. This is ARX's method; a single
      suppressed row adds nothing.

    ``split`` multiplies the cost of generalization by g and that of suppression by s.

    Monotone: a coarser cell covers at least as many rows, and none covers more than there are. (``two_step`` is not,
    because the bits of one more suppressed row may not make up for its cell; it is bounded by ``ignored``.)

    Cost: O(rows · columns).

    Reference: Gionis and Tassa 2009, k-Anonymization with Minimal Loss of Information (the non-uniform entropy
    measure); de Waal and Willenborg 1999, Information Loss Through Global Recoding and Local Suppression.

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import NonUniformEntropy
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(NonUniformEntropy().score(release)), 3)
    4.0
    """

    split: float = field(default=0.5, metadata=checked(real_number, "split", least=0, most=1))
    suppressed: Literal["star", "ignored", "two_step"] = "star"

    name: ClassVar[str] = "nonuniform_entropy"
    summary: ClassVar[str] = "bits that tell each value from the others in its cell, in all"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.suppressed not in ("star", "ignored", "two_step"):
            raise InputError(f"suppressed must be star, ignored or two_step, got {self.suppressed!r}.")

    @property
    def is_monotone(self) -> bool:  # type: ignore[override]
        """True except for ``two_step``."""
        return self.suppressed != "two_step"

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """g · log2 of the rows whose value lies in the cell; the bits of the owner's value are subtracted later."""
        return factors(self.split).generalization * logarithms(np.round(summed(cells, column.domain.counts)))

    def level_prices(self, column: QuasiColumn) -> Floats:
        """The bits by level and leaf, times g."""
        return super().level_prices(column) - factors(self.split).generalization * logarithms(column.domain.counts)

    def suppressed_prices(self, column: QuasiColumn, prices: Floats) -> Floats:
        """By level and leaf: the level's bits plus s times the extra bits of the star, or the level's bits alone."""
        if self.suppressed != "star":
            return prices
        stars = logarithms(column.domain.counts.sum()) - logarithms(column.domain.counts)
        return prices + factors(self.split).suppression * (stars - NonUniformEntropy().level_prices(column))

    def combine(self, losses: Floats, table: Table) -> Floats:
        """The weighted sum over all rows."""
        return np.asarray(losses @ table.weights * table.n_rows)

    def by_column(self, release: Release) -> Floats:
        """The mean bits in each column, without the second step of ``two_step``. O(rows · columns)."""
        g, table = factors(self.split).generalization, release.table
        known = []
        for column, codes in zip(table.quasi, table.codes, strict=True):
            bits = logarithms(column.domain.counts)
            known.append(g * float(bits[codes[release.owners]].sum()) / max(1, table.n_rows))
        return np.maximum(super().by_column(release) - known, 0.0)

    def score(self, release: Release) -> float:
        """The total number of bits."""
        table, lost = release.table, suppressed_rows(release)
        levels = levels_of(release) or (0,) * table.n_quasi
        return super().score(release) + self._second_step(table, levels, table.codes[:, lost], np.ones(lost.size))

    def node_score(self, node: Node) -> float:
        """The total number of bits. O(classes + suppressed classes · columns)."""
        codes, sizes = node.class_codes[:, ~node.kept], node.sizes[~node.kept]
        return super().node_score(node) + self._second_step(node.table, node.levels, codes, sizes)

    def _second_step(self, table: Table, levels: tuple[int, ...], codes: Codes, sizes: npt.NDArray[np.number]) -> float:
        """s times the bits of the generalized values among suppressed rows."""
        if self.suppressed != "two_step" or not sizes.size:
            return 0.0
        n, bits = float(sizes.sum()), []
        for column, level, leaves in zip(table.quasi, levels, codes, strict=True):
            counts = np.bincount(column.recoding.nested.low[level, leaves], weights=sizes)
            bits.append(n * np.log2(n) - float(np.dot(counts, logarithms(counts))))
        return factors(self.split).suppression * float(np.dot(bits, table.weights))
