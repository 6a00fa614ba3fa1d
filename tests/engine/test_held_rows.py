"""Rows that wait until enough of their kind are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.engine.held_rows import AllHeld, check_union
from shoal.errors import BrokenPromise, InputError

TREE = shoal.Hierarchy.from_dict({"*": {"young": ["20", "21", "22"], "old": ["70", "71", "72"]}})


def _people(ages: list[str], ills: list[str] | None = None) -> pl.DataFrame:
    names, usual = [f"p{row}" for row in range(len(ages))], ["ab"[row % 2] for row in range(len(ages))]
    return pl.DataFrame({"name": names, "age": ages, "ill": ills or usual})


@pytest.fixture
def recoding(tmp_path: Path) -> Path:
    first = _people(["20", "21", "22", "70", "71", "72"])
    made: dict[str, Any] = {"identifiers": ["name"], "quasi_identifiers": ["age"], "sensitive": ["ill"]}
    result = shoal.anonymize(
        first,
        hierarchies={"age": TREE},
        privacy=[shoal.KAnonymity(3), shoal.LDiversity(2)],
        levels=[1],
        audit="off",
        **made,
    )
    result.save_recoding(tmp_path / "recoding.json")
    result.write(tmp_path / "first.csv")
    return tmp_path / "recoding.json"


def test_rows_wait_and_are_published_once_there_are_enough(recoding: Path, tmp_path: Path) -> None:
    hold = tmp_path / "held.parquet"
    monday = shoal.apply(recoding, _people(["20", "20", "21", "70", "99"]), hold=hold, audit="off")
    assert monday.frame["age"].to_list() == ["young"] * 3
    assert monday.held is not None
    assert sorted(monday.held["age"]) == ["70", "99"]
    monday.save_held(hold)
    assert hold.stat().st_mode & 0o777 == 0o600
    tuesday = shoal.apply(recoding, _people(["71", "72"], ["a", "b"]), hold=hold, audit="off")
    assert tuesday.frame["age"].to_list() == ["old"] * 3
    assert tuesday.held is not None
    assert tuesday.held["age"].to_list() == ["99"], "what was never seen waits on"
    assert all(verdict.holds for verdict in tuesday.verdicts)


def test_rows_wait_for_other_values_too(recoding: Path, tmp_path: Path) -> None:
    alike = _people(["20", "20", "21", "70", "70", "71"], ["a", "a", "a", "a", "b", "b"])
    result = shoal.apply(recoding, alike, hold=tmp_path / "held.parquet", audit="off")
    assert result.frame["age"].to_list() == ["old"] * 3
    assert result.held is not None
    assert result.held["age"].to_list() == ["20", "20", "21"], "three equal sensitive values are not diverse"


def test_all_may_have_to_wait(recoding: Path, tmp_path: Path) -> None:
    for ages in (["20"], ["20", "70"], ["99"] * 5):
        with pytest.raises(AllHeld) as caught:
            shoal.apply(recoding, _people(ages), hold=tmp_path / "held.parquet", audit="off")
        assert caught.value.rows["age"].to_list() == ages


def test_on_the_command_line(recoding: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _people(["20", "21"], ["a", "b"]).write_csv("monday.csv")
    _people(["22", "70"], ["a", "b"]).write_csv("tuesday.csv")
    said = ["--hold", "held.parquet", "--audit", "off", "-q"]
    assert main(["apply", "recoding.json", "monday.csv", "-o", "monday-out.csv", *said]) == 1
    assert not Path("monday-out.csv").exists()
    assert pl.read_parquet("held.parquet")["age"].to_list() == ["20", "21"]
    assert main(["apply", "recoding.json", "tuesday.csv", "-o", "tuesday-out.csv", *said]) == 0
    assert pl.read_csv("tuesday-out.csv")["age"].to_list() == ["young"] * 3
    assert pl.read_parquet("held.parquet")["age"].to_list() == ["70"]


def test_the_union_is_checked() -> None:
    one, other = pl.DataFrame({"age": ["x", "x"]}), pl.DataFrame({"age": ["y"]})
    assert check_union([one, one], ["age"], [], [shoal.KAnonymity(4)])[0].holds
    with pytest.raises(BrokenPromise, match="Together with the earlier releases 2-anonymity DOES NOT HOLD"):
        check_union([one, other], ["age"], [], [shoal.KAnonymity(2)])
    with pytest.raises(InputError, match="no column 'age'"):
        check_union([one, pl.DataFrame({"sex": ["f"]})], ["age"], [], [shoal.KAnonymity(2)])


def test_held_rows_with_other_columns(recoding: Path, tmp_path: Path) -> None:
    pl.DataFrame({"x": ["1"]}).write_parquet(tmp_path / "held.parquet")
    with pytest.raises(InputError, match="do not have the columns"):
        shoal.apply(recoding, _people(["20"] * 4), hold=tmp_path / "held.parquet")
    with pytest.raises(InputError, match="No rows were held back"):
        shoal.apply(recoding, _people(["20", "21", "22"]), audit="off").save_held(tmp_path / "x.parquet")


def test_a_run_that_was_stopped_between_release_and_held_rows(
    recoding: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from shoal.io import transaction as together

    monkeypatch.chdir(tmp_path)
    _people(["70", "99"]).write_parquet("held.parquet")
    _people(["71", "72", "20"]).write_csv("tuesday.csv")
    _people(["21", "22"]).write_csv("wednesday.csv")
    said = ["--hold", "held.parquet", "--audit", "off", "-q"]
    with monkeypatch.context() as patched:
        patched.setattr(together, "_rename", lambda *said: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(["apply", "recoding.json", "tuesday.csv", "-o", "tuesday-out.csv", *said]) != 0
    assert not Path("tuesday-out.csv").exists()
    assert pl.read_parquet("held.parquet")["age"].to_list() == ["70", "99"]
    assert main(["apply", "recoding.json", "wednesday.csv", "-o", "wednesday-out.csv", *said]) == 0
    assert pl.read_csv("tuesday-out.csv")["age"].to_list() == ["old"] * 3, "finished by the next run"
    assert Path("tuesday-out.run.json").exists()
    assert pl.read_csv("wednesday-out.csv")["age"].to_list() == ["young"] * 3
    assert pl.read_parquet("held.parquet")["age"].to_list() == ["99"]
    assert main(["apply", "recoding.json", "wednesday.csv", "-o", "x.csv", "--replace", *said]) == 2
    for day in ("tuesday", "wednesday"):
        assert main(["apply", "recoding.json", f"{day}.csv", "-o", "again.csv", *said]) == 2
        assert "published or held already" in capsys.readouterr().err
    assert not Path("again.csv").exists()


def test_two_runs_at_once_on_one_file_of_held_rows(recoding: Path, tmp_path: Path) -> None:
    hold = tmp_path / "held.parquet"
    _people(["70"]).write_parquet(hold)
    one = shoal.apply(recoding, _people(["71", "72"]), hold=hold, audit="off")
    other = shoal.apply(recoding, _people(["70", "71", "20"]), hold=hold, audit="off")
    one.write(tmp_path / "one.csv", hold=hold)
    with pytest.raises(InputError, match="changed by another run meanwhile"):
        other.write(tmp_path / "other.csv", hold=hold)
    assert not (tmp_path / "other.csv").exists()
    assert pl.read_parquet(hold).is_empty()
    with pytest.raises(InputError, match="changed by another run meanwhile"):
        other.save_held(hold)


def test_rows_with_a_missing_value_are_not_dropped_in_silence(recoding: Path, tmp_path: Path) -> None:
    import json

    said = json.loads(recoding.read_text())
    recoding.write_text(json.dumps({**said, "missing": "drop"}))
    rows = _people(["20", "21", "22", "70"]).vstack(pl.DataFrame({"name": ["p9"], "age": [None], "ill": ["a"]}))
    result = shoal.apply(recoding, rows, hold=tmp_path / "held.parquet", audit="off")
    assert any("left out 1 rows with a missing value" in note for note in result.notes)
    assert result.held is not None
    assert result.held["age"].to_list() == ["70"]


def test_held_rows_beside_a_table(recoding: Path, tmp_path: Path) -> None:
    hold, target = tmp_path / "held.parquet", f"sqlite:///{tmp_path}/x.db#release"
    made = shoal.apply(recoding, _people(["20", "21", "22", "70"]), hold=hold, audit="off")
    made.write(target, folder=tmp_path, hold=hold)
    assert pl.read_parquet(hold)["age"].to_list() == ["70"]
    more = shoal.apply(recoding, _people(["71", "72"]), hold=hold, audit="off")
    with pytest.raises(InputError, match="exists already"):
        more.write(target, folder=tmp_path, hold=hold)
    assert pl.read_parquet(hold)["age"].to_list() == ["70"], "nothing was published, so it waits on"


def test_a_frame_is_not_published_twice_beside_the_rows_it_left(recoding: Path, tmp_path: Path) -> None:
    """As for files: what is repeated, in whatever order of rows and columns, is refused."""
    hold, monday = tmp_path / "held.parquet", _people(["20", "20", "21", "70"])
    shoal.apply(recoding, monday, hold=hold, audit="off").save_held(hold)
    before = hold.read_bytes()
    for again in (monday, monday.reverse(), monday.select("ill", "age", "name"), monday.to_pandas()):
        with pytest.raises(
            InputError, match=r"These rows were in an earlier run with .* give them as a file of another"
        ):
            shoal.apply(recoding, again, hold=hold, audit="off")
    assert hold.read_bytes() == before
    others = monday.with_columns(name=pl.Series(["q0", "q1", "q2", "q3"]))
    assert shoal.apply(recoding, others, hold=hold, audit="off").frame.height == 3
