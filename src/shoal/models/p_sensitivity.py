"""p-sensitive k-anonymity: classes of at least k records with at least p values of every sensitive column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import numpy as np

from shoal.core.arrays import Floats, Offsets
from shoal.core.parameters import checked, one_of, whole_number
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.errors import ImpossibleGoal
from shoal.models.diversity_kinds import distinct
from shoal.models.of_people import refuse_more_than
from shoal.models.parameters import take_apart
from shoal.models.sensitive import Others, SensitiveModel, about


@dataclass(frozen=True)
class PSensitive(SensitiveModel):
    """Every class has at least ``k`` records and at least ``p`` different values in each sensitive column.

    Guarantee: k-anonymity, and p values that a person may have in each sensitive column. Each column is judged by
    itself (``others="ignore"``), which is the difference from l-diversity.

    Threat model: the adversary knows a person's quasi-identifiers and that the person is in the table.

    With k = 1 only p counts; p values need p records in any case. The achieved figure of a verdict is the part of the
    promise that is kept, at least 1 if it holds: the smaller of records / k and values / p.

    People counted: at least ``k`` people, and ``p`` different values none of which all of them have.

    Monotone: a union has the records and the values of its parts.

    Cost: O(members · sensitive columns).

    Reference: Truta and Vinay 2006, Privacy Protection: p-Sensitive k-Anonymity Property; Ciriani et al. 2007,
    k-Anonymity (section 5).

    >>> str(PSensitive(2, 3))
    '2-sensitive 3-anonymity'
    """

    p: int = field(metadata=checked(whole_number, "p", least=1))
    k: int = field(default=1, metadata=checked(whole_number, "k", least=1))
    others: Others = field(default="ignore", kw_only=True, metadata=checked(one_of, "others", known=get_args(Others)))

    name: ClassVar[str] = "p-sensitivity"
    flag: ClassVar[str] = "p"
    summary: ClassVar[str] = (
        "every class has at least P different values in each sensitive column, and at least K records; P or P,K, also "
        "followed by :column"
    )
    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    is_monotone: ClassVar[bool] = True
    is_growing: ClassVar[bool] = True

    @classmethod
    def parse(cls, text: str) -> PSensitive:
        """Parse ``2``, ``2,3`` or ``2,3:disease``."""
        said = take_apart(text)
        p, _, k = said.numbers.partition(",")
        return cls(p, k or 1, **about(said))  # type: ignore[arg-type]

    @property
    def threshold(self) -> float:
        """1: the model holds in full."""
        return 1.0

    @property
    def floor(self) -> int:
        """k rows, and at least one for each value."""
        return max(self.k, self.p)

    def judge_sizes(self, sizes: Offsets) -> Floats:
        """Rows / k."""
        return np.asarray(sizes / self.k, np.float64)

    def judge(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """Different values / p."""
        return distinct(tallies) / self.p

    def doomed(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """All rows of groups with too few values."""
        return np.where(np.diff(tallies.offsets) < self.p, tallies.sizes, 0.0)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows, and p above the number of values."""
        refuse_more_than(self.k, table)
        for column in self.columns(table):
            best = self.most_values(table, column)
            if self.p > best:
                raise ImpossibleGoal(
                    f"p = {self.p} needs at least {self.p} different values of {column.name!r}, which has {best}; "
                    f"ask for p of at most {best}."
                )

    def __str__(self) -> str:
        promise = f"{self.p}-sensitive {self.k}-anonymity" if self.k > 1 else f"{self.p}-sensitivity"
        return promise + self._about()
