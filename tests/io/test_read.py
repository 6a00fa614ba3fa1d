from __future__ import annotations

import datetime as dt
import hashlib
import logging
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.errors import InputError
from shoal.io.csv_encoding import to_utf8
from shoal.io.read import ReadTable, file_hash, read_frame
from support.effort import examples


def put(folder: Path, content: str | bytes, name: str = "people.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows(source: ReadTable) -> list[tuple[object, ...]]:
    return source.frame.rows()


def refused(path: Path, **options: object) -> str:
    """The message of the refusal, which has to be one sentence (and perhaps a hint)."""
    with pytest.raises(InputError) as caught:
        read_frame(path, **options)  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith((".", "?"))
    return message


# --- delimited text ---------------------------------------------------------------------------------------------


def test_text_stays_text(tmp_path: Path) -> None:
    source = read_frame(put(tmp_path, "zip,age\n01234,5\n00501,1e3\n"))
    assert source.frame.schema == {"zip": pl.String, "age": pl.String}
    assert rows(source) == [("01234", "5"), ("00501", "1e3")]
    assert source.notes == ()


def test_empty_fields_and_tokens_are_missing_quoted_or_not(tmp_path: Path) -> None:
    path = put(tmp_path, 'a,?\n,?\n"","?"\nNA,x?\n')
    assert rows(read_frame(path)) == [(None, "?"), (None, "?"), ("NA", "x?")]
    source = read_frame(path, missing_values=["?", "NA"])
    assert source.frame.columns == ["a", "?"]
    assert rows(source) == [(None, None), (None, None), (None, "x?")]


def test_blanks_belong_to_values_and_blank_lines_are_no_rows(tmp_path: Path) -> None:
    assert rows(read_frame(put(tmp_path, "\n\r\na,b\n\n x ,\ty\n\n"))) == [(" x ", "\ty")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(tmp_path: Path, end: str) -> None:
    path = put(tmp_path, end.join(["a,b", '1,"x', 'y"', "2,z", ""]))
    assert rows(read_frame(path)) == [("1", f"x{end}y"), ("2", "z")]
    assert rows(read_frame(put(tmp_path, end.join(["a,b", "1,2"])))) == [("1", "2")]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.TXT"])
def test_the_delimiter_is_found(tmp_path: Path, sign: str, name: str) -> None:
    lines = [["a", "b", "c"], ["1,5", "x;y", "p|q\tr"], ["2", "z", ""]]
    text = "".join(sign.join(f'"{field}"' for field in line) + "\n" for line in lines)
    source = read_frame(put(tmp_path, text, name))
    assert rows(source) == [("1,5", "x;y", "p|q\tr"), ("2", "z", None)]
    usual = "\t" if name == "t.tsv" else ","
    assert source.notes == (() if sign == usual else (f"fields are separated by {sign!r}",))


def test_decimal_commas_do_not_mislead(tmp_path: Path) -> None:
    assert rows(read_frame(put(tmp_path, "a;b\n1,5;2,5\n3,0;4,1\n"))) == [("1,5", "2,5"), ("3,0", "4,1")]


def test_separators_inside_quotes_do_not_mislead(tmp_path: Path) -> None:
    path = put(tmp_path, 'a,"b;c;d"\n1,"x;y;z"\n2,"u;v;w"\n')
    assert read_frame(path).frame.columns == ["a", "b;c;d"]


def test_one_column(tmp_path: Path) -> None:
    assert rows(read_frame(put(tmp_path, "name\nAnn\nBob\n"))) == [("Ann",), ("Bob",)]
    assert rows(read_frame(put(tmp_path, 'name\n"Lee, Ann"\n""\nBob\n'))) == [("Lee, Ann",), (None,), ("Bob",)]
    assert rows(read_frame(put(tmp_path, "address\n1 Main St, Rome\nBonn\n"))) == [("1 Main St, Rome",), ("Bonn",)]


def test_given_delimiter_and_quote(tmp_path: Path) -> None:
    path = put(tmp_path, "a:b\n'1:2':\"x\"\n")
    assert rows(read_frame(path, delimiter=":", quote="'")) == [("1:2", '"x"')]
    path = put(tmp_path, 'a,b\n"1,x"\n')
    assert rows(read_frame(path, quote="")) == [('"1', 'x"')]
    assert rows(read_frame(put(tmp_path, "a\tb\n1,5\t2\n"), delimiter=r"\t")) == [("1,5", "2")]


def test_apostrophes_quote_only_where_the_header_wears_them(tmp_path: Path) -> None:
    assert rows(read_frame(put(tmp_path, "'a','b'\n'1, one','it''s'\n"))) == [("1, one", "it's")]
    assert rows(read_frame(put(tmp_path, "a,b\n'1','2'\n"))) == [("'1'", "'2'")]


def test_quotes_in_the_middle_are_text(tmp_path: Path) -> None:
    assert rows(read_frame(put(tmp_path, 'a,b\n1,5" disk\n"say ""hi""",x\n'))) == [("1", '5" disk'), ('say "hi"', "x")]


def test_names_may_hold_anything_but_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, '"a\nb","c,d",été\n1,2,3\n')
    assert read_frame(path).frame.columns == ["a\nb", "c,d", "été"]


@pytest.mark.parametrize(
    ("encoding", "note"),
    [
        ("utf-8", ()),
        ("utf-8-sig", ()),
        ("utf-16", ("read as UTF-16-LE because of its byte-order mark",)),
        ("utf-32", ("read as UTF-32-LE because of its byte-order mark",)),
        ("cp1252", ("read as cp1252 because it is not UTF-8",)),
    ],
)
def test_the_encoding_is_found(tmp_path: Path, encoding: str, note: tuple[str, ...]) -> None:
    source = read_frame(put(tmp_path, "naïve,b\né€,x\n".encode(encoding)))
    assert source.frame.columns == ["naïve", "b"]
    assert rows(source) == [("é€", "x")]
    assert source.notes == note


def test_the_encoding_is_given(tmp_path: Path) -> None:
    assert rows(read_frame(put(tmp_path, "a\nŁódź\n".encode("cp1250")), encoding="cp1250")) == [("Łódź",)]
    assert rows(read_frame(put(tmp_path, "a\nŁódź\n".encode("utf-16-be")), encoding="utf-16-be")) == [("Łódź",)]
    assert read_frame(put(tmp_path, "a\nx\n".encode("utf-8-sig")), encoding="utf-8").frame.columns == ["a"]


def test_a_character_across_the_steps_of_the_utf8_check(tmp_path: Path) -> None:
    value = "x" * ((1 << 20) - 3) + "é" * 10
    source = read_frame(put(tmp_path, f"a\n{value}\n"))
    assert rows(source) == [(value,)]
    assert source.notes == ()


@pytest.mark.parametrize(
    ("start", "end", "byte"),
    [((1 << 20) - 1, "é".encode() + b"\xff", (1 << 20) + 2), ((1 << 20) - 1, b"\xc3x", 1 << 20), (1, b"\xc3", 2)],
)
def test_where_the_encoding_does_not_fit(start: int, end: bytes, byte: int) -> None:
    data = b"x" * start + end
    with pytest.raises(InputError, match=f"byte {byte:,} does not fit"):
        to_utf8(data, "utf-8", "a.csv")
    assert to_utf8(data, None, "a.csv")[1] == ("read as cp1252 because it is not UTF-8",)


def test_wide_and_long(tmp_path: Path) -> None:
    names = [f"column{i:05d}" for i in range(10_000)]
    path = put(tmp_path, ",".join(names) + "\n" + ",".join("y" * 9 for _ in names) + "\n")
    frame = read_frame(path).frame
    assert frame.shape == (1, 10_000)
    assert set(frame.row(0)) == {"y" * 9}
    long = "z," * 50_000
    assert rows(read_frame(put(tmp_path, f'a,b\n1,"{long}"\n2,x\n'))) == [("1", long), ("2", "x")]


@pytest.mark.parametrize("more", ["", '"quoted\nand broken"'])
def test_a_row_longer_than_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str) -> None:
    monkeypatch.setattr("shoal.io.csv_read.BLOCK", 64)
    monkeypatch.setattr("shoal.io.csv_read.PLAIN_BLOCK", 64)
    told = rows(read_frame(put(tmp_path, f"a,b\n1,{'x' * 500}\n2,y\n3,{more}\n")))
    assert told == [("1", "x" * 500), ("2", "y"), ("3", more.strip('"') or None)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "value", ["plain", "it's plain", '"quoted, not broken"', '"quoted{end}and broken"', '"broken{end}7,like a row"']
)
def test_many_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, value: str) -> None:
    monkeypatch.setattr("shoal.io.csv_read.BLOCK", 64)
    monkeypatch.setattr("shoal.io.csv_read.PLAIN_BLOCK", 64)
    value = value.format(
        end=end.strip("\r") or end
    )  # pyarrow loses half of a break inside quotes where a block ends in it
    path = put(tmp_path, end.join(["a,b", *(f"{n},{value}" for n in range(200)), ""]))
    parse = Mock(wraps=pacsv.read_csv)
    monkeypatch.setattr(pacsv, "read_csv", parse)
    assert rows(read_frame(path)) == [(str(n), value.strip('"')) for n in range(200)]
    assert parse.call_count == 1, "where blocks end inside of values, the parser gives up and all is parsed again"


# --- bad text ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["", "\n\n", " \n", "\ufeff"])
def test_empty_file(tmp_path: Path, content: str) -> None:
    assert "people.csv is empty" in refused(put(tmp_path, content))


@pytest.mark.parametrize("content", ["a,b", "a,b\n", "a,b\r\n\r\n", '"a\nb",c\n'])
def test_header_only(tmp_path: Path, content: str) -> None:
    assert "header but no rows" in refused(put(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "row", "found", "wanted"),
    [
        ("a,b,c\n1,2,3\n4,5\n6,7,8\n", 3, "2 fields", 3),
        ("a,b\n1,2\n3,4,5\n", 3, "3 fields", 2),
        ('a,b\n1,"x\ny"\n3\n', 3, "1 field", 2),
        ("a,b\n" + "1,2\n" * 60_000 + "3\n", 60_002, "1 field", 2),
    ],
)
def test_ragged_rows(tmp_path: Path, content: str, row: int, found: str, wanted: int) -> None:
    message = refused(put(tmp_path, content))
    assert f"Row {row:,} of people.csv (the header is row 1) has {found} where the header has {wanted};" in message


@pytest.mark.parametrize(
    "content",
    [
        'a,b\n1,2\n3,"4\n',
        'a,b\n1,"2\n3,4\n5,6\n',
        'a,b\n1,"',
        'a,b\n1,"2""\n',
        'a\n"x\ny\n',
        'a,b\n"1,2\n3,4\n',
        '"a,b\n1,2\n',
    ],
)
def test_unterminated_quote(tmp_path: Path, content: str) -> None:
    assert "never closed" in refused(put(tmp_path, content), delimiter=",")


def test_unterminated_quote_around_a_missing_token(tmp_path: Path) -> None:
    assert "never closed" in refused(put(tmp_path, 'a,b\n1,"NA'), missing_values=["NA"])


@pytest.mark.parametrize("content", ['a,b\n1,"2"', 'a,b\n1,""\n', 'a,b\n1,"x\n"\n', 'a,b\n1,""""\n', 'a,b\n1,",""2"\n'])
def test_terminated_quotes_are_fine(tmp_path: Path, content: str) -> None:
    assert read_frame(put(tmp_path, content)).frame.height == 1


def test_wrong_encoding(tmp_path: Path) -> None:
    path = put(tmp_path, "a\né\n".encode("cp1252"))
    assert "people.csv is not in utf-8 (byte 3 does not fit)" in refused(path, encoding="utf-8")
    assert "is not in ascii" in refused(path, encoding="ascii")
    assert "is not in utf-16" in refused(put(tmp_path, b"\xff\xfea\0\n"), encoding="utf-16")
    assert "is not in cp1252" in refused(put(tmp_path, b"a\n\x81\xff\n"))


@pytest.mark.parametrize("encoding", ["utf-9", "rot13", ""])
def test_unknown_encoding(tmp_path: Path, encoding: str) -> None:
    assert f"encoding {encoding!r} is not known" in refused(put(tmp_path, "a\n1\n"), encoding=encoding)


@pytest.mark.parametrize("content", ["a,b\n1,x\0y\n", "a,b\n1,2\n".encode("utf-16-le")])
def test_nul_bytes(tmp_path: Path, content: str | bytes) -> None:
    assert "NUL bytes" in refused(put(tmp_path, content))


@pytest.mark.parametrize("sign", [",,", "", "§", "\n"])
def test_bad_delimiter(tmp_path: Path, sign: str) -> None:
    assert f"got {sign!r}" in refused(put(tmp_path, "a,b\n1,2\n"), delimiter=sign)


def test_bad_quote(tmp_path: Path) -> None:
    path = put(tmp_path, "a,b\n1,2\n")
    assert "The quote must be one character" in refused(path, quote="''")
    assert "both ','" in refused(path, delimiter=",", quote=",")


def test_duplicate_and_blank_names(tmp_path: Path) -> None:
    assert "column name 'b' occurs 2 times in people.csv" in refused(put(tmp_path, "a,b,b\n1,2,3\n"))
    assert "Column 2 of people.csv has a blank name" in refused(put(tmp_path, "a,,c\n1,2,3\n"))
    assert "Column 1 of people.csv has a blank name" in refused(put(tmp_path, '" ",c\n1,2\n'))


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.one_of(st.binary(max_size=40), st.text(st.sampled_from("ab,;|\t\"'\r\n é"), max_size=40)))
def test_any_text_is_a_table_or_is_refused_in_a_sentence(tmp_path: Path, content: bytes | str) -> None:
    path = put(tmp_path, content)
    message, frame = "", pl.DataFrame({"a": ["x"]})
    try:
        frame = read_frame(path).frame
    except InputError as error:
        message = str(error)
    assert "\n" not in message
    assert min(frame.shape) > 0
    assert set(frame.dtypes) == {pl.String}


# --- any file ---------------------------------------------------------------------------------------------------


def test_missing_file(tmp_path: Path) -> None:
    put(tmp_path, "a\n1\n")
    assert "There is no file" in (message := refused(tmp_path / "peple.csv"))
    assert "Did you mean 'people.csv'?" in message
    assert f"folder {str(tmp_path / 'no')!r} does not exist" in refused(tmp_path / "no" / "people.csv")


def test_directory(tmp_path: Path) -> None:
    (tmp_path / "people.csv").mkdir()
    assert "is a folder" in refused(tmp_path / "people.csv")


def test_unknown_ending(tmp_path: Path) -> None:
    assert (
        "'.doc'; known are .csv, .tsv, .txt, .parquet, .arrow, .feather, .xlsx, .sav, .zsav, .dta, .sas7bdat, .xpt."
        in refused(tmp_path / "p.doc")
    )
    assert "it has no ending" in refused(tmp_path / "people")


def test_permission_denied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", deny)
    assert "You may not read" in refused(put(tmp_path, "a\n1\n"))


def test_other_failures_of_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Path) -> bytes:
        raise OSError(5, "Input/output error", str(self))

    monkeypatch.setattr(Path, "read_bytes", fail)
    assert "Input/output error" in refused(put(tmp_path, "a\n1\n"))


def test_options_that_mean_nothing_are_refused(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "t.parquet")
    assert "'delimiter' does not apply to t.parquet" in refused(tmp_path / "t.parquet", delimiter=";")
    assert "'sheet' does not apply to people.csv" in refused(put(tmp_path, "a\n1\n"), sheet=1)


def test_hash(tmp_path: Path) -> None:
    path = put(tmp_path, "a\n1\n")
    assert file_hash(path) == hashlib.sha256(b"a\n1\n").hexdigest()
    assert read_frame(str(path)).location == path
    with pytest.raises(InputError, match="No such file"):
        file_hash(tmp_path / "none")


# --- Parquet and Arrow ------------------------------------------------------------------------------------------

TYPED = pl.DataFrame(
    {
        "i": [1, None],
        "f": [0.5, float("nan")],
        "s": ["x", None],
        "b": [True, None],
        "d": [dt.date(2020, 2, 29), None],
        "t": [dt.datetime(2020, 2, 29, 1, 2, 3), None],
        "c": pl.Series(["u", "v"], dtype=pl.Categorical),
        "e": pl.Series(["u", "v"], dtype=pl.Enum(["u", "v", "unused"])),
        "n": [None, None],
    }
)


def arrow_stream(frame: pl.DataFrame, path: Path) -> None:
    table = frame.to_arrow()
    with pa.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table)


WRITERS: dict[str, Any] = {
    "t.parquet": pl.DataFrame.write_parquet,
    "t.arrow": pl.DataFrame.write_ipc,
    "t.feather": pl.DataFrame.write_ipc,
    "stream.arrow": arrow_stream,
}


@pytest.mark.parametrize("name", WRITERS)
def test_types_are_kept(tmp_path: Path, name: str) -> None:
    WRITERS[name](TYPED, tmp_path / name)
    frame = read_frame(tmp_path / name).frame
    kept = {"i": pl.Int64, "f": pl.Float64, "b": pl.Boolean, "d": pl.Date, "t": pl.Datetime("us")}
    assert dict(frame.schema) == kept | dict.fromkeys(["s", "c", "e", "n"], pl.String)
    assert frame.columns == TYPED.columns
    assert frame["f"].to_list() == [0.5, None]
    assert frame.drop("f", "n", "c", "e").equals(TYPED.drop("f", "n", "c", "e"))
    assert frame["e"].to_list() == ["u", "v"]


@pytest.mark.parametrize("name", WRITERS)
def test_no_rows(tmp_path: Path, name: str) -> None:
    WRITERS[name](TYPED.clear(), tmp_path / name)
    assert "no rows" in refused(tmp_path / name)


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.feather", "t.xlsx"])
@pytest.mark.parametrize("content", [b"hello, I am no table", b"PAR1", b"ARROW1\0\0", b"PK\3\4", b"\xff" * 100])
def test_not_what_the_ending_says(tmp_path: Path, name: str, content: bytes) -> None:
    assert re.match(rf"{name} is not", refused(put(tmp_path, content, name)))
    assert f"{name} is empty" in refused(put(tmp_path, b"", name))


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_cut_off(tmp_path: Path, name: str) -> None:
    WRITERS[name](TYPED, tmp_path / name)
    content = (tmp_path / name).read_bytes()
    assert f"{name} is not a whole" in refused(put(tmp_path, content[: len(content) // 2], name))


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_duplicate_names_in_files(tmp_path: Path, name: str) -> None:
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    if name == "t.parquet":
        pq.write_table(table, tmp_path / name)
    else:
        with pa.ipc.new_file(str(tmp_path / name), table.schema) as writer:
            writer.write_table(table)
    assert f"column name 'a' occurs 2 times in {name}" in refused(tmp_path / name)


@pytest.mark.parametrize("value", [[1, 2], {"x": 1}, b"raw", dt.timedelta(1)])
def test_columns_that_cannot_be_published(tmp_path: Path, value: object) -> None:
    pl.DataFrame({"ok": [1], "bad": [value]}).write_parquet(tmp_path / "t.parquet")
    assert "The column 'bad' is of type" in refused(tmp_path / "t.parquet")


def test_decimals_times_and_tokens(tmp_path: Path) -> None:
    table = pa.table(
        {"d": pa.array(["1.25", None]).cast(pa.decimal128(9, 2)), "t": [dt.time(1, 2), None], "s": ["?", "x"]}
    )
    pq.write_table(table, tmp_path / "t.parquet")
    frame = read_frame(tmp_path / "t.parquet", missing_values=["?"]).frame
    assert frame.rows() == [(1.25, "01:02:00", None), (None, None, "x")]


def test_row_labels_of_pandas_stay_out(tmp_path: Path) -> None:
    pd.DataFrame({"a": [1, 2]}, index=["ann", "bob"]).to_parquet(tmp_path / "t.parquet")
    source = read_frame(tmp_path / "t.parquet")
    assert source.frame.columns == ["a"]
    assert source.notes == ("left out the row labels that pandas saved as '__index_level_0__'",)


def test_no_columns(tmp_path: Path) -> None:
    pd.DataFrame(index=["ann", "bob"]).to_parquet(tmp_path / "t.parquet")
    assert "no columns" in refused(tmp_path / "t.parquet")


# --- Excel ------------------------------------------------------------------------------------------------------


def workbook(folder: Path, **sheets: Sequence[Any]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, lines in sheets.items():
        sheet = book.create_sheet(name)
        for line in lines:
            sheet.append(line)
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


PEOPLE = [
    ["n", "x", "zip", "ok", "born", "seen", "mixed"],
    [1, 1.5, "01234", True, dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, 5, 6), 1],
    [2, 2, "00501", False, dt.date(1999, 12, 31), dt.datetime(2021, 1, 1), "one"],
    [None, None, None, None, None, None, None],
    [None, 3, None, None, None, None, None],
]


def test_excel_types(tmp_path: Path) -> None:
    source = read_frame(workbook(tmp_path, people=PEOPLE, other=[["a"], [1]]))
    assert [str(dtype) for dtype in source.frame.dtypes] == [
        *["Int64", "Float64", "String", "Boolean", "Date"],
        "Datetime(time_unit='ms', time_zone=None)",
        "String",
    ]
    assert source.frame.height == 3
    assert source.frame.row(1)[:5] == (2, 2.0, "00501", False, dt.date(1999, 12, 31))
    assert source.frame["mixed"].to_list() == ["1", "one", None]
    assert source.notes == ("left out 1 blank row",)


def test_types_come_from_all_rows(tmp_path: Path) -> None:
    lines = [["a"], *[[i] for i in range(1500)], ["late"]]
    assert read_frame(workbook(tmp_path, s=lines)).frame["a"].to_list()[-2:] == ["1499", "late"]


def test_sheets(tmp_path: Path) -> None:
    path = workbook(tmp_path, first=[["a"], [1]], second=[["b"], [2]], blank=[], head=[["c", "d"]])
    assert read_frame(path).frame.columns == ["a"]
    assert read_frame(path, sheet="second").frame.columns == ["b"]
    assert read_frame(path, sheet=2).frame.columns == ["b"]
    assert "no sheet 'third'; its sheets are 'first', 'second', 'blank', 'head'." in refused(path, sheet="third")
    assert "no sheet number 0" in refused(path, sheet=0)
    assert "no sheet number 5" in refused(path, sheet=5)
    assert "sheet 'blank' of t.xlsx is empty" in refused(path, sheet="blank")
    assert "no rows" in refused(path, sheet="head")


def test_names_in_excel(tmp_path: Path) -> None:
    assert "column name 'a' occurs 2 times" in refused(workbook(tmp_path, s=[["a", "b", "a"], [1, 2, 3]]))
    assert "Column 2 of the sheet 's' of t.xlsx has a blank" in refused(workbook(tmp_path, s=[["a", None], [1, 2]]))
    assert read_frame(workbook(tmp_path, s=[["a", 2020], [1, 2]])).frame.columns == ["a", "2020"]


def test_long_decimals_and_large_integers_keep_their_digits_and_their_order(tmp_path: Path) -> None:
    import shoal

    numbers = [2**53 + n for n in range(4)] + [10**16 - 1, 10**16]
    for column in (pl.Series("q", numbers), pl.Series("q", [Decimal(n) + Decimal("0.25") for n in numbers])):
        pl.DataFrame([column]).write_parquet(tmp_path / "big.parquet")
        frame = read_frame(tmp_path / "big.parquet").frame
        assert frame["q"].cast(pl.String).to_list() == column.cast(pl.String).to_list()
        made = shoal.anonymize(frame, quasi_identifiers=["q"], privacy=shoal.KAnonymity(2), audit="off").frame["q"]
        ranges = [label.strip("[]").replace(".25", "").split("..") for label in made.unique()]
        held = [number for low, high in ranges for number in numbers if int(low) <= number <= int(high)]
        assert sorted(held) == numbers


def test_a_small_file_that_needs_more_memory_than_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.parquet"
    pl.DataFrame({"note": ["x" * 20_000] * 5000, "age": list(range(5000))}).write_parquet(path)
    assert path.stat().st_size < 1 << 20
    monkeypatch.setattr("shoal.io.arrow_read.free_memory", lambda: 150 << 20)
    assert re.search(r"would take about 0\.2 GiB in memory.*--memory", refused(path))
    monkeypatch.setattr("shoal.io.arrow_read.free_memory", lambda: 1 << 30)
    assert read_frame(path).frame.height == 5000


def test_the_reader_of_workbooks_says_nothing_of_its_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A column that is all blank makes it wonder, and it told the terminal so."""
    frame = read_frame(workbook(tmp_path, s=[["a", "b"], [1, None], [2, None]])).frame
    assert frame["b"].null_count() == 2
    logging.getLogger("fastexcel.anything").warning("what logging does where nobody listens")
    assert capfd.readouterr() == ("", "")
