from __future__ import annotations

from pathlib import Path

from shoal.io.hierarchies import read_hierarchy


def test_prints_arx_form(shoal, folder):
    answer = shoal("hierarchy", "people.csv", "--column", "zip", "--builder", "mask:levels=1")
    assert answer.status == 0
    assert answer.out == "02100;0210*;*\n02101;0210*;*\n02102;0210*;*\n"
    assert "3 levels" in answer.err


def test_writes_what_anonymize_reads(shoal, folder):
    answer = shoal("hierarchy", "people.csv", "--column", "age", "--builder", "intervals:width=5", "-o", "age.csv")
    assert (answer.status, answer.out) == (0, "")
    assert read_hierarchy(Path("age.csv")).leaves == tuple(map(str, range(20, 40)))
    call = (
        "anonymize",
        "people.csv",
        "--identifiers",
        "name",
        "--quasi",
        "age",
        "--others",
        "zip,sex,disease",
        "--k",
        "5",
    )
    assert shoal(*call, "--hierarchy", "age=age.csv").status == 0


def test_a_file_is_checked_against_the_values(shoal, folder):
    Path("zip.csv").write_text("02100;*\n02101;*\n")
    answer = shoal("hierarchy", "people.csv", "--column", "zip", "--builder", "zip.csv")
    assert answer.status == 2
    assert "'02102' (20 rows)" in answer.err
    Path("zip.csv").write_text("02100;*\n02101;*\n02102;*\n02109;*\n")
    answer = shoal("hierarchy", "people.csv", "--column", "zip", "--builder", "zip.csv", "--quiet")
    assert (answer.status, answer.out, answer.err) == (0, "", "")


def test_the_output_may_not_be_the_table_or_the_checked_file(shoal, folder, files):
    Path("zip.csv").write_text("02100;*\n02101;*\n02102;*\n")
    before = files()
    for output in ("people.csv", "zip.csv"):
        answer = shoal("hierarchy", "people.csv", "--column", "zip", "--builder", "zip.csv", "-o", output)
        assert (answer.status, files()) == (2, before)


def test_missing_values_need_no_hierarchy(shoal, folder):
    Path("t.csv").write_text("a,b\nx,1\n,2\nxy,3\n,4\n")
    assert shoal("hierarchy", "t.csv", "--column", "a", "--builder", "mask").out.splitlines()[0].startswith("x;")
    Path("t.csv").write_text("a,b\n,1\n,2\n")
    answer = shoal("hierarchy", "t.csv", "--column", "a", "--builder", "mask")
    assert (answer.status, "nothing but missing" in answer.err) == (2, True)


def test_an_unknown_column_or_builder(shoal, folder):
    assert "Did you mean 'zip'?" in shoal("hierarchy", "people.csv", "--column", "zipp", "--builder", "mask").err
    assert "Did you mean 'mask'?" in shoal("hierarchy", "people.csv", "--column", "zip", "--builder", "maks").err
    answer = shoal("hierarchy", "people.csv", "--column", "zip", "--builder", "mask", "--kind", "nominl")
    assert (answer.status, "Did you mean 'nominal'?" in answer.err) == (2, True)
