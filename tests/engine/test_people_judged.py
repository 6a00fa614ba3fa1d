"""Whoever judges a release counts people where a column tells whose row each row is: checks, audits, inspections."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.audit import ALL
from shoal.cli import main
from shoal.io.example import people
from shoal.io.example_visits import visits as hospital_visits
from shoal.io.inspect.person_keys import person_keys
from support.people import visits

SAID: dict[str, Any] = {"quasi_identifiers": ["age", "zip"], "sensitive": ["illness"]}


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    return visits(400, seed=8)


def test_a_likely_key_is_looked_for_once_in_a_run(frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the note and for the audit: it looks at every row."""
    seen = []

    def noted(*said: Any) -> Any:
        seen.append(said)
        return person_keys(*said)

    monkeypatch.setattr("shoal.engine.verified_release.person_keys", noted)
    rows = shoal.anonymize(frame, identifiers=["who"], privacy={"k": 4}, **SAID)
    assert any("Rows were counted, not people: by 'who'" in note for note in rows.notes)
    assert rows.audited is not None
    assert len(seen) == 1


def test_the_audit_falls_to_repeated_people_until_they_are_counted(frame: pl.DataFrame) -> None:
    rows = shoal.anonymize(frame, identifiers=["who"], privacy={"k": 4}, **SAID)
    (risk,) = rows.audit(attacks=["repeated-people"]).risks
    assert risk.outcome == "falls"
    assert risk.figures["classes of fewer than k people"] > 0
    assert any("Rows were counted, not people: by 'who'" in note and "--person" in note for note in rows.notes)
    counted = shoal.anonymize(frame, person="who", privacy={"k": 4}, **SAID)
    (risk,) = counted.audit(attacks=["repeated-people"]).risks
    assert risk.outcome == "stopped"
    assert risk.figures["classes of fewer than k people"] == 0
    assert not any("Rows were counted" in note for note in counted.notes)


def test_the_notice_does_not_need_the_audit(frame: pl.DataFrame) -> None:
    result = shoal.anonymize(frame, identifiers=["who"], privacy={"k": 4}, audit="off", **SAID)
    keys = frame["who"].gather(result.release.owners)
    classes = result.release.classes.ids(frame.height)[result.release.owners]
    n = pl.DataFrame({"class": classes, "who": keys}).group_by("class").agg(pl.col("who").n_unique())["who"]
    told = f"{int((n < 4).sum()):,} of {n.len():,} classes hold fewer than 4 people"
    assert any(told in note for note in result.notes)


def test_rows_that_were_dropped_for_missing_values_do_not_hide_that_people_repeat(frame: pl.DataFrame) -> None:
    gaps = frame.with_columns(age=pl.when(pl.int_range(pl.len()) % 20 > 0).then("age"))
    said: dict[str, Any] = {"identifiers": ["who"], "privacy": {"k": 4}, "audit": "off", **SAID}
    dropped = shoal.anonymize(gaps, missing="drop", algorithm="mondrian", **said)
    whole = shoal.anonymize(gaps.drop_nulls("age"), algorithm="mondrian", **said)
    (told,) = [note for note in whole.notes if note.startswith("Rows were counted, not people")]
    assert told in dropped.notes


def test_whole_numbers_of_which_some_are_missing_are_taken_for_keys_and_other_floats_are_not(
    frame: pl.DataFrame, tmp_path: Path
) -> None:
    number = pl.col("who").rank("dense").cast(pl.Float64)
    keyed = frame.with_columns(who=pl.when(pl.int_range(pl.len()) % 40 > 0).then(number).otherwise(float("nan")))
    said: dict[str, Any] = {"identifiers": ["who"], "privacy": {"k": 4}, "algorithm": "mondrian", **SAID}
    made = shoal.anonymize(keyed, audit="off", **said)
    (told,) = [note for note in made.notes if note.startswith("Rows were counted, not people: by 'who'")]
    keyed.write_parquet(tmp_path / "visits.parquet")
    on_disk = shoal.anonymize_file(tmp_path / "visits.parquet", tmp_path / "release.parquet", memory="8GiB", **said)
    assert told in on_disk.notes
    assert person_keys(keyed.with_columns(pl.col("who") + 0.5), ["who"]) == []


def test_risk_figures_are_of_people(frame: pl.DataFrame) -> None:
    result = shoal.anonymize(frame, person="who", privacy={"k": 4}, **SAID)
    assert result.keys is not None
    n = (
        result.frame.with_columns(result.keys.alias("whose"))
        .group_by("age", "zip")
        .agg(pl.col("whose").n_unique().alias("people"), pl.len().alias("records"))
    )
    figures = result.audit().figures
    assert figures.achieved_k == n["people"].min()
    assert figures.prosecutor.highest == pytest.approx(1 / int(n["people"].min()))  # type: ignore[arg-type]
    assert figures.prosecutor.average == pytest.approx((n["records"] / n["people"]).sum() / frame.height)
    (linking,) = result.audit(attacks=["linking"]).risks
    assert linking.figures["fewest people for a record"] == n["people"].min()


def test_six_rows_of_two_people_are_audited_as_two_people() -> None:
    frame = pl.DataFrame({"who": ["a"] * 3 + ["b"] * 3, "age": [30] * 6, "ill": ["x", "y"] * 3})
    release = frame.drop("who")
    found = shoal.audit_release(frame, release, quasi_identifiers=["age"], sensitive=["ill"], person="who", k=3)
    assert found.figures.achieved_k == 2
    (risk,) = found.of("repeated-people")
    assert risk.outcome == "falls"
    (linking,) = found.of("linking")
    assert linking.figures["fewest people for a record"] == 2


def test_attacks_that_cannot_tell_whose_the_records_are_speak_of_rows(frame: pl.DataFrame) -> None:
    said: dict[str, Any] = {"quick": True, "audit": "off", "algorithm": "mondrian:relaxed", "seed": 1}
    made = shoal.anonymize(frame, person="who", privacy={"k": 2}, **said, **SAID)
    few = made.frame.head(380)  # nobody tells which rows were left out; by this seed each still fits some record
    attacks = [name for name, attack in ALL.items() if attack.counts_owners]
    assert {"matching", "posterior", "corruption", "homogeneity", "inference"} <= {*attacks}
    found = shoal.audit_release(frame, few, person="who", k=4, attacks=[*attacks, "linking", "order"], **SAID)
    assert any("Rows are counted, not the people of 'who'" in note for note in found.notes)
    ran = [risk for name in attacks for risk in found.of(name) if risk.outcome != "not run"]
    assert len(ran) >= 5
    for risk in ran:
        text = " ".join([risk.says, *risk.figures])
        assert not re.search(r"people|person|body", text), text
    assert "of 400 rows" in next(risk.says for risk in found.of("background"))
    (linking,) = found.of("linking")
    assert "fewest rows for a record" in linking.figures
    assert linking.figures["people who fit fewer than k records"] <= frame["who"].n_unique()
    traced, told = made.audit(attacks=["linking", "background"]).risks  # of a release of ours it is known
    assert "fewest people for a record" in traced.figures
    assert f"of {frame['who'].n_unique()} people" in told.says


def test_verify_counts_people_by_the_original() -> None:
    frame = pl.DataFrame({"who": ["a"] * 3 + ["b"] * 3, "age": [30] * 6, "ill": ["x", "y"] * 3})
    said: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "original": frame, "person": "who"}
    assert shoal.verify(frame.drop("who"), privacy={"k": 2}, **said).holds
    found = shoal.verify(frame.drop("who"), privacy={"k": 3}, **said)
    assert found.is_broken
    assert found.verdicts[0].achieved == 2
    diverse = shoal.verify(frame.drop("who"), privacy={"l": 2}, **said)
    assert diverse.is_broken  # both people have both values


def test_verify_says_what_it_needs_to_count_people() -> None:
    frame = pl.DataFrame({"who": ["a", "b"], "age": [1, 1]})
    with pytest.raises(shoal.InputError, match="--original"):
        shoal.verify(frame.drop("who"), quasi_identifiers=["age"], privacy={"k": 2}, person="who")
    with pytest.raises(shoal.InputError, match=r"no column 'hwo'"):
        shoal.verify(frame.drop("who"), quasi_identifiers=["age"], privacy={"k": 2}, person="hwo", original=frame)


def test_verify_does_not_guess_where_classes_overlap() -> None:
    frame = pl.DataFrame({"who": ["a", "a", "b", "c"], "age": [1, 2, 2, 3]})
    release = pl.DataFrame({"age": ["[1..2]", "[1..2]", "[2..3]", "[2..3]"]})
    found = shoal.verify(release, quasi_identifiers=["age"], privacy={"k": 2}, person="who", original=frame)
    assert not found.holds
    assert not found.is_broken
    assert "several classes" in found.untold[0].why


def test_an_audit_does_not_call_off_repeated_people_where_it_cannot_tell_whose_records_are_whose() -> None:
    frame = pl.DataFrame({"who": ["a", "a", "b", "c"], "age": [1, 2, 2, 3]})
    release = pl.DataFrame({"age": ["[1..2]", "[1..2]", "[2..3]", "[2..3]"]})
    found = shoal.audit_release(frame, release, quasi_identifiers=["age"], person="who", k=2)
    (risk,) = found.of("repeated-people")
    assert risk.outcome == "not run"
    assert "cannot be told whose the records are: rows of the original fit records of several classes" in risk.says


def test_what_we_make_is_verified_with_the_original(tmp_path: Path, frame: pl.DataFrame) -> None:
    frame.write_csv(tmp_path / "visits.csv")
    said = ["--quasi", "age,zip", "--sensitive", "illness", "--person", "who", "--k", "4", "-q"]
    made = ["anonymize", str(tmp_path / "visits.csv"), "--algorithm", "lattice", "-o", str(tmp_path / "r.csv")]
    assert main([*made, *said]) == 0
    assert main(["verify", str(tmp_path / "r.csv"), "--original", str(tmp_path / "visits.csv"), *said]) == 0


def test_inspect_finds_the_key_of_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = hospital_visits(500)
    (key,) = shoal.inspect(table).keys
    assert (key.name, key.n_keys) == ("patient_id", 500)
    assert key.mean_rows == pytest.approx(table.height / 500)
    assert key.most_rows == table["patient_id"].value_counts()["count"].max()
    table.write_csv(tmp_path / "visits.csv")
    assert main(["inspect", str(tmp_path / "visits.csv")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "patient_id looks like a person's key that repeats: 500 people have" in said
    assert "--person patient_id" in said


def test_names_that_people_share_are_no_keys() -> None:
    table = people(3_000)
    assert table["name"].n_unique() < 3_000
    assert person_keys(table, ["name", "ssn", "email"]) == []


def test_candidates_are_ranked_by_how_much_their_rows_agree() -> None:
    table = hospital_visits(400).with_columns(ward_id=pl.int_range(pl.len()) % 50)
    assert [key.name for key in person_keys(table, ["ward_id", "patient_id"])] == ["patient_id"]
    assert person_keys(table, ["patient_id"])[0].n_keys == 400


def test_a_saved_recoding_counts_people_on_later_rows(tmp_path: Path, frame: pl.DataFrame) -> None:
    made = shoal.anonymize(frame, person="who", privacy={"k": 4}, algorithm="lattice", **SAID)
    made.save_recoding(tmp_path / "recoding.json")
    applied = shoal.apply(tmp_path / "recoding.json", frame)
    assert applied.verdicts[0].promise == "4-anonymity (people counted)"
    assert "who" not in applied.frame.columns
    with pytest.raises(shoal.InputError, match="people"):
        shoal.apply(tmp_path / "recoding.json", frame, hold=tmp_path / "held.parquet")


def test_the_record_names_the_column_and_no_key(tmp_path: Path, frame: pl.DataFrame) -> None:
    keyed = frame.with_columns(who="key-" + pl.col("who") + "-of-somebody")
    made = shoal.anonymize(keyed, person="who", privacy={"k": 4}, **SAID)
    made.write(tmp_path / "release.csv")
    for ending in (".html", ".json", ".txt"):
        made.report(tmp_path / f"private{ending}")
        made.report(tmp_path / f"public{ending}", public=True)
    assert json.loads((tmp_path / "release.run.json").read_text())["person"] == "who"
    assert not any("-of-somebody" in path.read_text() for path in tmp_path.iterdir())


@pytest.mark.usefixtures("trials_here")
def test_comparisons_count_people(frame: pl.DataFrame) -> None:
    found = shoal.compare(
        frame,
        goals=[shoal.KAnonymity(4)],
        algorithms="mondrian:relaxed",
        person="who",
        processes=1,
        utility=False,
        **SAID,
    )
    assert found.entries[0].is_done
    assert found.entries[0].losses["lm"] > 0


@pytest.mark.usefixtures("trials_here")
def test_risks_in_a_comparison_are_of_people() -> None:
    frame = pl.DataFrame({"who": ["a"] * 5 + ["b"], "age": [30] * 6})
    said: dict[str, Any] = {"quasi_identifiers": ["age"], "algorithms": "mondrian", "processes": 1, "utility": False}
    people = shoal.compare(frame, goals=[shoal.KAnonymity(2)], person="who", **said).entries[0]
    rows = shoal.compare(frame, goals=[shoal.KAnonymity(2)], identifiers=["who"], **said).entries[0]
    assert (people.highest_risk, people.average_risk) == (1 / 2, 1 / 2)
    assert (rows.highest_risk, rows.average_risk) == pytest.approx((1 / 6, 1 / 6))
