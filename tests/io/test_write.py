from __future__ import annotations

import datetime as dt
import errno
import os
import re
import resource
import stat
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import openpyxl
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.utils.escape import unescape

from shoal.errors import InputError
from shoal.io import write as write_module
from shoal.io.formula import disarmed
from shoal.io.read import read_frame
from shoal.io.write import FORMATS, atomic, check_target, write_frame, write_private, write_text
from support.effort import examples

ENDINGS = list(FORMATS)
FRAME = pl.DataFrame({"age": ["[30..39]", "*", None], "job": ["{Flu, HIV}", 'say "hi"', "x\ny"], "n": [1, None, -3]})


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def csv_of(frame: pl.DataFrame, folder: Path, name: str = "out.csv") -> str:
    write_frame(frame, folder / name)
    return (folder / name).read_bytes().decode()


# --- before the work --------------------------------------------------------------------------------------------


def test_a_good_target_passes(tmp_path: Path) -> None:
    (tmp_path / "in.csv").touch()
    (tmp_path / "old.csv").touch()
    for name in ("new.csv", "old.csv", "new.PARQUET"):
        check_target(tmp_path / name, [tmp_path / "in.csv", tmp_path / "gone.csv"])
    check_target(tmp_path / "r.html", [], endings=(".html", ".json"))


@pytest.mark.parametrize("spelling", ["in.csv", "../{}/in.csv", "link.csv", "hard.csv", "folder/in.csv"])
def test_output_equal_to_an_input(tmp_path: Path, spelling: str) -> None:
    source = tmp_path / "in.csv"
    source.touch()
    (tmp_path / "link.csv").symlink_to(source)
    (tmp_path / "hard.csv").hardlink_to(source)
    (tmp_path / "folder").symlink_to(tmp_path)
    target = tmp_path / spelling.format(tmp_path.name)
    assert "would overwrite" in refused(lambda: check_target(target, [tmp_path / "other.csv", source]))


def test_output_equal_to_an_input_that_is_not_there_yet(tmp_path: Path) -> None:
    target = tmp_path / ".." / tmp_path.name / "x.csv"
    assert "would overwrite" in refused(lambda: check_target(target, [tmp_path / "x.csv"]))


def test_bad_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    assert "does not exist" in refused(lambda: check_target(tmp_path / "no" / "x.csv", []))
    assert "is a folder" in refused(lambda: check_target(tmp_path / "folder.csv", []))
    assert "not a regular file" in refused(lambda: check_target(tmp_path / "pipe.csv", []))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "You may not write" in refused(lambda: check_target(tmp_path / "x.csv", []))


def test_what_a_kind_of_file_needs_is_said_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyreadstat", None)  # as if it were not installed
    assert "pip install 'shoal[stats]'" in refused(lambda: check_target(tmp_path / "x.sav", []))
    check_target(tmp_path / "x.csv", [])


def test_unknown_endings(tmp_path: Path) -> None:
    known = "known are .csv, .tsv, .parquet, .arrow, .feather, .xlsx, .sav, .dta, .xpt."
    assert known in refused(lambda: check_target(tmp_path / "x.doc", []))
    assert known in refused(lambda: write_frame(FRAME, tmp_path / "x"))
    assert "known are .html." in refused(lambda: check_target(tmp_path / "x.csv", [], endings=(".html",)))
    assert not list(tmp_path.iterdir())


# --- as a whole or not at all -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_new_files_get_the_usual_permissions(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"x{ending}"
    old = os.umask(0o027)
    try:
        write_frame(FRAME, target)
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(old)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_file_is_private_while_it_is_written(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def spy(path: Path, mode: int) -> None:
        seen.append((path.parent, stat.S_IMODE(path.stat().st_mode), path.stat().st_size > 0))

    monkeypatch.setattr("shoal.io.atomic.finish", spy)
    write_frame(FRAME, tmp_path / f"x{ending}")
    assert seen == [(tmp_path, 0o600, True)]


def test_private_text(tmp_path: Path) -> None:
    target = tmp_path / "x.run.json"
    target.write_text("old")
    target.chmod(0o644)
    write_private('{"seed": "é"}\n', target)
    assert target.read_bytes() == '{"seed": "é"}\n'.encode()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_plain_text(tmp_path: Path) -> None:
    write_text("a\r\nb\n", tmp_path / "x.html")
    assert (tmp_path / "x.html").read_bytes() == b"a\r\nb\n"


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("precious")
    (tmp_path / "x.csv").symlink_to(precious)
    write_frame(FRAME, tmp_path / "x.csv")
    assert precious.read_text() == "precious"
    assert not (tmp_path / "x.csv").is_symlink()


class Boom(Exception):
    pass


@pytest.mark.parametrize("failure", [Boom(), KeyboardInterrupt(), SystemExit(1), InputError("ours.")])
def test_a_failure_in_the_middle(tmp_path: Path, failure: BaseException) -> None:
    target = tmp_path / "x.csv"
    target.write_text("old")

    def write() -> None:
        with atomic(target) as path:
            path.write_text("half of the n")
            raise failure

    with pytest.raises(type(failure)) as caught:
        write()
    assert caught.value is failure
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EROFS, "read-only"),
        (errno.EIO, "nput/output"),
    ],
)
@pytest.mark.parametrize("where", ["write", "sync", "replace"])
def test_the_disk_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str, where: str) -> None:
    target = tmp_path / "x.csv"
    target.write_text("old")

    def fail(*args: object, **options: object) -> None:
        raise OSError(number, os.strerror(number))

    if where == "write":
        monkeypatch.setitem(write_module.FORMATS, ".csv", fail)
    else:
        monkeypatch.setattr(*{"sync": (os, "fsync"), "replace": (Path, "replace")}[where], fail)
    message = refused(lambda: write_frame(FRAME, target))
    assert f"Cannot write {str(target)!r}: " in message
    assert words in message
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_told_by_compiled_code(tmp_path: Path) -> None:
    def write() -> None:
        with atomic(tmp_path / "x.csv"):
            raise OSError("No space left on device (os error 28)")

    assert "the disk is full" in refused(write)


@contextmanager
def files_of_at_most(n_bytes: int) -> Iterator[None]:
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_operating_system_stops_the_writing(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"x{ending}"
    target.write_text("old")
    frame = pl.DataFrame({"a": [str(hash((i, i))) for i in range(20_000)]})
    with files_of_at_most(20_000):
        assert "grew larger than is allowed" in refused(lambda: write_frame(frame, target))
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("ending", ENDINGS)
def test_interrupted_in_the_middle(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / f"x{ending}"
    target.write_text("old")
    real = write_module.FORMATS[ending]

    def interrupt(frame: pl.DataFrame, path: Path) -> None:
        real(frame, path)
        raise KeyboardInterrupt

    monkeypatch.setitem(write_module.FORMATS, ending, interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_frame(FRAME, target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_excel_interrupted_between_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("shoal.io.excel_write._writers", lambda *_: [interrupt] * FRAME.width)
    with pytest.raises(KeyboardInterrupt):
        write_frame(FRAME, tmp_path / "x.xlsx")
    assert not list(tmp_path.iterdir())


# --- what is in the files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_same_table_same_bytes(tmp_path: Path, ending: str) -> None:
    for name in ("a", "b"):
        write_frame(FRAME.clone(), tmp_path / f"{name}{ending}")
    assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_table_comes_back(tmp_path: Path, ending: str) -> None:
    write_frame(FRAME, tmp_path / f"x{ending}")
    back = read_frame(tmp_path / f"x{ending}").frame
    wanted = FRAME.cast(pl.String) if ending in (".csv", ".tsv") else FRAME
    assert back.equals(wanted)
    assert back.schema == wanted.schema


@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_unseen_is_written(tmp_path: Path, ending: str) -> None:
    """Neither unused categories, nor rows that were dropped, nor values under nulls."""
    original = pl.DataFrame({"s": [f"SECRET name {i:04d}" for i in range(50)], "n": range(77_000_000, 77_000_050)})
    shown = original.with_columns(
        pl.col("s").cast(pl.Enum(original["s"])).alias("e"),
        pl.when(pl.col("n") % 2 == 0).then(pl.col("s")).alias("half"),
        pl.when(pl.col("n") % 2 == 0).then(pl.col("n")).alias("n"),
    ).head(2)
    write_frame(shown, tmp_path / f"x{ending}")
    if ending == ".xlsx":
        with zipfile.ZipFile(tmp_path / "x.xlsx") as book:
            content = b"".join(book.read(name) for name in book.namelist())
    else:
        content = (tmp_path / f"x{ending}").read_bytes()
    assert set(re.findall(rb"SECRET name \d{4}", content)) == {b"SECRET name 0000", b"SECRET name 0001"}
    for hidden in range(77_000_001, 77_000_050):
        assert hidden.to_bytes(8, "little") not in content


@pytest.mark.parametrize("text", ["'p'", "'p,q'", "'p;q'"])
def test_apostrophes_are_never_taken_for_quotes(tmp_path: Path, text: str) -> None:
    frame = pl.DataFrame({"'a'": [text], "'b'": ["'r'"]})
    write_frame(frame, tmp_path / "x.csv")
    assert read_frame(tmp_path / "x.csv").frame.equals(frame)


def test_parquet_has_no_metadata(tmp_path: Path) -> None:
    write_frame(FRAME.with_columns(pl.col("age").cast(pl.Categorical)), tmp_path / "x.parquet")
    file = pq.ParquetFile(tmp_path / "x.parquet")
    assert file.metadata.metadata is None
    assert file.schema_arrow.metadata is None
    assert file.schema_arrow.field("age").type == pa.string()


def test_arrow_is_for_old_readers_too(tmp_path: Path) -> None:
    write_frame(FRAME, tmp_path / "x.feather")
    with pa.ipc.open_file(str(tmp_path / "x.feather")) as file:
        assert file.schema.metadata is None
        assert file.schema.types == [pa.large_string(), pa.large_string(), pa.int64()]


def test_csv_to_the_letter(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "a": ["x", "", None, "p,q", 'say "hi"', "l\nm", " y"],
            "b; c": [1.5, -2.0, None, 1e300, float("inf"), 0.1, 3.0],
            "d": [True, None, False, True, True, True, True],
            "e": [dt.date(2020, 1, 2)] * 7,
        }
    )
    assert csv_of(frame, tmp_path) == (
        'a,"b; c",d,e\n'
        "x,1.5,true,2020-01-02\n"
        '"",-2.0,,2020-01-02\n'
        ",,false,2020-01-02\n"
        '"p,q",1e+300,true,2020-01-02\n'
        '"say ""hi""",inf,true,2020-01-02\n'
        '"l\nm",0.1,true,2020-01-02\n'
        '" y",3.0,true,2020-01-02\n'
    )
    assert csv_of(frame, tmp_path, "x.tsv").startswith('a\t"b; c"\td\te\nx\t1.5\t')


def test_missing_values_of_a_single_column_keep_their_rows(tmp_path: Path) -> None:
    assert csv_of(pl.DataFrame({"a": ["x", None]}), tmp_path) == 'a\nx\n""\n'
    assert csv_of(pl.DataFrame({"a": [1, None]}), tmp_path) == 'a\n1\n""\n'
    assert read_frame(tmp_path / "out.csv").frame.rows() == [("1",), (None,)]


# --- formulas ---------------------------------------------------------------------------------------------------

ARMED = [
    *["=1+1", "+cmd", "-cmd", "@SUM(A1)", "\tx", "\rx", "\nx", " =1", "\u00a0=1", "\u200b=1", "\ufeff=1", "＝1", "＋x"],
    *["－x", "＠x", "-", "--5", "+-3", "-5+2", "-1,000", "=", "-5..3", "+33 1 23", "'=1", "''=1", "' =1", "'\tx"],
]
HARMLESS = [
    "x",
    "",
    "-5",
    "+3.2e4",
    "-.5",
    "-5.",
    " -5 ",
    "1=1",
    "a@b.org",
    "'-5",
    "'quoted'",
    "'",
    "[-5..3]",
    "{=x}",
    "*",
]


@pytest.mark.parametrize("text", ARMED)
def test_formulas_get_one_apostrophe(tmp_path: Path, text: str) -> None:
    for name in ("x.csv", "x.tsv", "x.xlsx"):
        write_frame(pl.DataFrame({text: [text], "b": ["y"]}), tmp_path / name)
    for name in ("x.csv", "x.tsv"):
        frame = read_frame(tmp_path / name).frame
        assert frame.columns[0] == frame.item(0, 0) == "'" + text
    cell = openpyxl.load_workbook(tmp_path / "x.xlsx").active["A2"]
    assert cell.data_type == "s"
    assert unescape(cell.value) == "'" + text


@pytest.mark.parametrize("text", HARMLESS)
def test_others_stay_as_they_are(tmp_path: Path, text: str) -> None:
    for name in ("x.csv", "x.tsv"):
        write_frame(pl.DataFrame({"a": [text], "b": ["y"]}), tmp_path / name)
        assert read_frame(tmp_path / name).frame.item(0, 0) == (text or None)


def test_numbers_are_numbers(tmp_path: Path) -> None:
    assert csv_of(pl.DataFrame({"a": [-5], "b": [-0.5]}), tmp_path) == "a,b\n-5,-0.5\n"


ANY_TEXT = st.text(st.sampled_from("'=+-@\t\r\n 5.ex＝"), max_size=6)


@given(left=ANY_TEXT, right=ANY_TEXT)
def test_no_two_texts_look_alike_when_disarmed(left: str, right: str) -> None:
    after = pl.DataFrame({"t": [left, right]}).select(disarmed(pl.col("t")))["t"]
    assert (after[0] == after[1]) == (left == right)
    for text in after:
        assert not re.match(r"\s*[=+\-@＝]", text) or re.fullmatch(r"\s*[+-](\d+\.?\d*|\.\d+)(e\d+)?\s*", text)


# --- round trips ------------------------------------------------------------------------------------------------

CHARACTERS = st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="\0")
"""Unassigned ones are left out: Python and polars know different versions of Unicode."""
LABELS = st.one_of(
    st.text(st.sampled_from(",;|\t\"'\r\n aé.[]{}*\\"), min_size=1, max_size=8),
    st.text(CHARACTERS, min_size=1, max_size=8),
)


def is_name(text: str) -> bool:
    return bool(text.strip()) and text != "*" and not re.fullmatch(r"\^.*\$", text, re.DOTALL)


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    names = draw(st.lists(LABELS.filter(is_name), min_size=1, max_size=4, unique=True))
    n_rows = draw(st.integers(1, 5))
    cells = st.one_of(st.none(), LABELS)
    columns = {name: draw(st.lists(cells, min_size=n_rows, max_size=n_rows)) for name in names}
    return pl.DataFrame(columns, schema=dict.fromkeys(names, pl.String))


def disarm(text: str | None) -> str | None:
    """The rule once more, slowly and in other words."""
    if text is None:
        return None
    bare = text.lstrip("'")
    if re.fullmatch(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*", bare):
        return text
    shown = bare
    while shown and (shown[0].isspace() or not shown[0].isprintable()):
        shown = shown[1:]
    return "'" + text if bare[:1] in ("\t", "\r", "\n") or shown[:1] in tuple("=+-@＝＋－＠") else text


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(table=tables())
def test_labels_survive(tmp_path: Path, ending: str, table: pl.DataFrame) -> None:
    write_frame(table, tmp_path / f"x{ending}")
    back = read_frame(tmp_path / f"x{ending}")
    assert back.frame.columns == [disarm(name) for name in table.columns]
    assert back.frame.rows() == [tuple(disarm(cell) for cell in row) for row in table.rows()]
    assert back.notes == ()


@settings(max_examples=examples(2), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(table=tables())
@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_typed_files_keep_labels_as_they_are(tmp_path: Path, ending: str, table: pl.DataFrame) -> None:
    write_frame(table, tmp_path / f"x{ending}")
    assert read_frame(tmp_path / f"x{ending}").frame.equals(table)


# --- Excel ------------------------------------------------------------------------------------------------------


def test_excel_keeps_types_and_tells_nothing_else(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "text": ["00501", "https://example.org", None],
            "n": [1, None, 3],
            "x": [0.5, None, -2.0],
            "ok": [True, False, None],
            "day": [dt.date(2020, 1, 2), None, dt.date(1999, 1, 1)],
            "time": [dt.datetime(2020, 1, 2, 3, 4, 5), None, dt.datetime(1999, 1, 1)],
        }
    )
    write_frame(frame, tmp_path / "x.xlsx")
    assert read_frame(tmp_path / "x.xlsx").frame.equals(frame.cast({"time": pl.Datetime("ms")}))
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    assert book.sheetnames == ["Sheet1"]
    assert book.active["A3"].hyperlink is None
    assert book.properties.created == book.properties.modified == dt.datetime(2000, 1, 1)
    assert not book.properties.creator
    assert not book.properties.lastModifiedBy


def test_excel_gets_the_time_on_the_wall(tmp_path: Path) -> None:
    times = pl.Series([dt.datetime(2020, 7, 1, 12)]).dt.replace_time_zone("Europe/Rome")
    write_frame(pl.DataFrame({"t": times}), tmp_path / "x.xlsx")
    assert openpyxl.load_workbook(tmp_path / "x.xlsx").active["A2"].value == dt.datetime(2020, 7, 1, 12)


def test_what_excel_does_not_have_is_written_as_text(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"x": [float("-inf"), 1.0], "id": [10**17 + 1, -5], "born": [dt.date(1850, 1, 1), dt.date(2000, 1, 1)]}
    )
    write_frame(frame, tmp_path / "x.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx").active
    assert [cell.value for cell in sheet[2]] == ["'-inf", "100000000000000001", "1850-01-01"]
    assert [cell.value for cell in sheet[3]] == ["1.0", "-5", "2000-01-01"]


def test_what_a_sheet_cannot_hold(tmp_path: Path) -> None:
    tall = pl.DataFrame({"a": pl.zeros(1_048_576, eager=True)})
    assert "has 1,048,576 and 1;" in refused(lambda: write_frame(tall, tmp_path / "x.xlsx"))
    wide = pl.DataFrame({f"c{i}": [1] for i in range(16_385)})
    assert "has 1 and 16,385;" in refused(lambda: write_frame(wide, tmp_path / "x.xlsx"))
    long = pl.DataFrame({"a": ["x" * 32_768]})
    assert "one in 'a' has 32,768;" in refused(lambda: write_frame(long, tmp_path / "x.xlsx"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("values", [["a", "b,c", None, '"q"', "=x"], [f"{n}, {n}" for n in range(9)], [1.5, None, 3.0]])
def test_rows_are_written_in_pieces_as_all_at_once(
    values: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = [pl.DataFrame({"x": values * 5, "y, z": range(5 * len(values))}), pl.DataFrame({"x": values * 5})]
    whole = [csv_of(frame, tmp_path) for frame in (*frames, frames[0].clear())]
    monkeypatch.setattr("shoal.io.csv_write._ROWS", 4)
    assert [csv_of(frame, tmp_path) for frame in (*frames, frames[0].clear())] == whole
    assert len(whole[0].splitlines()) == 1 + 5 * len(values)
