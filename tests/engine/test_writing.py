"""What a run writes: judged as a reader of the file sees it, and all of it or nothing."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.engine import verified_release, writing
from shoal.errors import BrokenPromise, InputError
from shoal.io import place
from shoal.io.read_back import read_back, same_values
from shoal.io.write import FORMATS, write_frame

ENDINGS = pytest.mark.parametrize("ending", FORMATS)
LOSSY = (".csv", ".tsv", ".xlsx", ".sav", ".dta", ".xpt")


def _release(values: pl.Series | list[Any], **words: Any) -> Any:
    table = pl.DataFrame({"q": ["a"] * len(values), "s": values})
    said: dict[str, Any] = {"quasi_identifiers": ["q"], "sensitive": ["s"], "audit": "off", **words}
    return shoal.anonymize(table, privacy=[shoal.KAnonymity(2), shoal.LDiversity(2)], **said)


@ENDINGS
def test_a_missing_value_and_an_empty_text_do_not_make_two_kinds(ending: str, tmp_path: Path) -> None:
    release = _release(pl.Series(["", None, "", None], dtype=pl.String))
    target = tmp_path / f"release{ending}"
    if ending in LOSSY:
        with pytest.raises(InputError, match=r"'s' loses differences .* 2-diversity DOES NOT HOLD.*write .parquet"):
            release.write(target)
        assert list(tmp_path.iterdir()) == []
    else:
        release.write(target)
        assert target.exists()


@ENDINGS
def test_what_still_holds_as_it_is_read_is_written(ending: str, tmp_path: Path) -> None:
    _release(["", "x", "x", "y"] + [""] * 2).write(tmp_path / f"release{ending}")
    written = {"release" + ending, "release.datapackage.json", "release.run.json"}
    assert {path.name for path in tmp_path.iterdir()} == written


def test_reports_are_made_of_one_summary(tmp_path: Path) -> None:
    pl.DataFrame({"q": ["a"] * 4, "s": list("xyxy")}).write_csv(tmp_path / "t.csv")
    said = ["--quasi", "q", "--sensitive", "s", "--k", "2", "--report", str(tmp_path / "r.html")]
    said += ["--public-report", str(tmp_path / "p.txt"), "--dossier", str(tmp_path / "d"), "--release", "title=t"]
    with patch.object(verified_release, "summarize", wraps=verified_release.summarize) as made:
        assert main(["anonymize", str(tmp_path / "t.csv"), *said, "-o", str(tmp_path / "o.csv")]) == 0
    assert made.call_count == 1


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([0.1234567890123456, 0.1234567890123457] * 2),
        pl.Series([2**63, 2**63 + 1] * 2, dtype=pl.UInt64),
        pl.Series([datetime(2020, 1, 1, microsecond=n) for n in (1, 2, 1, 2)]),
        pl.Series([datetime(2020, 10, 25, n, 30, tzinfo=UTC) for n in (0, 1, 0, 1)]).dt.convert_time_zone(
            "Europe/Paris"
        ),
        pl.Series([1, 2, 1, 2], dtype=pl.UInt8),
        pl.Series([0.0, 1.5, -0.0, 1.5]),
        pl.Series([timedelta(0) + datetime(1800, 1, n) for n in (1, 2, 1, 2)]),
    ],
)
@ENDINGS
def test_values_stay_apart_in_every_kind_of_file(values: pl.Series, ending: str, tmp_path: Path) -> None:
    target = tmp_path / f"release{ending}"
    _release(values).write(target)
    seen = shoal.verify(target, quasi_identifiers=["q"], sensitive=["s"], privacy=[shoal.LDiversity(2)])
    assert seen.verdicts[0].achieved == 2


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_a_text_longer_than_a_block_and_with_line_breaks_is_read_back(ending: str, tmp_path: Path) -> None:
    _release(["x\n" * (1 << 20), "y,\t"] * 2).write(tmp_path / f"release{ending}")


@pytest.mark.parametrize("broken", ["x\na,y", "x\ra,y", "x\n\na,y"])
@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum])
def test_line_breaks_in_any_column_are_read_back(
    broken: str, dtype: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks end inside of values, whose parts look like rows."""
    monkeypatch.setattr("shoal.io.read_back.BLOCK", 64)
    values = pl.Series("s", [broken, "z"] * 40, pl.Enum([broken, "z"]) if dtype is pl.Enum else dtype)
    _release(values).write(tmp_path / "release.csv")
    assert set(pl.read_csv(tmp_path / "release.csv")["s"]) == {broken, "z"}


def test_a_break_in_the_name_of_a_column_is_read_back(tmp_path: Path) -> None:
    table = pl.DataFrame({"q\nr": ["a", "b"] * 2, "s": ["x", "y"] * 2})
    words: dict[str, Any] = {"quasi_identifiers": ["q\nr"], "sensitive": ["s"], "privacy": [shoal.KAnonymity(2)]}
    shoal.anonymize(table, **words, audit="off").write(tmp_path / "release.csv")
    assert pl.read_csv(tmp_path / "release.csv").columns == ["q\nr", "s"]


def test_texts_that_come_often_are_judged_as_they_are_read(tmp_path: Path) -> None:
    table = pl.DataFrame({"q": ["a", "b"] * 8, "s": ["", "x", None, "y"] * 4})
    words: dict[str, Any] = {"quasi_identifiers": ["q"], "sensitive": ["s"], "privacy": [shoal.LDiversity(2, of="s")]}
    release = shoal.anonymize(table, **words, recodings={"q": "suppress"}, audit="off")
    assert len(set(release.frame["q"])) == 2
    with pytest.raises(InputError, match="'s' loses differences"):
        release.write(tmp_path / "release.csv")
    assert not list(tmp_path.iterdir())
    release.write(tmp_path / "release.parquet")


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_columns_of_few_values_are_read_back_as_categories(ending: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"few": ["a", "b,\t", None, "=c"] * 50, "many": [f"v{n}" for n in range(200)]})
    write_frame(frame, tmp_path / f"table{ending}")
    seen = read_back(tmp_path / f"table{ending}", ending, frame.columns, frame.columns, ["few"])
    assert seen.dtypes == [pl.Categorical, pl.String]
    assert all(same_values(frame[name], seen[name]) for name in frame.columns)
    assert not same_values(frame["few"].fill_null("a"), seen["few"])


def test_promises_that_labels_do_not_show_want_the_same_values(tmp_path: Path) -> None:
    table = pl.DataFrame({"q": ["a", "a", "b", "b", "c", "c"], "s": ["", None, "x", "y", "x", "z"]})
    release = shoal.anonymize(
        table, quasi_identifiers=["q"], sensitive=["s"], privacy=shoal.TCloseness(1.0), audit="off"
    )
    assert not isinstance(release, tuple)
    with pytest.raises(InputError, match="cannot be judged"):
        release.write(tmp_path / "release.csv")


def test_a_writer_that_loses_rows_is_found_out(tmp_path: Path) -> None:
    release = _release(["x", "y", "x", "y"])
    broken = {**FORMATS, ".csv": lambda frame, path: FORMATS[".csv"](frame.with_columns(s=pl.lit("x")), path)}
    with patch.object(place, "FORMATS", broken), pytest.raises(InputError, match="DOES NOT HOLD"):
        release.write(tmp_path / "release.csv")
    more = {**FORMATS, ".csv": lambda frame, path: FORMATS[".csv"](pl.concat([frame, frame]), path)}
    with patch.object(place, "FORMATS", more), pytest.raises(BrokenPromise, match="not what was to be written"):
        release.write(tmp_path / "release.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_what_a_database_gives_back_is_judged_before_it_is_committed(kind: str, tmp_path: Path) -> None:
    release = _release(["x", "y", "x", "y"])
    with patch.object(writing, "check_written", side_effect=InputError("no")), pytest.raises(InputError, match="no"):
        release.write(f"{kind}:///{tmp_path}/x.db#t", folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] in ([], ["x.db"])
    release.write(f"{kind}:///{tmp_path}/x.db#t", folder=tmp_path)
    assert (tmp_path / "t.run.json").exists()


def test_a_disk_that_is_full_at_the_run_record_writes_no_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"q": ["a"] * 4}).write_csv("people.csv")
    full = OSError(28, "No space left on device")
    said = ["anonymize", "people.csv", "--quasi", "q", "--k", "2", "-o", "release.csv", "--report", "report.html", "-q"]
    with patch.object(writing, "record", side_effect=full):
        assert main(said) == 2
    assert "the disk is full" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_workbook_on_a_full_disk_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import zipfile

    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"q": ["a"] * 4}).write_csv("people.csv")
    with patch.object(zipfile.ZipFile, "write", side_effect=OSError(28, "No space left on device")):
        assert main(["anonymize", "people.csv", "--quasi", "q", "--k", "2", "-o", "release.xlsx", "-q"]) == 2
    said = capfd.readouterr().err
    assert "the disk is full" in said
    assert "Traceback" not in said
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize("where", [[], ["--memory", "8GiB"]])
def test_a_pipe_is_refused_and_does_not_hang(
    where: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("people.csv")
    assert main(["anonymize", "people.csv", "--quasi", "q", "--k", "2", "-o", "x.csv", *where]) == 2
    assert main(["run", "people.csv"]) == 2
    assert capsys.readouterr().err.count("is not a regular file") == 2


def test_nothing_left_to_publish_is_an_unmet_goal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"q": list("abcd")}).write_csv("people.csv")
    said = "anonymize people.csv --quasi q --k 2 --algorithm patterns:max_stars=0,outliers=false -o x.csv"
    assert main([*said.split(), "--suppression-limit", "1"]) == 1
    assert not Path("x.csv").exists()
