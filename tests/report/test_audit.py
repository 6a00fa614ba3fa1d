"""What is said about an audit, in every edition."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from shoal.audit.findings import Audit
from shoal.engine.auditing import audit_release
from shoal.report import audit_grids
from shoal.report.audit_editions import render_audit_html, render_audit_json, render_audit_text
from shoal.report.audit_wording import audit_headline
from shoal.report.sections import audit_sections

ORIGINAL = pl.DataFrame({"q": ["<b>1", "2", "3", "4"], "s": ["a", "a", "b", "c"]})


@pytest.fixture(scope="module")
def found() -> Audit:
    release = pl.DataFrame({"q": ["{<b>1, 2}"] * 2 + ["{3, 4}"] * 2, "s": ["a", "a", "b", "c"]})
    return audit_release(ORIGINAL, release, quasi_identifiers=["q"], sensitive=["s"], population=100)


def test_the_headline_names_what_succeeds(found: Audit) -> None:
    assert "homogeneity" in audit_headline(found)
    assert audit_headline(found).endswith("succeed.")


def test_every_risk_is_shown_once(found: Audit) -> None:
    shown = audit_grids.attacks(found).rows
    left_out = audit_grids.not_run(found).rows
    assert len(shown) + len(left_out) == len(found.risks)
    told = [row for grid in audit_grids.by_outcome(found) for row in grid.rows]
    assert sorted(row[2] for row in told) == sorted(row[-1] for row in shown)


def test_json_has_everything_and_no_infinity(found: Audit) -> None:
    data = json.loads(render_audit_json(found))
    assert len(data["risks"]) == len(found.risks)
    assert data["figures"]["diversity"][0]["delta"] is None
    assert data["withstands"] is False


def test_html_is_one_page_and_escapes_values(found: Audit) -> None:
    page = render_audit_html(found)
    assert page.count("<h1>") == 1
    assert "Risk figures" in page
    assert "<b>1" not in page
    assert "EMA" in page
    assert len(audit_sections(found)) == 2


def test_text_says_the_same(found: Audit) -> None:
    text = render_audit_text(found)
    assert "FALLS" in text
    assert "Unique in a population of 100" in text
    assert "prosecutor" in text


def test_the_figures_that_people_must_report(found: Audit) -> None:
    exposures = audit_grids.exposures(found.figures)
    assert list(exposures.heads[-5:]) == ["Above 1/20", "Above 1/11", "Above 1/5", "Above 1/3", "Above 1/2"]
    names = [row[0] for row in exposures.rows]
    assert names == ["prosecutor", "likeliest match", "marketer"]
    shown = {row[0]: row[1] for row in audit_grids.classes(found.figures).rows}
    assert shown["Smallest class (achieved k)"] == "2"
    assert (shown["Records in classes smaller than 5"], shown["Records in classes smaller than 11"]) == ("4", "4")
    assert shown["Records in a class of their own (sample uniques)"] == "0"
    assert any("by Dankar's rule)" in name for name in shown)
    assert all(model in shown["… by model, original"] for model in ("Zayatz", "Pitman"))
    assert list(audit_grids.diversity(found.figures).heads[1:]) == ["l (distinct)", "l (entropy)", "t", "δ", "β", "α"]


def test_the_three_questions_and_who_asks_for_what(found: Audit) -> None:
    assert [row[0] for row in audit_grids.opinion(found).rows] == ["Singling out", "Linkability", "Inference"]
    asked = audit_grids.asked_for(found).rows
    assert {"WP216", "EMA", "HIPAA", "CMS"} <= {word.strip("(),") for who, _, _ in asked for word in who.split()}
    assert [figure for who, _, figure in asked if who.startswith("EMA")] == ["0.500"]
    assert not any("compl" in " ".join(row) for row in asked)


def test_a_sensitive_column_was_named_though_nobody_attacked_it() -> None:
    release = pl.DataFrame({"q": ["*"] * 4, "s": ["a", "a", "b", "c"]})
    words: dict[str, Any] = {"quasi_identifiers": ["q"], "attacks": ["linking"]}
    asked = audit_release(ORIGINAL, release, sensitive=["s"], **words)
    assert "No sensitive column was named" not in render_audit_text(asked)
    assert "'inference' was not run" in render_audit_text(asked).replace("\n", " ")
    assert "No sensitive column was named" in render_audit_text(audit_release(ORIGINAL, release, **words))
