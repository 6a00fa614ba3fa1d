"""Every command speaks JSON in the shape that the docs give."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from shoal.cli.entry import COMMANDS

pytestmark = pytest.mark.usefixtures("trials_here")

PAGE = Path(__file__).parents[2] / "docs" / "pipelines.md"
ROLES = ["--quasi", "age,zip", "--identifiers", "name", "--sensitive", "disease", "--others", "sex"]
LEVELS = ["--hierarchy", "age=intervals:width=10", "--hierarchy", "zip=mask", "--algorithm", "lattice"]
CALLS = {
    "anonymize": ["anonymize", "people.csv", *ROLES, "--k", "3", "--quick", "-o", "out.csv"],
    "anonymize --memory": ["anonymize", "people.csv", *ROLES, "--k", "3", "--memory", "8GiB", "-o", "out.csv"],
    "apply": ["apply", "recoding.json", "people.csv", "-o", "out.csv"],
    "audit": ["audit", "people.csv", "release.csv", "--quasi", "age,zip"],
    "compare": ["compare", "people.csv", *ROLES, "--k", "3", "--algorithms", "mondrian", "--processes", "1"],
    "demo": ["demo", "--rows", "100", "--folder", "shown"],
    "hierarchy": ["hierarchy", "people.csv", "--column", "zip", "--builder", "mask"],
    "inspect": ["inspect", "people.csv"],
    "patterns": ["patterns", "people.csv", "--quasi", "age,zip"],
    "policy": ["policy", "public-release"],
    "read": ["read", "release.csv", "--quasi", "age,zip", "-o", "bounds.csv"],
    "run": ["run", "job.toml"],
    "usefulness": ["usefulness", "people.csv", "release.csv", "--quasi", "age,zip", "--measure", "marginals"],
    "verify": ["verify", "release.csv", "--quasi", "age,zip", "--k", "3"],
}
APART = {"serve", "warm-up"}
"""The one runs until it is stopped, the other compiles for minutes; their few keys are looked at below."""


def documented() -> dict[str, set[str]]:
    """The keys that the docs list, by command."""
    table = PAGE.read_text(encoding="utf-8").partition("## What `--json` prints")[2]
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", table, flags=re.MULTILINE)
    return {
        name: set(re.findall(r"`([a-z_]+)`", keys)) for names, keys in rows for name in re.findall(r"`(.*?)`", names)
    }


@pytest.fixture
def tables(shoal, folder):
    """A release, a recoding and a job."""
    made = ["-o", "release.csv", "--save-recoding", "recoding.json", "-q"]
    assert shoal("anonymize", "people.csv", *ROLES, *LEVELS, "--k", "3", *made).status == 0
    (folder / "job.toml").write_text(
        'input = "people.csv"\noutput = "by_job.csv"\nquasi_identifiers = ["age"]\nquick = true\n'
        'others = ["name", "zip", "sex", "disease"]\nprivacy = { k = 2 }\n'
    )


@pytest.mark.parametrize("name", CALLS)
def test_the_document_has_the_keys_that_the_docs_give(shoal, tables, name):
    answer = shoal(*CALLS[name], "--json")
    assert answer.status in (0, 1), answer.err
    said = json.loads(answer.out)
    keys = documented()[name]
    if name == "compare":
        assert [one["algorithm"] for one in said] == ["mondrian"]
    elif name == "usefulness":
        assert set(said) == {"marginals"}
    else:
        assert set(said) == keys


def test_every_command_is_documented_and_tried():
    assert {name.split()[0] for name in CALLS} | APART == set(COMMANDS)
    assert set(CALLS) | APART == set(documented())


def test_warming_up_speaks_json_as_well(shoal, monkeypatch):
    monkeypatch.setattr("shoal.cli.warm_up.warm_up", lambda *_: None)
    assert set(json.loads(shoal("warm-up", "--json").out)) == documented()["warm-up"]


def test_the_link_of_the_workbench_is_told_as_json(shoal, monkeypatch):
    pytest.importorskip("nicegui")
    monkeypatch.setattr("shoal.web.serving.serve", lambda settings, tell, **_: tell("http://127.0.0.1:1/?token=t"))
    said = json.loads(shoal("serve", "--no-browser", "--json").out)
    assert said == {"link": "http://127.0.0.1:1/?token=t"}
    assert set(said) == documented()["serve"]


def test_a_list_of_policies_and_errors_beside_json(shoal):
    assert "public-release" in [policy["name"] for policy in json.loads(shoal("policy", "--json").out)]
    answer = shoal("inspect", "nowhere.csv", "--json")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
