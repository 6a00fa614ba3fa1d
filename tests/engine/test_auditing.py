"""The verb: releases of all makes, and everything that can be wrong with what is given."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import shoal
from shoal.audit import ALL as ATTACKS
from shoal.engine.auditing import audit_release
from shoal.engine.auditing_result import audit_result
from shoal.errors import InputError
from support.effort import examples

ORIGINAL = pl.DataFrame(
    {
        "age": [21, 24, 29, 33, 38, 39],
        "zip": ["02138", "02139", "02138", "02144", "02145", "02144"],
        "ill": list("abcabc"),
    }
)
RELEASE = pl.DataFrame(
    {"age": ["20-29"] * 3 + ["[30..39]"] * 3, "zip": ["0213*"] * 3 + ["0214*"] * 3, "ill": list("cabbca")}
)
ROLES: dict[str, Any] = {"quasi_identifiers": ["age", "zip"], "sensitive": ["ill"]}


def test_a_release_of_any_make() -> None:
    found = audit_release(ORIGINAL, RELEASE, k=3, **ROLES)
    assert {
        risk.attack: risk.outcome for risk in found.risks if risk.attack in ("linking", "matching", "posterior")
    } == {
        "linking": "stopped",
        "matching": "stopped",
        "posterior": "stopped",
    }
    assert found.withstands
    assert (found.n_people, found.n_records, found.k) == (6, 6, 3)


def test_files_and_frames_give_the_same(tmp_path: Path) -> None:
    ORIGINAL.write_csv(tmp_path / "o.csv")
    RELEASE.write_parquet(tmp_path / "r.parquet")
    by_frames = audit_release(ORIGINAL.cast(pl.String), RELEASE, **ROLES)
    by_files = audit_release(tmp_path / "o.csv", tmp_path / "r.parquet", **ROLES)
    assert [r.says for r in by_files.risks if r.attack != "hidden-data"] == [
        r.says for r in by_frames.risks if r.attack != "hidden-data"
    ]


def test_the_order_of_rows_does_not_matter() -> None:
    attacks = ["linking", "matching", "posterior", "inference"]
    one = audit_release(ORIGINAL, RELEASE, attacks=attacks, **ROLES)
    other = audit_release(
        ORIGINAL[::-1], RELEASE[::-1], attacks=["linking", "matching", "posterior", "inference"], **ROLES
    )
    assert one.risks == other.risks


def test_a_suppressed_row_may_be_anybody() -> None:
    found = audit_release(ORIGINAL, RELEASE[1:], attacks=["matching"], **ROLES)
    assert found.risks[0].figures["fewest matches of a person"] == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"quasi_identifiers": ["age", "zop"]}, r"The original has no column 'zop'.* Did you mean 'zip'"),
        ({"sensitive": ["sick"]}, r"The release has no column 'sick'"),
        ({"quasi_identifiers": []}, r"No quasi-identifier"),
        ({"attacks": ["linkin"]}, r"There is no attack 'linkin'. Did you mean 'linking'"),
        ({"attacks": ["corruption:corupted=2"]}, r"'corruption' has no option 'corupted'. Did you mean 'corrupted'"),
        ({"attacks": ["corruption:corrupted=0"]}, r"corrupted must be at least 1"),
        ({"k": 0}, r"k must be at least 1"),
        ({"hierarchies": {"zop": "mask"}}, r"'zop' has a hierarchy but is neither .* Did you mean 'zip'"),
        ({"labels": {"zop": {"a": "b"}}}, r"'zop' has a label"),
    ],
)
def test_bad_words(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        audit_release(ORIGINAL, RELEASE, **{**ROLES, **change})


def test_a_column_that_was_not_published() -> None:
    with pytest.raises(InputError, match=r"The release has no column 'zip'.* Leave it out if it was not published"):
        audit_release(ORIGINAL, RELEASE.drop("zip"), **ROLES)


def test_more_records_than_rows() -> None:
    with pytest.raises(InputError, match="The release has 6 records and the original only 2 rows"):
        audit_release(ORIGINAL[:2], RELEASE, **ROLES)


def test_labels_that_cannot_be_understood() -> None:
    odd = RELEASE.with_columns(age=pl.Series(["twenties"] * 3 + ["thirties"] * 3))
    with pytest.raises(
        InputError, match=r"2 labels .*'twenties' \(3 records\), 'thirties' \(3 records\).*--label 'age:tw"
    ):
        audit_release(ORIGINAL, odd, **ROLES)
    declared = {"age": {"twenties": "[20..29]", "thirties": "30-39"}}
    assert audit_release(ORIGINAL, odd, labels=declared, **ROLES).withstands


def test_a_hierarchy_that_lacks_values() -> None:
    half = shoal.Hierarchy.from_dict({"0213*": ["02138", "02139"]})
    with pytest.raises(InputError, match=r"hierarchy of 'zip' lacks 2 values"):
        audit_release(ORIGINAL, RELEASE, hierarchies={"zip": half}, **ROLES)


def test_labels_of_two_hierarchies_at_once() -> None:
    """A mask where the hierarchy has regions: both are understood."""
    regions = shoal.Hierarchy.from_dict({"north": ["02138", "02139"], "south": ["02144", "02145"]})
    mixed = RELEASE.with_columns(zip=pl.Series(["north", "0213*", "north", "south", "0214*", "*"]))
    assert audit_release(ORIGINAL, mixed, hierarchies={"zip": regions}, **ROLES).of("linking")[0].outcome == "weak"


def test_values_nobody_has_are_remarked_on() -> None:
    odd = RELEASE.with_columns(age=pl.Series(["77"] + ["20-29"] * 2 + ["30-39"] * 3))
    found = audit_release(ORIGINAL, odd, **ROLES)
    assert any("No row of the original fits the label '77' of 'age'." in note for note in found.notes)
    assert found.of("linking")[0].figures["records that fit nobody"] == 1
    assert found.of("matching")[0].outcome == "not run"
    assert found.of("homogeneity")[0].outcome in ("stopped", "falls")


def test_what_the_original_does_not_say_is_estimated() -> None:
    found = audit_release(ORIGINAL.drop("ill"), RELEASE, **ROLES)
    assert "This is an estimate" in found.of("definetti")[0].says
    assert found.of("order")[0].outcome == "not run"
    assert found.of("inference")[0].rate == pytest.approx(1 / 3)


def test_our_own_result() -> None:
    result = shoal.anonymize(
        ORIGINAL, quasi_identifiers=["age", "zip"], sensitive=["ill"], privacy=[shoal.KAnonymity(3)], seed=1
    )
    found = audit_result(result)
    assert found.k == 3
    assert found.of("linking")[0].outcome == "stopped"
    assert "corruption" in {risk.attack for risk in found.risks if risk.outcome == "not run"}
    assert audit_result(result, attacks=["corruption"]).risks[0].outcome == "stopped"


def test_attacks_with_options() -> None:
    """Two of a class of three reveal themselves: the third is found."""
    one = audit_release(ORIGINAL, RELEASE, attacks=["corruption"], k=3, seed=1, **ROLES).risks[0]
    two = audit_release(ORIGINAL, RELEASE, attacks=["corruption:corrupted=2"], k=3, seed=1, **ROLES).risks[0]
    assert (one.figures["fewest matches left"], two.figures["fewest matches left"]) == (2, 1)
    assert "the records of 2 people are known" in two.says


def test_many_people_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.engine.auditing_result._MANY", 50)
    monkeypatch.setattr("shoal.engine.auditing_result._SOME", 40)
    people = pl.DataFrame({"age": [i % 20 for i in range(200)], "ill": [str(i % 7) for i in range(200)]})
    result = shoal.anonymize(
        people, quasi_identifiers=["age"], sensitive=["ill"], privacy=[shoal.KAnonymity(10)], seed=1
    )
    found = audit_result(result)
    [linking] = found.of("linking")
    assert linking.interval is not None
    assert linking.interval[0] <= linking.rate <= linking.interval[1]
    assert "out of 200" in linking.says
    for attack in ("homogeneity", "skewness", "inference"):
        [risk] = found.of(attack)
        assert risk.interval is not None
        assert risk.interval[0] <= risk.rate <= risk.interval[1]
        assert "out of 200" in risk.says
    assert found.of("matching")[0].outcome == "not run"
    assert audit_result(result, pace="thorough").of("matching")[0].outcome == "stopped"


def test_every_column_exact_and_typed() -> None:
    found = audit_release(ORIGINAL, ORIGINAL, attacks=["linking"], **ROLES)
    assert found.risks[0].figures["people who fit one record"] == 6


def test_the_same_seed_the_same_audit() -> None:
    one, other = (audit_release(ORIGINAL, RELEASE, thorough=True, seed=4, **ROLES) for _ in range(2))
    assert one.risks == other.risks


@pytest.mark.parametrize("seed", range(3))
def test_an_assignment_that_was_drawn_makes_every_match_equally_likely(seed: int) -> None:
    """Whoever counts all assignments alike is no better than 1 in k (Wong et al., section 5.2)."""
    n, k = 300, 5
    people = pl.DataFrame({"age": [(i * 37) % 90 for i in range(n)], "zip": [f"{(i * 61) % 40:02}" for i in range(n)]})
    result = shoal.anonymize(
        people,
        quasi_identifiers=["age", "zip"],
        privacy=[shoal.UniformMatching(k)],
        algorithm="nonhomogeneous",
        seed=seed,
    )
    [risk] = audit_result(result, attacks=["posterior"]).risks
    assert risk.outcome == "stopped"
    assert risk.rate <= 1 / k + 3 * (1 / k / n) ** 0.5
    assert risk.says.startswith("One of 5 assignments that share no match was drawn at random")


VALUES = {
    "number": [1, 2, 3, 9, None],
    "text": ["a", "b", "1", "", "*", None],
    "other": [0.5, 2.0, None, 1e9],
    "day": [dt.date(2024, 1, 1), dt.date(1900, 5, 6), None],
}
LABELS = ["1", "a", "*", "[1..3]", "{a, b}", "2024-01-01", "[2024-01-01..2024-12-31]", "", "9", "[100..200]"]


@settings(max_examples=examples(2.5))
@given(st.data())
def test_no_population_makes_an_audit_crash(data: st.DataObject) -> None:
    """Other columns, other kinds, other values, fewer people than rows: an answer, or one sentence."""
    names = [f"q{i}" for i in range(data.draw(st.integers(1, 4)))]

    def table(n: int, extra: tuple[str, ...] = ()) -> pl.DataFrame:
        drawn: dict[str, Any] = {name: data.draw(st.sampled_from([*VALUES.values()])) for name in (*names, *extra)}
        rows = {
            name: data.draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n)) for name, pool in drawn.items()
        }
        kept = data.draw(st.permutations([*rows]))
        return pl.DataFrame({name: rows[name] for name in kept}, strict=False)

    people = table(data.draw(st.integers(1, 5))).with_columns(ill=pl.lit("flu"))
    cells = st.lists(st.sampled_from(LABELS), min_size=people.height, max_size=people.height).map(pl.Series)
    stars = st.just(pl.Series(["*"] * people.height))
    release = pl.DataFrame({name: data.draw(st.just(people[name]) | stars | cells) for name in names})
    release = release.with_columns(ill=people["ill"])
    everybody = table(data.draw(st.integers(1, 8)), ("more", "most"))
    if data.draw(st.integers(0, 9)) == 0:
        everybody = everybody.drop(data.draw(st.sampled_from(names)))
    words: dict[str, Any] = {"quasi_identifiers": names, "sensitive": ["ill"], "seed": 1}
    attack = data.draw(st.none() | st.sampled_from([[name] for name in ATTACKS]))
    try:
        found = shoal.audit_release(people, release, population=everybody, attacks=attack, **words)
    except shoal.InputError:
        event("refused")
        return
    event("audited")
    assert found.figures.journalist is not None


def test_a_population_without_a_quasi_identifier_is_refused() -> None:
    people = pl.DataFrame({"age": [1, 1], "zip": [2, 2]})
    words: dict[str, Any] = {
        "quasi_identifiers": ["age", "zip"],
        "population": pl.DataFrame({"age": [1, 1], "zp": [2, 2]}),
    }
    with pytest.raises(shoal.InputError, match=r"The population has no column 'zip'.*Did you mean 'zp'"):
        shoal.audit_release(people, people, **words)
