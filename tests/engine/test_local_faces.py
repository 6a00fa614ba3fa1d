"""Refinements and certificates by every door: the library, job files and the command line say the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.job import run_job


def made(n_rows: int = 300) -> pl.DataFrame:
    """People in no order."""
    rng = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, n_rows),
            "zip": [f"021{value}" for value in rng.integers(0, 9, n_rows)],
            "sex": ["FM"[value] for value in rng.integers(0, 2, n_rows)],
            "disease": [["flu", "gout", "asthma"][value] for value in rng.integers(0, 3, n_rows)],
        }
    )


PEOPLE = made()
WORDS: dict[str, Any] = {
    "quasi_identifiers": ["age", "zip", "sex"],
    "sensitive": ["disease"],
    "privacy": [shoal.KAnonymity(4), shoal.LDiversity(2, of="disease")],
}
JOB = """
input = "people.csv"
output = "release.csv"
quasi_identifiers = ["age", "zip", "sex"]
sensitive = ["disease"]
algorithm = "hilbert"
refine = ["sequential", "search:steps=200"]
seed = 5

[privacy]
k = 4
l = "2:disease"
"""


@pytest.mark.parametrize("start", ["mondrian", "hilbert", "lexicographic", "forest", "agglomerative"])
def test_a_refined_release_loses_less_and_keeps_its_promises(start: str) -> None:
    plain = shoal.anonymize(PEOPLE, algorithm=start, **WORDS)
    refined = shoal.anonymize(PEOPLE, algorithm=start, refine=["sequential", "search:steps=300"], **WORDS)
    assert refined.metrics()["lm"] < plain.metrics()["lm"]
    assert all(verdict.holds for verdict in refined.verdicts)
    assert refined.choice.algorithm.name == f"{start}, refined by sequential and search"
    assert any("before" in note and "after" in note for note in refined.notes)


def test_job_library_and_record_agree(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    (tmp_path / "job.toml").write_text(JOB)
    run_job(tmp_path / "job.toml")
    words: dict[str, Any] = {**WORDS, "algorithm": "hilbert", "refine": ["sequential", "search:steps=200"], "seed": 5}
    by_call = shoal.anonymize(tmp_path / "people.csv", **words)
    by_call.write(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "release.csv").read_bytes()
    record = json.loads((tmp_path / "release.run.json").read_text())
    assert record["algorithm"]["name"] == "hilbert, refined by sequential and search"
    assert record["algorithm"]["cut_by"] == "cells"
    assert record["algorithm"]["refine"] == [
        {"name": "sequential"},
        {"name": "search", "steps": 200, "least_gain": 0.0},
    ]


def test_the_budget_is_for_the_start_and_the_refinement() -> None:
    refined = shoal.anonymize(PEOPLE, algorithm="mondrian", refine="search", budget="0.3s", **WORDS)
    assert refined.choice.algorithm.seconds == 0.3  # type: ignore[attr-defined]
    assert refined.metrics()["lm"] <= shoal.anonymize(PEOPLE, algorithm="mondrian", **WORDS).metrics()["lm"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"refine": "sequental"}, "no refinement 'sequental'.*Did you mean 'sequential'"),
        ({"refine": "search:step=3"}, "has no option 'step'.*Did you mean 'steps'"),
        ({"refine": "search:steps=-3"}, "steps must be at least 0"),
        ({"refine": "search", "algorithm": "lattice"}, "the algorithm 'lattice' does not allow; refine mondrian"),
        ({"refine": "search", "levels": [0, 0, 0]}, "Levels say exactly what to publish"),
    ],
)
def test_what_cannot_be_refined_is_refused_in_a_sentence(change: dict[str, object], says: str) -> None:
    with pytest.raises(shoal.InputError, match=says):
        shoal.anonymize(PEOPLE, **{**WORDS, **change})


NESTED: dict[str, Any] = {
    "hierarchies": {"age": shoal.Intervals(width=10), "zip": "mask"},
    "recodings": {"sex": "suppress"},
}


def test_a_certified_release_says_how_near_the_best_it_is(tmp_path: Path) -> None:
    result = shoal.anonymize(PEOPLE, algorithm="agglomerative", certify="2s", **WORDS, **NESTED)
    floor = result.floor
    assert floor is not None
    assert 0.5 * floor.loss < floor.value <= floor.loss == result.metrics()["lm"]
    assert floor.above == pytest.approx(floor.loss / floor.value - 1)
    result.write(tmp_path / "release.csv")
    record = json.loads((tmp_path / "release.run.json").read_text())
    assert record["floor"]["value"] == floor.value
    for ending in ("txt", "html"):
        result.report(tmp_path / f"report.{ending}")
        assert "above the best possible" in " ".join((tmp_path / f"report.{ending}").read_text().split())
    result.report(tmp_path / "public.txt", public=True)
    assert "best possible" not in (tmp_path / "public.txt").read_text()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"metric": "dm"}, "needs a cell-based metric such as lm, not 'dm'"),
        ({"certify": "0s"}, "give it that time, or certify fewer columns"),
        ({"certify": "soon"}, "must be a number, got 'soon'"),
        ({"privacy": shoal.TCloseness(0.9)}, "asks for groups of several rows"),
        ({"hierarchies": {}}, "those of 'age' are ranges"),
    ],
)
def test_what_cannot_be_certified_is_refused_in_a_sentence(change: dict[str, object], says: str) -> None:
    with pytest.raises(shoal.InputError, match=says):
        shoal.anonymize(PEOPLE, **{**WORDS, **NESTED, "certify": True, **change})


DIVERSE: dict[str, Any] = {
    "quasi_identifiers": ["age", "zip", "sex"],
    "sensitive": ["disease"],
    "privacy": shoal.LDiversity(3),
}


@pytest.mark.parametrize("audit", ["quick", "usual"])
def test_anatomy_gives_two_tables_that_can_be_verified_together(tmp_path: Path, audit: Any) -> None:
    result = shoal.anonymize(PEOPLE, algorithm="anatomy", audit=audit, **DIVERSE)
    frame, values = result.to_frames()
    assert frame.columns == ["age", "zip", "sex", "bucket"]
    assert sorted(frame.drop("bucket").rows()) == sorted(PEOPLE.drop("disease").rows())
    assert values.columns == ["bucket", "disease", "count"]
    assert any("never k-anonymity" in note for note in result.notes)
    result.write(tmp_path / "out.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "out.csv", "out.datapackage.json", "out.run.json", "out.sensitive.csv",
    ]  # fmt: skip
    both: dict[str, Any] = {**DIVERSE, "sensitive_table": tmp_path / "out.sensitive.csv"}
    assert shoal.verify(tmp_path / "out.csv", **both).holds
    both["privacy"] = [shoal.LDiversity(4), shoal.KAnonymity(2)]
    assert [verdict.holds for verdict in shoal.verify(tmp_path / "out.csv", **both).verdicts] == [False, False]
    result.report(tmp_path / "report.html", public=True)
    assert "This is diversity, not k-anonymity" in (tmp_path / "report.html").read_text()


def test_two_tables_that_do_not_fit_are_refused() -> None:
    frame, values = shoal.anonymize(PEOPLE, algorithm="anatomy", **DIVERSE).to_frames()
    for second, says in (
        (values.head(5), "do not hold equally many rows"),
        (values.drop("count"), "one column that counts rows"),
        (values.with_columns(count=pl.lit("many")), "must count rows in whole numbers"),
        (values.rename({"bucket": "b"}), "bucket"),
    ):
        with pytest.raises(shoal.InputError, match=says):
            shoal.verify(frame, sensitive_table=second, **DIVERSE)


def test_anatomy_is_never_k_anonymity_and_cannot_be_certified() -> None:
    with pytest.raises(shoal.InputError, match="cannot promise 3-anonymity"):
        shoal.anonymize(PEOPLE, algorithm="anatomy", **{**DIVERSE, "privacy": shoal.KAnonymity(3)})
    with pytest.raises(shoal.InputError, match="nothing to certify"):
        shoal.anonymize(PEOPLE, algorithm="anatomy", certify="1s", **DIVERSE, **NESTED)
