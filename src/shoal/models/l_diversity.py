"""l-diversity: the records that may be a person's carry at least l different sensitive values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.contracts import GroupModel
from shoal.core.groups import Groups
from shoal.core.parameters import whole_number
from shoal.core.table import SensitiveColumn, Table
from shoal.errors import ImpossibleGoal, InputError, did_you_mean
from shoal.kernels.grouping import count_distinct


@dataclass(frozen=True)
class LDiversity(GroupModel):
    """Each pool holds at least ``l`` different values of the sensitive column ``of``.

    Without ``of`` every sensitive column is judged, each by itself. A missing value counts as a value.

    Reference: Machanavajjhala et al. 2006; Ciriani et al., k-Anonymity (Definition 5.1).

    >>> str(LDiversity(3, of="disease"))
    '3-diversity of disease'
    """

    l: int  # noqa: E741 (the paper's letter is the name)
    of: str | None = None

    name: ClassVar[str] = "l-diversity"
    flag: ClassVar[str] = "l"
    summary: ClassVar[str] = "records that may be a person's carry at least L different sensitive values; L or L:column"
    is_monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "l", whole_number("l", self.l, least=1))

    @classmethod
    def parse(cls, text: str) -> LDiversity:
        """From ``3`` or ``3:disease``."""
        number, _, of = text.partition(":")
        return cls(whole_number("l", number, least=1), of or None)

    @property
    def threshold(self) -> float:
        """The number of different values a pool has to reach."""
        return self.l

    @property
    def floor(self) -> int:
        """l rows, one for each value."""
        return self.l

    def measure(self, table: Table, groups: Groups) -> Floats:
        """The number of different sensitive values in each group; of the poorest column where several are judged."""
        counts = [
            count_distinct(groups.offsets, groups.members, column.codes, column.domain.n_leaves)
            for column in self._columns(table)
        ]
        measures: Floats = np.array(counts, np.float64).min(axis=0)
        return measures

    def refuse(self, table: Table) -> None:
        """Refuse l above the number of values that occur."""
        for column in self._columns(table):
            n_values = int(column.domain.occurs.sum())
            if self.l > n_values:
                raise ImpossibleGoal(
                    f"l = {self.l} needs at least {self.l} different values of {column.name!r}, which has {n_values}; "
                    f"ask for l of at most {n_values}."
                )

    def _columns(self, table: Table) -> tuple[SensitiveColumn, ...]:
        if not table.sensitive:
            raise InputError(f"{self} needs a sensitive column, and none was named; say which columns are sensitive.")
        if self.of is None:
            return table.sensitive
        try:
            return (table.sensitive_named(self.of),)
        except KeyError:
            hint = did_you_mean(self.of, [column.name for column in table.sensitive])
            raise InputError(f"{self}: {self.of!r} is not a sensitive column.{hint}") from None

    def __str__(self) -> str:
        return f"{self.l}-diversity" + (f" of {self.of}" if self.of else "")
