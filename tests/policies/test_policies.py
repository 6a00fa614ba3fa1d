"""Policies by name: words under a name, which can be shown, changed and overruled."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal import policies
from shoal.cli import main
from shoal.engine.vocabulary import AnonymizeWords, promises_from
from shoal.io.example import people
from shoal.policies import ALL, Policy

QUASI = ["birth_date", "postcode", "sex", "marital_status", "job"]


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("example") / "people.csv"
    people(600).write_csv(path)
    return path


def sizes(path: Path, quasi: list[str] = QUASI) -> Any:
    return pl.read_csv(path, infer_schema=False).group_by(quasi).len()["len"]


@pytest.mark.parametrize("name", ALL)
def test_a_policy_is_words_of_the_vocabulary_with_a_date_and_a_source(name: str) -> None:
    policy = shoal.list_policies()[name]
    assert AnonymizeWords.said(policy.words()).promises
    assert date.fromisoformat(policy.dated)
    assert all((policy.summary, policy.source, policy.rationale))
    job = tomllib.loads(shoal.policy_job(name))
    assert {word: job[word] for word in policy.words()} == policy.words()


@pytest.mark.parametrize(
    ("name", "risk"), [("public-release", 0.09), ("public-release-strict", 0.05), ("controlled-access", 0.2)]
)
def test_k_is_the_smallest_that_keeps_the_threshold(name: str, risk: float) -> None:
    k = ALL[name]().words()["privacy"]["k"]
    assert 1 / k <= risk < 1 / (k - 1)


def test_the_cell_size_of_cms_is_eleven() -> None:
    assert promises_from(ALL["cms-cell-size"]().words()["privacy"]) == [shoal.KAnonymity(11)]


def _public(source: Path, release: Path) -> list[str]:
    return ["anonymize", str(source), "--policy", "public-release", "--auto", "--quick", "-o", str(release)]


def test_the_example_in_one_command(example: Path, tmp_path: Path, capsys: Any) -> None:
    release, report, public = tmp_path / "r.csv", tmp_path / "r.txt", tmp_path / "p.html"
    assert main([*_public(example, release), "--report", str(report), "--public-report", str(public)]) == 0
    assert "Policy: public-release" in capsys.readouterr().out
    assert sizes(release).min() >= 12
    record = json.loads((tmp_path / "r.run.json").read_text())
    assert record["policy"]["name"] == "public-release"
    assert "EMA/90915/2016" in record["policy"]["source"]
    assert record["policy"]["changed"] == []
    for text in (report.read_text(), public.read_text()):
        assert "EMA/90915/2016" in " ".join(text.split())


@pytest.mark.data
def test_adult_in_one_command(data_folder: Path, tmp_path: Path) -> None:
    source, release = data_folder / "datasets" / "adult" / "adult.csv", tmp_path / "r.csv"
    assert main([*_public(source, release), "-q"]) == 0
    record = json.loads((tmp_path / "r.run.json").read_text())
    assert sizes(release, record["roles"]["quasi_identifiers"]).min() >= 12
    assert record["policy"]["name"] == "public-release"


def test_what_is_said_besides_stands_and_is_told(example: Path) -> None:
    said: dict[str, Any] = {
        "quasi_identifiers": ["sex", "marital_status"],
        "policy": "public-release",
        "roles": "suggested",
    }
    weaker = shoal.anonymize(example, privacy=shoal.KAnonymity(5), quick=True, **said)
    assert weaker.policy is not None
    assert weaker.policy.changed == ("5-anonymity in place of 12-anonymity",)
    assert [str(verdict.promise) for verdict in weaker.verdicts] == ["5-anonymity"]
    assert any("Deviations from the policy public-release: " in note for note in weaker.notes)
    more = shoal.anonymize(example, privacy={"l": 2}, sensitive=["diagnosis"], quick=True, **said)
    assert more.policy is not None
    assert more.policy.changed == ()
    assert "12-anonymity" in [str(verdict.promise) for verdict in more.verdicts]
    assert len(more.verdicts) == 2


def test_a_policy_that_cannot_be_met_says_what_stands_against_it(example: Path, tmp_path: Path, capsys: Any) -> None:
    few = pl.read_csv(example, infer_schema=False).head(8).select("sex", "job")
    with pytest.raises(shoal.ImpossibleGoal, match=r"public-release .* cannot be met: .* 12 rows.* has 8") as caught:
        shoal.anonymize(few, quasi_identifiers=["sex", "job"], policy="public-release")
    assert "controlled-access (k = 5)" in str(caught.value)
    assert "public-release-strict" not in str(caught.value)
    said = [
        "anonymize",
        str(example),
        "--quasi",
        "sex,job",
        "--roles",
        "suggested",
        "--policy",
        "public-release",
    ]
    status = main([*said, "--levels", "0,0,0,0,0", "-o", str(tmp_path / "r.csv"), "-q"])
    told = capsys.readouterr().err
    assert status == 1
    assert "public-release" in told
    assert "of 600 rows are in classes that do not keep the promises" in told
    assert not list(tmp_path.iterdir())


class House(Policy):
    name = "of-this-house"
    summary, dated, source, rationale = "k = 3 and the usual audit", "2026-01-01", "a test", "It is a test."

    def words(self) -> dict[str, Any]:
        return {"privacy": {"k": 3}, "audit": "usual"}


@pytest.mark.parametrize("name", [name for name, policy in ALL.items() if not policy.needs_table])
def test_every_policy_is_kept_as_its_words_say(name: str, example: Path) -> None:
    said: dict[str, Any] = {
        "quasi_identifiers": ["sex", "marital_status", "postcode"],
        "roles": "suggested",
        "quick": True,
    }
    made = shoal.anonymize(example, policy=name, audit="quick", **said)
    counts = made.frame.group_by(made.schema.quasi_identifiers).len()["len"]
    wanted = ALL[name]().words()["privacy"]
    assert counts.min() >= wanted["k"]
    assert len(counts) / made.frame.height <= wanted.get("average-risk", 1)


def test_within_a_memory_limit_the_record_names_it(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.read_csv(example, infer_schema=False).select("sex", "marital_status")
    frame.write_csv(tmp_path / "two.csv")
    release = tmp_path / "r.csv"
    said: dict[str, Any] = {"memory": "8GiB", "quasi_identifiers": ["sex", "marital_status"]}
    monkeypatch.setitem(policies.ALL, House.name, House)
    made = shoal.anonymize_file(tmp_path / "two.csv", release, policy="of-this-house", **said)
    assert sizes(release, ["sex", "marital_status"]).min() >= 3
    assert json.loads((tmp_path / "r.run.json").read_text())["policy"]["name"] == "of-this-house"
    assert any("audit = 'usual', which is not available here" in note for note in made.notes)
    with pytest.raises(shoal.InputError, match="depends on all columns and needs them in memory"):
        shoal.anonymize_file(tmp_path / "two.csv", release, policy="hipaa-safe-harbor", **said)


def test_a_policy_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(shoal.InputError, match=r"There is no policy 'public-relase'. Did you mean 'public-release'"):
        shoal.policy_job("public-relase")


def test_the_list_is_printed_for_people_and_programs(capsys: Any) -> None:
    assert main(["policy"]) == 0
    assert "cms-cell-size" in capsys.readouterr().out
    assert main(["policy", "--json"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)] == list(ALL)


def test_what_is_said_overrules_a_policy_though_it_is_the_default(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(policies.ALL, House.name, House)
    table = pl.read_csv(example, infer_schema=False).select("sex", "marital_status")
    table.write_csv(tmp_path / "two.csv")
    said: dict[str, Any] = {"quasi_identifiers": ["sex", "marital_status"], "policy": "of-this-house", "quick": True}
    spoken = shoal.anonymize(table, audit="quick", **said)
    assert spoken.policy is not None
    assert spoken.policy.changed == ("audit = 'quick' in place of 'usual'",)
    silent = shoal.anonymize(table, **said)
    assert silent.policy is not None
    assert silent.policy.changed == ()
    words = ["anonymize", str(tmp_path / "two.csv"), "--quasi", "sex,marital_status", "--policy", "of-this-house"]
    for more, changed in (([], []), (["--audit", "quick"], ["audit = 'quick' in place of 'usual'"])):
        assert main([*words, "--quick", *more, "-o", str(tmp_path / "r.csv"), "-q"]) == 0
        assert json.loads((tmp_path / "r.run.json").read_text())["policy"]["changed"] == changed
    job = tmp_path / "job.toml"
    job.write_text(
        'input = "two.csv"\noutput = "r.csv"\nquasi_identifiers = ["sex", "marital_status"]\nquick = true\n'
        'policy = "of-this-house"\naudit = "quick"\n'
    )
    assert main(["run", str(job), "-q"]) == 0
    assert json.loads((tmp_path / "r.run.json").read_text())["policy"]["changed"] == [
        "audit = 'quick' in place of 'usual'"
    ]


def test_the_cost_of_a_policy_that_cannot_be_met_is_told_as_rows_and_loss(example: Path) -> None:
    table = pl.read_csv(example, infer_schema=False).select("postcode", "sex")
    said: dict[str, Any] = {"quasi_identifiers": ["postcode", "sex"], "hierarchies": {"postcode": "mask"}}
    with pytest.raises(shoal.GoalNotMet, match=r"for a loss of [\d.]+ \(lm\)") as caught:
        shoal.anonymize(table, policy="public-release", levels=[1, 0], **said)
    rows, loss = re.search(r"levels 1/0, (\d+) of 600 rows .*for a loss of ([\d.]+)", str(caught.value)).groups()  # type: ignore[union-attr]
    allowed: dict[str, Any] = {"suppression_limit": f"{rows} rows", "levels": [1, 0], "audit": "off"}
    made = shoal.anonymize(table, policy="public-release", **allowed, **said)
    assert made.release.n_suppressed == int(rows)
    assert made.metrics()["lm"] == pytest.approx(float(loss), abs=6e-4)
    with pytest.raises(shoal.ImpossibleGoal, match=r"has 8; .*No release of this table can meet it"):
        shoal.anonymize(table.head(8), policy="public-release", **said)
