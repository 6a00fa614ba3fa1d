"""What may be asked of a table, and what may not, for every privacy model.

A new model gets one entry in each dictionary; the contract tests then run it with every algorithm that serves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from naive import models as twins
from naive.plain import people_of
from shoal.core.contracts import PrivacyModel
from shoal.core.table import Table
from shoal.models import (
    KK,
    AlphaK,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    EstimatedKMap,
    HouseholdRisk,
    IndividualRisk,
    KAnonymity,
    KCombinations,
    KConcealment,
    KMap,
    KOne,
    LargestRisk,
    LDiversity,
    LinkageBound,
    OneK,
    PopulationUniqueness,
    PSensitive,
    RiskShare,
    SampleUniqueness,
    TCloseness,
    UniformMatching,
)

Ask = Callable[[Table], list[PrivacyModel]]
T = TypeVar("T")


def _k_possible(table: Table) -> list[PrivacyModel]:
    return [KAnonymity(k) for k in range(1, table.n_rows + 1)]


def _k_impossible(table: Table) -> list[PrivacyModel]:
    return [KAnonymity(table.n_rows + 1), KAnonymity(10**9)]


def _values(table: Table, name: str) -> int:
    return next(len(set(column.codes.tolist())) for column in table.sensitive if column.name == name)


def _holding(table: Table, *candidates: PrivacyModel) -> list[PrivacyModel]:
    """Those that hold when all rows are one class, by their twins."""
    people = people_of(table)
    return [p for p in candidates if twins.TWINS[p.name](p, people, people) >= twins.WANTED[p.name](p)]


def _l_possible(table: Table) -> list[PrivacyModel]:
    names = [column.name for column in table.sensitive]
    least = min(_values(table, name) for name in names)
    kinds = (LDiversity(1.5, "entropy"), LDiversity(2, "grassberger"), LDiversity(2, "frequency"))
    recursive = (LDiversity(2, "recursive", 4), LDiversity(2, "recursive", 0.7, others="ignore"))
    plain = (LDiversity(l, others=how) for l in range(1, least + 1) for how in ("quasi", "ignore"))  # noqa: E741
    by_name = (LDiversity(_values(table, name), of=name, others="ignore") for name in names)
    return _holding(table, *plain, *kinds, *recursive, *by_name)


def _l_impossible(table: Table) -> list[PrivacyModel]:
    names = [column.name for column in table.sensitive]
    least = min(_values(table, name) for name in names)
    kinds = [LDiversity(least + 0.1, kind) for kind in ("entropy", "grassberger", "frequency")]
    by_name = [LDiversity(_values(table, name) + 1, of=name) for name in names]
    return [LDiversity(least + 1), *kinds, LDiversity(1, "recursive", 0.1), *by_name]


def _t_possible(table: Table) -> list[PrivacyModel]:
    asks = (TCloseness(t, distance) for t in (1, 0.3, 0.05) for distance in ("equal", "ordered"))
    return [*_holding(table, *asks), TCloseness(0.1, others="ignore"), TCloseness(0.1, "ordered", others="ignore")]


def _alpha_possible(table: Table) -> list[PrivacyModel]:
    known = [text for column in table.sensitive for text in column.domain.texts]
    asks = [AlphaK(alpha, k, values) for alpha in (1, 0.5) for k in (1, 3) for values in ((), tuple(known[:1]))]
    return _holding(table, *asks, AlphaK(0.4, table.n_rows, others="ignore"))


def _p_possible(table: Table) -> list[PrivacyModel]:
    asks = [PSensitive(p, k) for p in (1, 2, 3) for k in (1, 4)]
    return _holding(table, *asks, PSensitive(2, others="quasi"), PSensitive(1, table.n_rows))


def _p_impossible(table: Table) -> list[PrivacyModel]:
    least = min(_values(table, column.name) for column in table.sensitive)
    return [PSensitive(least + 1), PSensitive(1, table.n_rows + 1)]


def _beta_possible(table: Table) -> list[PrivacyModel]:
    asks = (BetaLikeness(beta, kind) for beta in (5, 1, 0.3) for kind in ("basic", "enhanced"))
    return [*_holding(table, *asks), BetaLikeness(0.5, "enhanced", others="ignore")]


def _delta_possible(table: Table) -> list[PrivacyModel]:
    return [*_holding(table, DeltaDisclosure(3), DeltaDisclosure(1)), DeltaDisclosure(0.5, others="ignore")]


def _combinations_possible(table: Table) -> list[PrivacyModel]:
    names = [column.name for column in table.quasi]
    pairs = tuple((one, names[0]) for one in names)
    found = [KCombinations(k, every=2) for k in range(1, table.n_rows + 1)]
    return [*found, KCombinations(table.n_rows, keys=pairs), KCombinations(1, every=100, keys=((names[0],),))]


POSSIBLE: Mapping[str, Ask] = {
    "individual-risk": lambda table: [IndividualRisk(1 / k) for k in range(1, table.n_rows + 1)],
    "household-risk": lambda table: [HouseholdRisk(1 / k) for k in range(1, table.n_rows + 1)],
    "largest-risk": lambda table: [LargestRisk(1 / k) for k in range(1, table.n_rows + 1)],
    "average-risk": lambda table: [AverageRisk(1 / k) for k in range(1, table.n_rows + 1)],
    "risk-share": lambda table: [
        RiskShare(1, 0),
        *(RiskShare(1 / k, s) for k in range(1, table.n_rows + 1) for s in (0, 0.1, 0.5)),
        RiskShare(0.01, 1),
    ],
    "sample-uniqueness": lambda table: [SampleUniqueness(u) for u in ((1,) if table.n_rows == 1 else (0, 0.2, 0.5))],
    "population-uniqueness": lambda table: [
        PopulationUniqueness(u, "zayatz", people)
        for u in (0, 0.1, 0.4, 1)
        for people in (table.n_rows, 3 * table.n_rows + 5)
        if table.n_rows > 1 or u == 1
    ],
    "estimated-k-map": lambda table: [
        made
        for k in range(1, table.n_rows + 1)
        for made in (
            EstimatedKMap(k, 0.1, "poisson", 2 * table.n_rows, table.n_rows),
            EstimatedKMap(k, population=10 * table.n_rows, sample=table.n_rows),
        )
    ],
    "k-combinations": _combinations_possible,
    "k-anonymity": _k_possible,
    "l-diversity": _l_possible,
    "t-closeness": _t_possible,
    "alpha-k-anonymity": _alpha_possible,
    "p-sensitivity": _p_possible,
    "beta-likeness": _beta_possible,
    "delta-disclosure": _delta_possible,
    "k-map": lambda table: [KMap(k) for k in range(1, table.n_rows + 1)],
    "delta-presence": lambda table: [DeltaPresence(1)],
    "uniform-matching": lambda table: [UniformMatching(k) for k in range(1, table.n_rows + 1)],
    "one-k-anonymity": lambda table: [OneK(k) for k in range(1, table.n_rows + 1)],
    "k-one-anonymity": lambda table: [KOne(k) for k in range(1, table.n_rows + 1)],
    "kk-anonymity": lambda table: [KK(k) for k in range(1, table.n_rows + 1)],
    "k-concealment": lambda table: [
        KConcealment(k, side) for k in range(1, table.n_rows + 1) for side in ("rows", "records", "both")
    ],
    "linkage-bound": lambda table: [LinkageBound(1 / k) for k in range(1, table.n_rows + 1)],
}
"""Promises that hold at least when all rows are one class."""

IMPOSSIBLE: Mapping[str, Ask] = {
    "individual-risk": lambda table: [IndividualRisk(0.9 / table.n_rows)],
    "household-risk": lambda table: [HouseholdRisk(0.9 / table.n_rows)],
    "largest-risk": lambda table: [LargestRisk(0.9 / table.n_rows)],
    "average-risk": lambda table: [AverageRisk(0.9 / table.n_rows)],
    "risk-share": lambda table: [RiskShare(0.9 / table.n_rows, 0.5)],
    "sample-uniqueness": lambda table: [SampleUniqueness(0.5)] if table.n_rows == 1 else [],
    "population-uniqueness": lambda table: [],
    "estimated-k-map": lambda table: [EstimatedKMap(table.n_rows + 60, population=table.n_rows, sample=table.n_rows)],
    "k-combinations": lambda table: [KCombinations(table.n_rows + 1, every=1)],
    "k-anonymity": _k_impossible,
    "l-diversity": _l_impossible,
    "t-closeness": lambda table: [],
    "alpha-k-anonymity": lambda table: [AlphaK(1, table.n_rows + 1), AlphaK(0.01, 1)],
    "p-sensitivity": _p_impossible,
    "beta-likeness": lambda table: [],
    "delta-disclosure": lambda table: [],
    "k-map": lambda table: [KMap(table.n_rows + 1)],
    "delta-presence": lambda table: [DeltaPresence(0.5)],
    "uniform-matching": lambda table: [UniformMatching(table.n_rows + 1)],
    "one-k-anonymity": lambda table: [OneK(table.n_rows + 1)],
    "k-one-anonymity": lambda table: [KOne(table.n_rows + 1)],
    "kk-anonymity": lambda table: [KK(table.n_rows + 1)],
    "k-concealment": lambda table: [KConcealment(table.n_rows + 1), KConcealment(table.n_rows + 1, "rows")],
    "linkage-bound": lambda table: [LinkageBound(0.9 / table.n_rows)],
}
"""Promises that no release of the table with all its rows could keep."""

NEEDS_SENSITIVE: Mapping[str, PrivacyModel | None] = {
    "largest-risk": None,
    "average-risk": None,
    "risk-share": None,
    "sample-uniqueness": None,
    "individual-risk": None,
    "household-risk": None,
    "population-uniqueness": None,
    "estimated-k-map": None,
    "k-combinations": None,
    "k-anonymity": None,
    "l-diversity": LDiversity(1),
    "t-closeness": TCloseness(1),
    "alpha-k-anonymity": AlphaK(1, 1),
    "p-sensitivity": PSensitive(1),
    "beta-likeness": BetaLikeness(1),
    "delta-disclosure": DeltaDisclosure(1),
    "k-map": None,
    "delta-presence": None,
    "uniform-matching": None,
    "one-k-anonymity": None,
    "k-one-anonymity": None,
    "kk-anonymity": None,
    "k-concealment": None,
    "linkage-bound": None,
}
"""A promise that cannot be asked of a table without a sensitive column, if there is one."""

FORMS: Mapping[str, Mapping[str, PrivacyModel]] = {
    "individual-risk": {"0.05": IndividualRisk(0.05), "1": IndividualRisk(1)},
    "household-risk": {"0.1": HouseholdRisk(0.1), "1": HouseholdRisk(1)},
    "largest-risk": {"0.09": LargestRisk(0.09), "1": LargestRisk(1)},
    "average-risk": {"0.05": AverageRisk(0.05), "1": AverageRisk(1)},
    "risk-share": {"0.2,0.05": RiskShare(0.2, 0.05), "1,0": RiskShare(1, 0)},
    "sample-uniqueness": {"0.01": SampleUniqueness(0.01), "0": SampleUniqueness(0)},
    "population-uniqueness": {
        "0.01": PopulationUniqueness(0.01),
        "0.01:zayatz": PopulationUniqueness(0.01, "zayatz"),
        "0.01:pitman-asymptotic:population=1000": PopulationUniqueness(0.01, "pitman-asymptotic", 1000),
    },
    "estimated-k-map": {
        "5": EstimatedKMap(5),
        "5:poisson:significance=0.05": EstimatedKMap(5, 0.05, "poisson"),
        "5:population=1000": EstimatedKMap(5, population=1000),
    },
    "k-combinations": {
        "5:3": KCombinations(5, every=3),
        "5:age+sex,zip": KCombinations(5, keys=(("age", "sex"), ("zip",))),
    },
    "k-map": {"1": KMap(1), "20": KMap(20)},
    "delta-presence": {"0.5": DeltaPresence(0.5), "1": DeltaPresence(1)},
    "k-anonymity": {"1": KAnonymity(1), "5": KAnonymity(5), "1000000": KAnonymity(10**6)},
    "l-diversity": {
        "3": LDiversity(3),
        "3:": LDiversity(3),
        "3:disease": LDiversity(3, of="disease"),
        "2:a:b c": LDiversity(2, of="a:b c"),
        "2.5:entropy": LDiversity(2.5, "entropy"),
        "3:entropy:disease": LDiversity(3, "entropy", of="disease"),
        "3:of=entropy": LDiversity(3, of="entropy"),
        "3:grassberger": LDiversity(3, "grassberger"),
        "3:frequency:others=ignore": LDiversity(3, "frequency", others="ignore"),
        "3:recursive:c=4": LDiversity(3, "recursive", 4),
        "3:disease:c=0.5:recursive": LDiversity(3, "recursive", 0.5, of="disease"),
    },
    "t-closeness": {
        "0.2": TCloseness(0.2),
        "1:disease": TCloseness(1, of="disease"),
        "0.2:hierarchical:disease": TCloseness(0.2, "hierarchical", of="disease"),
        "0.2:ordered:others=ignore": TCloseness(0.2, "ordered", others="ignore"),
    },
    "alpha-k-anonymity": {
        "0.4,3": AlphaK(0.4, 3),
        "0.4,3:disease": AlphaK(0.4, 3, of="disease"),
        "0.4,3:disease:values=HIV,flu": AlphaK(0.4, 3, ("HIV", "flu"), of="disease"),
    },
    "p-sensitivity": {
        "2": PSensitive(2),
        "2,3": PSensitive(2, 3),
        "2,3:disease:others=quasi": PSensitive(2, 3, of="disease", others="quasi"),
    },
    "beta-likeness": {
        "1": BetaLikeness(1),
        "1.5:enhanced:disease": BetaLikeness(1.5, "enhanced", of="disease"),
    },
    "delta-disclosure": {"0.5": DeltaDisclosure(0.5), "0.5:disease": DeltaDisclosure(0.5, of="disease")},
    "uniform-matching": {"1": UniformMatching(1), "5": UniformMatching(5)},
    "one-k-anonymity": {"5": OneK(5)},
    "k-one-anonymity": {"5": KOne(5)},
    "kk-anonymity": {"5": KK(5)},
    "k-concealment": {
        "5": KConcealment(5),
        "5:rows": KConcealment(5, "rows"),
        "5:records": KConcealment(5, "records"),
    },
    "linkage-bound": {"0.2": LinkageBound(0.2), "1": LinkageBound(1)},
}
"""What the command line takes, and what it means."""


def entry(what: str, entries: Mapping[str, T], name: str) -> T:
    """The entry of a plug-in, or a failure that says what is to be done."""
    assert name in entries, f"{name!r} has no entry in {what}; add one and it is tested with everything else."
    return entries[name]
