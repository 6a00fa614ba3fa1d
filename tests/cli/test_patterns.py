from __future__ import annotations

import json
from pathlib import Path

import pytest

import shoal as library

RULES = "patterns:max_stars=2,never=sex,together=age+zip"
ROLES = ("--identifiers", "name", "--quasi", "age,zip,sex", "--sensitive", "disease")
JOB = """
input = "people.csv"
output = "release.csv"
identifiers = ["name"]
quasi_identifiers = ["age", "zip", "sex"]
sensitive = ["disease"]

[privacy]
k = 3

[algorithm]
name = "patterns"
max_stars = 2
never = ["sex"]
together = [["age", "zip"]]
"""


def listed(answer):
    return [one["pattern"] for one in json.loads(answer.out)["patterns"]]


def test_for_people(shoal, folder):
    answer = shoal("patterns", "people.csv", "--quasi", "age,zip,sex", "--algorithm", RULES)
    assert (answer.status, answer.err) == (0, "")
    assert "3 patterns of 3 columns; nothing but stars for outliers among them" in answer.out
    assert "Never starred: sex" in answer.out
    for pattern in ("age,zip,sex", "*,*,sex", "*,*,*"):
        assert pattern in answer.out


def test_for_programs_with_costs(shoal, folder):
    words = ("--quasi", "age,zip,sex", "--algorithm", "patterns-exact:costs=age:2+sex:0.5,outliers=no,max_stars=1")
    found = json.loads(shoal("patterns", "people.csv", *words, "--json").out)
    assert (found["n_patterns"], found["by_stars"], found["outliers"]) == (4, {"0": 1, "1": 3}, False)
    assert [(one["pattern"], one["cost"]) for one in found["patterns"]] == [
        ("age,zip,sex", 0),
        ("age,zip,*", 0.5),
        ("age,*,sex", 1),
        ("*,zip,sex", 2),
    ]


def test_explicit_patterns(shoal, folder):
    words = ("--quasi", "age,zip,sex", "--algorithm", "patterns:patterns=*+zip+sex|age+*+*")
    assert listed(shoal("patterns", "people.csv", *words, "--json")) == ["*,zip,sex", "age,*,*", "*,*,*"]


def test_levels_of_hierarchies(shoal, folder):
    words = ("--quasi", "zip,sex", "--hierarchy", "zip=mask", "--algorithm", "patterns:levels,max_stars=0,outliers=no")
    assert listed(shoal("patterns", "people.csv", *words, "--json"))[:3] == ["zip,sex", "zip@1,sex", "zip@2,sex"]


def test_a_job_file_says_the_same(shoal, folder):
    Path("job.toml").write_text(JOB, encoding="utf-8")
    by_job = shoal("patterns", "job.toml", "--json")
    by_words = shoal("patterns", "people.csv", "--quasi", "age,zip,sex", "--algorithm", RULES, "--json")
    assert by_job == by_words
    rules = {"name": "patterns", "max_stars": 2, "never": ["sex"], "together": [["age", "zip"]]}
    by_library = library.list_patterns("people.csv", quasi_identifiers=["age", "zip", "sex"], algorithm=rules)
    assert by_library.n_patterns == json.loads(by_job.out)["n_patterns"] == 3
    assert shoal("run", "job.toml").status == 0
    answer = shoal("patterns", "job.toml", "--quasi", "age")
    assert (answer.status, answer.out) == (2, "")


def test_a_long_list_is_cut_and_one_too_long_only_counted(shoal, folder):
    answer = shoal("patterns", "people.csv", "--quasi", "age,zip,sex", "--most", "2")
    assert "… and 6 more patterns" in answer.out
    names = [f"c{number}" for number in range(40)]
    Path("wide.csv").write_text(",".join(names) + "\n" + ",".join("12" * 20) + "\n", encoding="utf-8")
    answer = shoal("patterns", "wide.csv", "--quasi", ",".join(names), "--algorithm", "patterns:never=c7")
    assert answer.status == 0
    assert f"{2**39 + 1:,} patterns of 40 columns" in answer.out
    assert "Never starred: c7\n" in answer.out
    assert "Too many to be tried; say more, such as max_stars." in answer.out


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        ("patterns:never=agee", "The rule 'never' names 'agee', which is not a quasi-identifier. Did you mean 'age'?"),
        ("patterns:patterns=*+zip+sex,never=age", "The pattern '*,zip,sex' breaks the rule never = age"),
        ("patterns:patterns=*+*+*,outliers=no", "breaks the rule outliers = false; drop one of the two."),
        ("patterns:costs=age", "costs takes a number for each column, as in {age = 2} or age:2"),
        ("patterns:costs=age:much", "The cost of 'age' must be a number, got 'much'."),
        ("patterns:max_star=2", "has no option 'max_star'. Did you mean 'max_stars'?"),
        ("mondrian", "The algorithm 'mondrian' has no patterns; take one of patterns, patterns-search, patterns-exact"),
        ("patterns:outliers=perhaps", "The option 'outliers' must be a bool, got 'perhaps'."),
    ],
)
def test_bad_rules_are_one_sentence_and_the_same_as_in_anonymize(shoal, folder, rules, complaint):
    answer = shoal("patterns", "people.csv", "--quasi", "age,zip,sex", "--algorithm", rules)
    assert (answer.status, answer.out) == (2, "")
    assert complaint in answer.err
    assert answer.err.count("\n") == 1
    if rules != "mondrian":
        words = (*ROLES, "--k", "3", "-o", "r.csv", "--algorithm", rules)
        assert shoal("anonymize", "people.csv", *words).err == answer.err


def test_more_columns_than_63(shoal, folder):
    names = [f"c{number}" for number in range(64)]
    Path("wide.csv").write_text(",".join(names) + "\n" + ",".join("12" * 32) + "\n", encoding="utf-8")
    answer = shoal("patterns", "wide.csv", "--quasi", ",".join(names))
    assert answer.status == 2
    assert "Patterns take at most 63 quasi-identifiers, got 64" in answer.err


def test_no_pattern_that_enough_rows_share_and_no_stars_for_outliers(shoal, folder):
    words = (*ROLES, "--k", "3", "-o", "r.csv")
    answer = shoal("anonymize", "people.csv", *words, "--algorithm", "patterns:max_stars=0,outliers=no")
    assert answer.status == 2
    assert "No allowed pattern makes row 1 (20, 02100, m), row 2 (21, 02101, f)" in answer.err
    assert "equal to 2 other rows, and starring outliers is forbidden" in answer.err
    assert not Path("r.csv").exists()


@pytest.mark.parametrize("algorithm", ["patterns", "patterns-search"])
@pytest.mark.parametrize(
    "promises",
    [("--l", "2"), ("--l", "1.5:entropy"), ("--p", "2"), ("--t", "0.3"), ("--l", "2", "--t", "0.4")],
    ids=str,
)
def test_further_promises_and_levels_of_hierarchies(shoal, folder, algorithm, promises):
    """Every printed record follows one of the patterns, and the promises hold by the independent check."""
    roles = ("--quasi", "age,zip,sex", "--sensitive", "disease")
    rules = f"{algorithm}:levels,never=sex"
    words = (*roles, "--identifiers", "name", "--hierarchy", "zip=mask", "--k", "3", *promises, "-o", "r.csv")
    assert shoal("anonymize", "people.csv", *words, "--algorithm", rules).status == 0
    assert shoal("verify", "r.csv", *roles, "--k", "3", *promises).status == 0
    sexes = [line.split(",")[2] for line in Path("r.csv").read_text(encoding="utf-8").splitlines()[1:]]
    zips = {line.split(",")[1] for line in Path("r.csv").read_text(encoding="utf-8").splitlines()[1:]}
    assert "*" not in sexes or zips >= {"*"}
    assert set(sexes) <= {"m", "f", "*"}


def test_the_exact_one_serves_k_anonymity_alone_and_says_so(shoal, folder):
    words = ("--identifiers", "name", "--quasi", "age,zip,sex", "--sensitive", "disease", "--k", "2", "-o", "r.csv")
    answer = shoal("anonymize", "people.csv", *words, "--l", "2", "--algorithm", "patterns-exact")
    assert answer.status == 2
    assert "patterns-exact" in answer.err
    for method in ("program", "matching"):
        found = shoal("anonymize", "people.csv", *words, "--algorithm", f"patterns-exact:method={method}")
        assert found.status == 0, found.err
        stars = Path("r.csv").read_text(encoding="utf-8").count("*")
        assert stars == 60
