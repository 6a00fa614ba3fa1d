"""Free text is published only on request, with what names people in it masked; the audit looks for what is left."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from messy.tables import TEN
from shoal.cli import main
from shoal.engine.backends.anonymize_file import anonymize_file
from shoal.errors import InputError
from shoal.io.masking import Masker
from shoal.io.published_as_is import IN_TEXT, look_at_others

NAMES = ["Anna Bell", "Piotr Kowal", "Wei Xu", "Zora Quill"] * 6
AGES = [30, 30, 40, 40] * 6
PEOPLE = pl.DataFrame(
    {
        "name": NAMES,
        "case": [f"C{number:05}" for number in range(24)],
        "age": AGES,
        "zip": ["10115", "10117"] * 12,
        "note": [
            f"{NAMES[number].split()[1].upper()}, {AGES[number]}, from {['10115', '10117'][number % 2]}, came with "
            f"zora on 12.03.2021 and had C{number:05} on a card; Quill drove, number {number} of the day"
            for number in range(24)
        ],
    }
)
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "zip"],
    "identifiers": ["name", "case"],
    "privacy": shoal.KAnonymity(3),
}


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("write to ann.bell@example.org please", "write to [E-MAIL] please"),
        ("see https://example.org/ann?x=1 or 192.168.0.1", "see [WEB] or [WEB]"),
        ("call +44 20 7946 0958, (212) 555-0123 or 555-0123", "call [PHONE], [PHONE] or [PHONE]"),
        ("Tel. 030 901820 und tel: 01 99 00 12 34", "Tel. [PHONE] und tel: [PHONE]"),
        ("seen on 2024-02-29, 3 March 2020, Mar 5, 1960 and 04/2020", "seen on [DATE], [DATE], [DATE] and [DATE]"),
        ("am 12.03. und am 3. März 1971", "am [DATE] und am [DATE]"),
        ("el 4 de mayo de 1960, le 1er août 1950, il 2 luglio", "el [DATE], le [DATE], il [DATE]"),
        ("MRN: 12345, ssn 123-45-6789, DNI 12345678Z", "[NUMBER], ssn [NUMBER], [NUMBER]"),
        ("IBAN DE89 3704 0044 0532 0130 00", "IBAN [NUMBER]"),
        ("lives at 12 Oak Tree Road, SW1A 1AA", "lives at [ADDRESS], [ADDRESS]"),
        ("wohnt Lange Straße 5, 10115 Berlin", "wohnt [ADDRESS], [ADDRESS]"),
        ("habite 12 rue de la Paix; vive en Calle Mayor 12", "habite [ADDRESS]; vive en [ADDRESS]"),
        ("abita in via Garibaldi 7; woont Keizersgracht 12", "abita in [ADDRESS]; woont [ADDRESS]"),
        ("seen by Dr. med. Anna von Müller", "seen by Dr. med. [NAME]"),
        ("Frau Özdemir, Mme Dupont, Mevrouw de Vries", "Frau [NAME], Mme [NAME], Mevrouw [NAME]"),
        ("her daughter Una signed, née Dupont; J. R. Miller", "her daughter [NAME] signed, née [NAME]; [NAME]"),
        ("then Jennifer Okafor came", "then [NAME] came"),
        ("a 93-year-old, 94 Jahre, 95 ans", "a [AGE]-year-old, [AGE] Jahre, [AGE] ans"),
        ("Ann\u00adBell@exam\u200bple.org wrote", "[E-MAIL] wrote"),
    ],
)  # fmt: skip
def test_what_names_people_is_masked(text: str, masked: str) -> None:
    assert Masker().mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "gave 20 mg of aspirin twice on day 3 or 4; may 20 mg more",
        "BP 120/80, E11.9, vitamin B12, 1/2 tablet, HbA1c 7.5%",
        "seit 1998 Hypertonie, RR 140/90, Hepatitis B. Patient stabil.",
        "a 63-year-old who fell twice",
    ],
)
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert Masker().mask(text) == text


def test_names_of_the_table_and_values_of_the_row_are_masked_however_they_are_written() -> None:
    masker = Masker(frozenset({"bell", "xu"}))
    masked = masker.mask("BELL and Xu met bell-like xu; she is 63 from york", ["63.0", "York", None])
    assert masked == "[NAME] and [NAME] met bell-like xu; she is [VALUE] from [VALUE]"
    assert masker.mask(None) is None
    assert +masker.counts == {"NAME": 2, "VALUE": 2}


def test_masked_text_is_published_and_names_nobody() -> None:
    result = shoal.anonymize(PEOPLE, masked=["note"], **ROLES)
    texts = result.frame["note"].to_list()
    secrets = {*" ".join(NAMES).split(), "BELL", "KOWAL", "QUILL", "12.03.2021", *PEOPLE["case"], "10115", "10117"}
    assert not [secret for secret in secrets for text in texts if re.search(rf"\b{secret}\b", text)]
    assert all("number" in text and "came with" in text for text in texts)
    notes = " ".join(result.notes)
    assert "no guarantee" in notes
    assert "Masked in 'note': " in notes
    assert "Published unchanged" not in notes


def test_the_audit_looks_for_what_masking_left() -> None:
    left = PEOPLE.select("age", note=pl.lit("the neighbour of old Quill said that all is well again"))
    found = look_at_others(left, ["age"], ["note"], PEOPLE.select("name", "case"))
    assert [(one.what, one.n_records) for one in found.named] == [("words of 'name', which was dropped,", 24)]
    audit = shoal.audit_release(PEOPLE, left, quasi_identifiers=["age"])
    risk = next(risk for risk in audit.risks if risk.attack == "as-is")
    assert (risk.outcome, "words of 'name'" in risk.says) == ("falls", True)


def test_texts_that_tell_apart_still_fall_in_the_audit() -> None:
    audited = shoal.anonymize(PEOPLE, masked=["note"], **ROLES).audited
    assert audited is not None
    assert next(risk for risk in audited.risks if risk.attack == "as-is").outcome == "falls"


def test_within_a_memory_limit_the_same_is_masked(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    made = anonymize_file(tmp_path / "people.csv", tmp_path / "out.csv", memory="8GiB", masked=["note"], **ROLES)
    in_memory = shoal.anonymize(tmp_path / "people.csv", masked=["note"], **ROLES)
    written = pl.read_csv(tmp_path / "out.csv", infer_schema=False)
    assert sorted(written["note"]) == sorted(in_memory.frame["note"])
    assert [note for note in made.notes if "ask" in note] == [note for note in in_memory.notes if "ask" in note]


def test_the_command_line_takes_the_word(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    said = ["--quasi", "age,zip", "--identifiers", "name,case", "--k", "3", "-o", str(tmp_path / "out.csv"), "-q"]
    about = ["--datapackage", str(tmp_path / "package.json")]
    assert main(["anonymize", str(tmp_path / "people.csv"), *said]) == 2
    assert not (tmp_path / "out.csv").exists()
    assert main(["anonymize", str(tmp_path / "people.csv"), *said, *about, "--masked", "note"]) == 0
    assert "[DATE]" in (tmp_path / "out.csv").read_text()
    fields = json.loads((tmp_path / "package.json").read_text())["resources"][0]["schema"]["fields"]
    assert "[NAME]" in next(field for field in fields if field["name"] == "note")["description"]


def test_rows_of_later_are_masked_as_well(tmp_path: Path) -> None:
    words: dict[str, Any] = {
        **ROLES,
        "hierarchies": {"zip": "mask", "age": "intervals:width=10"},
        "algorithm": "lattice",
    }
    shoal.anonymize(PEOPLE, masked=["note"], **words).save_recoding(tmp_path / "recoding.json")
    later = shoal.apply(tmp_path / "recoding.json", PEOPLE.reverse())
    assert all("[DATE]" in text for text in later.frame["note"])


@pytest.mark.parametrize("number", range(len(TEN)))
def test_masking_is_never_suggested(number: int, tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_bytes(TEN[number].table().content)
    found = shoal.inspect(tmp_path / "patients.csv", write_job=tmp_path / "job.toml")
    assert "masked" not in found.words
    assert not re.search(r"^masked", (tmp_path / "job.toml").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("number", range(len(TEN)))
def test_no_pattern_of_the_audit_finds_anything_in_masked_notes(number: int) -> None:
    mess = TEN[number].table()
    masker = Masker()
    masked = pl.Series([masker.mask(row["note"], [row["name"], row["case"]]) for row in mess.rows])
    assert {what: int(masked.str.contains(pattern).sum()) for what, pattern in IN_TEXT.items()} == dict.fromkeys(
        IN_TEXT, 0
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"masked": ["age2"], "others": []}, "only text can be masked"),
        ({"masked": ["notes"]}, "has no column 'notes'"),
        ({"masked": ["note"], "others": ["note"]}, "named twice"),
        ({"masked": ["name"]}, "named as identifier and as other"),
    ],
)
def test_what_cannot_be_masked_is_refused(words: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        shoal.anonymize(PEOPLE.with_columns(age2="age"), **{"others": ["age2"], **ROLES, **words})


def test_values_that_are_prepared_are_masked_as_they_were(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    words: dict[str, Any] = {**ROLES, "bands": {"age": "20"}, "masked": ["note"]}
    result = shoal.anonymize(tmp_path / "people.csv", **words)
    shoal.anonymize_file(tmp_path / "people.csv", tmp_path / "out.csv", memory="8GiB", **words)
    for texts in (result.frame["note"], pl.read_csv(tmp_path / "out.csv")["note"]):
        assert all(text.startswith("[NAME], [VALUE], from [") for text in texts)
