"""Values as people write them are read the same from files, frames and batches."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter

import shoal
from shoal.engine.source import load
from shoal.errors import InputError
from shoal.io.column_rules import joined_names
from shoal.io.table_file import open_table_file
from shoal.io.written_dates import read_dates
from shoal.io.written_values import WrittenValues

SAID: dict[str, Any] = {
    "missing_values": ("NA",),
    "missing_codes": {"n": ("-9",)},
    "dates": {"born": "%d.%m.%Y"},
    "decimal": ",",
    "thousands": ".",
    "units": {"age": "years|yrs"},
    "spellings": {"sex": {"M": "male", "m": "male"}},
    "fold": ("city",),
}
WRITTEN = {
    "born": ["25.04.1960", "1.4.1961", "NA"],
    "n": ["-9", "1.234,50", "7,25"],
    "age": ["63 years", "5 yrs", "41"],
    "sex": ["M", "m", "female"],
    "city": ["Bonn ", "Bonn", " Köln"],
}
MEANT = {
    "born": ["1960-04-25", "1961-04-01", None],
    "n": [None, "1234.50", "7.25"],
    "age": ["63", "5", "41"],
    "sex": ["male", "male", "female"],
    "city": ["Bonn", "Bonn", "Köln"],
}


@pytest.mark.parametrize(
    ("form", "written", "read"),
    [
        ("%d.%m.%Y", "25.04.1960", "1960-04-25"),
        ("%m/%d/%y", "4/25/60", "1960-04-25"),
        ("%d/%m/%y", "25/4/19", "2019-04-25"),
        ("%d. %B %Y", "3. März 1971", "1971-03-03"),
        ("%d %b %Y", "3 août 1999", "1999-08-03"),
        ("%Y-%m", "1960-04", "1960-04-01"),
        ("%m/%Y", "04/1960", "1960-04-01"),
        ("%Y", "1960", "1960-01-01"),
        ("%Y%m%d", "19600425", "1960-04-25"),
        ("%d.%m.%Y %H:%M", "25.04.1960 09:30", "1960-04-25 09:30:00"),
        ("iso", "2024-03-01T09:30:00+01:00", "2024-03-01 09:30:00"),
        ("iso", "2024-03-01T09:30Z", "2024-03-01 09:30"),
        ("iso", "1960-04", "1960-04-01"),
        ("excel", "22031", "1960-04-25"),
        ("excel", "45000.5", "2023-03-15 12:00:00"),
    ],
)
def test_dates_are_read_in_any_usual_form(form: str, written: str, read: str) -> None:
    assert read_dates(pl.Series("d", [written, None]), form).to_list() == [read, None]


def test_real_dates_stay_dates() -> None:
    real = pl.Series("d", ["1960-04-25"]).str.to_date()
    assert read_dates(real, "%d.%m.%Y").equals(real)


@pytest.mark.parametrize(
    ("form", "written"), [("%d.%m.%Y", "31.02.1960"), ("iso", "2024-02-30"), ("excel", "-3"), ("%Y", "soon")]
)
def test_what_is_no_date_is_named(form: str, written: str) -> None:
    with pytest.raises(InputError, match=f"'d' holds '{written}', which is not a date written as {form}"):
        read_dates(pl.Series("d", [written]), form)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"dates": {"born": "day first"}}, "cannot be written as 'day first'"),
        ({"decimal": "comma"}, "decimal must be one mark"),
        ({"decimal": ",", "thousands": ","}, "both ','"),
        ({"thousands": "."}, "both '.'"),
        ({"units": {"age": "kg"}}, "'age' holds '63 years', which is not a number with the unit 'kg'"),
        ({"dates": {"bron": "iso"}}, "no column 'bron' .*Did you mean 'born'"),
        ({"spellings": {"sx": {"a": "b"}}}, "no column 'sx'"),
    ],
)
def test_what_cannot_be_is_one_sentence(said: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        load(pl.DataFrame(WRITTEN), **said)


@pytest.mark.parametrize("ending", [".csv", ".parquet", "frame", "pandas"])
def test_words_mean_the_same_for_files_and_frames(ending: str, tmp_path: Path) -> None:
    frame, data = pl.DataFrame(WRITTEN), tmp_path / f"t{ending}"
    if ending == ".csv":
        frame.write_csv(data, separator=";")
    elif ending == ".parquet":
        frame.write_parquet(data)
    else:
        data = frame if ending == "frame" else frame.to_pandas()  # type: ignore[assignment]
    assert load(data, **SAID).frame.to_dict(as_series=False) == MEANT


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_batches_are_read_as_the_whole_is(ending: str, tmp_path: Path) -> None:
    path, frame = tmp_path / f"t{ending}", pl.DataFrame(WRITTEN)
    frame.write_csv(path, separator=";") if ending == ".csv" else frame.write_parquet(path)
    rows = open_table_file(path, tmp_path, **SAID)
    assert pl.concat(rows.batches(2)).to_dict(as_series=False) == MEANT
    assert sorted(filter(None, rows.values("born")["value"])) == ["1960-04-25", "1961-04-01"]


def test_codes_for_missing_are_found_in_numbers_and_only_in_their_column() -> None:
    frame = pl.DataFrame({"age": [-9, 30, 99], "days": [99, 5, 6]})
    read = WrittenValues(missing_codes={"age": ["-9", "99.0"]}).read(frame)
    assert read.to_dict(as_series=False) == {"age": [None, 30, None], "days": [99, 5, 6]}


def test_network_addresses_are_no_numbers() -> None:
    frame = pl.DataFrame({"ip": ["192.168.100.200"], "n": ["1.234.567"]})
    assert WrittenValues(decimal=",", thousands=".").read(frame).row(0) == ("192.168.100.200", "1234567")


TITLED = "Discharges 2023\n\npatient,,stay,\nname,age,from,to\nAnn,63,1,2\nBob,41,3,4\n"
NAMES = ["patient name", "patient age", "stay from", "stay to"]


def test_rows_above_the_header_and_headers_of_several_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TITLED)
    frame = load(path, skip_rows=1, header_rows=2).frame
    assert (frame.columns, frame.row(1)) == (NAMES, ("Bob", "41", "3", "4"))
    rows = open_table_file(path, tmp_path, skip_rows=1, header_rows=2)
    assert pl.concat(rows.batches(1)).equals(frame)


def test_rows_above_the_header_of_a_sheet(tmp_path: Path) -> None:
    memory = io.BytesIO()
    book = xlsxwriter.Workbook(memory)
    sheet = book.add_worksheet()
    cells = [["Discharges 2023"], ["patient", "", "stay", ""], ["name", "age", "from", "to"]]
    for number, row in enumerate([*cells, ["Ann", 63, 1, 2], ["Bob", 41, 3, 4]]):
        sheet.write_row(number, 0, row)
    book.close()
    path = tmp_path / "t.xlsx"
    path.write_bytes(memory.getvalue())
    frame = load(path, skip_rows=1, header_rows=2).frame
    assert (frame.columns, frame.row(1)) == (NAMES, ("Bob", 41, 3, 4))


def test_rows_mean_nothing_for_parquet(tmp_path: Path) -> None:
    pl.DataFrame(WRITTEN).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match=r"'skip_rows' does not apply to t\.parquet"):
        load(tmp_path / "t.parquet", skip_rows=1)


def test_names_are_joined_once() -> None:
    assert joined_names([["a", "b"], ["a", "c"]]) == ["a", "b c"]
    assert joined_names([[" a ", "b"]]) == [" a ", "b"]


NESTED = pl.DataFrame({"age": [1, 1, 2, 2], "visits": [[1], [2, 3], [], [4]], "ill": ["a", "b", "a", "b"]})
ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "privacy": {"k": 2}}


def test_nested_identifiers_are_dropped() -> None:
    assert shoal.anonymize(NESTED, identifiers=["visits"], **ROLES).frame.columns == ["age", "ill"]


@pytest.mark.parametrize("role", [{}, {"others": ["visits"]}, {"roles": "given"}])
def test_nested_columns_elsewhere_are_refused_with_the_way_out(role: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"'visits' holds lists.*among the identifiers \(--identifiers\) to drop it"):
        shoal.anonymize(NESTED, **ROLES, **role)


def test_nested_identifiers_are_dropped_within_a_memory_limit(tmp_path: Path) -> None:
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    NESTED.write_parquet(source)
    shoal.anonymize_file(source, target, memory="8GiB", identifiers=["visits"], **ROLES)
    assert pl.read_parquet(target).columns == ["age", "ill"]
    with pytest.raises(InputError, match="'visits' holds lists"):
        shoal.anonymize_file(source, target, memory="8GiB", **ROLES)


def test_a_release_may_hold_no_nested_column() -> None:
    with pytest.raises(InputError, match="'visits' is of type"):
        shoal.verify(NESTED, quasi_identifiers=["age"], privacy={"k": 2})


def test_the_words_are_about_the_original_and_not_about_its_release(tmp_path: Path) -> None:
    original = pl.DataFrame({"born": ["25.04.1960", "26.04.1960", "1.1.1970", "2.1.1970"], "ill": list("abab")})
    said: dict[str, Any] = {"quasi_identifiers": ["born"], "sensitive": ["ill"], "dates": {"born": "%d.%m.%Y"}}
    release = shoal.anonymize(original, privacy={"k": 2}, **said).frame
    assert sorted(set(release["born"])) == ["[1960-04-25..1960-04-26]", "[1970-01-01..1970-01-02]"]
    assert shoal.verify(release, original=original, privacy={"k": 2}, **said).holds
    assert shoal.audit_release(original, release, k=2, **said)
