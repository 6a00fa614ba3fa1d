"""The bound on chances that the algorithm keeps by itself: every link of thousands of tiny tables, by permanents."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from naive.concealment import graph_of, likeliest
from shoal.algorithms import Concealment
from shoal.algorithms.concealment.requirements import default_bound
from shoal.core.contracts import PrivacyModel
from shoal.core.hierarchy import Hierarchy
from shoal.core.linkage import linkage_of
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet, ImpossibleGoal
from shoal.metrics import LM
from shoal.models import KK, KConcealment, KOne, LDiversity, LinkageBound, OneK
from support.tables import coded, goal_of, single

TREE = Hierarchy.from_dict({"x": {"x1": ["a", "b"], "x2": ["c"]}, "y": ["d", "e"]})
ALGORITHM = Concealment(steps=10)


def _run(table: Table, *promises: PrivacyModel, seed: int = 1) -> Release:
    return ALGORITHM.run(table, goal_of(*promises), Randomness(seed), Silent())


def test_a_candidate_that_holds_everybody_is_the_root() -> None:
    """The cheapest cells around d and e with three rows are the root itself, which nobody else may be left alone in."""
    table = single(list("eccaacacc"), hierarchies={"q": TREE})
    release = _run(table, KOne(3))
    assert likeliest(graph_of(release)) <= Fraction(2, 3)


@pytest.mark.parametrize("outlier_first", [True, False])
@pytest.mark.parametrize("promise", [KOne(5), KConcealment(5, "records")], ids=str)
@pytest.mark.parametrize("bounds", [(), (LinkageBound(0.4),)], ids=["default", "asked for"])
def test_one_outlier_takes_two_along_and_no_more(
    promise: PrivacyModel, bounds: tuple[PrivacyModel, ...], *, outlier_first: bool
) -> None:
    """Wherever it stands in the table, and whether the bound is the default or asked for."""
    values = [f"v{row % 20:02}" for row in range(600)]
    values = ["z", *values] if outlier_first else [*values, "z"]
    release = _run(single(values, recodings={"q": "suppress"}), promise, *bounds)
    assert linkage_of(release).largest <= 0.4 + 1e-9
    assert round(LM().score(release) * 601) == 3, "three records are starred"


def _tiny(chance: Random) -> Table:
    n = chance.randint(3, 9)
    forms = [chance.choice(["tree", "suppress", "range", "sets"]) for _ in range(chance.randint(1, 2))]
    names = [f"q{j}" for j in range(len(forms))]
    columns: dict[str, list[object]] = {
        name: [chance.randint(1, 9) if form == "range" else chance.choice("abcde") for _ in range(n)]
        for name, form in zip(names, forms, strict=True)
    }
    said = dict(zip(names, forms, strict=True))
    return coded(
        {**columns, "s": [chance.choice("xyz") for _ in range(n)]},
        names,
        sensitive=("s",),
        hierarchies={name: TREE for name, form in said.items() if form == "tree"},
        recodings={name: form for name, form in said.items() if form != "range"},
    )


def _promises(chance: Random, n: int) -> list[PrivacyModel]:
    k = chance.randint(2, min(n, 5))
    first: PrivacyModel = chance.choice(
        [OneK(k), KOne(k), KK(k), KConcealment(k), KConcealment(k, "rows"), KConcealment(k, "records")]
    )
    more: list[PrivacyModel] = [LDiversity(2), LDiversity(1.5, "frequency"), LinkageBound(0.5)]
    return [first, *(promise for promise in more if chance.random() < 0.25)]


def _bound_kept(number: int) -> bool:
    """Whether no link of one release is likelier than it may be, and every promise holds."""
    chance = Random(number)
    table = _tiny(chance)
    promises = _promises(chance, table.n_rows)
    k = max(getattr(promises[0], "k", 1), *(2 if isinstance(p, LDiversity) else 1 for p in promises))
    most = min([default_bound(k), *(p.p for p in promises if isinstance(p, LinkageBound))])
    try:
        release = _run(table, *promises, seed=number)
    except (GoalNotMet, ImpossibleGoal):
        return True
    holds = all(promise.check(release).holds for promise in promises)
    return holds and float(likeliest(graph_of(release))) <= most + 1e-9


def test_no_link_of_a_tiny_table_is_likelier_than_the_bound() -> None:
    assert [number for number in range(60) if not _bound_kept(number)] == []


@pytest.mark.nightly
def test_no_link_of_thousands_of_tiny_tables_is_likelier_than_the_bound() -> None:
    assert [number for number in range(60, 6000) if not _bound_kept(number)] == []
