"""Columns published as they are: whom they single out and whom they name."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.io.published_as_is import look_at_others
from shoal.report.audit_editions import render_audit_html, render_audit_text
from shoal.report.audit_wording import audit_headline

FILLER = "the patient came in at night and was seen by staff"
ROWS = st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 3), min_size=1, max_size=12)


@given(ROWS)
def test_counts_equal_an_obvious_twin(rows: list[tuple[str | None, ...]]) -> None:
    frame = pl.DataFrame(rows, {"q": pl.String, "x": pl.String, "y": pl.String}, orient="row")
    found = look_at_others(frame, ["q"], ["x", "y"])
    by_quasi, by_others, by_all = Counter(r[0] for r in rows), Counter(r[1:] for r in rows), Counter(rows)
    assert found.n_alone == sum(by_quasi[row[0]] == 1 for row in rows)
    assert found.n_exposed == sum(
        by_all[row] == 1 and (by_quasi[row[0]] > 1 or by_others[row[1:]] == 1) for row in rows
    )
    assert found.by_column["x"] == sum(n == 1 for n in Counter(row[1] for row in rows).values())
    assert found.fewest_alike == min(by_all[row] for row in rows)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("write to ann.bell@example.org please", "e-mail addresses"),
        ("see www.example.org for more", "web addresses"),
        ("call +44 20 7946 0958 at night", "phone numbers"),
        ("call 030 901820 at night", "phone numbers"),
        ("call (212) 555-0123 at night", "phone numbers"),
        ("seen by Dr. Miller at noon", "names of people"),
        ("Frau Özdemir kam allein", "names of people"),
        ("MRN: 12345 was noted", "numbers that may name a person"),
        ("had 123-45-6789 on a card", "numbers that may name a person"),
        ("came back on 25.04.1960 again", "dates"),
        ("came back on 2024-02-29 again", "dates"),
        ("came back on 3 March 2020 again", "dates"),
    ],
)
def test_what_names_people_inside_a_text(text: str, what: str) -> None:
    frame = pl.DataFrame({"q": ["x"] * 3, "note": [f"{FILLER} {text}", FILLER, FILLER]})
    assert [(found.what, found.n_records) for found in look_at_others(frame, ["q"], ["note"]).named] == [(what, 1)]


@pytest.mark.parametrize(
    "text", [FILLER, "gave 20 mg of aspirin twice on day 3 or 4", "Some college but no degree (12 to 15 years)"]
)
def test_plain_text_names_nobody(text: str) -> None:
    assert look_at_others(pl.DataFrame({"q": ["x"] * 3, "note": [text] * 3}), ["q"], ["note"]).named == ()


def test_columns_of_identifiers_are_named_whatever_they_single_out() -> None:
    frame = pl.DataFrame({"q": ["x"] * 4, "contact": ["a@b.org", "a@b.org", "c@d.org", "c@d.org"]})
    found = look_at_others(frame, ["q"], ["contact"])
    assert (found.n_exposed, found.named[0].what) == (0, "identifiers (the values look like e-mail addresses)")


ORIGINAL = pl.DataFrame({"age": [20, 21, 30, 31] * 5, "stay": range(20), "note": [FILLER + " Mr Hill"] * 20})


def test_no_face_says_that_nothing_succeeds() -> None:
    release = ORIGINAL.with_columns(age=pl.Series(["*"] * 20))
    found = shoal.audit_release(ORIGINAL, release, quasi_identifiers=["age"])
    (risk,) = found.of("as-is")
    assert risk.outcome == "falls"
    assert not found.withstands
    assert "'note' holds names of people in 20 records." in risk.says
    assert "singles out 20 of 20 records (20 of them have a stay that no other record has)" in risk.says
    for said in (audit_headline(found), render_audit_text(found), render_audit_html(found), found._repr_html_()):
        assert "as-is" in said
        assert "none succeeds" not in said
        assert "No attack that was run succeeds" not in said


def test_a_release_of_ours_is_looked_at_when_it_is_made() -> None:
    roles: dict[str, Any] = {"quasi_identifiers": ["age"], "others": ["stay", "note"], "privacy": shoal.KAnonymity(5)}
    made = shoal.anonymize(ORIGINAL, seed=1, **roles)
    assert made.audited is not None
    assert "as-is" in [risk.attack for risk in made.audited.falling]
    assert any("as-is" in note and "drop free text" in note for note in made.notes)
    dropped = shoal.anonymize(ORIGINAL.select("age"), quasi_identifiers=["age"], privacy=shoal.KAnonymity(5), seed=1)
    assert dropped.audited is not None
    assert dropped.audited.of("as-is")[0].outcome == "stopped"


def test_buckets_are_not_a_column_of_their_own() -> None:
    people = pl.DataFrame({"age": range(20), "ill": ["a", "b", "c", "d"] * 5})
    roles: dict[str, Any] = {
        "quasi_identifiers": ["age"],
        "sensitive": ["ill"],
        "privacy": shoal.LDiversity(2),
        "algorithm": "anatomy",
    }
    made = shoal.anonymize(people, seed=1, **roles)
    assert made.audited is not None
    assert made.audited.of("as-is")[0].outcome == "stopped"


NOTES = [f"{FILLER}, call 555-123-{4000 + i} after noon, says Mr Hill" for i in range(20)]
DAYS = [f"{1 + i:02d}.0{1 + i % 9}.19{50 + i}" for i in range(20)]


@pytest.mark.parametrize("role", ["sensitive", "quasi_identifiers", "others"])
def test_people_named_in_a_text_are_found_whatever_its_role(role: str) -> None:
    people = pl.DataFrame({"age": [20, 21, 30, 31] * 5, "remark": NOTES})
    roles: dict[str, Any] = {
        "quasi_identifiers": ["age"],
        role: ["age", "remark"] if role == "quasi_identifiers" else ["remark"],
    }
    made = shoal.anonymize(people, privacy=shoal.KAnonymity(5), seed=1, quick=True, **roles)
    assert made.audited is not None
    (risk,) = made.audited.of("as-is")
    assert risk.outcome == "falls"
    assert "'remark' holds phone numbers in 20 records" in risk.says
    assert "remark" in risk.columns
    assert "none succeeds" not in audit_headline(made.audited)


def test_people_named_by_values_in_buckets_are_found() -> None:
    people = pl.DataFrame({"age": range(20), "remark": NOTES})
    roles: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["remark"], "privacy": shoal.LDiversity(2)}
    made = shoal.anonymize(people, seed=1, algorithm="anatomy", **roles)
    assert made.audited is not None
    assert "'remark' holds names of people in 20 records" in made.audited.of("as-is")[0].says


def test_identifiers_in_sets_name_people() -> None:
    mails = [f"person{i}@example.org" for i in range(20)]
    people = pl.DataFrame({"age": [20, 21, 30, 31] * 5, "contact": mails})
    made = shoal.anonymize(people, quasi_identifiers=["age", "contact"], privacy={"k": 4}, seed=1, quick=True)
    assert made.audited is not None
    assert "'contact' holds identifiers (the values look like e-mail addresses)" in made.audited.of("as-is")[0].says


def test_the_audit_says_what_sets_of_exact_dates_tell() -> None:
    people = pl.DataFrame({"age": [20, 21, 30, 31] * 5, "born": DAYS})
    made = shoal.anonymize(people, quasi_identifiers=["age", "born"], privacy={"k": 4}, seed=1, quick=True)
    assert made.audited is not None
    (risk,) = made.audited.of("as-is")
    assert risk.outcome == "weak"
    assert "100% of the cells of 'born' print exact dates" in risk.says
    by_year = {"dates": {"born": "%d.%m.%Y"}, "hierarchies": {"born": "dates:levels=year/decade"}}
    roles: dict[str, Any] = {"quasi_identifiers": ["age", "born"], "privacy": {"k": 4}, **by_year}
    without = shoal.anonymize(people, seed=1, quick=True, **roles)
    assert without.audited is not None
    assert without.audited.of("as-is")[0].outcome == "stopped"
