"""Leaks beside the records, one kind of file after the other."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

from shoal.audit.knowledge import Carried
from shoal.engine.auditing import audit_release
from shoal.io.metadata_leaks import look_at
from shoal.io.read import read_frame
from shoal.io.write import write_frame

CLEAN = pl.DataFrame({"age": ["[17..30]"] * 20 + ["*"] * 20, "note": ["a", "b"] * 20})


def look(path: Path) -> Carried:
    return look_at(path, read_frame(path).frame, ["age"], path)


def whats(carried: Carried) -> str:
    return " | ".join(f"{leak.where}: {leak.what}" for leak in carried.leaks)


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow", ".xlsx"])
def test_what_shoal_writes_is_clean(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"release{ending}"
    write_frame(CLEAN, path)
    carried = look(path)
    assert carried.leaks == ()
    assert carried.n_looked_at > 0


def in_frame(**columns: Sequence[object]) -> str:
    frame = pl.DataFrame(columns)
    return whats(look_at(None, frame, ["age"], frame))


def test_row_numbers() -> None:
    assert "column 'id': it numbers the rows in the order of the file" in in_frame(id=list(range(100, 150)))
    assert "numbers the rows" in in_frame(id=[str(i * 7 % 50) for i in range(50)])
    assert "numbers the rows" in in_frame(**{"Unnamed: 0": [3, 1, 7, 12]})
    assert in_frame(age=list(range(20, 70)) * 2) == ""
    assert in_frame(income=[1000 * i for i in range(50)]) == ""


def test_digits_that_were_never_rounded() -> None:
    assert "nine decimals or more" in in_frame(x=[1 / (i + 3) for i in range(50)])
    assert in_frame(x=[round(1 / (i + 3), 2) for i in range(50)]) == ""


def test_the_order_of_values_inside_sets() -> None:
    assert "the order may say whose value is whose" in in_frame(age=["{a, b}", "{b, a}", "{a, b}"])
    assert "c stands before a in {c, a} and behind it in {a, b, c}" in in_frame(age=["{a, b, c}", "{c, a}"])
    assert in_frame(age=["{a, b}", "{b, c}", "{a, c}"]) == ""
    assert in_frame(age=["{a, (missing)}", "{a, b, (missing)}", "{b, (missing)}"]) == "", (
        "one order, if not the alphabet's"
    )
    assert in_frame(age=["{a, b}", "{b, c}", "{c, a}"]) == "", "a circle without two values in both orders"


def test_categories_and_index_of_a_frame() -> None:
    frame = pd.DataFrame({"age": pd.Categorical(["a", "b"], categories=["a", "b", "Eve"])}, index=[7, 3])
    found = whats(look_at(None, pl.DataFrame({"age": ["a", "b"]}), ["age"], frame))
    assert "the frame's index" in found
    assert "'Eve'" in found
    enum = pl.DataFrame({"age": pl.Series(["a"], dtype=pl.Enum(["a", "Eve"]))})
    assert "'Eve'" in whats(look_at(None, enum, ["age"], enum))


def test_parquet_dictionaries_and_metadata(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int32()), pa.array(["a", "b", "Eve"]))
    table = pa.table({"age": column}).replace_schema_metadata({"note": "made from patients_2024.csv"})
    pq.write_table(table, path)
    found = whats(look(path))
    assert "patients_2024" in found
    assert "its dictionary holds 1 values that no record has ('Eve')" in found
    pd.DataFrame({"age": ["a", "b"]}, index=[7, 3]).to_parquet(path)
    assert "pandas frame with its index" in whats(look(path))


def test_parquet_dictionaries_of_plain_columns(tmp_path: Path) -> None:
    """The column reads as plain text, and the page before its values still lists a name that no row has."""
    path = tmp_path / "r.parquet"
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int32()), pa.array(["a", "b", "Eve"]))
    pq.write_table(pa.table({"age": column}), path, store_schema=False)
    assert pq.read_table(path)["age"].type == pa.string()
    assert "its dictionary holds 1 values that no record has ('Eve')" in whats(look(path))
    pq.write_table(pa.table({"age": ["a", "b", "a"]}), path)
    assert look(path).leaks == ()


def test_parquet_statistics_of_rows_that_are_gone(tmp_path: Path) -> None:
    """The largest value was cut down in the rows and not in the footer."""
    path = tmp_path / "r.parquet"
    pq.write_table(pa.table({"age": ["a"] * 3, "income": [5, 9, 7]}), path, compression="none", store_schema=False)
    assert look(path).leaks == ()
    data = path.read_bytes()
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    path.write_bytes(data[:start] + data[start:].replace((9).to_bytes(8, "little"), (90_000).to_bytes(8, "little")))
    assert "column 'income': its statistics say 5 to 90000, its rows 5 to 9" in whats(look(path))


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".xlsx"])
def test_the_order_of_a_file(ending: str, tmp_path: Path) -> None:
    """Records in the order of the original's rows; shuffled ones say nothing."""
    people = pl.DataFrame({"age": [i // 20 for i in range(200)], "ill": [f"v{(i * i) % 7}" for i in range(200)]})
    release = people.with_columns(age=pl.format("[{}..{}]", pl.col("age") // 2 * 2, pl.col("age") // 2 * 2 + 1))
    for name, frame, outcome in (
        ("same", release, "falls"),
        ("shuffled", release.sample(fraction=1, shuffle=True, seed=4), "stopped"),
    ):
        path = tmp_path / f"{name}{ending}"
        write_frame(frame, path)
        found = audit_release(people, path, quasi_identifiers=["age"], sensitive=["ill"], attacks=["order"])
        assert found.risks[0].outcome == outcome


def test_arrow_dictionaries(tmp_path: Path) -> None:
    path = tmp_path / "r.arrow"
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int32()), pa.array(["a", "b", "Eve"]))
    table = pa.table({"age": column})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    assert "its dictionary holds 1 values that no record has ('Eve')" in whats(look(path))


def test_workbook_properties_and_sheets(tmp_path: Path) -> None:
    path = tmp_path / "r.xlsx"
    book = xlsxwriter.Workbook(path)
    book.set_properties({"author": "Dr. Who", "company": "St. Mary"})
    sheet, secret = book.add_worksheet("release"), book.add_worksheet("original")
    sheet.write_column(0, 0, ["age", "a", "b"])
    sheet.write_comment(1, 0, "this is Eve")
    secret.hide()
    book.close()
    found = whats(look(path))
    assert "creator is 'Dr. Who'" in found
    assert "Company is 'St. Mary'" in found
    assert "1 of its 2 sheets are hidden" in found
    assert "it holds comments" in found


def test_texts_that_no_cell_uses(tmp_path: Path) -> None:
    path, dirty = tmp_path / "r.xlsx", tmp_path / "d.xlsx"
    book = xlsxwriter.Workbook(path)
    book.add_worksheet().write_column(0, 0, ["age", "a", "b"])
    book.close()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(dirty, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "xl/sharedStrings.xml":
                data = data.replace(b"</sst>", b"<si><t>Eve</t></si></sst>")
            new.writestr(name, data)
    assert "it holds 1 texts that no cell uses" in whats(look(dirty))
