"""On a cluster: promises about all classes together, judged from its counts, and policies by name."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.contracts import PrivacyModel
from shoal.core.node import chosen_levels
from shoal.core.randomness import Randomness
from shoal.engine.backends.spark.cluster import Cluster
from shoal.errors import BrokenPromise, InputError

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.slow]

WORDS: dict[str, Any] = {"quasi_identifiers": ["age", "zip", "sex"], "others": ["note"]}
QUASI = WORDS["quasi_identifiers"]
TREES = {"age": shoal.Intervals(width=10), "zip": shoal.Mask()}
WHOLE: list[PrivacyModel] = [
    shoal.AverageRisk(0.1),
    shoal.RiskShare(0.25, 0.1),
    shoal.SampleUniqueness(0.01),
    shoal.PopulationUniqueness(0.01),
    shoal.KCombinations(4, every=2),
    shoal.EstimatedKMap(300),
]


def _people(n: int = 800) -> pl.DataFrame:
    drawn = Randomness(3)
    ages, zips, sexes = (drawn.integers(bound, n).tolist() for bound in (50, 30, 2))
    return pl.DataFrame(
        {
            "age": [20 + age for age in ages],
            "zip": [f"{10 + place}" for place in zips],
            "sex": ["fm"[each] for each in sexes],
            "note": [f"note {row}" for row in range(n)],
        }
    )


def _df(spark: Any, frame: pl.DataFrame) -> Any:
    return spark.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest())).repartition(2)


def _back(df: Any) -> pl.DataFrame:
    frame = pl.from_arrow(df.toArrow())
    assert isinstance(frame, pl.DataFrame)
    return frame


def test_levels_and_figures_are_those_of_a_run_in_memory(spark: Any) -> None:
    from shoal.spark import release

    words = {**WORDS, "hierarchies": TREES, "algorithm": "lattice", "privacy": WHOLE, "population": 16_000}
    words["suppression_limit"] = 0.1
    made = release(_df(spark, _people()), **words)
    local = shoal.anonymize(_people(), audit="off", **words)
    assert made.levels == chosen_levels(local.release)
    assert [verdict.promise for verdict in made.verdicts] == [verdict.promise for verdict in local.verdicts]
    for ours, theirs in zip(made.verdicts, local.verdicts, strict=True):
        assert ours.achieved == pytest.approx(theirs.achieved), ours.promise


def test_blocks_keep_them_and_people_are_counted(spark: Any) -> None:
    from shoal.spark import release

    words = {**WORDS, "algorithm": "mondrian", "privacy": WHOLE[:5], "population": 16_000, "rows": 200}
    seen = _back(release(_df(spark, _people()), **words).frame)
    assert shoal.verify(seen, quasi_identifiers=QUASI, privacy=WHOLE[:5], population=16_000).holds
    visits = _people().with_columns(who=pl.Series([f"p{row // 2}" for row in range(800)]))
    asked = [shoal.AverageRisk(0.2), shoal.KCombinations(4, every=2)]
    made = release(_df(spark, visits), **{**words, "privacy": asked, "population": None}, person="who")
    told = _back(made.frame).join(visits.select("note", "who"), on="note")
    classes = told.group_by(QUASI).agg(pl.len(), pl.col("who").n_unique().alias("people"))
    risk = float((classes["len"] / classes["people"]).sum()) / 800
    assert made.verdicts[0].achieved == pytest.approx(risk)
    fewest = min(
        told.group_by(pair).agg(pl.col("who").n_unique())["who"].to_numpy().min()
        for pair in (QUASI[:2], QUASI[1:], QUASI[::2])
    )
    assert made.verdicts[1].achieved == fewest


def test_what_is_published_is_judged(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from shoal.spark import release

    shuffled = Cluster._shuffled
    monkeypatch.setattr(Cluster, "_shuffled", lambda *said: shuffled(*said).selectExpr("* EXCEPT (age)", "note AS age"))
    with pytest.raises(BrokenPromise, match=r"average risk 0\.2 DOES NOT HOLD"):
        release(_df(spark, _people(200)), **WORDS, algorithm="mondrian", privacy=shoal.AverageRisk(0.2))


def test_a_policy_is_followed_changed_and_told(spark: Any) -> None:
    from shoal.spark import release

    made = release(_df(spark, _people()), **WORDS, policy="research-partner", algorithm="mondrian")
    assert made.policy is not None
    assert made.policy.name == "research-partner"
    assert [verdict.promise for verdict in made.verdicts] == ["3-anonymity", "average risk 0.1"]
    assert all(verdict.holds for verdict in made.verdicts)
    assert any("also says audit = 'usual', which is not available here" in note for note in made.notes)
    stricter = release(_df(spark, _people()), **WORDS, policy="public-release", privacy=shoal.KAnonymity(20))
    assert any("20-anonymity in place of 12-anonymity" in note for note in stricter.notes)
    assert stricter.verdicts[0].achieved >= 20
    with pytest.raises(InputError, match="depends on all columns and needs them in memory"):
        release(_df(spark, _people(50)), **WORDS, policy="hipaa-safe-harbor")
    with pytest.raises(InputError, match=r"The policy public-release .* cannot be met"):
        release(_df(spark, _people(8)), **WORDS, policy="public-release")
