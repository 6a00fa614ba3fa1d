"""What users get wrong: one sentence, the right status, nothing written, nothing lost."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

ROLES = "--identifiers name --quasi age,zip,sex --sensitive disease"
ANONYMIZE = f"anonymize people.csv {ROLES}"
JOB = """
input = "people.csv"
output = "release.csv"
identifiers = ["name"]
quasi_identifiers = ["age", "zip", "sex"]
sensitive = ["disease"]
[privacy]
k = 3
"""


def nothing() -> None:
    """The folder as it is."""


def text(content: str, name: str = "t.csv", encoding: str = "utf-8") -> Callable[[], object]:
    return lambda: Path(name).write_bytes(content.encode(encoding))


def job(old: str, new: str) -> Callable[[], object]:
    assert old in JOB
    return text(JOB.replace(old, new), "job.toml")


@dataclass(frozen=True)
class Case:
    """A mistake: what is there, what is called, what the sentence says."""

    name: str
    call: str
    says: str
    prepare: Callable[[], object] = nothing
    status: int = 2


T = "anonymize t.csv --quasi a --k 2 -o release.csv"
WITH_TREE = f"{ANONYMIZE} --k 3 --hierarchy zip=zip.csv -o release.csv"
PUBLISH = f"{ANONYMIZE} --k 3"

CASES = [
    # the table
    Case("missing file", f"anonymize peple.csv {ROLES} --k 3 -o release.csv", "Did you mean 'people.csv'?"),
    Case("missing folder", "anonymize no/people.csv --quasi a --k 3", "no/people.csv"),
    Case("directory", "anonymize sub.csv --quasi a --k 3", "folder", lambda: Path("sub.csv").mkdir()),
    Case("unknown ending", "anonymize people.dat --quasi a --k 3", ".dat", text("a\n1\n", "people.dat")),
    Case("empty file", T, "empty", text("")),
    Case("blank file", T, "empty", text("\n\n  \n")),
    Case("header only", T, "row", text("a,b\n")),
    Case("ragged rows", T, "row", text("a,b\n1,2\n3\n4,5\n6,7\n")),
    Case("too many fields", T, "row", text("a,b\n1,2\n3,4,5\n6,7\n")),
    Case("quote not closed", T, "t.csv", text('a,b\n1,2\n"3,4\n')),
    Case("wrong encoding", f"{T} --encoding utf-8", "not in utf-8", text("a\né\n", encoding="latin-1")),
    Case("unknown encoding", f"{T} --encoding utf-9", "utf-9", text("a\n1\n")),
    Case("not text", T, "NUL", text("a\n\0\n")),
    Case("duplicate column names", T, "'a' occurs 2 times", text("a,a\n1,2\n")),
    Case("blank column name", T, "blank name", text("a,\n1,2\n")),
    Case("column of nothing but missing values", T, "nothing but missing", text("a,b\n,1\n,2\n")),
    Case("not parquet", "anonymize t.parquet --quasi a --k 2", "t.parquet", text("a", "t.parquet")),
    Case("not excel", "anonymize t.xlsx --quasi a --k 2", "t.xlsx", text("a", "t.xlsx")),
    Case("option of another format", f"{ANONYMIZE} --k 2 --sheet 1", "'sheet'"),
    Case("long delimiter", f"{ANONYMIZE} --k 2 --delimiter ::", "one character"),
    Case("wrong delimiter", f"{PUBLISH} --delimiter ; -o release.csv", "separated by ',' (--delimiter)"),
    Case("the working folder", "anonymize . --quasi a --k 3", "'.' is a folder"),
    Case("inspect the working folder", "inspect .", "'.' is a folder"),
    Case("run the working folder", "run .", "'.' is a folder"),
    Case("a folder for a recoding", "apply . people.csv -o release.csv", "'.' is a folder"),
    # roles
    Case("unknown column", f"{PUBLISH} --others agee -o release.csv", "Did you mean 'age'?"),
    Case("unknown sensitive column", "anonymize people.csv --quasi age --sensitive dis --k 2", "no column 'dis'"),
    Case("column in two roles", f"{PUBLISH} --others sex -o release.csv", "choose one role"),
    Case("column twice in a role", "anonymize people.csv --quasi age,age --k 2", "named twice"),
    Case("no quasi-identifier", "anonymize people.csv --sensitive disease --k 2 -o release.csv", "quasi-identifier"),
    Case("no quasi-identifier: what to say", "anonymize people.csv --k 2", "(quasi_identifiers, --quasi)"),
    Case("no quasi-identifier: who helps", "verify people.csv --k 2", "shoal inspect suggests them"),
    Case("neither column nor promise", "anonymize people.csv", "--quasi age,zip --k 5. shoal inspect"),
    Case("empty name", "anonymize people.csv --quasi age,,zip --k 2", "empty name"),
    Case("quote in a name", 'anonymize people.csv --quasi "age --k 2', "close every quote"),
    Case("nearly unique column without a role", "anonymize people.csv --quasi age --k 2 -o release.csv", "'name'"),
    Case("kind unknown", f"{PUBLISH} --kind age=number", "Did you mean 'numeric'?"),
    Case("kind that does not fit", f"{PUBLISH} --kind sex=numeric", "not numeric"),
    Case("kind without a column", f"{PUBLISH} --kind numeric", "column=value"),
    Case("kind of an unknown column", f"{PUBLISH} --kind ag=numeric", "Did you mean 'age'?"),
    Case("order that lacks a value", f"{PUBLISH} --order sex=m,x", "lacks the value 'f'"),
    Case("recoding unknown", f"{PUBLISH} --recoding age=rnge", "Did you mean 'range'?"),
    Case("weight not a number", f"{PUBLISH} --weight age=much", "must be a number"),
    Case("weight below zero", f"{PUBLISH} --weight age=-1", "at least 0"),
    Case("missing unknown", f"{PUBLISH} --missing keep", "--missing cannot be 'keep'"),
    # promises
    Case("no promise", f"{ANONYMIZE} -o release.csv", "No privacy model"),
    Case("no promise: what to say", f"{ANONYMIZE} -o release.csv", "--k 5"),
    Case("no promise: who helps", f"{ANONYMIZE} -o release.csv", "shoal inspect"),
    Case("recursive l without c", f"{PUBLISH} --l 5:recursive -o release.csv", "5:recursive:c=4"),
    Case("k of zero", f"{ANONYMIZE} --k 0 -o release.csv", "k must be at least 1, got 0"),
    Case("negative k", f"{ANONYMIZE} --k -1 -o release.csv", "k must be at least 1, got -1"),
    Case("k not a number", f"{ANONYMIZE} --k five -o release.csv", "k must be a whole number, got 'five'"),
    Case("fractional k", f"{ANONYMIZE} --k 2.5 -o release.csv", "k must be a whole number"),
    Case("k above the number of rows", f"{ANONYMIZE} --k 61 -o release.csv", "the table has 60"),
    Case("l above the number of values", f"{PUBLISH} --l 4 -o release.csv", "which has 3"),
    Case("l without a sensitive column", "anonymize people.csv --quasi age --identifiers name --l 2", "sensitive"),
    Case("l of a column that is not sensitive", f"{PUBLISH} --l 2:sex", "not a sensitive column"),
    Case("limit above one", f"{PUBLISH} --suppression-limit 1.5", "between 0 and 1"),
    Case("limit not a number", f"{PUBLISH} --suppression-limit few", "suppression_limit must be a share"),
    Case("algorithm unknown", f"{PUBLISH} --algorithm mondrain", "Did you mean 'mondrian'?"),
    Case("algorithm option unknown", f"{PUBLISH} --algorithm mondrian:relax", "Did you mean 'relaxed'?"),
    Case("metric unknown", f"{PUBLISH} --metric gpc", "Did you mean 'gcp'?"),
    Case("seed not a number", f"{PUBLISH} --seed x", "--seed"),
    # hierarchies
    Case("hierarchy file missing", WITH_TREE, "zip.csv"),
    Case("hierarchy empty", WITH_TREE, "empty", text("", "zip.csv")),
    Case("hierarchy lacks a value", WITH_TREE, "'02102' (20 rows)", text("02100;*\n02101;*\n", "zip.csv")),
    Case("value with two parents", WITH_TREE, "two parents", text("02100;a;*\n02100;b;*\n02101;b;*\n", "zip.csv")),
    Case(
        "group with two parents",
        WITH_TREE,
        "two parents",
        text("02100;a;x;*\n02101;a;y;*\n02102;b;y;*\n", "zip.csv"),
    ),
    Case("hierarchy without a root", WITH_TREE, "no root", text("02100;a\n02101;a\n02102;b\n", "zip.csv")),
    Case("hierarchy of ragged rows", WITH_TREE, "line 2", text("02100;a;*\n02101;*\n02102;a;*\n", "zip.csv")),
    Case("hierarchy twice", f"{WITH_TREE} --hierarchy zip=mask", "given twice", text("02100;*\n", "zip.csv")),
    Case("builder unknown", f"{PUBLISH} --hierarchy zip=maks", "Did you mean 'mask'?"),
    Case("builder option unknown", f"{PUBLISH} --hierarchy zip=mask:level=2", "Did you mean 'levels'?"),
    Case("parameter without a name", f"{PUBLISH} --hierarchy age=intervals:30/50", "cuts=30/50"),
    Case("builder of the wrong kind", f"{PUBLISH} --hierarchy sex=intervals:width=5", "'sex'"),
    # outputs
    Case("output equals input", f"{PUBLISH} -o people.csv", "would overwrite"),
    Case(
        "output equals input, otherwise spelt", f"{PUBLISH} -o sub/../people.csv", "would overwrite", Path("sub").mkdir
    ),
    Case(
        "output is a link to the input",
        f"{PUBLISH} -o l.csv",
        "overwrite",
        lambda: Path("l.csv").symlink_to("people.csv"),
    ),
    Case("output equals a hierarchy", WITH_TREE.replace("release", "zip"), "overwrite", text("02100;*\n", "zip.csv")),
    Case("report equals release", f"{PUBLISH} -o r.csv --report r.run.json", "Two outputs"),
    Case("output folder missing", f"{PUBLISH} -o no/release.csv", "does not exist"),
    Case("report folder missing", f"{PUBLISH} -o release.csv --report no/r.html", "does not exist"),
    Case("output is a folder", f"{PUBLISH} -o sub.csv", "is a folder", lambda: Path("sub.csv").mkdir()),
    Case("output of unknown ending", f"{PUBLISH} -o release.doc", ".doc"),
    Case("report of unknown ending", f"{PUBLISH} --report report.pdf", ".pdf"),
    # jobs
    Case("job file missing", "run job.toml", "no job file"),
    Case("job file is a folder", "run sub.toml", "cannot be read", lambda: Path("sub.toml").mkdir()),
    Case(
        "job file not text",
        "run job.toml",
        "cannot be read",
        lambda: Path("job.toml").write_bytes(b"\xff\xfe"),
    ),
    Case("job file not TOML", "run job.toml", "not valid TOML", text("input = \n", "job.toml")),
    Case("job with an unknown key", "run job.toml", "Did you mean 'sensitive'?", job("sensitive", "sensitiv")),
    Case("job without an input", "run job.toml", "'input' is missing", job('input = "people.csv"', "")),
    Case("job with a wrong type", "run job.toml", "'sensitive'", job('["disease"]', "5")),
    Case("job with an unknown promise", "run job.toml", "no promise 'zz'", job("k = 3", "zz = 3")),
    Case("job with k of zero", "run job.toml", "k must be at least 1", job("k = 3", "k = 0")),
    Case("job with a truth value for k", "run job.toml", "k must be a whole number", job("k = 3", "k = true")),
    Case("job without a promise", "run job.toml", "No privacy model", job("k = 3", "")),
    Case("job that overwrites its input", "run job.toml", "overwrite", job('"release.csv"', '"people.csv"')),
    Case("job that overwrites itself", "run job.toml", "job.toml", job('"release.csv"', '"job.toml"')),
    Case("job with a bad report", "run job.toml", "r.html", job("[privacy]", 'report = "no/r.html"\n[privacy]')),
    Case("job with odd reading", "run job.toml", "delim", job("[privacy]", "[reading]\ndelim = 1\n[privacy]")),
    # usage
    Case("unknown command", "anonymise people.csv", "Did you mean 'anonymize'?"),
    Case("unknown option", "anonymize people.csv --qasi age", "--qasi"),
    Case("option in capitals", f"{ANONYMIZE} --K 3", "did you mean --k?"),
    Case("option without a value", "anonymize people.csv --quasi", "--quasi"),
    Case("no file", "anonymize --quasi age", "FILE"),
    Case("two files", "anonymize people.csv people.csv --quasi age --k 2", "people.csv"),
    Case("unknown global option", "--verbose", "--verbose"),
    Case("verify without a promise", "verify people.csv --quasi age", "No privacy model"),
    Case("verify an unknown column", "verify people.csv --quasi agee --k 2", "Did you mean 'age'?"),
    Case("verify without a quasi-identifier", "verify people.csv --k 2", "quasi-identifier"),
    Case("verify an empty table", "verify t.csv --quasi a --k 2", "row", text("a,b\n")),
    Case("inspect an empty table", "inspect t.csv", "row", text("a,b\n")),
    Case("inspect a missing file", "inspect peple.csv", "Did you mean 'people.csv'?"),
    Case("hierarchy without a builder", "hierarchy people.csv --column zip", "--builder"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_sentence_and_nothing_written(case, shoal, folder, files):
    Path("release.csv").write_text("an old release")
    case.prepare()
    before = files()
    answer = shoal(*case.call.split())
    assert answer.status == case.status, answer.err
    assert answer.err.startswith("Error: ")
    assert answer.err.count("\n") == 1, answer.err
    assert case.says in answer.err
    assert len(answer.err) < 500
    assert answer.out == ""
    assert files() == before


def refused(shoal, files, *words, says) -> None:
    """The same for what cannot be put on a line of the table."""
    before = files()
    answer = shoal(*words)
    assert (answer.status, answer.err.count("\n"), answer.out) == (2, 1, ""), answer.err
    assert says in answer.err
    assert files() == before


def test_a_folder_that_may_not_be_written_to(shoal, folder, files, monkeypatch):
    Path("sub").mkdir()
    monkeypatch.setattr("shoal.io.write.os.access", lambda path, _: Path(path).name != "sub")  # root may write anywhere
    refused(shoal, files, *f"{PUBLISH} -o sub/release.csv".split(), says="may not write")


def test_a_full_disk_leaves_the_old_files_as_they_were(shoal, folder, files, monkeypatch):
    for name in ("release.csv", "release.run.json", "report.html"):
        Path(name).write_text(f"old {name}")

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("shoal.io.atomic.os.fsync", full)
    refused(shoal, files, *f"{PUBLISH} -o release.csv --report report.html".split(), says="disk is full")


@pytest.mark.parametrize("moment", ["run", "write"])
def test_ctrl_c_leaves_the_old_file_as_it_was(shoal, folder, files, monkeypatch, moment):
    from shoal.algorithms import Mondrian

    def interrupt(*_):
        raise KeyboardInterrupt

    Path("release.csv").write_text("an old release")
    before = files()
    if moment == "run":
        monkeypatch.setattr(Mondrian, "run", interrupt)
    else:
        monkeypatch.setattr("shoal.io.atomic.os.fsync", interrupt)
    answer = shoal(*f"{PUBLISH} -o release.csv".split())
    assert answer.status == 130
    said = {"run": "Interrupted; nothing was written.\n", "write": "Interrupted while writing"}[moment]
    assert answer.err.startswith(said)
    assert files() == before


def test_infinite_values(shoal, folder, files):
    pl.DataFrame({"a": [1.0, float("inf"), 2.0, float("-inf")]}).write_parquet("t.parquet")
    refused(shoal, files, "anonymize", "t.parquet", "--quasi", "a", "--k", "2", "-o", "o.csv", says="2 infinite values")


def test_nan_is_missing(shoal, folder):
    pl.DataFrame({"a": [1.0, float("nan"), 1.0, None]}).write_parquet("t.parquet")
    assert shoal("anonymize", "t.parquet", "--quasi", "a", "--k", "2", "-o", "o.csv").status == 0
    assert sorted(pl.read_csv("o.csv", infer_schema=False)["a"].fill_null("")) == ["", "", "1.0", "1.0"]


@pytest.mark.parametrize(
    "n", [pytest.param(1_000, marks=pytest.mark.slow), pytest.param(10_000, marks=pytest.mark.nightly)]
)
def test_thousands_of_columns(shoal, folder, n):
    names = [f"c{i}" for i in range(n)]
    rows = np.arange(20 * n).reshape(20, -1) % 3
    Path("wide.csv").write_text("\n".join(",".join(map(str, row)) for row in [names, *rows.tolist()]) + "\n")
    answer = shoal("anonymize", "wide.csv", "--quasi", f"c1,c{n - 1}", "--k", "2", "-o", "o.csv")
    assert answer.status == 0, answer.err
    assert len(Path("o.csv").read_text().partition("\n")[0].split(",")) == n


def test_a_cell_of_a_hundred_thousand_characters(shoal, folder):
    long = "x" * 100_000
    Path("long.csv").write_text("a,b\n" + f"{long},1\n{long},2\n" * 3)
    answer = shoal("anonymize", "long.csv", "--quasi", "a", "--k", "6", "-o", "o.csv")
    assert answer.status == 0, answer.err
    assert long in Path("o.csv").read_text()
    assert len(answer.out) < 20_000


def test_the_input_is_never_touched(shoal, folder):
    Path("people.csv").chmod(0o444)
    was = Path("people.csv").stat()
    assert shoal(*f"{PUBLISH} -o release.csv".split()).status == 0
    now = Path("people.csv").stat()
    assert (was.st_mtime_ns, was.st_ino, was.st_mode) == (now.st_mtime_ns, now.st_ino, now.st_mode)


def test_nothing_temporary_is_left(shoal, folder):
    assert shoal(*f"{PUBLISH} -o release.csv --report r.html".split()).status == 0
    written = {"release.csv", "release.datapackage.json", "release.run.json", "r.html"}
    assert {p.name for p in folder.iterdir()} == {"people.csv", *written}


@pytest.mark.parametrize("command", ["audit", "usefulness"])
def test_original_and_release_swapped_is_noticed(shoal, folder, files, command):
    assert shoal(*f"{PUBLISH} -o release.csv".split()).status == 0
    refused(shoal, files, command, "release.csv", "people.csv", "--quasi", "age,zip,sex", says="seem to be swapped")


def test_labels_that_nobody_understands_are_not_taken_for_a_swap(shoal, folder, files):
    Path("release.csv").write_text("age\nyoung\nold\n")
    refused(shoal, files, "audit", "people.csv", "release.csv", "--quasi", "age", says="cannot be understood")


@pytest.mark.parametrize("cuts", ["cuts=30,35", "cuts=30/35", "cuts=30,35,factors=2", "factors=2,cuts=30, 35"])
def test_cuts_are_written_with_slashes_or_commas(shoal, folder, cuts):
    answer = shoal("hierarchy", "people.csv", "--column", "age", "--builder", f"intervals:{cuts}")
    assert answer.status == 0, answer.err
    assert "[30..34]" in answer.out


def test_a_delimiter_that_splits_nothing_is_remarked_on(shoal, folder):
    answer = shoal("inspect", "people.csv", "--delimiter", ";")
    assert answer.status == 0
    assert "the delimiter ';' leaves everything in one column; fields seem to be separated by ','" in answer.err


@pytest.mark.parametrize("limit", ["5%", "0.05", "3 rows"])
def test_a_limit_is_a_share_per_cent_or_a_number_of_rows(shoal, folder, limit):
    answer = shoal(*f"{PUBLISH} -o release.csv --suppression-limit".split(), limit)
    assert answer.status == 0, answer.err


def test_what_is_proven_without_hierarchies_says_so_wherever_it_is_said(shoal, folder):
    answer = shoal(*f"{PUBLISH} -o release.csv --algorithm lattice --report report.json".split())
    assert answer.status == 0, answer.err
    for said in (answer.out, (folder / "report.json").read_text(), (folder / "release.run.json").read_text()):
        text = " ".join(said.replace("│", " ").split())
        assert "is proven least" in text
        assert "for want of a hierarchy" in text


@pytest.mark.parametrize("algorithm", ["lattice", "samarati", "lattice --memory 8GiB"])
def test_a_full_domain_search_says_that_hierarchies_are_missing_and_offers_them(shoal, folder, algorithm):
    answer = shoal(*f"{PUBLISH} -o release.csv --algorithm {algorithm}".split())
    assert answer.status == 0, answer.err
    assert "can only keep a column or star all of it, and starred" in answer.err
    offered = answer.err.partition("as in ")[2].partition(", or use")[0]
    answer = shoal(*f"{PUBLISH} -o release.csv --algorithm {algorithm} {offered}".split())
    assert answer.status == 0, answer.err
    assert "keep a column or star" not in answer.err
    assert "*,*" not in Path("release.csv").read_text()
