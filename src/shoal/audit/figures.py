"""The standard risk figures for reports."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.knowledge import Knowledge
from shoal.audit.links import Links
from shoal.audit.log_linear import LogLinear
from shoal.audit.same_person import Whose
from shoal.core.arrays import Floats, Offsets
from shoal.core.groups import Groups
from shoal.core.table import SensitiveColumn
from shoal.core.tallies import Tallies
from shoal.kernels.distinct import number_rows
from shoal.models import BetaLikeness, DeltaDisclosure, LDiversity
from shoal.models.diversity_kinds import distinct
from shoal.models.people_values import over_people
from shoal.models.uniqueness import Uniqueness, estimate, spectrum_of

SIZES = (20, 11, 5, 3, 2)
"""Class sizes for risk thresholds: hiding among fewer records is a risk above 1/20, 1/11, 1/5, 1/3 and 1/2."""

CUTS = (5, 11)
"""The minimum class sizes that are required most often."""


@dataclass(frozen=True)
class Exposure:
    """The risk of records in one scenario: the highest, the average, and the share of records above each level."""

    scenario: str
    highest: float
    average: float
    above: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Diversity:
    """The parameters that the classes (or buckets) achieve for a sensitive column, by the models' usual letters."""

    column: str
    distinct_l: float
    entropy_l: float
    t: float
    delta: float
    beta: float
    alpha: float


@dataclass(frozen=True)
class SampleRisk:
    """The risk of a sample whose weights add up to a ``population``, if the adversary does not know who was sampled.

    ``individual`` is Benedetti and Franconi's risk, ``expected`` its sum: the expected number of records found. If rows
    were suppressed, ``adjusted`` is the same with the weights of the others scaled up. ``household`` is the chance that
    a member of a household is found, and ``expected_households`` their sum over households. ``log_linear`` applies to a
    full-domain release, whose cells are a cross of values, ``log_linear_before`` to the original.
    """

    population: float
    individual: Exposure
    expected: float
    adjusted: Exposure | None = None
    household: Exposure | None = None
    expected_households: float = 0.0
    log_linear: LogLinear | None = None
    log_linear_before: LogLinear | None = None


@dataclass(frozen=True)
class Special:
    """SUDA2 on the original: records with a minimal sample unique, the highest scores, and each column's share."""

    n_records: int
    highest: float
    dis_highest: float
    columns: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class RiskFigures:
    """Risk figures of a release. ``journalist`` needs a population, ``uniqueness`` at least its size.

    ``whole_history``, if people have several records, is the risk of people (of households, if members are rows) for an
    adversary who knows all their rows and sees which records belong together; the other figures assume knowledge of one
    row. ``below[i]`` records are in classes smaller than ``CUTS[i]``. ``uniqueness_before`` is that of the original.
    """

    n_records: int
    n_classes: int
    achieved_k: int
    sample_uniques: int
    below: tuple[int, ...]
    prosecutor: Exposure
    marketer: Exposure
    linkage: Exposure | None
    journalist: Exposure | None
    uniqueness: Uniqueness | None
    uniqueness_before: Uniqueness | None
    diversity: tuple[Diversity, ...]
    whole_history: Exposure | None = None
    sample: SampleRisk | None = None
    special: Special | None = None


def figures_of(scene: Scene, population: Knowledge | int | None = None, whose: Whose | None = None) -> RiskFigures:
    """Compute all figures. Classes are records with equal cells. O(records · columns + values).

    ``population`` is a register of the population that the people were sampled from, or only its size. If ``whose`` is
    given, the size of a class is the number of its people, each counted once, and shares of sensitive values are shares
    of people.
    """
    links = scene.links
    whose = whose if whose is not None and whose.is_counted else None
    records = links.records[: links.n_shapes]
    n = int(records.sum())
    sizes = records if whose is None else whose.people_by_shape[: links.n_shapes]
    people = population if isinstance(population, int) else population.n_different if population else None
    risks, wider = 1.0 / sizes, population if isinstance(population, Knowledge) else None
    return RiskFigures(
        n_records=n,
        n_classes=sizes.size,
        achieved_k=int(sizes.min(initial=n)),
        sample_uniques=int((sizes == 1).sum()),
        below=tuple(int(records[sizes < cut].sum()) for cut in CUTS),
        prosecutor=exposure("prosecutor", risks, records),
        marketer=exposure("marketer", np.array([float(risks @ records) / max(1, n)]), np.array([max(1, n)])),
        linkage=_linkage(scene) if whose is None else _parts(whose),
        journalist=None if wider is None else exposure("journalist", 1 / _fitting(scene, wider), records),
        uniqueness=_uniqueness(sizes, people, n if whose is None else whose.n_people),
        uniqueness_before=_before(scene, people),
        diversity=tuple(_column_diversity(column, scene, whose) for column in scene.sensitive),
        whole_history=None if whose is None else _whole_history(whose),
    )


def _column_diversity(column: SensitiveColumn, scene: Scene, whose: Whose | None) -> Diversity:
    """The diversity of classes, or of buckets, counted by records, or by people if their owners are known."""
    if whose is not None and column.name in whose.values:
        told = whose.values[column.name]
        return _diversity(over_people(told), whose.tallies(told))
    buckets = scene.seen.buckets
    pools = scene.links.shapes if buckets is None else number_rows(buckets[None])[0]
    return _diversity(column, Tallies.of_ids(pools, column.codes, column.domain.n_leaves))


def exposure(scenario: str, risks: Floats, counts: Offsets) -> Exposure:
    """Summarize the risks of classes with these numbers of records."""
    total = max(1, int(counts.sum()))
    above = tuple((1 / size, float(counts[risks > 1 / size + 1e-12].sum() / total)) for size in SIZES)
    return Exposure(scenario, float(risks.max(initial=0.0)), float(risks @ counts) / total, above)


def _whole_history(whose: Whose) -> Exposure | None:
    """The risk of people, if anybody has two records."""
    sizes = whose.people_by_history
    if sizes.size == whose.people.size:
        return None
    return exposure("prosecutor, whole history", 1.0 / sizes, np.ones(sizes.size, np.int64))


def _linkage(scene: Scene) -> Exposure | None:
    """By the chance of each person's likeliest record; if cells overlap, it differs from 1 / class size."""
    if not scene.known.is_complete or scene.is_plain or scene.matches.n_unplaced:
        return None
    return exposure("likeliest match", scene.chances.best_of_type, scene.links.people)


def _parts(whose: Whose) -> Exposure:
    """By the share of a class's records that belong to a person; everybody counts once in each class."""
    return exposure("likeliest match", whose.pairs.parts, np.ones(whose.pairs.parts.size, np.int64))


def _fitting(scene: Scene, wider: Knowledge) -> Offsets:
    """How many different people of a population fit a record of each shape, at least 1. O(rows and shapes that fit)."""
    links = Links.of(scene.seen, wider)
    if wider.people is None:
        return np.maximum(1, links.people_fitting)
    fitting = Groups(*links.shapes_of(np.arange(links.n_types, dtype=np.int32))).take(links.types)
    width = int(wider.people.max(initial=0)) + 1
    pairs = np.unique(fitting.members * np.int64(width) + np.repeat(wider.people, fitting.sizes))
    return np.maximum(1, np.bincount(pairs // width, minlength=links.records.size))


def _uniqueness(sizes: Offsets, people: int | None, sampled: int) -> Uniqueness | None:
    """Estimate from the sizes of classes; a person with rows in several counts in each, in sample and population."""
    if not people or people < sampled:
        return None
    each = int(sizes.sum()) / max(1, sampled)
    return replace(estimate(spectrum_of(sizes), round(people * each)), population=people, sample=sampled)


def _before(scene: Scene, people: int | None) -> Uniqueness | None:
    known = scene.known
    if not known.is_complete:
        return None
    sizes = known.types.weights
    if known.people is not None:
        pairs = np.unique(known.types.ids.astype(np.int64) * known.n_people + known.people)
        sizes = np.bincount(pairs // known.n_people).astype(np.int64)
    return _uniqueness(sizes, people, known.n_different)


def _diversity(column: SensitiveColumn, tallies: Tallies) -> Diversity:
    """By the models' own measures; the distance t is computed here, where compiling a kernel is not worthwhile."""
    totals = column.domain.counts
    excess = np.maximum(0.0, tallies.shares - totals[tallies.values] / max(1, column.whole))

    def worst(measures: Floats) -> float:
        return float(measures.min(initial=np.inf))

    return Diversity(
        column=column.name,
        distinct_l=worst(distinct(tallies)),
        entropy_l=worst(LDiversity(1, "entropy").judge(column, tallies)),
        t=float(tallies.summed(excess).max(initial=0.0)),
        delta=-worst(DeltaDisclosure(1).judge(column, tallies)),
        beta=-worst(BetaLikeness(1).judge(column, tallies)),
        alpha=1 / worst(LDiversity(1, "frequency").judge(column, tallies)),
    )
