"""What a run has to show, the desk, and a job as a script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal import models
from shoal.engine import run_view as showing
from shoal.engine.anonymizing import anonymize
from shoal.engine.column_changes import heats, spreads
from shoal.engine.desk import Desk
from shoal.engine.job import Job
from shoal.engine.result import Result
from shoal.engine.script import script_text
from shoal.errors import ImpossibleGoal, InputError
from shoal.io.example import people
from shoal.io.write import write_frame

WORDS: dict[str, Any] = {
    "input": "people.csv",
    "output": "release.csv",
    "identifiers": ["name", "ssn", "email", "birth_date"],
    "quasi_identifiers": ["postcode", "sex", "stay_days"],
    "sensitive": ["diagnosis"],
    "others": ["marital_status", "job"],
    "privacy": {"k": 5},
    "hierarchies": {"postcode": "mask"},
    "algorithm": "lattice",
    "suppression_limit": 0.1,
}

ROLES = ("identifiers", "quasi_identifiers", "sensitive", "others", "hierarchies")


@pytest.fixture(scope="module")
def made() -> Result:
    roles = {key: WORDS[key] for key in ROLES}
    return anonymize(people(1_000), privacy=models.KAnonymity(5), seed=1, audit="off", **roles)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("desk")
    write_frame(people(1_000), folder / "people.csv")
    return Desk(folder / "people.csv", folder)


def job(**more: Any) -> Job:
    return Job.said({**WORDS, **more}, "The job")


def test_spreads_count_every_row_and_every_record(made: Result) -> None:
    by_name = {spread.column: spread for spread in spreads(made.release)}
    assert sum(by_name["sex"].before) == 1_000
    assert sum(by_name["sex"].after) == pytest.approx(made.release.n_records)
    means = by_name["stay_days"].means
    assert means is not None
    assert means[0] == pytest.approx(people(1_000)["stay_days"].mean())


def test_a_release_of_everything_as_it_is_moves_nothing() -> None:
    frame = pl.DataFrame({"a": [1, 1, 2, 2], "b": ["x", "x", "y", "y"]})
    release = anonymize(frame, quasi_identifiers=["a", "b"], privacy=models.KAnonymity(2), audit="off").release
    assert [spread.before for spread in spreads(release)] == [spread.after for spread in spreads(release)]
    (heat,) = heats(release)
    assert heat.moved == 0
    assert np.sum(heat.after) == 4


def test_what_is_blurred_has_moved(made: Result) -> None:
    assert max(heat.moved for heat in heats(made.release)) > 0.01


@pytest.mark.parametrize("name", showing.PIECES)
def test_pieces_are_plain_data(made: Result, name: str) -> None:
    piece = showing.piece_or_sentence(showing.PIECES[name], made)
    assert "sentence" not in piece
    assert json.loads(json.dumps(piece)).keys() == piece.keys()


def test_values_in_pieces_are_escaped() -> None:
    frame = pl.DataFrame({"<b>": ["<script>x</script>"] * 4 + ["&"] * 4, "s": ["<i>"] * 8})
    made = anonymize(frame, quasi_identifiers=["<b>"], sensitive=["s"], privacy=models.KAnonymity(2), audit="off")
    classes, utility = showing.classes_piece(made), showing.utility_piece(made)
    drawn = [classes["promises"], classes["risks"], classes["worst"], utility["losses"], utility["claims"]]
    assert "&lt;b&gt;" in str(classes["worst"])
    for piece in drawn:
        assert not any(bad in piece for bad in ("<script>", "<b>", "<i>"))


def test_large_lattices_are_not_looked_through(made: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not isinstance(showing.nodes_piece(made), str)
    monkeypatch.setattr(showing, "MOST_NODES", 1)
    assert "more than the 1" in str(showing.nodes_piece(made))


def test_the_desk_says_what_a_job_would_run(desk: Desk) -> None:
    found = desk.try_out(job())
    assert (found["algorithm"], found["promises"]) == ("lattice", ["5-anonymity"])
    with pytest.raises(ImpossibleGoal, match="k = 2,000"):
        desk.try_out(job(privacy={"k": 2000}))
    with pytest.raises(InputError, match="has no column 'zip'"):
        desk.try_out(job(quasi_identifiers=["zip"], hierarchies={}))


def test_the_desk_counts_who_stands_alone(desk: Desk) -> None:
    frame = desk.frame
    alone = desk.alone(["postcode", "sex"])
    assert alone["n_unique"] == frame.filter(pl.struct("postcode", "sex").is_unique()).height
    assert desk.alone([])["n_unique"] == 0


def test_the_desk_shows_a_node_as_it_would_be_published(desk: Desk) -> None:
    found = desk.node(job(), [5, 1, 1])
    assert found["n_records"] == 1_000
    assert {row[0] for row in found["rows"]} == {"*"}


def test_the_desk_takes_hierarchies_that_lack_values_only_on_purpose(desk: Desk) -> None:
    spec = {"men": ["male"]}
    with pytest.raises(InputError, match="lacks 1 value"):
        desk.hierarchy("sex", spec)
    assert desk.hierarchy("sex", spec, covering=False).leaves == ("male",)


def test_a_script_says_what_the_job_says(tmp_path: Path) -> None:
    text = script_text(
        job(seed=3, report="report.html", kinds={"sex": "nominal"}, privacy={"k": 5, "l": "2:diagnosis"})
    )
    compile(text, "job.py", "exec")
    for said in (
        "shoal.KAnonymity(k=5)",
        "shoal.LDiversity(",
        "seed=3",
        "report.html",
        "folder=folder",
        "'postcode': 'mask'",
    ):
        assert said in text


def test_the_risk_page_has_one_figure_for_each_fact() -> None:
    roles = {key: WORDS[key] for key in ROLES}
    run = anonymize(people(1_000), privacy=models.KAnonymity(5), algorithm="mondrian", seed=1, **roles)
    assert run.audited is not None
    page = showing.audit_piece(run)
    told = [risk for risk in run.audited.risks if risk.outcome != "not run"]
    assert any(risk.outcome == "falls" for risk in told)
    said = [(risk["attack"], risk["about"]) for risk in page["risks"]]
    assert len(said) == len({*said})
    for risk in told:
        assert risk.says in [one["says"] for one in page["risks"]], risk.attack
    assert page["figures"]["prosecutor"]["highest"] == showing.figures(run)["highest_risk"]


def test_records_that_need_not_look_alike_are_not_judged_by_their_classes(tmp_path: Path) -> None:
    roles = {key: WORDS[key] for key in ROLES}
    for promise, says in (
        (models.UniformMatching(5), "No chance is above 20%"),
        (models.KK(3), "need not share their cells"),
    ):
        run = anonymize(people(300), privacy=promise, seed=1, **roles)
        for name in ("public.html", "public.txt", "public.json"):
            run.report(tmp_path / name, public=True)
        page, text, data = ((tmp_path / f"public.{ending}").read_text() for ending in ("html", "txt", "json"))
        assert says in page
        assert says in " ".join(text.split())
        assert "100%" not in text
        assert "can be singled out" not in page
        assert json.loads(data)["risk"]["highest"] in (0.2, None)
