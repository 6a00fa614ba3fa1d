"""``shoal audit``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shoal.cli import main

ORIGINAL = "age,zip,ill\n21,02138,a\n24,02139,b\n29,02138,c\n33,02144,a\n38,02145,b\n39,02144,c\n"
RELEASE = "age,zip,ill\n" + "20-29,0213*,{}\n" * 3 + "30-39,0214*,{}\n" * 3
ASKED = ["--quasi", "age,zip", "--sensitive", "ill", "--k", "3"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    original, release = tmp_path / "original.csv", tmp_path / "release.csv"
    original.write_text(ORIGINAL)
    release.write_text(RELEASE.format(*"cabbca"))
    return str(original), str(release)


def test_a_release_that_withstands(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", *files, *ASKED]) == 0
    shown = capsys.readouterr().out
    assert "none succeeds" in shown
    assert "Everybody fits at least 3 records" in shown
    assert "WP216" in shown


def test_a_release_that_falls(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", files[0], files[0], *ASKED]) == 1
    assert "6 people fit a single record" in " ".join(capsys.readouterr().out.replace("│", " ").split())


def test_json(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", *files, *ASKED, "--json", "--thorough", "--seed", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["withstands"] is True
    assert found["pace"] == "thorough"
    assert {risk["attack"] for risk in found["risks"]} >= {"linking", "matching", "posterior", "corruption"}
    assert found["figures"]["achieved_k"] == 3


@pytest.mark.parametrize("ending", ["html", "json", "txt"])
def test_reports(files: tuple[str, str], ending: str, tmp_path: Path) -> None:
    target = tmp_path / f"audit.{ending}"
    assert main(["audit", *files, *ASKED, "--quiet", "--report", str(target)]) == 0
    text = target.read_text()
    assert "Everybody fits at least 3 records" in text
    assert "original.csv" not in text


def test_labels_and_attacks_by_name(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    release = Path(files[1])
    release.write_text(release.read_text().replace("20-29", "young"))
    assert main(["audit", *files, *ASKED]) == 2
    assert "--label 'age:young=" in capsys.readouterr().err
    assert main(["audit", *files, *ASKED, "--label", "age:young=[..29]", "--attack", "linking,matching"]) == 0
    assert "corruption" not in capsys.readouterr().out
    assert main(["audit", *files, *ASKED, "--label", "age=young"]) == 2
    assert "--label is written like" in capsys.readouterr().err


def test_a_second_release_and_a_population(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    said = ["audit", *files, *ASKED, "--with", files[1], "--population", "1000", "--attack", "composition"]
    assert main(said) == 0
    assert "Unique in a population of 1,000" in capsys.readouterr().out
    assert main(["audit", *files, *ASKED, "--population", files[0], "--attack", "linking"]) == 0
    assert "journalist" in capsys.readouterr().out


def test_bad_targets_are_refused_at_once(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", *files, *ASKED, "--report", files[1]]) == 2
    assert main(["audit", *files, *ASKED, "--report", "audit.docx"]) == 2
    assert "audit.docx" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("release", "more", "says"),
    [
        pytest.param("age,ill\n20-29,a\n", [], "The release has no column 'zip'", id="a column was not published"),
        pytest.param(
            "age,zip,ill\n" + "*,*,a\n" * 7, [], "has 7 records and the original only 6 rows", id="more records"
        ),
        pytest.param("age,zip,ill\nyoung,*,a\n", [], "'young' (1 record)", id="a label that cannot be understood"),
        pytest.param(
            "age,zip,ill\n*,north,a\n",
            ["--hierarchy", "zip=half.csv"],
            "The hierarchy of 'zip' lacks 2 values",
            id="a hierarchy of another column",
        ),
        pytest.param(
            "age,zip,ill\n*,north,a\n*,west,b\n",
            ["--hierarchy", "zip=whole.csv"],
            "'west' (1 record)",
            id="labels of two hierarchies",
        ),
        pytest.param("age,zip,ill\n", [], "release.csv has a header but no rows", id="no records"),
    ],
)
def test_bad_input_is_one_sentence(
    release: str,
    more: list[str],
    says: str,
    files: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(Path(files[0]).parent)
    Path("half.csv").write_text("02138;north;*\n02139;north;*\n")
    Path("whole.csv").write_text("02138;north;*\n02139;north;*\n02144;south;*\n02145;south;*\n")
    Path(files[1]).write_text(release)
    assert main(["audit", *files, *ASKED, *more]) == 2
    shown = capsys.readouterr()
    assert says in shown.err
    assert (shown.out, shown.err.count("\n")) == ("", 1)
