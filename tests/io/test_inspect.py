"""The inspector: roles by content, by name and by company; counts against an obvious twin."""

import io
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import FrozenInstanceError
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine.inspecting import examined
from shoal.engine.vocabulary import InspectWords
from shoal.errors import InputError
from shoal.io.example import ROLES, people
from shoal.io.inspect import hints as names
from shoal.io.inspect import identifier_patterns
from shoal.io.inspect.combinations import worst_combinations
from shoal.io.inspect.hints import GENERIC_IDS, IDENTIFIERS, NOT_PEOPLE, PERSON_NAMES, QUASI, SENSITIVE
from shoal.io.inspect.identifier_patterns import is_phone_number, looks_like_a_person, recognise
from shoal.io.inspect.inspection import inspect_frame
from shoal.io.inspect.partition import uniqueness
from shoal.io.inspect.profile import profile

CELLS = st.one_of(st.none(), st.integers(0, 3), st.sampled_from([float("nan"), 0.5]))
ROWS = st.lists(st.tuples(CELLS, CELLS, st.sampled_from(["x", "y", None])), min_size=1, max_size=40)


def frame_of(rows: list[tuple[object, ...]]) -> pl.DataFrame:
    schema = {"a": pl.Float64, "b": pl.Float64, "c": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row", strict=False)


def twin(frame: pl.DataFrame, columns: list[str]) -> int:
    """Count rows that occur once, the obvious way; NaN and null are both missing."""
    rows = [tuple(None if cell != cell else cell for cell in row) for row in frame.select(columns).iter_rows()]
    return sum(1 for count in Counter(rows).values() if count == 1)


def role_of(values: Sequence[object], name: str = "x") -> tuple[str, str]:
    found = inspect_frame(pl.DataFrame({name: values})).columns[0]
    return found.role, found.reason


class TestUniqueness:
    @given(ROWS)
    def test_equals_its_twin(self, rows: list[tuple[object, ...]]) -> None:
        frame = frame_of(rows)
        for size in (1, 2, 3):
            for columns in combinations("abc", size):
                assert uniqueness(frame, columns) == twin(frame, list(columns))

    def test_equals_its_twin_on_the_example(self) -> None:
        frame = people(3000)
        for columns in (["sex", "job"], ["birth_date", "postcode"], ROLES["quasi_identifiers"], ["ssn"]):
            assert uniqueness(frame, columns) == twin(frame, columns)

    def test_missing_is_a_value(self) -> None:
        frame = pl.DataFrame({"a": [None, None, "x", "y", "y"]})
        assert uniqueness(frame, ["a"]) == 1
        assert uniqueness(frame.tail(4), ["a"]) == 2

    def test_no_columns_tell_nobody_apart(self) -> None:
        assert uniqueness(pl.DataFrame({"a": [1, 2]}), []) == 0
        assert uniqueness(pl.DataFrame({"a": [1]}), []) == 1

    def test_an_unknown_column_is_named(self) -> None:
        with pytest.raises(InputError, match="Did you mean 'age'"):
            uniqueness(pl.DataFrame({"age": [1]}), ["aeg"])


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("GB82 WEST 1234 5698 7654 32", True),
        ("DE89370400440532013000", True),
        ("DE89370400440532013001", False),
        ("de89370400440532013000", True),
        ("DE8937", False),
    ],
)
def test_iban(text: str, fits: bool) -> None:
    assert identifier_patterns.is_iban(text) is fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("943 476 5919", True),
        ("9434765919", True),
        ("9434765918", False),
        ("943476591", False),
        ("0000000000", False),
        ("943476591९", False),
    ],
)
def test_nhs_number(text: str, fits: bool) -> None:
    assert identifier_patterns.is_nhs_number(text) is fits


@given(st.integers(0, 9), st.integers(0, 9))
def test_one_wrong_digit_breaks_an_nhs_number(place: int, digit: int) -> None:
    right = "9434765919"
    wrong = right[:place] + str(digit) + right[place + 1 :]
    assert identifier_patterns.is_nhs_number(wrong) is (wrong == right)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("2 55 08 14 168 025 38", True),
        ("255081416802539", False),
        ("180052A00400531", True),
        ("955081416802538", False),
    ],
)
def test_french_nir(text: str, fits: bool) -> None:
    assert identifier_patterns.is_french_nir(text) is fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("86095742719", True),
        ("47 036 892 816", True),
        ("86095742718", False),
        ("01234567890", False),
        ("11111111111", False),
        ("12345678903", False),
    ],
)
def test_german_tax_id(text: str, fits: bool) -> None:
    assert identifier_patterns.is_german_tax_id(text) is fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("4111 1111 1111 1111", True),
        ("5500005555555559", True),
        ("4111111111111112", False),
        ("0000000000000000", False),
        ("411111111111", False),
    ],
)
def test_card_number(text: str, fits: bool) -> None:
    assert identifier_patterns.is_card_number(text) is fits


@pytest.mark.parametrize(
    "text",
    [
        "+44 20 7946 0958",
        "+4930901820",
        "(212) 555-0123",
        "212-555-0123",
        "212.555.0123",
        "1-212-555-0123",
        "030 901820",
        "020 7946 0958",
        "01 99 00 12 34",
    ],
)
def test_phone_numbers(text: str) -> None:
    assert is_phone_number(text)


@pytest.mark.parametrize(
    "text",
    ["12345", "2024-01-31", "01-02-2024", "123-45-6789", "02139-1234", "12.345.678", "3.14", "+1", "1000-2000", "007"],
)
def test_not_phone_numbers(text: str) -> None:
    assert not is_phone_number(text)


@pytest.mark.parametrize(
    ("texts", "label"),
    [
        (["ann@example.org", "b.c+d@mail.example.com"], "e-mail addresses"),
        (["https://example.org/a", "http://example.com"], "web addresses"),
        (["123e4567-e89b-12d3-a456-426614174000"], "UUIDs"),
        (["192.0.2.1", "198.51.100.200"], "network addresses"),
        (["2001:db8::1", "2001:db8::2"], "network addresses"),
        (["00:00:5e:00:53:01"], "network addresses"),
        (["GB82WEST12345698765432"], "bank accounts (IBAN)"),
        (["000-12-3456", "666-00-0001"], "US social security numbers"),
        (["255081416802538", "180052A00400531"], "French social security numbers"),
        (["12 High Street", "7b, Mill Lane, Ashby"], "street addresses"),
        (["Hauptstraße 5", "Am Markt Weg 12a"], "street addresses"),
        (["5 rue des Lilas", "12 bis avenue Foch"], "street addresses"),
        (["030 901820", "+44 20 7946 0958"], "phone numbers"),
    ],
)
def test_values_are_recognised(texts: list[str], label: str) -> None:
    assert recognise(texts) == label


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["a@b", "@x.org", "a b@c.org"],
        ["1.2.3", "999.1.1.1"],
        ["9434765919"],  # one number in eleven passes by chance
        ["2024-01-31", "2023-12-01"],
        ["Main", "High"],
        ["ann@example.org", "none", "unknown"],
        ["12345678901", "12345678902", "12345678903", "12345678904", "12345678905"],
    ],
)
def test_values_are_not_recognised(texts: list[str]) -> None:
    assert recognise(texts) is None


def test_check_digits_are_believed_from_five_values_on() -> None:
    def check(body: int) -> str:
        digits = f"{body:09d}"
        rest = 11 - sum((10 - i) * int(d) for i, d in enumerate(digits)) % 11
        return "" if rest == 10 else digits + str(rest % 11)

    valid = [text for body in range(400_000_000, 400_000_020) if (text := check(body))]
    assert recognise(valid) == "NHS numbers"
    assert recognise([text[:-1] + str((int(text[-1]) + 1) % 10) for text in valid]) is None
    assert recognise(valid[:4]) is None


@pytest.mark.parametrize("text", ["Ann", "Ann O'Hara", "García-Lorca, Juan", "J. R. Smith", "Łukasz Żak"])
def test_names_of_people(text: str) -> None:
    assert looks_like_a_person(text)


@pytest.mark.parametrize("text", ["A1", "Smith & Sons", "42", "", "x" * 61, "ann@example.org"])
def test_not_names_of_people(text: str) -> None:
    assert not looks_like_a_person(text)


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("DateOfBirth", "_date_of_birth_"),
        ("Prénom", "_prenom_"),
        ("icd10", "_icd_10_"),
        ("  Straße/Nr. ", "_strasse_nr_"),
        ("ZIP", "_zip_"),
        ("年齢", "__"),
        ("", "__"),
    ],
)
def test_names_are_made_comparable(name: str, normal: str) -> None:
    assert names.normal(name) == normal


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("age", "age or birth"),
        ("Geburtsdatum", "age or birth"),
        ("dateofbirth", "age or birth"),
        ("ZIP code", "a place"),
        ("zipcode", "a place"),
        ("native-country", "a place"),
        ("Gender", "sex or gender"),
        ("marital_status", "family"),
        ("jobTitle", "work"),
        ("workclass", "work"),
        ("education-num", "schooling"),
        ("stage", None),
        ("agent", None),
        ("capacity", None),
        ("original", None),
        ("placebo", None),
        ("sextant", None),
    ],
)
def test_quasi_identifiers_by_name(name: str, label: str | None) -> None:
    assert names.find(QUASI, names.normal(name)) == label


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("diagnosis", "a diagnosis or disease"),
        ("ICD10_code", "a diagnosis or disease"),
        ("HIV", "an infection or a test for one"),
        ("annual_income", "income or wealth"),
        ("religion", "religion or belief"),
        ("medications", "treatment or medication"),
        ("sexual_orientation", "sex life"),
        ("payload", None),
        ("mileage", None),
    ],
)
def test_sensitive_by_name(name: str, label: str | None) -> None:
    assert names.find(SENSITIVE, names.normal(name)) == label


@pytest.mark.parametrize(
    "name", ["email", "workEmail", "Phone No.", "SSN", "passport_number", "MRN", "patient-id", "IBAN"]
)
def test_identifiers_by_name(name: str) -> None:
    assert names.find(IDENTIFIERS, names.normal(name))


@pytest.mark.parametrize("name", ["paid", "case_notes", "microscope", "valid"])
def test_not_identifiers_by_name(name: str) -> None:
    assert names.find(IDENTIFIERS, names.normal(name)) is None
    assert not names.has(GENERIC_IDS, names.normal(name))


def test_things_have_names_too() -> None:
    assert names.has(PERSON_NAMES, names.normal("firstName"))
    assert names.has(PERSON_NAMES, names.normal("Nachname"))
    assert names.has(NOT_PEOPLE, names.normal("hospital_name"))


class TestRolesOfOneColumn:
    def test_nearly_unique_texts_and_whole_numbers_are_identifiers(self) -> None:
        assert role_of([f"v{i}" for i in range(50)]) == ("identifier", "nearly unique: 100.0% of its values differ")
        assert role_of(list(range(50)))[0] == "identifier"
        assert role_of([str(i) for i in range(50)])[0] == "identifier"

    def test_missing_values_do_not_hide_an_identifier(self) -> None:
        assert role_of([f"v{i}" if i % 3 else None for i in range(90)])[0] == "identifier"

    def test_measures_and_dates_are_never_identifiers_for_being_unique(self) -> None:
        assert role_of([i + 0.5 for i in range(50)])[0] == "quasi-identifier"
        assert role_of([date(2020, 1, 1) + timedelta(i) for i in range(50)])[0] == "quasi-identifier"
        assert role_of([str(date(2020, 1, 1) + timedelta(i)) for i in range(50)])[0] == "quasi-identifier"

    def test_a_telling_name_outweighs_being_unique(self) -> None:
        assert role_of(list(range(1000, 1050)), "salary")[0] == "sensitive"
        assert role_of(list(range(10_000, 10_050)), "zip")[0] == "quasi-identifier"

    def test_content_outweighs_the_name(self) -> None:
        mails = [f"p{i % 5}@example.org" for i in range(50)]
        assert role_of(mails, "diagnosis") == ("identifier", "the values look like e-mail addresses")

    def test_names_of_people_need_name_and_content(self) -> None:
        people_names = ["Ann Ashby", "Ben Bell", "Cy Cole"] * 20
        assert role_of(people_names, "surname")[0] == "identifier"
        assert role_of(people_names, "Prénom")[0] == "identifier"
        assert role_of(people_names, "colour")[0] == "other"
        assert role_of(people_names, "ward_name")[0] == "other"
        assert role_of(["7", "8", "9"] * 20, "name")[0] == "other"

    def test_an_identifiers_name_needs_many_values(self) -> None:
        assert role_of([f"h{i % 30}" for i in range(60)], "phone")[0] == "identifier"
        assert role_of(["yes", "no"] * 30, "phone")[0] == "other"
        assert role_of([i % 30 for i in range(60)], "has_phone")[0] == "other"
        assert role_of([i % 20 for i in range(60)], "record_id")[0] == "identifier"
        assert role_of([i % 3 for i in range(60)], "hospital_id")[0] == "other"

    def test_ages_and_dates_are_not_sensitive(self) -> None:
        assert role_of([30, 40] * 30, "age_at_diagnosis")[0] == "quasi-identifier"
        assert role_of([date(2020, 1, 1), date(2020, 2, 1)] * 30, "diagnosis_date")[0] == "quasi-identifier"

    def test_rare_values_single_out(self) -> None:
        values = [0] * 90 + list(range(1, 11))
        assert role_of(values) == ("quasi-identifier", "singles out 10% of rows on its own")
        assert role_of([0] * 300 + list(range(1, 11)))[0] == "other"

    def test_constant_and_empty(self) -> None:
        assert role_of(["a"] * 5, "sex") == ("other", "constant")
        assert role_of([None] * 5, "sex") == ("other", "every value is missing")
        assert role_of([float("nan")] * 5, "age") == ("other", "every value is missing")
        assert role_of(["a", None] * 30, "sex")[0] == "quasi-identifier"


class TestProfile:
    @pytest.mark.parametrize(
        ("values", "kind"),
        [
            (["1", "-2.5"], "numeric"),
            (["01234", "5"], "nominal"),
            (["2024-02-29"], "date"),
            (["2023-02-29"], "nominal"),
            ([1, 2], "numeric"),
            ([True, False], "nominal"),
            ([date(2020, 1, 1)], "date"),
            ([None], "nominal"),
        ],
    )
    def test_kind(self, values: list[object], kind: str) -> None:
        assert profile(pl.Series("x", values)).kind == kind

    def test_counts(self) -> None:
        column = profile(pl.Series("x", [1.0, 1.0, 2.0, None, float("nan"), -0.0, 0.0]))
        assert (column.n_distinct, column.n_missing, column.n_unique) == (3, 2, 1)

    @given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=2, max_size=30))
    def test_separation_counts_pairs(self, values: list[str | None]) -> None:
        pairs = list(combinations(values, 2))
        share = sum(one != other for one, other in pairs) / len(pairs)
        assert profile(pl.Series("x", values, dtype=pl.String)).separation == pytest.approx(share)

    def test_examples_are_few_and_short(self) -> None:
        examples = profile(pl.Series("x", ["y" * 100_000, "b", "c", "d"])).examples
        assert len(examples) == 3
        assert max(map(len, examples)) == 40

    @pytest.mark.parametrize("dtype", [pl.Duration("us"), pl.Time, pl.Datetime("ms"), pl.Decimal(10, 2), pl.UInt64])
    def test_every_plain_type_is_taken(self, dtype: pl.DataType) -> None:
        assert profile(pl.Series("x", [1, 2, None]).cast(dtype)).n_distinct == 2

    def test_categories_are_texts(self) -> None:
        assert profile(pl.Series("x", ["a", "b", "a"], dtype=pl.Categorical)).n_distinct == 2
        assert profile(pl.Series("x", ["a", "b", None], dtype=pl.Enum(["a", "b", "c"]))).n_distinct == 2

    @pytest.mark.parametrize("values", [[[1], [2]], [{"a": 1}], [b"x"]])
    def test_nested_cells_are_refused(self, values: list[object]) -> None:
        with pytest.raises(InputError, match="'x' holds"):
            profile(pl.Series("x", values))


class TestCompany:
    def test_columns_that_single_out_only_together(self) -> None:
        frame = pl.DataFrame({"p": [i // 30 for i in range(900)], "q": [i % 30 for i in range(900)], "r": [0, 1] * 450})
        found = inspect_frame(frame)
        assert found.roles["quasi_identifiers"] == ["p", "q"]
        assert found.columns[0].reason == "with one other column singles out 100% of rows"
        assert found.columns[2].role == "other"

    def test_a_column_that_adds_to_known_ones(self) -> None:
        frame = pl.DataFrame({"age": [i // 30 for i in range(900)], "q": [i % 30 for i in range(900)]})
        found = inspect_frame(frame)
        assert found.roles["quasi_identifiers"] == ["age", "q"]
        assert found.columns[1].reason == "with the other quasi-identifiers singles out 100% more rows"

    def test_a_column_that_adds_nothing_is_left_alone(self) -> None:
        frame = pl.DataFrame({"age": [i // 30 for i in range(900)], "q": [i // 90 for i in range(900)]})
        assert inspect_frame(frame).roles["quasi_identifiers"] == ["age"]

    def test_many_weak_columns_together(self) -> None:
        bits = {f"b{j}": [i >> j & 1 for i in range(1024)] for j in range(10)}
        found = inspect_frame(pl.DataFrame(bits))
        assert found.n_unique == 1024
        assert len(found.roles["quasi_identifiers"]) == 10

    def test_what_the_others_give_away_is_counted(self) -> None:
        frame = pl.DataFrame({"u": [0] * 97 + [1, 2, 3], "sex": ["f", "m"] * 50})
        found = inspect_frame(frame)
        assert found.columns[0].role == "other"
        assert found.n_unique_others == 3


class TestCombinations:
    @settings(deadline=None)
    @given(ROWS)
    def test_counts_equal_their_twin(self, rows: list[tuple[object, ...]]) -> None:
        frame = frame_of(rows)
        found = worst_combinations(frame, [profile(values) for values in frame])
        for combination in found:
            assert combination.n_unique == twin(frame, list(combination.columns)) > 0
            assert combination.share == combination.n_unique / frame.height

    @given(ROWS)
    def test_small_ones_first_then_the_worst(self, rows: list[tuple[object, ...]]) -> None:
        frame = frame_of(rows)
        found = worst_combinations(frame, [profile(values) for values in frame])
        keys = [(len(combination.columns), -combination.n_unique) for combination in found]
        assert keys == sorted(keys)

    def test_one_that_adds_little_is_not_told(self) -> None:
        frame = pl.DataFrame({"a": list(range(100)), "b": [0, 1] * 50, "c": [i // 10 for i in range(100)]})
        found = worst_combinations(frame, [profile(values) for values in frame])
        assert [combination.columns for combination in found] == [("a",)]

    def test_the_worst_is_among_them(self) -> None:
        frame = people(4000).select(ROLES["quasi_identifiers"])
        found = {combination.columns: combination for combination in inspect_frame(frame).combinations}
        assert found[("birth_date", "postcode")].share > 0.95
        assert len(found) <= 10


class TestInspection:
    def test_the_example_gets_its_own_roles(self) -> None:
        frame = people()
        found = inspect_frame(frame)
        assert found.roles == ROLES
        assert found.named("other") == ["stay_days"]
        assert found.n_unique == twin(frame, ROLES["quasi_identifiers"])
        assert found.n_unique_others == twin(frame, ["stay_days"])
        assert found.notes == ()

    def test_texts_from_a_file_are_judged_alike(self) -> None:
        frame = people(2000)
        texts = pl.read_csv(io.BytesIO(frame.write_csv().encode()), infer_schema=False)
        typed, read = inspect_frame(frame), inspect_frame(texts)
        assert read.roles == typed.roles
        assert [c.kind for c in read.columns] == [c.kind for c in typed.columns]
        assert (read.n_unique, read.combinations) == (typed.n_unique, typed.combinations)

    def test_the_order_of_rows_does_not_matter_for_roles_and_counts(self) -> None:
        frame = people(2000)
        one, other = inspect_frame(frame), inspect_frame(frame.reverse())
        assert (one.roles, one.n_unique, one.combinations) == (other.roles, other.n_unique, other.combinations)

    def test_it_is_frozen_and_the_input_unchanged(self) -> None:
        frame = people(100)
        found = inspect_frame(frame)
        assert frame.equals(people(100))
        with pytest.raises(FrozenInstanceError):
            found.n_rows = 1

    def test_one_row(self) -> None:
        found = inspect_frame(pl.DataFrame({"age": [3], "mail": ["a@example.org"]}))
        assert [column.role for column in found.columns] == ["other", "identifier"]
        assert found.combinations == ()

    def test_nothing_to_suggest(self) -> None:
        found = inspect_frame(pl.DataFrame({"x": [1, 1, 2, 2] * 10, "y": [None] * 40}))
        assert found.roles == {"identifiers": [], "quasi_identifiers": [], "sensitive": []}
        assert (found.n_unique, found.combinations) == (0, ())

    @pytest.mark.parametrize("frame", [pl.DataFrame(), pl.DataFrame({"a": []})])
    def test_no_rows_are_refused(self, frame: pl.DataFrame) -> None:
        with pytest.raises(InputError, match="no rows"):
            inspect_frame(frame)

    def test_many_columns_cost_bounded_work_and_a_note(self) -> None:
        wide = pl.DataFrame({f"c{j}": [(i * (j + 3)) % 7 % 3 for i in range(60)] for j in range(2000)})
        found = inspect_frame(wide)
        assert len(found.columns) == 2000
        assert any("64 that tell most rows apart" in note for note in found.notes)

    def test_many_quasi_identifiers_are_noted(self) -> None:
        frame = pl.DataFrame({f"age {j}": [(i * (j + 1)) % 11 for i in range(50)] for j in range(30)})
        assert any("combinations" in note and "500 were counted" in note for note in inspect_frame(frame).notes)

    def test_plain_data(self) -> None:
        data = inspect_frame(people(200)).as_data()
        assert data["n_rows"] == 200
        columns = data["columns"]
        assert isinstance(columns, tuple)
        assert columns[0]["role"] == "identifier"


@pytest.mark.data
@pytest.mark.skipif("SHOAL_DATA" not in os.environ, reason="SHOAL_DATA does not say where the data sets are")
def test_adult() -> None:
    path = Path(os.environ["SHOAL_DATA"]) / "datasets" / "adult" / "adult.csv"
    found = inspect_frame(pl.read_csv(path, infer_schema=False))
    quasi = set(found.roles["quasi_identifiers"])
    assert {"age", "sex", "race", "native-country", "marital-status", "occupation", "education"} <= quasi
    assert found.roles["identifiers"] == ["fnlwgt"], "a weight that most rows share with few others is left out"
    assert {column.kind for column in found.columns if column.name in ("age", "fnlwgt")} == {"numeric"}


def test_numbering_a_column_does_not_import_pandas() -> None:
    code = (
        "import sys, polars as pl; from shoal.io.inspect.partition import dictionary; "
        "codes, distinct = dictionary(pl.Series('a', ['x', None, 'y', 'x'])); "
        "assert codes.tolist() == [0, -1, 1, 0] and distinct.to_list() == ['x', 'y']; "
        "sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=120, check=False).returncode == 0


def test_missing_values_are_not_taken_for_the_key_of_one_person() -> None:
    table = people(600)
    assert table["email"].null_count() > 30
    assert inspect_frame(table).keys == ()


def test_an_identifier_that_is_also_whose_row_it_is_can_be_inspected() -> None:
    once = people(300).drop("name", "ssn").with_columns(email=pl.format("person{}@example.org", pl.int_range(pl.len())))
    seen = examined(pl.concat([once, once]), InspectWords())
    assert seen.found.words["person"] == "email"
    assert "email" not in seen.others_to_say()
