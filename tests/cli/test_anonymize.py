from __future__ import annotations

import csv
import json
import stat
from pathlib import Path

import polars as pl
import pytest

from shoal import models

ROLES = ("--identifiers", "name", "--quasi", "age,zip,sex", "--sensitive", "disease")
CALL = ("anonymize", "people.csv", *ROLES, "--k", "5", "--l", "2")


def classes(path: str, *quasi: str) -> pl.DataFrame:
    frame = pl.read_csv(path, infer_schema=False)
    return frame.group_by(quasi).agg(pl.len().alias("size"), pl.col("disease").n_unique().alias("values"))


def test_the_release_keeps_its_promises_and_the_figures_are_printed(shoal, folder):
    answer = shoal(*CALL, "-o", "release.csv", "--report", "report.html", "--public-report", "public.html")
    assert answer.status == 0
    found = classes("release.csv", "age", "zip", "sex")
    assert found["size"].to_numpy().min() >= 5
    assert found["values"].to_numpy().min() >= 2
    for word in ("5-anonymity", "2-diversity", "Before and after", "LM", "GCP", "Highest risk"):
        assert word in answer.out
    assert "release.csv is the release" in answer.err
    assert {"release.csv", "release.run.json", "report.html", "public.html"} <= {p.name for p in folder.iterdir()}
    assert stat.S_IMODE(Path("release.run.json").stat().st_mode) == 0o600
    assert "P17" not in Path("release.csv").read_text()


def test_without_an_output_nothing_is_written(shoal, files):
    before = files()
    answer = shoal(*CALL)
    assert answer.status == 0
    assert "Nothing was written" in answer.err
    assert files() == before


def test_json_is_all_that_stdout_has(shoal, folder):
    answer = shoal(*CALL, "-o", "release.csv", "--json")
    figures = json.loads(answer.out)
    assert answer.status == 0
    assert figures["n_rows"] == 60
    assert figures["checked"][0]["achieved"] >= 5


def test_quiet_says_nothing(shoal, folder):
    answer = shoal(*CALL, "-o", "release.csv", "--quiet")
    assert (answer.status, answer.out, answer.err) == (0, "", "")
    assert Path("release.csv").exists()


def test_the_same_seed_gives_the_same_bytes(shoal, folder):
    assert shoal(*CALL, "--seed", "7", "-o", "one.csv").status == 0
    assert shoal(*CALL, "--seed", "7", "-o", "two.csv").status == 0
    assert shoal(*CALL, "--seed", "8", "-o", "three.csv").status == 0
    assert Path("one.csv").read_bytes() == Path("two.csv").read_bytes() != Path("three.csv").read_bytes()


def test_every_model_has_its_option(shoal):
    text = shoal("anonymize", "--help").out
    for model in models.ALL.values():
        assert f"--{model.flag} " in text


def test_an_option_of_a_model_may_be_repeated(shoal, folder):
    answer = shoal(*CALL, "--l", "3:disease", "--json")
    promises = [checked["promise"]["name"] for checked in json.loads(answer.out)["checked"]]
    assert promises == ["5-anonymity", "2-diversity", "3-diversity of disease"]


def test_columns_with_commas_and_equals_signs(shoal, folder):
    with Path("odd.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["last, first", "a=b"], *([str(i % 4), str(i % 3)] for i in range(24))])
    answer = shoal(
        "anonymize", "odd.csv", "--quasi", '"last, first",a=b', "--k", "2", "--hierarchy", '"a=b"=fanout', "-o", "o.csv"
    )
    assert answer.status == 0, answer.err
    assert pl.read_csv("o.csv").columns == ["last, first", "a=b"]


def test_options_about_columns_reach_the_engine(shoal, folder):
    Path("zip.csv").write_text("02100;0210*;*\n02101;0210*;*\n02102;0210*;*\n02103;0210*;*\n")
    answer = shoal(
        *CALL, "--hierarchy", "zip=zip.csv", "--kind", "age=ordinal", "--order", "sex=f,m",
        "--recoding", "age=suppress",
        "--weight", "zip=0.5", "--algorithm", "mondrian:relaxed=false", "--suppression-limit", "0.1", "--metric", "gcp",
        "--missing", "drop", "--missing-values", "gout,nil", "-o", "release.csv",
    )  # fmt: skip
    assert answer.status == 0, answer.err
    assert "20 of 60 rows were dropped" in answer.err
    frame = pl.read_csv("release.csv", infer_schema=False)
    assert set(frame["zip"]) <= {"02100", "02101", "02102", "0210*", "*"}
    assert set(frame["age"]) <= {*map(str, range(20, 40)), "*"}
    assert set(frame["disease"]) == {"flu", "cold"}
    said = json.loads(Path("release.run.json").read_text())
    assert (said["metric"], said["suppression_limit"], said["algorithm"]["relaxed"]) == ("gcp", 0.1, False)
    assert said["recodings"]["age"] == "suppress"


def test_the_hierarchys_own_labels_are_published(shoal, folder):
    answer = shoal(*CALL[:-4], "--k", "20", "--hierarchy", "age=intervals:width=20", "-o", "release.csv")
    assert answer.status == 0, answer.err
    assert set(pl.read_csv("release.csv", infer_schema=False)["age"]) <= {"[20..39]", "*"}


@pytest.mark.parametrize("ending", ["tsv", "parquet", "arrow", "feather", "xlsx"])
def test_other_formats_in_and_out(shoal, folder, ending):
    assert shoal(*CALL, "-o", f"release.{ending}").status == 0
    again = shoal("verify", f"release.{ending}", "--quasi", "age,zip,sex", "--sensitive", "disease", "--k", "5")
    assert again.status == 0, again.err


def test_delimiter_encoding_and_quote(shoal, folder):
    rows = "\n".join(f"'é;{i % 3}';{i % 2}" for i in range(12))
    Path("t.txt").write_bytes(f"wört;b\n{rows}\n".encode("latin-1"))
    answer = shoal(
        "anonymize", "t.txt", "--quasi", "wört", "--k", "4", "-o", "o.csv", "--delimiter", ";", "--encoding", "latin-1",
        "--quote", "'",
    )  # fmt: skip
    assert answer.status == 0, answer.err
    assert set(pl.read_csv("o.csv")["wört"]) == {"é;0", "é;1", "é;2"}


def test_sheets_by_number_and_by_name(shoal, folder):
    import xlsxwriter

    with xlsxwriter.Workbook("book.xlsx") as book:
        for sheet, n_values in (("first", 1), ("second", 2)):
            page = book.add_worksheet(sheet)
            page.write_row(0, 0, ["a", "b"])
            for i in range(8):
                page.write_row(i + 1, 0, [f"{sheet}{i % n_values}", i % 2])
    for sheet in ("2", "second"):
        answer = shoal("anonymize", "book.xlsx", "--sheet", sheet, "--quasi", "a", "--k", "4", "-o", "o.csv")
        assert answer.status == 0, answer.err
        assert set(pl.read_csv("o.csv")["a"]) == {"second0", "second1"}


def test_a_goal_that_is_not_met_is_status_1(shoal, folder, files, monkeypatch):
    from shoal.algorithms import Mondrian
    from shoal.errors import GoalNotMet

    def give_up(*_):
        raise GoalNotMet("There is no way.")

    monkeypatch.setattr(Mondrian, "run", give_up)
    before = files()
    answer = shoal(*CALL, "-o", "release.csv")
    assert (answer.status, answer.err) == (1, "Error: There is no way.\n")
    assert files() == before


def test_refinements_may_be_given_twice(shoal, folder):
    answer = shoal(*CALL, "--algorithm", "mondrian", "--refine", "sequential", "--refine", "search:steps=100")
    assert answer.status == 0
    assert "by mondrian, refined by sequential and search in" in answer.out
    assert "after." in answer.err


SUPPRESSED = ("--recoding", "age=suppress", "--recoding", "sex=suppress")


def test_a_certificate_is_printed(shoal, folder):
    answer = shoal(*CALL, "--certify", "--certify-budget", "1s", "--hierarchy", "zip=mask", *SUPPRESSED)
    assert answer.status == 0, answer.err
    assert "above the best possible" in answer.out


def test_anatomy_writes_two_tables_that_verify_takes(shoal, folder):
    words = ("--quasi", "age,zip,sex", "--sensitive", "disease", "--l", "2")
    answer = shoal("anonymize", "people.csv", "--identifiers", "name", *words, "--algorithm", "anatomy", "-o", "a.csv")
    assert answer.status == 0, answer.err
    assert "a.sensitive.csv is its second table" in answer.err
    assert shoal("verify", "a.csv", *words, "--sensitive-table", "a.sensitive.csv").status == 0
    assert shoal("verify", "a.csv", *words, "--k", "2", "--sensitive-table", "a.sensitive.csv").status == 1
