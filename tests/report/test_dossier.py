"""The dossier: one source of facts, three formats, and a public edition that tells no more than the release."""

from __future__ import annotations

import io
import json
import re
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.core.schema import Role
from shoal.engine.dossier import RENDERERS, documents
from shoal.io.example import people
from shoal.report.dossier import files, sections
from shoal.report.dossier.document import Document
from shoal.report.dossier.public import public_document, shown_risk
from shoal.report.dossier.statement import QUESTIONS, STEWARD, Statement
from shoal.report.grids import Grid
from shoal.report.published import describe
from shoal.report.risk import RecordRisk

DOCS = Path(__file__).parents[2] / "docs"
K = 6
ROLES: dict[str, Any] = {
    "identifiers": ["name", "ssn", "email"],
    "quasi_identifiers": ["birth_date", "postcode", "sex"],
    "sensitive": ["diagnosis"],
    "others": ["stay_days", "job", "marital_status"],
}
SAID = {"title": "Stays <2024> & *more* #1", "purpose": "Research", "controls": "canary-controls", "recipient": "All"}


@pytest.fixture(scope="module")
def result() -> shoal.Result:
    return shoal.anonymize(people(400), privacy={"k": K}, quick=True, seed=1, **ROLES)


@pytest.fixture(scope="module")
def both(result: shoal.Result) -> dict[Any, Document]:
    return documents(result, Statement.said(SAID), {"path": "r.csv", "sha256": "ab" * 32})


def whole(document: Document) -> str:
    return "\n".join(document.texts())


@pytest.mark.parametrize("framework", sections.ALL, ids=lambda one: one.name)
def test_every_field_is_answered_where_the_table_says(framework: sections.Framework, both: dict[Any, Document]) -> None:
    """Section and place exist in a generated dossier: a table, a line to fill in or a question to the steward."""
    parts = {part.title: set(part.texts()) for part in both["internal"].parts}
    assert [field for field in framework.fields if field.where not in parts[field.section]] == []
    assert len({field.question for field in framework.fields}) == len(framework.fields)
    (annex,) = [part for part in both["internal"].parts if part.title == sections.ANNEX]
    (table,) = [block for block in annex.blocks if isinstance(block, Grid) and block.caption.startswith(framework.name)]
    numbers = {part.title: f"{n}. {part.title}" for n, part in enumerate(both["internal"].parts, 1)}
    assert table.rows == [[question, numbers[title], where] for question, title, where in framework.fields]


def test_what_a_dossier_cannot_tell_is_for_the_steward() -> None:
    """Without an audit nothing is known about singling out, linking and inferring."""
    made = shoal.anonymize(people(60), privacy={"k": 3}, quick=True, audit="off", **ROLES)
    annex = documents(made, Statement())["internal"].parts[-1]
    rows = [row for block in annex.blocks if isinstance(block, Grid) for row in block.rows]
    assert {row[2] for row in rows if "ingling out" in row[0]} == {STEWARD}
    assert [row[2] for row in rows if row[0] == "Reference population"] == [QUESTIONS["population"]]


def test_every_question_is_put_once_and_answers_some_field(both: dict[Any, Document]) -> None:
    texts = [*both["internal"].parts[1].texts(), *both["internal"].parts[-2].texts()]
    assert [question for question in QUESTIONS.values() if texts.count(question) != 1] == []
    asked = {field.where for one in sections.ALL for field in one.fields}
    free = {"title", "holder", "approved_by"}
    assert {word for word, question in QUESTIONS.items() if question not in asked} == free


def test_published_variables_are_ranked_by_how_easily_they_are_looked_up(both: dict[Any, Document]) -> None:
    blocks = [block for part in both["internal"].parts for block in part.blocks]
    (grid,) = [block for block in blocks if isinstance(block, Grid) and block.caption == sections.LOOKED_UP]
    told = {row[0]: row[1:] for row in grid.rows}
    assert set(told) == set(people(1).columns) - {"name", "ssn", "email"}
    assert told["sex"] == ["2", STEWARD, STEWARD]
    assert told["diagnosis"][0] == str(people(400)["diagnosis"].n_unique())


def test_a_preparation_is_told_in_both_editions() -> None:
    made = shoal.anonymize(people(100), privacy={"k": 3}, quick=True, audit="off", top={"stay_days": "20"}, **ROLES)
    for document in documents(made, Statement()).values():
        (part,) = [part for part in document.parts if part.title == sections.VARIABLES]
        assert any(isinstance(block, Grid) and block.caption == "Preparation" for block in part.blocks)


@pytest.mark.parametrize(
    "said",
    [
        {"privacy": {"l": 3}, "algorithm": "anatomy"},
        {"privacy": {"matching": 4}},
        {"privacy": {"k": 4}, "cells": "bounds"},
        {"privacy": {"k": 4}, "audit": "off"},
        {"policy": "hipaa-safe-harbor"},
    ],
)
def test_every_kind_of_release_has_a_dossier(said: dict[str, Any]) -> None:
    roles = {} if "policy" in said else ROLES
    for document in documents(shoal.anonymize(people(120), quick=True, **roles, **said), Statement()).values():
        assert all(part.blocks for part in document.parts)
        assert RENDERERS[".html"](document)


def test_every_variable_is_told_with_technique_reason_and_loss(both: dict[Any, Document]) -> None:
    (part,) = [part for part in both["internal"].parts if part.title == sections.VARIABLES]
    grid = part.blocks[0]
    assert isinstance(grid, Grid)
    told = {row[0]: row for row in grid.rows}
    assert set(told) == set(people(1).columns)
    assert told["ssn"][1:3] == ["direct identifier", "dropped"]
    assert "social security" in told["ssn"][3]
    assert told["diagnosis"][1:3] == ["sensitive", "published as it is"]
    assert told["birth_date"][1] == "quasi-identifier"
    assert all(row[3] and row[4] and row[5] for row in grid.rows)


def test_weights_and_masked_texts_are_told_as_what_they_are() -> None:
    table = people(60).select("sex", w=pl.lit(20.0), note=pl.lit("Called Dr Smith on 2024-03-01 about the leg"))
    said: dict[str, Any] = {"quasi_identifiers": ["sex"], "sample_weight": "w", "masked": ["note"], "quick": True}
    made = documents(shoal.anonymize(table, privacy={"individual-risk": 0.05}, **said), Statement())
    parts = [part for document in made.values() for part in document.parts if part.title == sections.VARIABLES]
    internal, public = ({row[0]: row for row in part.blocks[0].rows} for part in parts)  # type: ignore[union-attr]
    assert internal["w"][1:3] == ["sample weight", "dropped"]
    assert "w" not in public
    assert internal["note"][2] == public["note"][2] == "free text; recognized identifiers are masked"


def test_the_threshold_is_told_with_the_risk_before_and_after(both: dict[Any, Document]) -> None:
    blocks = [block for part in both["internal"].parts for block in part.blocks]
    (grid,) = [block for block in blocks if isinstance(block, Grid) and block.caption == "Risk by threat model"]
    largest = grid.rows[0]
    assert largest[1] == "100%"
    assert largest[3] == "16.7%"
    assert largest[4] == "✓ met"


def test_what_the_steward_has_not_said_is_marked_and_what_is_no_field_is_refused(both: dict[Any, Document]) -> None:
    text = whole(both["internal"])
    assert "canary-controls" in text
    assert text.count(STEWARD) >= len(QUESTIONS) - len(SAID)
    with pytest.raises(shoal.InputError, match=r"no entry 'recipent'\. Did you mean 'recipient'"):
        Statement.said({"recipent": "x"})
    with pytest.raises(shoal.InputError, match="review_date must be a date such as 2027-01-31, got 'soon'"):
        Statement.said({"review_date": "soon"})


def test_the_public_edition_is_what_a_stranger_with_the_file_would_write(result: shoal.Result, tmp_path: Path) -> None:
    """From the release as it was written, the promises and the public words, and nothing else."""
    result.write(tmp_path / "r.parquet")
    frame = pl.read_parquet(tmp_path / "r.parquet")
    asked = result.summary().public().asked
    seen = describe(frame, ROLES["quasi_identifiers"], ROLES["sensitive"], asked)
    roles: dict[str, Role] = {
        name: "quasi-identifier" if name in ROLES["quasi_identifiers"] else "other" for name in frame.columns
    }
    roles["diagnosis"] = "sensitive"
    tried = list(dict.fromkeys(risk.attack for risk in result.audited.risks if risk.outcome != "not run"))  # type: ignore[union-attr]
    statement = Statement.said(SAID)
    assert public_document(seen, frame, roles, statement, tried) == documents(result, statement)["public"]


def test_the_public_edition_names_nothing_of_the_original(both: dict[Any, Document], result: shoal.Result) -> None:
    text = whole(both["public"])
    assert "canary-controls" not in text
    assert not re.search(r"\b(ssn|email)\b", text)
    published = set(result.frame["birth_date"].cast(pl.String))
    secret = [value for value in people(400)["birth_date"].cast(pl.String).unique() if value not in published]
    assert secret
    assert not [value for value in secret if value in text]
    assert str(result.seed) not in re.findall(r"seed = (\d+)", text)


def test_no_number_of_records_below_k_is_public(both: dict[Any, Document]) -> None:
    """Everywhere but in the table of variables, which counts labels, whole numbers are 0 or at least k."""
    numbers = []
    for part in both["public"].parts:
        if part.title in ("Summary", "Risk", sections.DATA):
            for block in part.blocks:
                cells = [row[-1] for row in block.rows] if isinstance(block, Grid) else []
                counted = re.findall(r"([\d,]+) (?:to|records)", block if isinstance(block, str) else "")
                numbers += [int(text.replace(",", "")) for text in (*cells, *counted) if re.fullmatch(r"[\d,]+", text)]
    assert 400 in numbers
    assert [number for number in numbers if 0 < number < K] == []


def test_originals_that_give_the_same_release_give_the_same_public_edition() -> None:
    """An audit of the edition itself: it tells nothing of the original that the release does not."""
    rows = [
        (f"person {i}", 30 + i % 3 + 10 * (i % 2), "fm"[i % 2], ["flu", "cold", "leg"][i % 5 % 3]) for i in range(60)
    ]
    names = ["name", "age", "sex", "ill"]
    known = pl.DataFrame(rows, schema=names, orient="row")
    hidden = pl.DataFrame([("odd one", 88, "f", "flu"), ("odd two", 12, "m", "leg")], schema=names, orient="row")
    other = known.with_columns(name=pl.col("name") + "x", age=pl.col("age") // 10 * 10 + (pl.col("age") + 5) % 9)
    made = [
        shoal.anonymize(
            original, identifiers=["name"], quasi_identifiers=["age", "sex"], sensitive=["ill"], privacy={"k": K},
            hierarchies={"age": "intervals:width=10"}, levels=[1, 0], suppression_limit=0.1, seed=1,
        )
        for original in (known, pl.concat([other, hidden]))
    ]  # fmt: skip
    sorted_frames = [one.frame.sort(pl.all()) for one in made]
    assert sorted_frames[0].equals(sorted_frames[1]), "the test needs two originals of one release"
    assert made[0].release.n_suppressed != made[1].release.n_suppressed
    first, second = (documents(one, Statement.said(SAID)) for one in made)
    assert whole(first["public"]) == whole(second["public"])
    assert whole(first["internal"]) != whole(second["internal"])


def test_tables_of_the_word_file_have_the_widths_of_their_texts(both: dict[Any, Document]) -> None:
    docx = pytest.importorskip("docx")
    word = docx.Document(io.BytesIO(RENDERERS[".docx"](both["internal"])))
    for table in word.tables:
        assert [column.width for column in table.columns] == [cell.width for cell in table.rows[0].cells]
    captions = [paragraph for paragraph in word.paragraphs if paragraph.style.name == "Caption"]
    assert captions
    assert all(caption.paragraph_format.keep_with_next for caption in captions), "no caption stands alone on a page"


def test_a_count_below_k_would_be_hidden() -> None:
    risk = replace(RecordRisk.of_sizes([1, 1, 7, 9]), n_unique=2)
    rows = {row[0]: row[1] for row in shown_risk(risk, 5).rows}
    assert rows["Unique rows"] == "fewer than 5"
    assert rows["Rows"] == "18"


def test_all_three_formats_say_the_same(both: dict[Any, Document]) -> None:
    docx = pytest.importorskip("docx")
    pytest.importorskip("typst")
    for document in both.values():
        page = RENDERERS[".html"](document).decode()
        assert "Stays &lt;2024&gt; &amp; *more* #1" in page
        assert page.count("<h2>") == len(document.parts)
        word = docx.Document(io.BytesIO(RENDERERS[".docx"](document)))
        cells = {cell.text for table in word.tables for row in table.rows for cell in row.cells}
        said = cells | {paragraph.text for paragraph in word.paragraphs}
        headed = {f"{number}. {part.title}" for number, part in enumerate(document.parts, 1)}
        titles = {part.title for part in document.parts}
        assert {text for text in document.texts() if text not in titles} <= said
        assert headed <= said
        assert RENDERERS[".pdf"](document).startswith(b"%PDF-")


def test_every_ending_has_what_writes_it() -> None:
    assert tuple(RENDERERS) == files.ENDINGS


def test_the_same_dossier_gives_the_same_bytes(both: dict[Any, Document]) -> None:
    pytest.importorskip("typst")
    assert RENDERERS[".pdf"](both["public"]) == RENDERERS[".pdf"](both["public"])


def test_it_is_written_with_the_release_from_a_job(tmp_path: Path) -> None:
    people(200).write_csv(tmp_path / "people.csv")
    (tmp_path / "job.toml").write_text(
        'input = "people.csv"\noutput = "r.csv"\ndossier = "board"\nquick = true\nroles = "suggested"\n'
        'quasi_identifiers = ["sex", "postcode"]\n[privacy]\nk = 5\n'
        '[release]\ntitle = "Stays"\nreview_date = "2027-01-31"\n'
    )
    assert main(["run", str(tmp_path / "job.toml"), "-q"]) == 0
    folder = tmp_path / "board"
    assert {path.name for path in folder.iterdir()} == {
        f"{edition}{ending}" for edition in files.EDITIONS for ending in files.formats()
    }
    record = json.loads((tmp_path / "r.run.json").read_text())
    public, internal = (folder / "public.html").read_text(), (folder / "internal.html").read_text()
    assert record["output"]["sha256"] in public
    assert record["input"]["sha256"] in internal
    assert record["input"]["sha256"] not in public
    assert "2027-01-31" in public
    assert stat.S_IMODE((folder / "internal.html").stat().st_mode) == 0o600


def test_nothing_is_left_of_it_where_the_release_fails(tmp_path: Path) -> None:
    people(60).write_csv(tmp_path / "people.csv")
    said = ["anonymize", str(tmp_path / "people.csv"), "--quasi", "sex", "--roles", "suggested", "-q", "--quick"]
    out = ["-o", str(tmp_path / "r.csv"), "--dossier", str(tmp_path / "board")]
    assert main([*said, *out, "--k", "100"]) == 2
    assert main([*said, *out, "--k", "5", "--release", "titel=x"]) == 2
    assert main([*said, *out[:2], "--k", "5", "--dossier", str(tmp_path / "people.csv")]) == 2
    assert main([*said, *out, "--k", "5", "--memory", "1GiB"]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_without_the_extra_html_is_written_and_the_rest_explained(
    result: shoal.Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    assert files.missing_formats() == "PDF and DOCX need typst and python-docx: pip install 'shoal[dossier]'."
    result.dossier(tmp_path / "board", title="Stays")
    assert sorted(path.name for path in (tmp_path / "board").iterdir()) == ["internal.html", "public.html"]
    (tmp_path / "board" / "public.pdf").write_bytes(b"of another release")
    with pytest.raises(shoal.InputError, match=r"public.pdf' is from an earlier dossier"):
        result.dossier(tmp_path / "board", title="Stays")


def test_the_docs_map_every_field_and_name_the_edition() -> None:
    text = (DOCS / "dossier.md").read_text(encoding="utf-8")
    for framework in sections.ALL:
        own = text.split(f"### {framework.name}\n")[1].split("\n### ")[0]
        assert f"Edition: {framework.edition}." in " ".join(own.split())
        rows = [tuple(line.strip("| ").split(" | ")) for line in own.splitlines() if line.startswith("| ")]
        assert rows[0] == tuple(sections.HEADS)
        assert rows[1:] == [tuple(field) for field in framework.fields]
    for word, question in QUESTIONS.items():
        assert f"| `{word}` | {question} |" in text, word
