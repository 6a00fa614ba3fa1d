"""(α, k)-anonymity: classes of at least k records, in which no sensitive value has more than a share α."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from shoal.core.arrays import Flags, Floats, Offsets
from shoal.core.parameters import checked, positive_number, whole_number, words_of
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.errors import ImpossibleGoal, InputError, did_you_mean
from shoal.models.of_people import refuse_more_than
from shoal.models.parameters import take_apart, two_numbers
from shoal.models.sensitive import SensitiveModel, about, beyond


@dataclass(frozen=True)
class AlphaK(SensitiveModel):
    """Every class has at least ``k`` records, and at most a share ``alpha`` of them have any one of ``values``.

    Guarantee: k-anonymity, and none of the chosen values can be inferred with a confidence above alpha.

    Threat model: the adversary knows a person's quasi-identifiers and that the person is in the table, and guesses the
    person's sensitive value.

    Not all values of a sensitive column may be sensitive: ``values`` names those that are; by default all are. The
    achieved figure of a verdict is the part of the promise that is kept, at least 1 if it holds: the smaller of records
    / k and alpha / largest share.

    People counted: at least ``k`` people, of whom at most a share ``alpha`` have any one of the values; a person with
    several of them counts for each.

    Monotone: sizes add up, and the share of a value in a union lies between its shares in the parts.

    Cost: O(members · sensitive columns).

    Reference: Wong, Li, Fu and Wang 2006, (α, k)-Anonymity: An Enhanced k-Anonymity Model for Privacy-Preserving Data
    Publishing; Ciriani et al. 2007, k-Anonymity (Definition 5.2).

    >>> str(AlphaK(0.4, 3, values=("HIV",)))
    '(0.4, 3)-anonymity for HIV'
    """

    alpha: float = field(metadata=checked(positive_number, "alpha", most=1))
    k: int = field(metadata=checked(whole_number, "k", least=1))
    values: tuple[str, ...] = field(default=(), metadata=checked(words_of, "values"))

    name: ClassVar[str] = "alpha-k-anonymity"
    flag: ClassVar[str] = "alpha"
    summary: ClassVar[str] = (
        "every class has at least K records, and at most a share ALPHA of them has any one chosen sensitive value; "
        "ALPHA,K or ALPHA,K:column:values=a,b"
    )
    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    is_monotone: ClassVar[bool] = True

    @classmethod
    def parse(cls, text: str) -> AlphaK:
        """Parse ``0.4,3`` or ``0.4,3:disease:values=HIV,flu``."""
        said = take_apart(text, options=("values",))
        alpha, k = two_numbers("(alpha, k)", "0.4,3", said.numbers)
        values = tuple(value for value in said.options.get("values", "").split(",") if value)
        return cls(alpha, k, values, **about(said))

    @property
    def threshold(self) -> float:
        """1: the model holds in full."""
        return 1.0

    @property
    def floor(self) -> int:
        """k rows."""
        return self.k

    def judge_sizes(self, sizes: Offsets) -> Floats:
        """Rows / k."""
        return np.asarray(sizes / self.k, np.float64)

    def judge(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """alpha / the largest share of a chosen value; ∞ if none occurs."""
        shares = np.where(self._chosen(column)[tallies.values], tallies.shares, 0.0)
        kept = np.full(len(tallies), np.inf)
        largest = tallies.largest(shares)
        np.divide(self.alpha, largest, out=kept, where=largest > 0)
        return kept

    def doomed(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """The bound from the largest share of a chosen value."""
        shares = tallies.largest(np.where(self._chosen(column)[tallies.values], tallies.shares, 0.0))
        return beyond(shares, self.alpha, 1.0, tallies.sizes)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows, values that do not occur, and alpha below an equal share of each value."""
        known = {text for column in self.columns(table) for text in column.domain.texts}
        for value in self.values:
            if value not in known:
                hint = did_you_mean(value, sorted(known))
                raise InputError(f"{self}: {value!r} is not a value of a sensitive column.{hint}")
        refuse_more_than(self.k, table)
        for column in self.columns(table):
            best = self.most_values(table, column)
            if self._chosen(column)[column.domain.occurs].all() and self.alpha < 1 / best:
                raise ImpossibleGoal(
                    f"alpha = {self.alpha:g} cannot be kept: of the {best} values of {column.name!r} that a class can "
                    f"have, one has a share of at least {1 / best:g}; ask for alpha of at least that."
                )

    def _chosen(self, column: SensitiveColumn) -> Flags:
        """Which leaves of the column are sensitive."""
        if not self.values:
            return np.ones(column.domain.n_leaves, bool)
        return np.array([text in self.values for text in column.domain.texts])

    def __str__(self) -> str:
        chosen = f" for {', '.join(self.values)}" if self.values else ""
        return f"({self.alpha:g}, {self.k})-anonymity{chosen}{self._about()}"
