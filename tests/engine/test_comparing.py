"""Algorithms side by side."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.engine.comparing import _with_front, chosen_algorithms
from shoal.errors import InputError
from shoal.report.comparison import Entry
from support.trials import trials_in_this_process

PEOPLE = pl.DataFrame(
    {
        "age": [20 + i * 7 % 45 for i in range(120)],
        "sex": ["F" if i % 3 else "M" for i in range(120)],
        "ill": [["flu", "asthma", "gout"][i % 3] for i in range(120)],
    }
)


@pytest.fixture(scope="module")
def compared() -> shoal.Comparison:
    with trials_in_this_process():
        return shoal.compare(
            PEOPLE,
            quasi_identifiers=["age", "sex"],
            sensitive=["ill"],
            goals=[shoal.KAnonymity(4), [shoal.KAnonymity(8), shoal.LDiversity(2)]],
            algorithms=["mondrian:relaxed", shoal.Hilbert(), "nonhomogeneous"],
        )


def test_each_runs_in_a_process_of_its_own(compared: shoal.Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.engine.comparison_trial.Trial.run", None)
    apart = shoal.compare(
        PEOPLE,
        quasi_identifiers=["age", "sex"],
        sensitive=["ill"],
        goals=[shoal.KAnonymity(4)],
        algorithms=[shoal.Hilbert(), "nonhomogeneous"],
    )
    here = [
        entry for entry in compared.entries if entry.goal == "4-anonymity" and entry.algorithm != "mondrian:relaxed"
    ]
    assert [entry.state for entry in apart.entries] == ["done", "refused"]
    for one, other in zip(apart.entries, here, strict=True):
        assert (one.algorithm, one.state, one.reason) == (other.algorithm, other.state, other.reason)
        assert one.losses == pytest.approx(other.losses)
    assert (apart.entries[0].peak_mib or 0) > 10


def test_every_algorithm_on_every_goal(compared: shoal.Comparison) -> None:
    states = {(entry.algorithm.partition("(")[0], entry.goal): entry.state for entry in compared.entries}
    two = "8-anonymity and 2-diversity"
    assert states == {
        ("mondrian:relaxed", "4-anonymity"): "done",
        ("Hilbert", "4-anonymity"): "done",
        ("nonhomogeneous", "4-anonymity"): "refused",
        ("mondrian:relaxed", two): "done",
        ("Hilbert", two): "done",
        ("nonhomogeneous", two): "refused",
    }


def test_the_figures_are_those_of_the_release(compared: shoal.Comparison) -> None:
    alone = shoal.anonymize(
        PEOPLE,
        quasi_identifiers=["age", "sex"],
        sensitive=["ill"],
        privacy=shoal.KAnonymity(4),
        algorithm="mondrian:relaxed",
    )
    entry = next(e for e in compared.entries if e.algorithm == "mondrian:relaxed" and e.goal == "4-anonymity")
    assert entry.losses["lm"] == pytest.approx(alone.metrics()["lm"])
    sizes = alone.release.classes.sizes
    assert entry.highest_risk == pytest.approx(1 / sizes.min())
    assert entry.average_risk == pytest.approx(sizes.size / 120)
    assert entry.utility["marginals"] == pytest.approx(alone.usefulness()["marginals"])
    assert (entry.seconds or 0) > 0
    assert (entry.peak_mib or 0) > 10


def test_frame_best_and_page(compared: shoal.Comparison, tmp_path: Path) -> None:
    assert compared.frame.height == 6
    assert compared.frame.filter(pl.col("state") == "done")["lm"].null_count() == 0
    best = compared.best(shoal.KAnonymity(4))
    done = [e for e in compared.entries if e.is_done and e.goal == "4-anonymity"]
    assert best.losses["lm"] == min(e.losses["lm"] for e in done)
    with pytest.raises(InputError, match="No algorithm made a release with 99-anonymity"):
        compared.best("99-anonymity")
    assert "mondrian:relaxed" in compared._repr_html_()
    for ending in ("html", "json", "csv"):
        compared.report(tmp_path / f"c.{ending}")
    assert "<svg" in (tmp_path / "c.html").read_text()
    assert len(json.loads((tmp_path / "c.json").read_text())) == 6
    assert pl.read_csv(tmp_path / "c.csv").height == 6
    with pytest.raises(InputError, match=r"\.html"):
        compared.report(tmp_path / "c.docx")


def test_a_run_is_stopped_when_its_time_is_up() -> None:
    found = shoal.compare(
        PEOPLE.select("age"),
        quasi_identifiers=["age"],
        goals=[shoal.KAnonymity(4)],
        algorithms=["mondrian"],
        time_limit=0.01,
    )
    assert [(entry.state, entry.reason) for entry in found.entries] == [("time limit", "Not done after 0.01 seconds.")]


def test_bad_input() -> None:
    with pytest.raises(InputError, match="at least one goal"):
        shoal.compare(PEOPLE, quasi_identifiers=["age"], goals=[])
    with pytest.raises(InputError, match=r"There is no algorithm 'mondrain'\. Did you mean 'mondrian'"):
        shoal.compare(PEOPLE, quasi_identifiers=["age"], goals=[shoal.KAnonymity(2)], algorithms=["mondrain"])
    with pytest.raises(InputError, match="no column 'aeg'"):
        shoal.compare(PEOPLE, quasi_identifiers=["aeg"], goals=[shoal.KAnonymity(2)])


def test_all_names_every_algorithm_and_gives_searches_a_limit() -> None:
    chosen = [spelled for spelled, _ in chosen_algorithms("all", 60.0)]
    assert "clustering:budget=20" in chosen
    assert "mondrian" in chosen
    assert len(chosen) == len(shoal.algorithms.ALL)


def test_the_front() -> None:
    def entry(lm: float, risk: float) -> Entry:
        return Entry("a", "g", "done", losses={"lm": lm}, highest_risk=risk)

    entries = [
        entry(0.1, 0.2),
        entry(0.2, 0.1),
        entry(0.2, 0.2),
        entry(0.1, 0.2),
        entry(0.1, 0.3),
        Entry("b", "g", "no"),
    ]
    assert [each.is_on_front for each in _with_front(entries)] == [True, True, False, True, False, False]
