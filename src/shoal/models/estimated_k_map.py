"""Estimated k-map: classes large enough to indicate k people each in a population of which only the size is known."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, get_args

from shoal.core.contracts import Verdict
from shoal.core.parameters import checked, one_of, positive_number, whole_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models.k_anonymity import LeastClassSize
from shoal.models.of_people import refuse_more_than
from shoal.models.parameters import take_apart
from shoal.models.population_uniqueness import known_population

Estimator = Literal["truncated", "poisson"]


@dataclass(frozen=True)
class EstimatedKMap(LeastClassSize):
    """Every class has at least k′ records: a number that k people of the population rarely leave in the sample.

    Guarantee: a statistical test. A class of k′ records indicates more than k people in the population; among many
    classes, some with fewer may pass.

    Threat model: the journalist of the literature, who does not know who was sampled and looks for a person in the
    population.

    If a class has k people in a population of N, the number of its records in a sample of n follows a Poisson
    distribution with mean k · n / N. k′ is the smallest number that it reaches with a probability of at most
    ``significance``, and never more than k. ``truncated`` (the default) conditions on at least one record, as in the
    classes of a release; ``poisson`` does not. Without a ``population`` here, its size comes from the setting
    population; ``sample`` is the number of rows of the table.

    People counted: classes of k′ people.

    Cost: that of k′-anonymity, O(records · columns); every algorithm for conditions on groups supports it.

    Reference: El Emam and Dankar 2008, Protecting Privacy Using k-Anonymity.

    >>> EstimatedKMap(1000, population=317_238_626, sample=30_162).size
    3
    """

    k: int = field(metadata=checked(whole_number, "k", least=1))
    significance: float = field(default=0.01, metadata=checked(positive_number, "The significance", most=1))
    estimator: Estimator = field(
        default="truncated", metadata=checked(one_of, "The estimator", known=get_args(Estimator))
    )
    population: int | None = field(default=None, metadata=checked(whole_number, "The population", least=1))
    sample: int | None = field(default=None, metadata=checked(whole_number, "The sample", least=1))

    name: ClassVar[str] = "estimated-k-map"
    flag: ClassVar[str] = "estimated-k-map"
    summary: ClassVar[str] = (
        "classes so large that each indicates K people in a population of known size; K, or "
        "K:poisson:significance=0.05, with the size as --population or as K:population=1000000"
    )

    @classmethod
    def parse(cls, text: str) -> EstimatedKMap:
        """Parse ``5``, ``5:poisson`` or ``5:significance=0.05:population=1000000``."""
        said = take_apart(text, words=get_args(Estimator), options=("significance", "population"))
        significance, population = said.options.get("significance", 0.01), said.options.get("population")
        return cls(said.numbers, significance, said.of or said.word or "truncated", population)  # type: ignore[arg-type]

    @property
    def size(self) -> int:
        """k′, or k if the size of the sample or the population is not known yet."""
        if self.population is None or self.sample is None:
            return self.k
        rate = self.k * self.sample / self.population
        seen = -math.expm1(-rate) if self.estimator == "truncated" else 1.0
        chance, below = math.exp(-rate), 0.0 if self.estimator == "truncated" else math.exp(-rate)
        for size in range(1, self.k):
            if below / seen >= 1 - self.significance:
                return max(size, 1)
            chance *= rate / size
            below += chance
        return self.k

    def about(self, table: Table, population: int | None) -> EstimatedKMap:
        """The model with the numbers of people in the sample and in the population."""
        return replace(self, population=self.population or population, sample=self.sample or table.n_people)

    def check(self, release: Release) -> Verdict:
        """Count the records of every class, after checking the size of the population."""
        known_population(self, self.population, self.sample or release.n_records)
        return super().check(release)

    def refuse(self, table: Table) -> None:
        """Refuse a population that is unknown or smaller than the sample, and k′ above the number of rows or people."""
        known_population(self, self.population, self.sample or table.n_people)
        refuse_more_than(self.size, table)

    def __str__(self) -> str:
        by = "" if self.estimator == "truncated" else " by Poisson"
        of = "" if self.population is None else f" of {self.population:,} people"
        means = "" if self.sample is None or self.population is None else f" (classes of {self.size:,})"
        return f"estimated {self.k}-map at {self.significance:g}{by}{of}{means}"
