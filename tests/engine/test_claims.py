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
    assert stopped["stopped"] == "by max_sets = 1"
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


WOMEN = pl.DataFrame({"age": [30, 30, 41, 41, 41], "sex": ["F"] * 5})


@pytest.mark.parametrize("algorithm", ["patterns", "patterns-search", "patterns-exact"])
@pytest.mark.parametrize("recoding", ["suppress", "sets", "tree"])
@pytest.mark.parametrize("ages", [WOMEN["age"].to_list(), [1, 2, 3, 4, 5]])
def test_a_column_of_one_value_that_is_starred_prints_the_star(algorithm: str, recoding: str, ages: list[int]) -> None:
    words: dict[str, Any] = {"recodings": {"sex": recoding}}
    if recoding == "tree":
        words = {"hierarchies": {"sex": shoal.Hierarchy.flat(["F"])}}
    rules = {"name": algorithm, "patterns": ["age,*"]}
    frame = WOMEN.with_columns(pl.Series("age", ages))
    result = shoal.anonymize(frame, quasi_identifiers=["age", "sex"], privacy=K2, algorithm=rules, **words)
    assert set(result.frame["sex"]) == {"*"}
    assert figures(result, "patterns_in_use")["patterns_in_use"] == 1


@pytest.mark.parametrize("algorithm", ["patterns", "patterns-search", "patterns-exact"])
def test_a_column_of_one_value_that_is_kept_stays_as_it_is(algorithm: str) -> None:
    rules = {"name": algorithm, "patterns": ["age,sex", "*,sex"], "outliers": False}
    words: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "privacy": K2, "algorithm": rules}
    assert shoal.anonymize(WOMEN, **words).frame.sort("age").equals(WOMEN)
    numbers = WOMEN.with_columns(sex=pl.lit(1))
    assert shoal.anonymize(numbers, **words).frame["sex"].dtype == pl.Int32


def test_levels_given_for_a_column_of_one_value_are_those_printed() -> None:
    for level, text in ((0, "F"), (1, "*")):
        result = shoal.anonymize(WOMEN, quasi_identifiers=["age", "sex"], privacy=K2, levels=[0, level])
        assert set(result.frame["sex"]) == {text}
        assert figures(result, "levels")["levels"] == [0, level]


def _keeps_what_must_be_starred(release: Release, goal: Goal) -> Release:
    exact = release.table.quasi[1].recoding.exact(release.table.codes[1][:1])
    return replace(release, cells=(release.cells[0], exact.take(release.cells[0].ids * 0)))


def test_a_record_that_no_allowed_pattern_fits_is_refused() -> None:
    patterns = shoal.PatternGreedy(patterns=(("age", "*"),))
    with pytest.raises(BrokenPromise, match="cells suppressed only as the patterns allow"):
        shoal.anonymize(
            WOMEN,
            quasi_identifiers=["age", "sex"],
            privacy=K2,
            algorithm=_Lying(patterns, _keeps_what_must_be_starred),
        )
    assert set(shoal.anonymize(WOMEN, quasi_identifiers=["age", "sex"], privacy=K2, algorithm=patterns).frame["sex"])


@pytest.mark.parametrize("values", [["*", "*", "a", "a", "b", "c"], ["*", "a", "b", "*", "a", "b"]])
@pytest.mark.parametrize("algorithm", ["lattice", "mondrian", "patterns", "hilbert"])
@pytest.mark.parametrize("recoding", ["suppress", "sets"])
def test_a_value_that_is_a_star_is_told_from_a_suppressed_cell(
    values: list[str], algorithm: str, recoding: str
) -> None:
    frame = pl.DataFrame({"q": values, "z": [1, 1, 1, 2, 2, 2]})
    words: dict[str, Any] = {"quasi_identifiers": ["q", "z"], "recodings": {"q": recoding}, "algorithm": algorithm}
    result = shoal.anonymize(frame, privacy=K2, **words)
    assert result.audited is not None, "its labels can be read"


def test_a_hierarchy_whose_root_is_called_as_a_value_is_refused_in_a_sentence() -> None:
    frame = pl.DataFrame({"q": ["*", "*", "a", "a"]})
    with pytest.raises(shoal.InputError, match="call the value or the root of the hierarchy something else"):
        shoal.anonymize(frame, quasi_identifiers=["q"], privacy=K2, hierarchies={"q": shoal.Hierarchy.flat(["*", "a"])})


@pytest.mark.parametrize(
    ("algorithm", "promise"),
    [
        ("lattice", K2),
        ("samarati", K2),
        ("incognito", K2),
        ("k-optimize", K2),
        ("k-optimize:max_sets=1", K2),
        ("patterns", K2),
        ("patterns-exact", K2),
        ("freeform:method=exact", shoal.UniformMatching(2)),
        ("concealment:steps=20", shoal.KConcealment(2)),
        ("nonhomogeneous", shoal.UniformMatching(2)),
    ],
)
def test_what_claims_came_to_can_be_recorded_whatever_the_algorithm(
    algorithm: str, promise: Any, tmp_path: Path
) -> None:
    result = shoal.anonymize(PEOPLE, privacy=promise, algorithm=algorithm, **WORDS)
    result.write(tmp_path / "out.csv")
    result.report(tmp_path / "report.json")
    told = json.loads((tmp_path / "out.run.json").read_text())["claims"]
    assert told[0]["figures"] == {"suppressed": 0, "allowed": 0}
    assert all(claim["holds"] is True for claim in told)
    assert len(told) == len(result.claims)


def test_stars_are_counted_in_a_column_that_is_called_count() -> None:
    frame = pl.DataFrame({"count": ["a", "a", "b"], "label": ["x", "y", "y"]})
    result = shoal.anonymize(
        frame, quasi_identifiers=["count", "label"], privacy=[shoal.KAnonymity(3)], algorithm="patterns-exact"
    )
    assert result.frame.columns == ["count", "label"]
