"""What an algorithm guarantees by itself is checked as printed, and told wherever the release is spoken of."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.claims import BestLevels, Minimal, OneLevelPerColumn
from shoal.core.contracts import Algorithm, Goal
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import BrokenPromise
from shoal.metrics import LM

PEOPLE = pl.DataFrame(
    {
        "zip": ["11", "11", "12", "12", "21", "21", "22", "22", "22", "12"],
        "sex": ["F", "M", "F", "M", "F", "M", "F", "M", "F", "F"],
        "disease": ["flu", "gout"] * 5,
    }
)
ZIP = [[text, text[0] + "*", "**"] for text in ("11", "12", "21", "22")]
WORDS: dict[str, Any] = {
    "quasi_identifiers": ["zip", "sex"],
    "sensitive": ["disease"],
    "hierarchies": {"zip": shoal.Hierarchy.from_rows(ZIP), "sex": shoal.Hierarchy.flat(["F", "M"])},
    "audit": "off",
    "seed": 1,
}
K2 = shoal.KAnonymity(2)


def published(algorithm: Any, **more: Any) -> shoal.Result:
    return shoal.anonymize(PEOPLE, privacy=K2, algorithm=algorithm, **{**WORDS, **more})


def figures(result: shoal.Result, key: str) -> dict[str, Any]:
    """The figures of the first claim that has this one."""
    return next(dict(claim.figures) for claim in result.claims if key in claim.figures)


@pytest.mark.parametrize(("algorithm", "levels"), [("lattice", [1, 0]), ("samarati", [0, 1]), ("incognito", [1, 0])])
def test_full_domain_algorithms_tell_the_levels_that_they_chose(algorithm: str, levels: list[int]) -> None:
    result = published(algorithm)
    assert figures(result, "levels")["levels"] == levels
    assert any(claim.came_to == f"levels zip {levels[0]}, sex {levels[1]}" for claim in result.claims)


def test_samarati_and_incognito_tell_how_many_minimal_nodes_there_are() -> None:
    assert figures(published("incognito"), "minimal_nodes")["minimal_nodes"] == 2
    assert figures(published("samarati"), "minimal_nodes")["minimal_nodes"] == 2
    assert "the only one of least height" in str(published("samarati", suppression_limit="6 rows").claims[-1])


def test_the_lattice_tells_that_its_optimum_is_proven() -> None:
    found = figures(published("lattice"), "proven")
    assert found["proven"]
    assert found["gap"] == 0.0
    assert found["metric"] == "lm"
    assert found["loss"] == pytest.approx(LM().score(published("lattice").release))


def test_k_optimize_tells_how_far_from_the_least_it_may_be() -> None:
    stopped = figures(published("k-optimize:max_sets=1"), "proven")
    assert not stopped["proven"]
    assert stopped["stopped"] == "after 1 sets"
    best = figures(published("k-optimize"), "proven")
    assert best["proven"]
    assert stopped["bound"] <= best["loss"] <= stopped["loss"]


class _Lying(Algorithm):
    """Another algorithm's release with something changed."""

    name = "lying"
    summary = "breaks what it claims"
    serves = shoal.Lattice.serves

    def __init__(self, inner: Algorithm, change: Callable[[Release, Goal], Release]) -> None:
        self.inner, self.change = inner, change

    def claims(self, table: Table, goal: Goal) -> Any:
        return self.inner.claims(table, goal)

    def run(self, table: Table, goal: Goal, randomness: Any, progress: Any) -> Release:
        return self.change(self.inner.run(table, goal, randomness, progress), goal)


def _says_lower_levels(release: Release, goal: Goal) -> Release:
    return replace(release, claims=(OneLevelPerColumn((0, 0)),))


def _says_minimal(release: Release, goal: Goal) -> Release:
    high = shoal.Lattice.publish(release.table, goal, (2, 0))
    return replace(high, claims=(OneLevelPerColumn((2, 0)), Minimal(goal, (2, 0), 1)))


def _says_best(release: Release, goal: Goal) -> Release:
    high = shoal.Lattice.publish(release.table, goal, (2, 0))
    loss = goal.metric.score(high)
    return replace(high, claims=(BestLevels(goal.metric, loss, loss, "choice", goal=goal, levels=(2, 0)),))


def _says_less(release: Release, goal: Goal) -> Release:
    best = release.claims[1]
    assert isinstance(best, BestLevels)
    return replace(release, claims=(replace(best, loss=best.loss / 2, bound=best.bound / 2),))


def _says_a_bound_above(release: Release, goal: Goal) -> Release:
    best = release.claims[1]
    assert isinstance(best, BestLevels)
    return replace(release, claims=(replace(best, bound=best.bound + 0.01),))


def _leaves_out(release: Release, goal: Goal) -> Release:
    first = release.shapes == release.shapes[0]
    return replace(release, owners=release.owners[~first], shapes=release.shapes[~first], claims=())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_says_lower_levels, "one hierarchy level per column"),
        (_says_minimal, "minimal levels"),
        (_says_best, "how near the best choice"),
        (_says_less, "how near the best"),
        (_says_a_bound_above, "how near the best"),
        (_leaves_out, "at most 0 rows suppressed"),
    ],
)
def test_a_claim_that_is_not_true_of_the_printed_table_is_refused(
    change: Callable[[Release, Goal], Release], said: str
) -> None:
    with pytest.raises(BrokenPromise, match=said):
        published(_Lying(shoal.Lattice(), change))


def test_claims_are_in_record_reports_and_on_no_public_page(tmp_path: Path) -> None:
    result = published("lattice")
    result.write(tmp_path / "out.csv")
    told = json.loads((tmp_path / "out.run.json").read_text())["claims"]
    assert [claim["holds"] for claim in told] == [True] * 3
    assert told[1]["figures"] == {"levels": [1, 0]}
    for ending in ("html", "txt", "json"):
        result.report(tmp_path / f"report.{ending}")
        result.report(tmp_path / f"public.{ending}", public=True)
        assert "proven least" in (tmp_path / f"report.{ending}").read_text()
        assert "proven least" not in (tmp_path / f"public.{ending}").read_text()
