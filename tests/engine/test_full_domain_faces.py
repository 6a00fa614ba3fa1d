"""Levels by choice, the solution space, and recodings that are applied to new rows."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.algorithms.lattice import Lattice
from shoal.engine.job import run_job
from shoal.engine.solution_space import exploration_frame

TODAY = pl.DataFrame(
    {
        "age": [20 + i % 40 for i in range(120)],
        "zip": [f"021{i % 3}{i % 5}" for i in range(120)],
        "sex": ["F" if i % 2 else "M" for i in range(120)],
        "disease": [["flu", "gout", "asthma"][i % 3] for i in range(120)],
    }
)
WORDS: dict[str, Any] = {
    "quasi_identifiers": ["age", "zip", "sex"],
    "sensitive": ["disease"],
    "hierarchies": {"age": shoal.Intervals(width=10), "zip": "mask"},
    "privacy": [shoal.KAnonymity(4), shoal.LDiversity(2, of="disease")],
    "suppression_limit": 0.1,
}


def lattice_result() -> shoal.Result:
    return shoal.anonymize(TODAY, algorithm=Lattice(), **WORDS)


def test_the_levels_asked_for_are_published_under_their_labels() -> None:
    by_position = shoal.anonymize(TODAY, levels=[1, 3, 0], seed=1, **WORDS).to_frame()
    by_name = shoal.anonymize(TODAY, levels={"age": 1, "zip": 3}, seed=1, **WORDS).to_frame()
    assert by_position.equals(by_name)
    assert set(by_position["age"]) == {"[20..29]", "[30..39]", "[40..49]", "[50..59]"}
    assert set(by_position["sex"]) == {"F", "M"}
    assert all(label.startswith("0") and label.endswith("***") for label in set(by_position["zip"]))


@pytest.mark.parametrize(
    ("levels", "says"),
    [([1, 2], "levels"), ([1, 9, 0], "9"), ({"zap": 1}, "Did you mean 'zip'"), ([-1, 0, 0], "at least 0")],
)
def test_levels_that_do_not_fit_are_refused(levels: object, says: str) -> None:
    with pytest.raises(shoal.InputError, match=says):
        shoal.anonymize(TODAY, levels=levels, **WORDS)  # type: ignore[arg-type]


def test_the_solution_space_has_every_node_and_its_best_is_what_the_search_found(tmp_path: Path) -> None:
    result = lattice_result()
    result.explore(tmp_path / "nodes.csv")
    nodes = pl.read_csv(tmp_path / "nodes.csv")
    assert nodes.height == 5 * 6 * 2  # age: value, three widths, star; zip: value, four masks, star; sex: value, star
    feasible = nodes.filter("feasible")
    assert result.metrics()["lm"] == pytest.approx(feasible["loss"].min())
    front = nodes.filter("on the front")
    for row in front.iter_rows(named=True):
        beaten = feasible.filter((pl.col("loss") < row["loss"]) & (pl.col("risk") <= row["risk"]))
        assert beaten.is_empty()


def test_the_solution_space_tells_which_nodes_are_minimal() -> None:
    nodes = exploration_frame(lattice_result().exploration)
    minimal = {tuple(row) for row in nodes.filter("minimal").select("^level: .*$").rows()}
    feasible = [tuple(row) for row in nodes.filter("feasible").select("^level: .*$").rows()]
    below = [(one, other) for one in feasible for other in feasible if one != other]
    above = {one for one, other in below if all(b <= a for a, b in zip(one, other, strict=True))}
    assert minimal == set(feasible) - above
    assert minimal


def test_any_feasible_node_can_be_published_and_costs_what_was_said() -> None:
    found = lattice_result().exploration
    for i in [i for i in range(len(found)) if found.is_feasible[i]][::7]:
        again = shoal.anonymize(TODAY, levels=found.levels[i].tolist(), **WORDS)
        assert again.metrics()["lm"] == pytest.approx(found.losses[i])
        assert again.release.n_suppressed == found.suppressed[i]


def test_the_report_draws_the_lattice_only_for_the_house(tmp_path: Path) -> None:
    result = lattice_result()
    result.report(tmp_path / "report.html", explore=True)
    result.report(tmp_path / "public.html", public=True, explore=True)
    assert "Other solutions" in (tmp_path / "report.html").read_text()
    assert "Other solutions" not in (tmp_path / "public.html").read_text()


def test_a_recoding_is_applied_to_new_rows_and_the_promises_are_checked_on_them(tmp_path: Path) -> None:
    result = lattice_result()
    result.save_recoding(tmp_path / "recoding.json")
    assert stat.S_IMODE((tmp_path / "recoding.json").stat().st_mode) == 0o600
    tomorrow = TODAY.reverse().head(90)
    applied = shoal.apply(tmp_path / "recoding.json", tomorrow)
    assert [verdict.promise for verdict in applied.verdicts] == [verdict.promise for verdict in result.verdicts]
    assert all(verdict.holds for verdict in applied.verdicts)
    known = {column: set(result.frame[column]) for column in ("age", "zip", "sex")}
    assert all(set(applied.frame[column]) <= labels for column, labels in known.items())


def test_new_rows_that_cannot_hide_are_refused(tmp_path: Path) -> None:
    lattice_result().save_recoding(tmp_path / "recoding.json")
    with pytest.raises(shoal.ShoalError):
        shoal.apply(tmp_path / "recoding.json", TODAY.unique(["age", "zip", "sex"]).head(5))


def test_a_local_release_has_no_recoding_to_save(tmp_path: Path) -> None:
    local = shoal.anonymize(TODAY, algorithm="mondrian", **WORDS)
    with pytest.raises(shoal.InputError, match="Only a full-domain release"):
        local.save_recoding(tmp_path / "recoding.json")
    assert not (tmp_path / "recoding.json").exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "other"}', None])
def test_what_is_no_recoding_is_refused(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "recoding.json").write_text(text)
    with pytest.raises(shoal.InputError, match="recoding"):
        shoal.apply(tmp_path / "recoding.json", TODAY)


def test_a_job_explores_and_saves_as_well(tmp_path: Path) -> None:
    TODAY.write_csv(tmp_path / "today.csv")
    (tmp_path / "job.toml").write_text(
        'input = "today.csv"\noutput = "release.csv"\nexplore = "nodes.csv"\nsave_recoding = "recoding.json"\n'
        'quasi_identifiers = ["age", "zip", "sex"]\nsensitive = ["disease"]\nlevels = { age = 4, zip = 5 }\n'
        '[hierarchies]\nage = "intervals:width=10"\nzip = "mask"\n[privacy]\nk = 4\n'
    )
    result = run_job(tmp_path / "job.toml")
    assert result.choice.algorithm.name == "lattice"  # type: ignore[union-attr]
    assert json.loads((tmp_path / "recoding.json").read_text())["levels"] == [4, 5, 0]
    assert (tmp_path / "nodes.csv").exists()


def test_the_proof_is_told() -> None:
    told = [claim.came_to for claim in lattice_result().claims]
    assert any("is proven least: of 60 nodes" in came_to for came_to in told)
