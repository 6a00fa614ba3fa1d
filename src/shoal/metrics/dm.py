"""DM: the discernibility of records."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.core.contracts import Metric
from shoal.core.release import Release


class DM(Metric):
    """Sum over records of the size of their class; a suppressed row costs as much as the table has rows.

    Reference: Bayardo and Agrawal 2005; Ciriani et al., k-Anonymity (section 4.1.1).
    """

    name: ClassVar[str] = "dm"
    summary: ClassVar[str] = "sum of squared class sizes, suppressed rows at the size of the table"

    def score(self, release: Release) -> float:
        """Sum of squared class sizes plus rows times suppressed rows."""
        sizes = release.classes.sizes.astype(np.float64)
        return float(np.dot(sizes, sizes)) + float(release.n_suppressed) * release.table.n_rows
