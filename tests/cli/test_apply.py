"""``shoal apply`` and what belongs to it on the command line."""

from __future__ import annotations

from pathlib import Path

import polars as pl

OPTIONS = ["--quasi", "age,sex", "--hierarchy", "age=intervals:width=10", "--k", "4"]


def write_people(name: str, n: int) -> None:
    ages, sexes = [20 + i % 40 for i in range(n)], ["F" if i % 2 else "M" for i in range(n)]
    pl.DataFrame({"age": ages, "sex": sexes}).write_csv(name)


def test_publish_explore_save_and_apply(shoal, folder):
    write_people("today.csv", 80)
    write_people("tomorrow.csv", 120)
    first = shoal(
        "anonymize", "today.csv", *OPTIONS, "--levels", "1,0", "-o", "release.csv", "--explore", "nodes.csv",
        "--save-recoding", "recoding.json", "--report", "report.html",
    )  # fmt: skip
    assert first.status == 0, first.err
    assert pl.read_csv("nodes.csv").height == 10
    assert "Other solutions" in Path("report.html").read_text()
    second = shoal("apply", "recoding.json", "tomorrow.csv", "-o", "later.csv")
    assert second.status == 0, second.err
    assert set(pl.read_csv("later.csv")["age"]) == {"[20..29]", "[30..39]", "[40..49]", "[50..59]"}


def test_bad_levels_and_bad_recodings_are_one_sentence(shoal, folder):
    write_people("today.csv", 80)
    for options, says in (
        (["--levels", "1,x"], "whole number"),
        (["--levels", "1"], "levels"),
        (["--levels", "9,0"], "9"),
    ):
        answer = shoal("anonymize", "today.csv", *OPTIONS, *options, "-o", "release.csv")
        assert (answer.status, answer.err.count("\n")) == (2, 1)
        assert says in answer.err
    answer = shoal("apply", "today.csv", "today.csv", "-o", "release.csv")
    assert answer.status == 2
    assert "recoding" in answer.err
    assert not Path("release.csv").exists()


def test_rows_that_join_classes_already_published_are_written_with_a_report(shoal, folder):
    rules = ["--hierarchy", "age=intervals:width=10", "--hierarchy", "zip=mask", "--algorithm", "lattice"]
    roles = ["--quasi", "age,zip", "--identifiers", "name", "--sensitive", "disease", "--others", "sex", "--k", "3"]
    assert shoal("anonymize", "people.csv", *roles, *rules, "--save-recoding", "r.json", "-o", "first.csv").status == 0
    (folder / "new.csv").write_text("name,age,zip,sex,disease\nX,22,02101,m,flu\nY,33,02102,f,cold\n")
    answer = shoal("apply", "r.json", "new.csv", "--published", "first.csv", "-o", "second.csv", "--report", "r.html")
    assert (answer.status, "the earlier ones together" in answer.err) == (0, True)
    assert len((folder / "second.csv").read_text().splitlines()) == 3
    assert (folder / "r.html").exists()
