"""Tables of SPSS, Stata and SAS, in and out."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pandas as pd
import polars as pl
import pyreadstat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.errors import InputError
from shoal.io.read import read_frame
from shoal.io.read_back import read_back
from shoal.io.stats_read import Meaning, read_stats
from shoal.io.stats_write import write_stats
from shoal.io.write import write_frame
from support.effort import examples

ENDINGS = (".sav", ".dta", ".xpt")
LABELS = {1: "woman", 2: "man", 3: "other", 9: "refused"}


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """A file of SPSS with labels, an unused one among them, and codes for missing values."""
    frame = pl.DataFrame(
        {
            "age": [21, 22, 23, 24, 51, 52, 53, 54],
            "sex": [1, 2, 1, 2, 1, 2, 1, 9],
            "income": [100.0, 200.0, 99999.0, 150.0, 300.0, None, 250.0, 99999.0],
            "town": ["Ayr", "", "Bonn", "Cork", "Ayr", "Bonn", "Cork", "Ayr"],
        }
    )
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(
        frame,
        str(path),
        file_label="Secret survey of Ayr",
        variable_value_labels={"sex": LABELS, "income": {99999: "refused"}},
        missing_ranges={"sex": [9], "income": [99999]},
    )
    return path


def test_labels_are_read_for_codes_and_codes_for_missing_as_missing(survey: Path) -> None:
    source = read_frame(survey)
    assert source.frame["age"].to_list() == [21, 22, 23, 24, 51, 52, 53, 54]
    assert source.frame["age"].dtype == pl.Int64
    assert source.frame["sex"].to_list() == ["woman", "man"] * 3 + ["woman", "refused"]
    assert source.frame["income"].to_list() == [100, 200, None, 150, 300, None, 250, None]
    assert source.frame["town"][1] is None
    assert source.notes == ("income: 2 values that survey.sav declares missing are read as missing.",)


@pytest.mark.parametrize("ending", [".sav", ".dta"])
def test_labels_and_codes_make_the_round_trip_and_unused_labels_do_not(
    survey: Path, tmp_path: Path, ending: str
) -> None:
    made = shoal.anonymize(
        survey, quasi_identifiers=["age"], sensitive=["sex"], others=["income", "town"], privacy=shoal.KAnonymity(4)
    )
    target = tmp_path / f"release{ending}"
    made.write(target)
    read = pyreadstat.read_sav if ending == ".sav" else pyreadstat.read_dta
    frame, told = read(str(target), output_format="polars", **({"user_missing": True} if ending == ".sav" else {}))
    assert sorted(frame["sex"].to_list()) == [1, 1, 1, 1, 2, 2, 2, 9]
    assert told.variable_value_labels == {"sex": {1: "woman", 2: "man", 9: "refused"}}
    if ending == ".sav":
        assert told.missing_ranges == {"sex": [{"lo": 9, "hi": 9}]}
    assert frame["age"].n_unique() == 2
    raw = target.read_bytes()
    assert b"other" not in raw
    assert b"Secret" not in raw
    assert sorted(map(str, read_frame(target).frame["sex"])) == ["man"] * 3 + ["refused"] + ["woman"] * 4


def test_labels_and_missing_codes_of_numbers_make_the_round_trip(tmp_path: Path) -> None:
    """Numbers of which some have labels stay numbers; a code that all missing values had is theirs again."""
    frame = pl.DataFrame({"age": [21, 22, 23, 24, 51, 52, 53, 54], "pay": [0, 0, 7, 8, 0, 99, 9, 99], "n": [1, 98] * 4})
    pyreadstat.write_sav(
        frame.with_columns(n=pl.when(pl.col("age") > 21).then("n")), str(tmp_path / "survey.sav"),
        variable_value_labels={"pay": {0: "none", 99: "refused", 50: "nobody has it"}, "n": {98: "unknown"}},
        missing_ranges={"pay": [99], "n": [98]},
    )  # fmt: skip
    made = shoal.anonymize(
        tmp_path / "survey.sav", quasi_identifiers=["age"], others=["pay", "n"], privacy=shoal.KAnonymity(4), seed=1
    )
    assert made.frame["pay"].dtype == pl.Int64
    made.write(tmp_path / "release.sav")
    back, told = pyreadstat.read_sav(str(tmp_path / "release.sav"), output_format="polars", user_missing=True)
    assert sorted(back["pay"].to_list()) == [0, 0, 0, 7, 8, 9, 99, 99]
    assert told.variable_value_labels == {"pay": {0: "none", 99: "refused"}}
    assert told.missing_ranges == {"pay": [{"lo": 99, "hi": 99}]}
    assert back["n"].null_count() == 5, "which of the two kinds a missing value was is not known any more"
    assert b"nobody" not in (tmp_path / "release.sav").read_bytes()


def test_several_missing_codes_of_numbers_are_read_as_missing_and_a_sentence_names_them(tmp_path: Path) -> None:
    codes = {"missing_ranges": {"pay": [{"lo": -9, "hi": -7}]}, "variable_value_labels": {"pay": {-9: "refused"}}}
    pyreadstat.write_sav(pl.DataFrame({"pay": [10, -9, -8, 20, -9]}), str(tmp_path / "survey.sav"), **codes)
    source = read_frame(tmp_path / "survey.sav")
    assert source.frame["pay"].to_list() == [10, None, None, 20, None]
    assert source.notes == (
        "pay: 3 values that survey.sav declares missing are read as missing; there are several such codes (-8, -9), "
        "and which of them a value had is not kept.",
    )


def test_labels_and_missing_codes_of_texts_make_the_round_trip(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [21, 22, 23, 24, 51, 52, 53, 54], "ward": ["A", "B", "A", "x", "y", "B", "A", "x"]})
    pyreadstat.write_sav(
        frame, str(tmp_path / "survey.sav"), missing_ranges={"ward": ["x", "y", "z"]},
        variable_value_labels={"ward": {"A": "Surgery", "B": "Births", "C": "closed", "x": "unknown"}},
    )  # fmt: skip
    made = shoal.anonymize(
        tmp_path / "survey.sav", quasi_identifiers=["age"], others=["ward"], privacy=shoal.KAnonymity(4), audit="off"
    )
    made.write(tmp_path / "release.sav")
    back, told = pyreadstat.read_sav(str(tmp_path / "release.sav"), output_format="polars", user_missing=True)
    assert sorted(back["ward"].to_list()) == sorted(frame["ward"].to_list())
    assert told.variable_value_labels == {"ward": {"A": "Surgery", "B": "Births", "x": "unknown"}}
    assert sorted(each["lo"] for each in told.missing_ranges["ward"]) == ["x", "y"]
    made.write(tmp_path / "release.dta")
    assert sorted(read_frame(tmp_path / "release.dta").frame["ward"]) == sorted(frame["ward"].to_list())


@pytest.mark.parametrize("is_apart", [True, False])
def test_many_missing_codes_are_a_range_or_refused(tmp_path: Path, is_apart: bool) -> None:
    """SPSS declares three codes or a range; a value between them that is not missing leaves no way."""
    labels = {float(code): f"code {code}" for code in range(9)}
    missing = tuple((float(code), float(code)) for code in ((1, 2, 4, 5) if not is_apart else (5, 6, 7, 8)))
    frame = pl.DataFrame({"why": [labels[code] for code in (1, 2, 3, 4, 5, 6, 7, 8)]})
    target = tmp_path / "release.sav"
    if not is_apart:
        with pytest.raises(InputError, match=r"three codes of a column or a range of them missing, and 'why' has 4"):
            write_stats(frame, target, ".sav", {"why": Meaning(labels, missing)})
        return
    write_stats(frame, target, ".sav", {"why": Meaning(labels, missing)})
    assert pyreadstat.read_sav(str(target), user_missing=True)[1].missing_ranges == {"why": [{"lo": 5, "hi": 8}]}


@pytest.mark.parametrize("name", ["people.sas7bcat", "formats.sas7bcat"])
def test_a_catalog_of_sas_formats_beside_the_table_is_read_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """pyreadstat writes neither kind of file, so what it is asked for is looked at."""
    asked: dict[str, object] = {}

    def read(path: str, **options: object) -> object:
        asked.update(options)
        return pyreadstat.read_sav(str(tmp_path / "people.sav"), output_format="polars")

    pyreadstat.write_sav(pl.DataFrame({"sex": ["woman"]}), str(tmp_path / "people.sav"))
    monkeypatch.setattr(pyreadstat, "read_sas7bdat", read)
    assert read_stats(tmp_path / "people.sas7bdat", ".sas7bdat", "people").frame["sex"].to_list() == ["woman"]
    assert "catalog_file" not in asked
    (tmp_path / name).touch()
    read_stats(tmp_path / "people.sas7bdat", ".sas7bdat", "people")
    assert asked["catalog_file"] == str(tmp_path / name)


@pytest.mark.parametrize("has_labels", [True, False])
def test_letters_of_stata_make_the_round_trip(tmp_path: Path, has_labels: bool) -> None:
    frame = pd.DataFrame({"age": [21, 22, 23, 24, 51, 52, 53, 54], "ill": [1, 2, "a", 1, 2, 1, "a", 2]})
    labels = {1: "yes", 2: "no", "a": "refused"} if has_labels else {1: "yes"}
    pyreadstat.write_dta(
        frame, str(tmp_path / "survey.dta"), variable_value_labels={"ill": labels}, missing_user_values={"ill": ["a"]}
    )
    source = read_frame(tmp_path / "survey.dta")
    assert source.frame["ill"].null_count() == (0 if has_labels else 2)
    made = shoal.anonymize(
        tmp_path / "survey.dta", quasi_identifiers=["age"], others=["ill"], privacy=shoal.KAnonymity(4), seed=1
    )
    made.write(tmp_path / "release.dta")
    back, told = pyreadstat.read_dta(str(tmp_path / "release.dta"), user_missing=True)
    assert sorted(map(str, back["ill"])) == sorted(
        map(str, pyreadstat.read_dta(str(tmp_path / "survey.dta"), user_missing=True)[0]["ill"])
    )
    assert told.variable_value_labels == {"ill": labels}
    assert told.missing_user_values == {"ill": ["a"]}
    made.write(tmp_path / "release.sav")
    assert read_frame(tmp_path / "release.sav").frame["ill"].sort().equals(made.frame["ill"].sort())


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_type_comes_back_and_bytes_do_not_say_when(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame(
        {
            "n": [1, 2**40, None],
            "x": [1.5, None, -2.0],
            "t": ["a", "naïve", None],
            "b": [True, False, None],
            "d": [date(2020, 1, 2), None, date(1950, 3, 4)],
            "m": [datetime(2020, 1, 2, 3, 4, 5), None, datetime(1950, 3, 4)],
        }
    )
    path = tmp_path / f"table{ending}"
    write_frame(frame, path)
    back = read_back(path, ending, frame.columns, frame.columns)
    assert back["n"].to_list() == [1, 2**40, None]
    assert back["x"].to_list() == [1.5, None, -2.0]
    assert back["t"].to_list() == ["a", "naïve", None]
    assert back["b"].to_list() == [1, 0, None]
    assert back["d"].to_list() == frame["d"].to_list()
    assert back["m"].to_list() == frame["m"].to_list()
    today, header = datetime.now(), path.read_bytes()[:4096].upper()
    for form in ("%d %b %y", "%d %b %Y", "%d%b%y"):
        assert today.strftime(form).upper().encode() not in header


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=examples(1), deadline=None)
@given(texts=st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=20), min_size=1))
def test_texts_come_back(tmp_path_factory: pytest.TempPathFactory, ending: str, texts: list[str]) -> None:
    path = tmp_path_factory.mktemp("stats") / f"table{ending}"
    write_stats(pl.DataFrame({"t": texts}), path, ending)
    assert read_stats(path, ending, path.name).frame["t"].to_list() == [text or None for text in texts]


@pytest.mark.parametrize(("ending", "name"), [(".dta", "last name"), (".sav", "1st"), (".xpt", "größe")])
def test_names_that_a_program_cannot_have_are_refused(tmp_path: Path, ending: str, name: str) -> None:
    with pytest.raises(InputError, match=f"cannot have a column '{name}'"):
        write_frame(pl.DataFrame({name: [1]}), tmp_path / f"table{ending}")
    assert not (tmp_path / f"table{ending}").exists()


def test_a_file_that_is_not_what_it_says_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.sav"
    path.write_text("age,sex\n1,2\n")
    with pytest.raises(InputError, match=r"table.sav cannot be read as a file of SPSS"):
        read_frame(path)


def test_labels_that_two_codes_share_leave_the_codes(tmp_path: Path) -> None:
    path = tmp_path / "table.sav"
    pyreadstat.write_sav(pl.DataFrame({"a": [1, 2]}), str(path), variable_value_labels={"a": {1: "same", 2: "same"}})
    assert read_frame(path).frame["a"].to_list() == [1, 2]
