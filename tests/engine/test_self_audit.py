"""Every release is attacked before it leaves, unless that is switched off, in the same words everywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.audit.contract import Risk
from shoal.cli import main
from shoal.engine.auditing_result import refuse_forbidden, warnings
from shoal.engine.job import run_job
from shoal.errors import BrokenPromise, GoalNotMet, ImpossibleGoal, InputError

PEOPLE = pl.DataFrame(
    {
        "age": [20 + i // 2 for i in range(40)],
        "zip": [f"{i // 10}" for i in range(40)],
        "ill": ["flu"] * 10 + ["gout", "cold"] * 15,
    }
)
AS_THEY_ARE = "Published unchanged: ill. An adversary who knows ill as well as the quasi-identifiers finds "
WORDS: dict[str, Any] = {
    "quasi_identifiers": ["age", "zip"],
    "sensitive": ["ill"],
    "privacy": [shoal.KAnonymity(5)],
    "quick": True,
}


def test_a_release_is_looked_at_when_it_is_made() -> None:
    made = shoal.anonymize(PEOPLE, seed=1, **WORDS)
    assert isinstance(made.audited, shoal.Audit)
    assert made.audited.pace == "quick"
    assert made.audited.of("linking")[0].outcome == "stopped"
    assert made.audited.of("homogeneity")[0].outcome == "falls"
    assert "audit" in made.seconds


def test_what_succeeds_is_a_remark_of_a_sentence_and_a_remedy() -> None:
    made = shoal.anonymize(PEOPLE, seed=1, **WORDS)
    [note] = [note for note in made.notes if note.startswith("An attack on this release succeeds")]
    assert note.startswith("An attack on this release succeeds (homogeneity): The ill of ")
    assert note.endswith("Ask for l-diversity of at least 2.")
    fine = shoal.anonymize(PEOPLE.with_columns(ill=pl.Series(["a", "b", "c", "d"] * 10)), seed=1, **WORDS)
    [note] = fine.notes
    assert note.startswith(AS_THEY_ARE)


@pytest.mark.parametrize("how", ["usual", "thorough"])
def test_more_can_be_asked_for(how: str) -> None:
    made = shoal.anonymize(PEOPLE, audit=how, seed=1, **WORDS)  # type: ignore[arg-type]
    assert made.audited is not None
    assert made.audited.pace == how
    assert (made.audited.of("corruption")[0].outcome == "not run") == (how == "usual")


def test_it_can_be_switched_off() -> None:
    made = shoal.anonymize(PEOPLE, audit="off", seed=1, **WORDS)
    assert made.audited is None
    [note] = made.notes
    assert note.startswith(AS_THEY_ARE)
    assert made.audit().of("linking")[0].outcome == "stopped"


def test_a_form_that_does_not_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"'audit' cannot be 'quik'. Did you mean"):
        shoal.anonymize(PEOPLE, audit="quik", **WORDS)  # type: ignore[arg-type]
    PEOPLE.write_csv(tmp_path / "people.csv")
    said = ["anonymize", str(tmp_path / "people.csv"), "--quasi", "age", "--k", "5", "--others", "zip,ill"]
    assert main([*said, "--audit", "quik"]) == 2
    assert "--audit cannot be 'quik'. Did you mean 'quick'?" in capsys.readouterr().err


def test_the_same_words_in_a_job_and_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    job = tmp_path / "job.toml"
    text = 'input = "people.csv"\noutput = "r.csv"\nquasi_identifiers = ["age", "zip"]\nsensitive = ["ill"]\n'
    job.write_text(text + "[privacy]\nk = 5\n")
    assert run_job(job).audited is not None  # type: ignore[union-attr]
    job.write_text(text + 'audit = "off"\n[privacy]\nk = 5\n')
    assert run_job(job).audited is None  # type: ignore[union-attr]
    said = ["anonymize", str(tmp_path / "people.csv"), "--quasi", "age,zip", "--sensitive", "ill", "--k", "5"]
    assert main(said) == 0
    shown = capsys.readouterr()
    assert "An attack on this release succeeds (homogeneity)" in shown.err
    assert "attacks on 40 records" in shown.out
    assert main([*said, "--audit", "off"]) == 0
    shown = capsys.readouterr()
    assert "An attack on this release" not in shown.err
    assert "audit tried" not in shown.out


def test_a_release_that_breaks_what_it_promises_is_refused() -> None:
    made = shoal.anonymize(PEOPLE, seed=1, **WORDS)
    assert made.audited is not None
    broken = replace(made.audited, risks=(Risk("linking", "falls", "1 person fits a single record."),))
    with pytest.raises(BrokenPromise, match=r"failed its own audit \(linking, which 5-anonymity forbids: 1 person"):
        refuse_forbidden(broken, made.goal.promises)
    refuse_forbidden(broken, [shoal.KAnonymity(1), shoal.TCloseness(0.2)])
    certain = replace(made.audited, risks=(Risk("homogeneity", "falls", "The ill is certain.", about="ill"),))
    refuse_forbidden(certain, [shoal.KAnonymity(5), shoal.LDiversity(2, of="other"), shoal.LDiversity(1)])
    with pytest.raises(BrokenPromise, match="which 2-diversity of ill forbids"):
        refuse_forbidden(certain, [shoal.LDiversity(2, of="ill")])
    assert warnings(certain)[0].endswith("The ill is certain. Ask for l-diversity of at least 2.")


def test_an_audit_that_cannot_be_made_does_not_cost_the_release_and_is_said_everywhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise InputError("Too large.")

    monkeypatch.setattr("shoal.engine.auditing_result.audit_result", fails)
    made = shoal.anonymize(PEOPLE, seed=1, **WORDS)
    assert made.audited is None
    assert made.notes[0].startswith(AS_THEY_ARE)
    assert made.notes[1:] == ("The release was not audited: Too large.",)
    for name in ("report.html", "report.txt", "report.json"):
        made.report(tmp_path / name)
        assert "The release was not audited: Too large." in (tmp_path / name).read_text(), name
    made.write(tmp_path / "release.csv")
    record = json.loads((tmp_path / "release.run.json").read_text())
    assert record["audit"] == {"failed": "The release was not audited: Too large."}


def test_reports(tmp_path: Path) -> None:
    made = shoal.anonymize(PEOPLE, seed=1, **WORDS)
    for ending in ("html", "txt", "json"):
        made.report(tmp_path / f"inside.{ending}")
        made.report(tmp_path / f"public.{ending}", public=True)
    for ending in ("html", "txt"):
        inside, public = ((tmp_path / f"{name}.{ending}").read_text() for name in ("inside", "public"))
        for words in ("Attacks that succeed", "homogeneity", "Singling out", "Policy 0070", "is for counsel to decide"):
            assert words in " ".join(inside.split())
        assert "homogeneity" not in public
        assert "Policy 0070" not in public
    inside, public = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("inside", "public"))
    assert inside["audit"]["pace"] == "quick"
    assert "audit" not in public


def test_the_run_record_says_how_it_was_attacked(tmp_path: Path) -> None:
    for how in ("quick", "off"):
        shoal.anonymize(PEOPLE, audit=how, seed=1, **WORDS).write(tmp_path / f"{how}.csv")
    quick, off = (json.loads((tmp_path / f"{how}.run.json").read_text())["audit"] for how in ("quick", "off"))
    assert quick["form"] == "quick"
    assert quick["outcomes"]["linking"] == "stopped"
    assert quick["outcomes"]["homogeneity ill"] == "falls"
    assert off is None


def test_many_people_are_represented_by_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.audit.quick_fits.MOST_PAIRS", 120)
    made = shoal.anonymize(PEOPLE, seed=1, **WORDS)
    assert made.audited is not None
    [linking] = made.audited.of("linking")
    assert linking.interval is not None
    assert "out of 40" in linking.says
    assert made.audited.of("posterior")[0].outcome == "stopped"


LETTERS = shoal.Hierarchy.from_dict({"x": {"x1": ["a", "b"], "x2": ["c"]}, "y": ["d", "e"]})
CONCEALED, HALF = "concealment:steps=10", shoal.LDiversity(1.5, "frequency")
HIDING: tuple[tuple[str, list[shoal.PrivacyModel]], ...] = (
    (CONCEALED, [shoal.KConcealment(2, "rows"), shoal.LDiversity(2)]),
    (CONCEALED, [shoal.KConcealment(2), shoal.LDiversity(2)]),
    (CONCEALED, [shoal.KK(3), HALF]),
    ("concealment:linkage=1", [shoal.KConcealment(2, "rows"), shoal.LDiversity(2)]),
    ("nonhomogeneous", [shoal.UniformMatching(2), shoal.LDiversity(2)]),
    ("freeform", [shoal.UniformMatching(3), HALF]),
)


def _hidden(letters: str, values: str, algorithm: str, privacy: list[shoal.PrivacyModel]) -> bool:
    """Whether a release was made; the goal may be more than the table can give."""
    frame = pl.DataFrame({"q": list(letters), "s": list(values)})
    try:
        shoal.anonymize(
            frame,
            quasi_identifiers=["q"],
            sensitive=["s"],
            privacy=privacy,
            algorithm=algorithm,
            hierarchies={"q": LETTERS} if set(letters) <= set("abcde") else None,
            seed=1,
        )
    except (GoalNotMet, ImpossibleGoal):
        return False
    return True


@pytest.mark.parametrize(("algorithm", "privacy"), HIDING[:2])
def test_a_class_of_one_value_is_no_breach_where_its_people_have_other_matches(
    algorithm: str, privacy: list[shoal.PrivacyModel]
) -> None:
    assert _hidden("beadbcebbd", "YYZZZZZZZY", algorithm, privacy)
    assert _hidden("xxxyyy", "111112", algorithm, privacy)
    assert _hidden("xxxyyy", "111222", algorithm, privacy)


def test_no_lawful_release_of_a_tiny_table_is_refused() -> None:
    chance, n_made = Random(1), 0
    for turn in range(120):
        n, letters = chance.randint(4, 10), chance.choice(["abcde", "xy"])
        rows = ["".join(chance.choice(some) for _ in range(n)) for some in (letters, "YZ")]
        n_made += _hidden(rows[0], rows[1], *HIDING[turn % len(HIDING)])
    assert n_made > 80
