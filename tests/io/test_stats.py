"""Tables of SPSS, Stata and SAS, in and out."""

from __future__ import annotations

import shutil
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal

import pandas as pd
import polars as pl
import pyreadstat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.cli.entry import main
from shoal.errors import InputError
from shoal.io.read import read_frame
from shoal.io.read_back import read_back
from shoal.io.stats_read import CodeMeaning, read_stats
from shoal.io.stats_write import write_stats
from shoal.io.write import write_frame
from support.effort import examples

ENDINGS = (".sav", ".dta", ".xpt")
LABELS: dict[int | float, str] = {1: "woman", 2: "man", 3: "other", 9: "refused"}


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
    frame, told = read(str(target), output_format="polars", **({"user_missing": True} if ending == ".sav" else {}))  # type: ignore[call-overload]
    assert sorted(frame["sex"].to_list()) == [1, 1, 1, 1, 2, 2, 2, 9]
    assert told.variable_value_labels["sex"] == {1: "woman", 2: "man", 9: "refused"}
    if ending == ".sav":
        assert told.missing_ranges["sex"] == [{"lo": 9, "hi": 9}]
        assert told.missing_ranges["income"] == [{"lo": 99999, "hi": 99999}]
        assert told.variable_value_labels["income"] == {99999: "refused"}
        assert frame["income"].null_count() == 1
        assert (frame["income"] == 99999).sum() == 2
    assert frame["age"].n_unique() == 2
    raw = target.read_bytes()
    assert b"other" not in raw
    assert b"Secret" not in raw
    assert sorted(map(str, read_frame(target).frame["sex"])) == ["man"] * 3 + ["refused"] + ["woman"] * 4


def test_labels_and_missing_codes_of_numbers_make_the_round_trip(tmp_path: Path) -> None:
    """Numbers of which some have labels stay numbers; missing values have their codes again."""
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
    assert told.variable_value_labels == {"pay": {0: "none", 99: "refused"}, "n": {98: "unknown"}}
    assert told.missing_ranges == {"pay": [{"lo": 99, "hi": 99}], "n": [{"lo": 98, "hi": 98}]}
    assert (back["n"].null_count(), (back["n"] == 98).sum()) == (1, 4), "two kinds of missing values stay two"
    assert b"nobody" not in (tmp_path / "release.sav").read_bytes()


def test_several_missing_codes_of_numbers_are_read_as_missing_and_a_sentence_names_them(tmp_path: Path) -> None:
    codes: dict[str, Any] = {
        "missing_ranges": {"pay": [{"lo": -9, "hi": -7}]},
        "variable_value_labels": {"pay": {-9: "refused"}},
    }
    pyreadstat.write_sav(pl.DataFrame({"pay": [10, -9, -8, 20, -9]}), str(tmp_path / "survey.sav"), **codes)
    source = read_frame(tmp_path / "survey.sav")
    assert source.frame["pay"].to_list() == [10, None, None, 20, None]
    assert source.notes == ("pay: 3 values that survey.sav declares missing are read as missing (codes -9, -8).",)


CODES: dict[str, list[Any]] = {".sav": [97.0, 98.0, 99.0, -1.0, None], ".dta": ["a", "b", "z", None]}
DECLARED: dict[str, dict[str, Any]] = {
    ".sav": {"missing_ranges": {"pay": [{"lo": 97, "hi": 99}, -1]}},
    ".dta": {"missing_user_values": {"pay": ["a", "b", "z"]}},
}


def _survey(pays: list[float | str | None], path: Path) -> list[tuple[int, float | str | None]]:
    """A file with these values and codes, each beside a number that tells the rows apart, and what it has."""
    has_letters = any(isinstance(pay, str) for pay in pays)
    column = pl.Series("pay", pays, pl.Object if has_letters else pl.Float64)
    frame = pl.DataFrame([column, pl.Series("age", range(len(pays))), pl.Series("row", range(len(pays)))])
    declared = {} if path.suffix == ".dta" and not has_letters else DECLARED[path.suffix]
    write: Any = {".sav": pyreadstat.write_sav, ".dta": pyreadstat.write_dta}[path.suffix]
    write(frame, str(path), **declared)
    return _pays(path)


def _pays(path: Path) -> list[tuple[int, float | str | None]]:
    read = {".sav": pyreadstat.read_sav, ".dta": pyreadstat.read_dta}[path.suffix]
    frame, _ = read(str(path), output_format="polars", user_missing=True)
    return sorted(zip(frame["row"].to_list(), frame["pay"].to_list(), strict=True))


@pytest.mark.parametrize("ending", [".sav", ".dta"])
@settings(max_examples=examples(1), deadline=None)
@given(data=st.data())
def test_every_record_keeps_the_code_of_its_missing_value(
    tmp_path_factory: pytest.TempPathFactory, ending: str, data: st.DataObject
) -> None:
    """Records are shuffled, rows left out and sampled; each code stays with its record, and is declared missing."""
    folder = tmp_path_factory.mktemp("codes")
    numbers = st.sampled_from([0.0, 1.5, 20.0, 96.0, 100.0])
    pays = data.draw(st.lists(numbers | st.sampled_from(CODES[ending]), min_size=8, max_size=16))
    before = _survey(pays, folder / f"survey{ending}")
    made = shoal.anonymize(
        folder / f"survey{ending}", quasi_identifiers=["age"], others=["pay", "row"], privacy=shoal.KAnonymity(2),
        quick=True, audit="off", sample_share=data.draw(st.sampled_from([1.0, 0.7])), seed=3,
    )  # fmt: skip
    made.write(folder / f"release{ending}")
    after = _pays(folder / f"release{ending}")
    assert after == [pay for pay in before if pay[0] in dict(after)]
    assert len(after) == made.frame.height
    again = read_frame(folder / f"release{ending}").frame.sort("row")
    assert again["pay"].cast(float).to_list() == made.frame.sort("row")["pay"].cast(float).to_list()


@pytest.mark.parametrize("pays", [["a"] * 4, ["a", "b", "a", None]])
def test_a_stata_column_in_which_no_row_has_a_number_is_no_column_of_texts(
    tmp_path: Path, pays: list[str | None]
) -> None:
    frame = pl.DataFrame([pl.Series("pay", pays, pl.Object), pl.Series("age", range(len(pays)))])
    pyreadstat.write_dta(
        frame, str(tmp_path / "survey.dta"), missing_user_values=DECLARED[".dta"]["missing_user_values"]
    )
    read = read_frame(tmp_path / "survey.dta").frame
    assert read["pay"].null_count() == len(pays)
    assert read["pay"].dtype.is_numeric()
    made = shoal.anonymize(
        tmp_path / "survey.dta", quasi_identifiers=["age"], others=["pay"], privacy=shoal.KAnonymity(2), audit="off",
        quick=True,
    )  # fmt: skip
    made.write(tmp_path / "release.dta")
    after, told = pyreadstat.read_dta(str(tmp_path / "release.dta"), output_format="polars", user_missing=True)
    assert not told.readstat_variable_types["pay"].startswith("string")
    assert sorted(after["pay"].drop_nulls()) == sorted(pay for pay in pays if pay)


@pytest.mark.parametrize(
    ("role", "privacy", "is_kept"),
    [
        ("quasi_identifiers", [shoal.KAnonymity(4)], False),
        ("sensitive", [shoal.KAnonymity(4), shoal.LDiversity(2)], False),
        ("sensitive", [shoal.KAnonymity(4)], True),
    ],
)
def test_where_promises_count_missing_values_as_one_so_they_are_published(
    tmp_path: Path, role: str, privacy: list[shoal.PrivacyModel], is_kept: bool
) -> None:
    _survey([97.0, 98.0, 5.0, 5.0, 97.0, 98.0, 6.0, 6.0], tmp_path / "survey.sav")
    said: dict[str, Any] = {"quasi_identifiers": ["age"], "others": ["row"]}
    said[role] = [*said.get(role, []), "pay"]
    made = shoal.anonymize(tmp_path / "survey.sav", **said, privacy=privacy, quick=True, audit="off")
    made.write(tmp_path / "release.sav")
    found = {pay for _, pay in _pays(tmp_path / "release.sav")}
    assert found >= {97.0, 98.0} if is_kept else found.isdisjoint({97.0, 98.0})
    assert is_kept != any("pay: its missing values are published without their codes" in note for note in made.notes)


def test_a_number_that_means_missing_in_the_file_is_not_written_as_missing(tmp_path: Path) -> None:
    """The top code is the code of a missing value; a middle may be, too."""
    _survey([99.0, 99.0, 120.0, 130.0, 5.0, 6.0, 7.0, 8.0], tmp_path / "survey.sav")
    made = shoal.anonymize(
        tmp_path / "survey.sav", quasi_identifiers=["age"], others=["pay", "row"], privacy=shoal.KAnonymity(4),
        quick=True, audit="off", top={"pay": "99"},
    )  # fmt: skip
    made.write(tmp_path / "release.sav")
    frame, told = pyreadstat.read_sav(str(tmp_path / "release.sav"), output_format="polars", user_missing=True)
    assert sorted(frame["pay"].drop_nulls().to_list()) == [5, 6, 7, 8, 99, 99]
    assert told.missing_ranges == {}


def test_small_numbers_that_stand_for_cells_do_not_get_the_labels_of_the_codes_of_the_file(tmp_path: Path) -> None:
    frame = pl.DataFrame({"kids": [0, 0, 0, 0, 1, 1, 2, 2], "row": range(8)})
    pyreadstat.write_sav(frame, str(tmp_path / "survey.sav"), variable_value_labels={"kids": {1: "an only child"}})
    made = shoal.anonymize(
        tmp_path / "survey.sav", quasi_identifiers=["kids"], others=["row"], privacy=shoal.KAnonymity(2), quick=True,
        audit="off", cells="codes",
    )  # fmt: skip
    made.write(tmp_path / "release.sav")
    back, told = pyreadstat.read_sav(str(tmp_path / "release.sav"), output_format="polars")
    assert back["kids"].unique().sort().to_list() == [1, 2, 3]
    assert told.variable_value_labels == {}


def test_a_release_that_is_read_and_written_again_keeps_labels_and_codes(survey: Path, tmp_path: Path) -> None:
    made = shoal.anonymize(
        survey, quasi_identifiers=["age"], others=["sex", "income", "town"], privacy=shoal.KAnonymity(4), audit="off"
    )
    made.write(tmp_path / "release.sav")
    said = ["read", str(tmp_path / "release.sav"), "--cells", "center", "-o", str(tmp_path / "middles.sav")]
    assert main(said) == 0
    one, other = (
        pyreadstat.read_sav(str(tmp_path / name), output_format="polars", user_missing=True)
        for name in ("release.sav", "middles.sav")
    )
    assert other[0]["age"].dtype.is_numeric()
    assert other[0].drop("age").equals(one[0].drop("age"))
    assert other[1].variable_value_labels == one[1].variable_value_labels
    assert other[1].missing_ranges == one[1].missing_ranges


@pytest.mark.parametrize("missing", ["own", "drop"])
def test_prepared_numbers_and_dropped_rows_keep_the_codes(tmp_path: Path, missing: Literal["own", "drop"]) -> None:
    _survey([97.0, 98.0, 5.0, 20.0, 97.0, 98.0, 6.0, 6.0], tmp_path / "survey.sav")
    frame, _ = pyreadstat.read_sav(str(tmp_path / "survey.sav"), output_format="polars", user_missing=True)
    frame = frame.with_columns(age=pl.when(pl.col("row") != 2).then("age"))
    pyreadstat.write_sav(frame, str(tmp_path / "survey.sav"), **DECLARED[".sav"])
    made = shoal.anonymize(
        tmp_path / "survey.sav", quasi_identifiers=["age"], others=["pay", "row"], privacy=shoal.KAnonymity(3),
        quick=True, audit="off", top={"pay": "10"}, missing=missing, suppression_limit=0.2,
    )  # fmt: skip
    made.write(tmp_path / "release.sav")
    after = dict(_pays(tmp_path / "release.sav"))
    assert after.items() >= {0: 97.0, 1: 98.0, 3: 10.0, 4: 97.0, 5: 98.0}.items()


def test_labels_and_missing_codes_of_texts_make_the_round_trip(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [21, 22, 23, 24, 51, 52, 53, 54], "ward": ["A", "B", "A", "x", "y", "B", "A", "x"]})
    pyreadstat.write_sav(
        frame, str(tmp_path / "survey.sav"), missing_ranges={"ward": ["x", "y", "z"]},
        variable_value_labels={"ward": {"A": "Surgery", "B": "Births", "C": "closed", "x": "unknown"}},  # type: ignore[dict-item]
    )  # fmt: skip
    made = shoal.anonymize(
        tmp_path / "survey.sav", quasi_identifiers=["age"], others=["ward"], privacy=shoal.KAnonymity(4), audit="off"
    )
    made.write(tmp_path / "release.sav")
    back, told = pyreadstat.read_sav(str(tmp_path / "release.sav"), output_format="polars", user_missing=True)
    assert sorted(back["ward"].to_list()) == sorted(frame["ward"].to_list())
    assert told.variable_value_labels == {"ward": {"A": "Surgery", "B": "Births", "x": "unknown"}}
    assert sorted(each["lo"] for each in told.missing_ranges["ward"]) == ["x", "y"]  # type: ignore[index]
    made.write(tmp_path / "release.dta")
    assert sorted(read_frame(tmp_path / "release.dta").frame["ward"]) == sorted(frame["ward"].to_list())


@pytest.mark.parametrize("is_apart", [True, False])
def test_many_missing_codes_are_a_range_or_refused(tmp_path: Path, is_apart: bool) -> None:
    """SPSS declares three codes or a range; a value between them that is not missing leaves no way."""
    labels: dict[float | str, str] = {float(code): f"code {code}" for code in range(9)}
    missing = tuple((float(code), float(code)) for code in ((1, 2, 4, 5) if not is_apart else (5, 6, 7, 8)))
    frame = pl.DataFrame({"why": [labels[code] for code in (1, 2, 3, 4, 5, 6, 7, 8)]})
    target = tmp_path / "release.sav"
    if not is_apart:
        with pytest.raises(InputError, match=r"three codes of a column or a range of them missing, and 'why' has 4"):
            write_stats(frame, target, ".sav", {"why": CodeMeaning(labels, missing)})
        return
    write_stats(frame, target, ".sav", {"why": CodeMeaning(labels, missing)})
    assert pyreadstat.read_sav(str(target), user_missing=True)[1].missing_ranges == {"why": [{"lo": 5, "hi": 8}]}


SAS = Path(__file__).parents[1] / "data" / "sas"
"""Eight people in SAS files that ReadStat's C library wrote: dates, a format SEXF in a catalog, and .A, .B, ._ and ."""


def test_a_file_of_sas_is_read_with_its_types_and_its_kinds_of_missing_values(tmp_path: Path) -> None:
    shutil.copy(SAS / "people.sas7bdat", tmp_path)
    source = read_frame(tmp_path / "people.sas7bdat")
    assert source.frame["age"].to_list() == [21, 22, 23, 24, 51, 52, 53, 54]
    assert source.frame["sex"].to_list() == [1, 2] * 4, "without the catalog there are no labels"
    assert source.frame["pay"].to_list() == [100.5, None, None, 150, 300, None, 250, None]
    assert source.frame["town"].to_list() == ["Ayr", None, "Bonn", "Cork", "Zürich", "Bonn", "Cork", "Ayr"]
    assert source.frame["seen"].to_list() == [date(2020, 1, day) for day in range(1, 9)]
    assert source.frame["at"].to_list() == [datetime(2020, 1, day, 3, 4, 5) for day in range(1, 9)]
    assert source.notes == ("pay: 3 values that people.sas7bdat declares missing are read as missing (codes _, a, b).",)


@pytest.mark.parametrize("catalog", ["people.sas7bcat", "formats.sas7bcat"])
@pytest.mark.parametrize("ending", [".sav", ".dta", ".xpt"])
def test_labels_of_a_catalog_of_sas_and_letters_go_out_again(tmp_path: Path, catalog: str, ending: str) -> None:
    shutil.copy(SAS / "people.sas7bdat", tmp_path)
    shutil.copy(SAS / "people.sas7bcat", tmp_path / catalog)
    made = shoal.anonymize(
        tmp_path / "people.sas7bdat", quasi_identifiers=["age"], sensitive=["sex"],
        others=["pay", "town", "seen", "at"], privacy=shoal.KAnonymity(4), quick=True, audit="off",
    )  # fmt: skip
    assert sorted(made.frame["sex"]) == ["man"] * 4 + ["woman"] * 4
    made.write(tmp_path / f"release{ending}")
    assert read_frame(tmp_path / f"release{ending}").frame.drop("pay").equals(made.frame.drop("pay"))
    if ending == ".dta":
        frame, told = pyreadstat.read_dta(str(tmp_path / "release.dta"), user_missing=True)
        assert told.variable_value_labels == {"sex": {1: "woman", 2: "man"}}
        assert sorted(map(str, frame["pay"])) == sorted(["100.5", "150.0", "250.0", "300.0", "a", "b", "nan", "nan"])


def test_a_catalog_that_is_none_is_refused(tmp_path: Path) -> None:
    shutil.copy(SAS / "people.sas7bdat", tmp_path)
    (tmp_path / "formats.sas7bcat").write_text("no catalog")
    with pytest.raises(InputError, match=r"formats.sas7bcat cannot be read as a file of SAS formats"):
        read_frame(tmp_path / "people.sas7bdat")


@pytest.mark.parametrize("has_labels", [True, False])
def test_letters_of_stata_make_the_round_trip(tmp_path: Path, has_labels: bool) -> None:
    frame = pd.DataFrame({"age": [21, 22, 23, 24, 51, 52, 53, 54], "ill": [1, 2, "a", 1, 2, 1, "a", 2]})
    labels: dict[Any, str] = {1: "yes", 2: "no", "a": "refused"} if has_labels else {1: "yes"}
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
    assert read_stats(path, ending, path.name)[0]["t"].to_list() == [text or None for text in texts]


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
