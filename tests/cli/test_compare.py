"""``shoal compare`` and what it makes of promises with several numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shoal.cli import main
from shoal.cli.compare import goals_of
from shoal.cli.promises import Promises
from shoal.cli.spelling import algorithms as spelled
from shoal.models import AlphaK, KAnonymity, LDiversity

pytestmark = pytest.mark.usefixtures("trials_here")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("age,sex\n" + "\n".join(f"{20 + i % 30},{'FM'[i % 2]}" for i in range(60)))
    return path


def test_a_table_for_every_goal(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "c.html"
    said = [
        "compare",
        str(people),
        "--quasi",
        "age,sex",
        "--k",
        "3,6",
        "--algorithms",
        "mondrian",
        "--report",
        str(report),
    ]
    assert main(said) == 0
    printed = capsys.readouterr()
    assert "3-anonymity: mondrian loses least" in printed.out
    assert "6-anonymity: mondrian loses least" in printed.out
    assert report.read_text().count("<table") >= 2
    assert "for you alone" in printed.err


def test_json(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(people), "--quasi", "age,sex", "--k", "3", "--algorithms", "hilbert", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [(entry["algorithm"], entry["state"]) for entry in entries] == [("hilbert", "done")]


def test_nothing_done_is_status_1(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(people), "--quasi", "age,sex", "--k", "3", "--algorithms", "freeform"]) == 1
    assert "No algorithm made a release." in capsys.readouterr().out


def test_no_promise_is_refused(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(people), "--quasi", "age"]) == 2
    assert "--k 5,10" in capsys.readouterr().err


def test_promises_with_several_numbers_are_tried_with_each() -> None:
    promises = Promises(promise_k=["5,10"], promise_l=["2"])  # type: ignore[call-arg]
    assert goals_of(promises.alternatives()) == [
        (KAnonymity(5), LDiversity(2)),
        (KAnonymity(10), LDiversity(2)),
    ]


def test_a_promise_of_two_numbers_stays_one() -> None:
    promises = Promises(promise_alpha=["0.4,3"])  # type: ignore[call-arg]
    found = goals_of(promises.alternatives())
    assert len(found) == 1
    assert isinstance(found[0][0], AlphaK)


def test_names_with_options() -> None:
    assert spelled("mondrian:relaxed=true,lattice, clustering:budget=3,steps=5") == [
        "mondrian:relaxed=true",
        "lattice",
        "clustering:budget=3,steps=5",
    ]
