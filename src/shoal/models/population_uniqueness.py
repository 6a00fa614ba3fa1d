"""Population uniqueness: at most an estimated share u of the population is unique."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from shoal.core.arrays import Offsets
from shoal.core.parameters import checked, one_of, real_number, whole_number
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.models.class_sizes import ClassSizesModel
from shoal.models.parameters import take_apart
from shoal.models.uniqueness import DANKAR, MODELS, share_of, spectrum_of

Estimator = Literal["dankar", "zayatz", "snb", "pitman", "pitman-asymptotic"]
ESTIMATORS = (DANKAR, *MODELS)
"""The estimators of population uniques."""


@dataclass(frozen=True)
class PopulationUniqueness(ClassSizesModel):
    """The estimated share of the population with unique published quasi-identifiers is at most ``u``.

    Guarantee: a statistical one. Estimates prove nothing about any particular person, but a release without unique
    records has an estimate of 0 by every estimator. If an estimator has no solution, the promise does not hold.

    Threat model: the journalist of the literature, who does not know who was sampled, so that a unique record
    identifies a person only if it is unique in the population.

    The published rows are assumed to be a random sample of ``population`` people; by default the number comes from the
    setting population, a number or a table. ``dankar`` (the default) uses Pitman's model if at most a tenth of the
    population was sampled, otherwise the smaller of SNB and Zayatz; ``zayatz``, ``snb``, ``pitman`` and
    ``pitman-asymptotic`` (the approximation that ARX prints) select one estimator.

    Nothing is concluded about other nodes of a lattice, so a search may take long.

    People counted: the size of a class is its number of different people.

    Cost: O(classes) and, for Pitman and SNB, a few hundred steps of O(sizes).

    Reference: Dankar, El Emam, Neisa and Roffey 2012, Estimating the Re-Identification Risk of Clinical Data Sets;
    Zayatz 1991, Estimation of the Percent of Unique Population Elements on a Microdata File Using the Sample; Chen and
    Keller-McNulty 1998, Estimation of Identification Disclosure Risk in Microdata; Hoshino 2001, Applying Pitman's
    Sampling Formula to Microdata Disclosure Risk Assessment.

    >>> str(PopulationUniqueness(0.01, "zayatz", 1000))
    'population uniqueness 0.01 by zayatz of 1,000 people'
    """

    u: float = field(metadata=checked(real_number, "Population uniqueness", least=0, most=1))
    estimator: Estimator = field(default="dankar", metadata=checked(one_of, "The estimator", known=ESTIMATORS))
    population: int | None = field(default=None, metadata=checked(whole_number, "The population", least=1))

    name: ClassVar[str] = "population-uniqueness"
    flag: ClassVar[str] = "population-uniqueness"
    summary: ClassVar[str] = (
        "at most the share U of the population is unique, as estimated; U, or U:zayatz, with the number of people as "
        "--population or as U:population=1000000"
    )

    @classmethod
    def parse(cls, text: str) -> PopulationUniqueness:
        """Parse ``0.01``, ``0.01:zayatz`` or ``0.01:pitman:population=1000000``."""
        said = take_apart(text, words=ESTIMATORS, options=("population",))
        population = said.options.get("population")
        return cls(said.numbers, said.of or said.word or DANKAR, population)  # type: ignore[arg-type]

    @property
    def limit(self) -> float:
        """u."""
        return self.u

    @property
    def enough(self) -> int:
        """2: without unique records, every estimator finds no unique people."""
        return 2 if self.u < 1 else 1

    def about(self, table: Table, population: int | None) -> PopulationUniqueness:
        """The model with the number of people in the population, unless it is already set."""
        return self if self.population is not None else replace(self, population=population)

    def figure(self, sizes: Offsets, records: Offsets) -> float:
        """The estimate; 1 if there is no solution. Based on the people of each class if people are counted."""
        population = known_population(self, self.population, int(sizes.sum()))
        share = share_of(spectrum_of(sizes), population, self.estimator)
        return 1.0 if share is None else share

    def refuse(self, table: Table) -> None:
        """Refuse a population that is unknown or smaller than the sample."""
        known_population(self, self.population, table.n_people)

    def __str__(self) -> str:
        by = "" if self.estimator == DANKAR else f" by {self.estimator}"
        of = "" if self.population is None else f" of {self.population:,} people"
        return f"population uniqueness {self.u:g}{by}{of}{self._counted()}"


def known_population(promise: object, population: int | None, sample: int) -> int:
    """The number of people in the population.

    Raises:
        InputError: it is unknown, or smaller than the sample.
    """
    if population is None:
        raise InputError(f"{promise} needs the number of people the rows were sampled from; give it as population.")
    if population < sample:
        raise InputError(
            f"{promise}: a population of {population:,} is smaller than the {sample:,} people in the table; "
            "give the number of people that these were sampled from."
        )
    return population
