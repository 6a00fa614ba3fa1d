"""The way of a new user: ``shoal inspect --write-job``, then ``shoal run``. Nothing leaks, whatever the file."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings

import shoal
from messy.leaks import days, leaks, secrets_by_hand
from messy.tables import LANGUAGES, TEN, Switches, switches
from shoal.cli import main
from shoal.engine import automatic

FILES = Path(__file__).parent / "files"


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search for a moment only."""
    monkeypatch.setattr(automatic, "_SECONDS", 0.05)


@pytest.mark.parametrize("number", range(len(TEN)))
def test_two_commands_publish_a_messy_table_and_nothing_leaks(number: int, tmp_path: Path) -> None:
    publish_in_two_commands(TEN[number], tmp_path)


@pytest.mark.nightly
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(switches())
def test_two_commands_publish_any_mess_and_nothing_leaks(
    tmp_path_factory: pytest.TempPathFactory, switches: Switches
) -> None:
    publish_in_two_commands(switches, tmp_path_factory.mktemp("mess"))


def publish_in_two_commands(switches: Switches, folder: Path) -> None:
    mess, job = switches.table(), folder / "job.toml"
    (folder / "patients.csv").write_bytes(mess.content)
    assert main(["inspect", str(folder / "patients.csv"), "--write-job", str(job), "-q"]) == 0
    assert main(["run", str(job), "-q"]) == 0
    release = pl.read_csv(folder / "patients_release.csv", infer_schema=False)
    for column, values in mess.secrets.items():
        found = leaks(days(values, switches.dates) if column == "birth" else values, release)
        assert not found, (column, found[:3])
    assert LANGUAGES[switches.language]["weight"] not in release.columns
    said = tomllib.loads(job.read_text(encoding="utf-8"))
    assert (said["privacy"]["k"], said["input"]) == (5, "patients.csv")


@pytest.mark.parametrize("name", sorted(path.name for path in FILES.iterdir() if path.suffix != ".toml"))
def test_two_commands_on_files_by_hand(name: str, tmp_path: Path) -> None:
    shutil.copy(FILES / name, tmp_path)
    assert main(["inspect", str(tmp_path / name), "--write-job", str(tmp_path / "job.toml"), "-q"]) == 0
    assert main(["run", str(tmp_path / "job.toml"), "-q"]) == 0
    found = shoal.inspect(FILES / name)
    release = pl.read_csv(tmp_path / f"{Path(name).stem}_release.csv", infer_schema=False)
    assert not {c.name for c in found.columns if c.role in ("identifier", "person")} & set(release.columns)
    for column, values in secrets_by_hand(FILES / name).items():
        assert len(set(values)) > 20, "there is something to look for"
        assert not leaks(values, release), column


def test_values_in_any_part_of_a_cell_are_found() -> None:
    release = pl.DataFrame({"born": ["{1942-02-16, 1962-04-30}", "1970"], "note": ["*", "called ann BELL twice"]})
    assert leaks(days(["16.02.1942", "01.01.1970"], "%d.%m.%Y"), release) == ["1942-02-16"]
    assert leaks(["Ann Bell", "Bo", " "], release) == ["Ann Bell"]


@pytest.mark.parametrize("how", ["auto", "job"])
def test_a_sample_weight_is_left_out_with_the_reason(how: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "age": [20 + i % 7 for i in range(90)],
            "sex": ["f", "m", "f"] * 30,
            "fnlwgt": [77_516 + i // 2 * 31 for i in range(90)],
        }
    )
    frame.write_csv(tmp_path / "t.csv")
    found = shoal.inspect(tmp_path / "t.csv", write_job=tmp_path / "job.toml")
    assert "person" not in found.words, "a weight that several rows share is nobody's key"
    if how == "auto":
        made = shoal.anonymize(tmp_path / "t.csv", auto=True, quick=True)
        release, said = made.frame, " ".join(made.notes)
    else:
        assert main(["run", str(tmp_path / "job.toml"), "-q"]) == 0
        release, said = pl.read_csv(tmp_path / "t_release.csv"), (tmp_path / "job.toml").read_text(encoding="utf-8")
    assert release.columns == ["age", "sex"]
    assert "'fnlwgt' is a sample weight. It is left out" in said.replace("\n#  ", "")
    kept = shoal.anonymize(frame, auto=True, quick=True, sample_weight="fnlwgt")
    assert (kept.schema.sample_weight, kept.frame.columns) == ("fnlwgt", ["age", "sex"])


def test_every_line_of_the_job_has_a_reason(tmp_path: Path) -> None:
    shutil.copy(FILES / "claims.csv", tmp_path)
    shoal.inspect(tmp_path / "claims.csv", write_job=tmp_path / "job.toml")
    text = (tmp_path / "job.toml").read_text(encoding="utf-8")
    for word in ("identifiers", "quasi_identifiers", "sensitive", "privacy", "dates", "hierarchies", "thousands"):
        lines = text.split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith((f"{word} =", f"[{word}]")))
        assert lines[at - 1].startswith("#"), word
    assert 'atc = "prefixes:lengths=5/4/3/1"' in text
    assert '"Western Europe" = ["France", "Germany"]' in text


def test_auto_does_it_in_one_command(tmp_path: Path) -> None:
    shutil.copy(FILES / "discharges.csv", tmp_path)
    target = tmp_path / "release.csv"
    assert main(["anonymize", str(tmp_path / "discharges.csv"), "--auto", "-o", str(target), "-q"]) == 0
    assert set(pl.read_csv(target).columns) == {
        "Geburtstag", "Alter", "Geschlecht", "PLZ", "Diagnose", "Kosten",
    }  # fmt: skip


def test_auto_keeps_what_was_said() -> None:
    result = shoal.anonymize(
        FILES / "discharges.csv", auto=True, privacy={"k": 3}, identifiers=["Kosten"], others=["Fall"], quick=True
    )
    assert [str(verdict.promise) for verdict in result.verdicts] == ["3-anonymity (people counted)"]
    assert "Fall" in result.frame.columns
    assert "Kosten" not in result.frame.columns
    assert any("%d.%m.%Y" in note for note in result.notes)


AMBIGUOUS = pl.DataFrame(
    {
        "born": [f"0{1 + i % 9}/0{1 + i % 7}/19{50 + i % 40}" for i in range(60)],
        "sex": ["m", "f"] * 30,
        "disease": ["flu", "gout", "cold"] * 20,
    }
)


def test_auto_refuses_where_a_person_has_to_decide() -> None:
    with pytest.raises(shoal.InputError, match=r"You have to decide: The dates of 'born' can be read as %d/%m/%Y or"):
        shoal.anonymize(AMBIGUOUS, auto=True)
    release = shoal.anonymize(AMBIGUOUS, auto=True, dates={"born": "%m/%d/%Y"}, quick=True)
    assert release.schema.quasi_identifiers == ("born", "sex")
    with pytest.raises(shoal.InputError, match="no column looks like a quasi-identifier"):
        shoal.anonymize(pl.DataFrame({"a": ["x"] * 30, "b": ["y"] * 30}), auto=True)


def test_a_job_that_needs_a_decision_says_so_and_runs(tmp_path: Path) -> None:
    AMBIGUOUS.write_csv(tmp_path / "t.csv")
    assert main(["inspect", str(tmp_path / "t.csv"), "--write-job", str(tmp_path / "job.toml"), "-q"]) == 0
    assert "# You have to decide: The dates of 'born'" in (tmp_path / "job.toml").read_text(encoding="utf-8")
    assert main(["run", str(tmp_path / "job.toml"), "-q"]) == 0


def test_a_job_file_is_never_overwritten_and_frames_have_no_name(tmp_path: Path) -> None:
    AMBIGUOUS.write_csv(tmp_path / "t.csv")
    (tmp_path / "job.toml").write_text("mine")
    with pytest.raises(shoal.InputError, match="already"):
        shoal.inspect(tmp_path / "t.csv", write_job=tmp_path / "job.toml")
    with pytest.raises(shoal.InputError, match="not a frame"):
        shoal.inspect(AMBIGUOUS, write_job=tmp_path / "other.toml")


@pytest.mark.parametrize("name", ["discharges.csv", "survey.tsv", "claims.csv", "stays.xlsx"])
def test_the_command_to_go_on_runs_as_printed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import json
    import shlex

    monkeypatch.chdir(tmp_path)
    shutil.copy(FILES / name, tmp_path)
    assert main(["inspect", name, "--json"]) == 0
    command = shlex.split(json.loads(capsys.readouterr().out)["command"])
    assert main([*command[1:], "-q", "--quick"]) == 0
