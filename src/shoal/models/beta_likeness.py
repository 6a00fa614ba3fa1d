"""β-likeness: no sensitive value is much more frequent among a person's possible records than in the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.parameters import checked, one_of, positive_number
from shoal.core.table import SensitiveColumn
from shoal.core.tallies import Tallies
from shoal.models.sensitive import SensitiveModel, beyond

Kind = Literal["basic", "enhanced"]


@dataclass(frozen=True)
class BetaLikeness(SensitiveModel):
    """For every value, (share in the pool − share in the table) / share in the table is at most ``beta``.

    Guarantee: an adversary's confidence in any sensitive value grows by at most the factor 1 + beta. Values that become
    rarer do not count: see DeltaDisclosure. ``enhanced`` requires at most the smaller of beta and −ln(share in the
    table), so that frequent values cannot become certain; a verdict then reports the gain times beta over that bound.

    Threat model: the adversary knows a person's quasi-identifiers, that the person is in the table, and the overall
    distribution of the sensitive column, including suppressed rows.

    People counted: shares are shares of people; a person with several values counts for each of them.

    Monotone: each value has an upper bound on its share in a group, and the share in a union lies between the shares in
    its parts.

    Cost: O(members · sensitive columns).

    Reference: Cao and Karras 2012, Publishing Microdata with a Robust Privacy Guarantee.

    >>> str(BetaLikeness(1.5, "enhanced"))
    'enhanced 1.5-likeness'
    """

    beta: float = field(metadata=checked(positive_number, "beta"))
    kind: Kind = field(default="basic", metadata=checked(one_of, "kind", known=get_args(Kind)))

    name: ClassVar[str] = "beta-likeness"
    flag: ClassVar[str] = "beta"
    summary: ClassVar[str] = (
        "among the records that may belong to a person, the frequency of a sensitive value exceeds that in the table "
        "by at most the share BETA; BETA or BETA:enhanced, also followed by :column"
    )
    words: ClassVar[tuple[str, ...]] = get_args(Kind)
    is_monotone: ClassVar[bool] = True
    negates: ClassVar[bool] = True
    needs_original: ClassVar[bool] = True

    @property
    def threshold(self) -> float:
        """Minus beta."""
        return -self.beta

    def judge(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """Minus the largest gain of a value of each group. O(entries)."""
        totals = column.domain.counts.astype(np.float64)
        before, sizes = totals[tallies.values], tallies.sizes[tallies.owners]
        gains = (tallies.counts * float(column.whole) - before * sizes) / (before * sizes)
        if self.kind == "enhanced":
            bounds = np.minimum(self.beta, np.log(column.whole / before))
            gains = np.where(gains > 0, gains * (self.beta / np.where(bounds > 0, bounds, 1.0)), gains)
        return -tallies.largest(gains)

    def doomed(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """The bound from each value's largest allowed share."""
        before = (column.domain.counts / column.whole)[tallies.values]
        gain = np.minimum(self.beta, -np.log(before)) if self.kind == "enhanced" else self.beta
        limits = np.minimum(before * (1 + gain), 1.0)
        return tallies.largest(beyond(tallies.shares, limits, 1.0, tallies.sizes[tallies.owners]))

    def __str__(self) -> str:
        kind = "" if self.kind == "basic" else f"{self.kind} "
        return f"{kind}{self.beta:g}-likeness{self._about()}"
