"""Every check of the import doctor finds what it is for, and leaves sound columns alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xlsxwriter

import shoal
from shoal.io.frames import declared_orders
from shoal.io.inspect import checks
from shoal.io.inspect.checks import examine
from shoal.io.inspect.column_values import Sight
from shoal.io.inspect.hierarchies import ALL as HIERARCHIES

CASES: dict[str, list[tuple[str, list[Any], dict[str, Any]]]] = {
    "blanks": [("city", ["Bonn", "Bonn ", "Ulm"] * 9, {"fold": ["city"]})],
    "missing marks": [("job", ["cook", "smith", "k.A.", "?"] * 9, {"missing_values": ["?", "k.A."]})],
    "units": [
        ("age", ["63 years", "5 yrs", "41"] * 9, {"units": {"age": "years|yrs"}}),
        ("cost", ["€ 12", "€ 15", "7 €"] * 9, {"units": {"cost": "€"}}),
    ],
    "numbers": [
        ("cost", ["1.234,50", "7,25"] * 9, {"decimal": ",", "thousands": "."}),
        ("cost", ["1,234.50", "7.25"] * 9, {"thousands": ","}),
        ("cost", ["12,5", "7,25"] * 9, {"decimal": ","}),
    ],
    "missing codes": [
        ("age", [-9, -9, *range(20, 40)], {"missing_codes": {"age": ["-9"]}}),
        ("rooms", [1, 2, 3, 4, 9] * 5, {"missing_codes": {"rooms": ["9"]}}),
        ("age", ["999", "999", *map(str, range(20, 40))], {"missing_codes": {"age": ["999"]}}),
    ],
    "dates": [
        ("born", ["25.04.1960", "1.2.1970"] * 9, {"dates": {"born": "%d.%m.%Y"}}),
        ("born", ["4/25/60", "1/31/70"] * 9, {"dates": {"born": "%m/%d/%y"}}),
        ("seen", ["2024-03-01T09:30:00+01:00", "2024-03-02T10:00:00Z"] * 9, {"dates": {"seen": "iso"}}),
        ("month", ["1960-04", "1961-05"] * 9, {"dates": {"month": "iso"}}),
        ("birth date", [22031, 22032, 30000], {"dates": {"birth date": "excel"}}),
        ("day", [19600425, 19610501], {"dates": {"day": "%Y%m%d"}}),
        ("born", ["25.04.1960", "1961-05-20"] * 9, {"dates": {"born": "iso|%d.%m.%Y"}}),
    ],
    "spellings": [
        ("sex", ["m", "M", "m", "f"] * 9, {"spellings": {"sex": {"M": "m"}}}),
        ("ill", ["ja", "ja", "nein", "yes", "NO"] * 9, {"spellings": {"ill": {"yes": "ja", "NO": "nein"}}}),
        ("town", ["Bonn", "\u0412onn", "Ulm"] * 9, {"spellings": {"town": {"\u0412onn": "Bonn"}}}),
    ],
    "orders": [
        ("pain", ["high", "low", "mid"] * 9, {"orders": {"pain": ["low", "mid", "high"]}}),
        ("age group", ["65+", "18-29", "30-64"] * 9, {"orders": {"age group": ["18-29", "30-64", "65+"]}}),
    ],
    "ZIP codes": [("zip", ["02139", "02139-1234"] * 9, {"hierarchies": {"zip": "prefixes:lengths=5/3/2/1"}})],
    "sample weights": [
        ("fnlwgt", [77516, 83311, 215646], {"identifiers": ["fnlwgt"]}),
        ("weight", [118.3, 77.25, 118.3] * 9, {"identifiers": ["weight"]}),
    ],
    "person key": [
        ("patient_id", [i // 3 for i in range(60)], {"person": "patient_id"}),
        ("Patient", [f"P{100 + i // 2}" for i in range(60)], {"person": "Patient"}),
    ],
    "constants": [("source", ["export"] * 9, {})],
}

SOUND: list[tuple[str, list[Any]]] = [
    ("job", ["cook", "smith", "nurse"] * 9),
    ("age", [str(age) for age in range(18, 96)]),
    ("country", ["NA", "DE", "FR", "US", "IT", "ES"] * 9),
    ("weight", [60 + i / 10 for i in range(300)]),
    ("rooms", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] * 3),
    ("born", ["1960-04-25", "1961-05-01"] * 9),
    ("code", ["M0001", "M0002", "M0003"] * 3),
    ("education", ["9th", "10th", "Bachelors"] * 9),
    ("ssn", ["123-45-6789", "123-45-6780", "321-54-9876"] * 3),
    ("address", ["192.168.100.200", "10.0.0.1"] * 9),
]


def test_every_check_has_a_case() -> None:
    assert list(CASES) == list(checks.ALL)


@pytest.mark.parametrize(
    ("check", "name", "values", "words"),
    [(check, *case) for check, cases in CASES.items() for case in cases],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_is_found_with_its_words(check: str, name: str, values: list[Any], words: dict[str, Any]) -> None:
    found = list(checks.ALL[check]([Sight.of(pl.Series(name, values))]))
    assert [one.words for one in found] == [words]
    assert not any(one.question for one in found)


@pytest.mark.parametrize(("name", "values"), SOUND, ids=lambda value: value if isinstance(value, str) else "")
def test_nothing_is_said_of_a_sound_column(name: str, values: list[Any]) -> None:
    assert [one.what for one in examine(pl.DataFrame({name: values}))] == []


@pytest.mark.parametrize(
    ("name", "values", "question"),
    [
        ("born", ["01/02/1960", "03/04/1970"] * 9, "can be read as %d/%m/%Y or as %m/%d/%Y"),
        ("dose", ["12 kg", "450 g", "3 kg"] * 9, "Convert 'dose' to one unit"),
        ("n", ["1,234", "5,678"] * 9, "may be a decimal or a thousands mark"),
        ("born", ["1/2/60", "13/13/60", "99.99.1960", "1960/44/1", "77-77-77", "44/44/44"] * 9, "Say in dates"),
    ],
)
def test_what_only_a_person_can_decide_is_a_question(name: str, values: list[str], question: str) -> None:
    assert any(question in one.question for one in examine(pl.DataFrame({name: values})))


def test_an_ambiguous_column_follows_a_clear_one() -> None:
    frame = pl.DataFrame({"a": ["01/02/1960", "03/04/1970"] * 9, "b": ["25/02/1960", "03/04/1970"] * 9})
    assert [(one.words, one.question) for one in examine(frame)] == [
        ({"dates": {"a": "%d/%m/%Y"}}, ""),
        ({"dates": {"b": "%d/%m/%Y"}}, ""),
    ]


def test_a_comma_groups_digits_where_other_columns_have_decimal_points() -> None:
    amounts = ["54,015", "114,756", "9,120"] * 9
    for weights in (["1876.2653", "21.5", "3.25"] * 9, [1876.2653, 21.5, 3.25] * 9):
        found = examine(pl.DataFrame({"income": amounts, "length": weights}))
        assert [(one.words, one.question) for one in found] == [({"thousands": ","}, "")]


def test_copies_of_two_texts_are_dropped_unless_they_may_agree_by_chance() -> None:
    sexes = ["f", "m"] * 12
    assert shoal.inspect(pl.DataFrame({"sex": sexes, "gender": sexes})).words["identifiers"] == ["gender"]
    rare = ["no"] * 20 + ["yes"]
    assert "identifiers" not in shoal.inspect(pl.DataFrame({"blind": rare, "deaf": rare})).words


def test_what_a_patient_has_is_no_name_of_a_patient() -> None:
    people = ["Ann Bell", "Bo Carr", "Cy Dunn"] * 9
    frame = pl.DataFrame({"patient sex": ["f", "m", "f"] * 9, "patient": people, "patient name": people[::-1]})
    assert [c.role for c in shoal.inspect(frame).columns] == ["quasi-identifier", "identifier", "identifier"]


def test_copies_and_nested_columns_are_dropped() -> None:
    towns = ["Bonn", "Chur", "Ulm"] * 9
    found = shoal.inspect(pl.DataFrame({"city": towns, "town": towns, "visits": [[1]] * 27}))
    assert found.words["identifiers"] == ["visits", "town"]
    assert [column.role for column in found.columns] == ["quasi-identifier", "identifier", "identifier"]


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"size": pl.Series(["L", "S"] * 9, dtype=pl.Enum(["S", "M", "L"]))}),
        pd.DataFrame({"size": pd.Categorical(["L", "S"] * 9, ["S", "M", "L"], ordered=True)}),
        pa.table({"size": pa.DictionaryArray.from_arrays([2, 0] * 9, ["S", "M", "L"], ordered=True)}),
    ],
    ids=["polars", "pandas", "pyarrow"],
)
def test_declared_orders_are_taken(frame: Any) -> None:
    assert declared_orders(frame) == {"size": ["S", "M", "L"]}
    found = shoal.inspect(frame)
    assert (found.words["orders"], found.columns[0].kind) == ({"size": ["S", "M", "L"]}, "ordinal")


FITS: dict[str, tuple[str, Any, str]] = {
    "ages": ("age", list(range(18, 99)), "intervals:cuts=0/5/10"),
    "dates": ("born", ["1960-04-25", "1961-04-25"], "dates:levels=month/year/decade"),
    "medical codes": ("dx", ["J45.0", "I10", "E11.9"], "icd10"),
    "postcodes": ("PLZ", ["10115", "20095"], "mask"),
    "countries": ("land", ["Deutschland", "France", "Italy", "US", "Atlantis"] * 2, "{"),
}


def test_every_kind_of_hierarchy_has_a_case() -> None:
    assert list(FITS) == list(HIERARCHIES)


@pytest.mark.parametrize("kind", [kind for kind in FITS if kind != "countries"])
def test_hierarchies_fit_what_columns_hold(kind: str) -> None:
    name, values, spec = FITS[kind]
    fit = HIERARCHIES[kind](Sight.of(pl.Series(name, values)))
    assert fit is not None
    assert str(fit.spec).startswith(spec)
    assert HIERARCHIES[kind](Sight.of(pl.Series("x", ["one", "two"]))) is None


def test_countries_are_grouped_by_region_and_the_unknown_apart() -> None:
    names = ["Deutschland", "France", "Italy", "US", "Japan", "Ghana", "Chile", "Peru", "India", "Kenya", "Atlantis"]
    fit = HIERARCHIES["countries"](Sight.of(pl.Series("land", names)))
    assert fit is not None
    assert fit.spec["Western Europe"] == ["Deutschland", "France"]
    assert fit.spec["elsewhere"] == ["Atlantis"]


def test_titles_double_headers_and_other_sheets_of_a_workbook(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    sheet = book.add_worksheet("Data")
    rows = [["Export"], ["patient", "", "stay"], ["name", "age", "from"], *([f"n{i}", i, i] for i in range(9))]
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)
    book.add_worksheet("Codes").write(0, 0, "legend")
    book.close()
    found = shoal.inspect(tmp_path / "t.xlsx")
    assert [column.name for column in found.columns] == ["patient name", "patient age", "stay from"]
    assert found.words["sheet"] == "Data"
    assert (found.words["skip_rows"], found.words["header_rows"]) == (1, 2)
    assert any("'Codes'" in one.what for one in found.advice)
