"""Hierarchies from files, and from all the ways to say them in a call, a job file or on the command line."""

from __future__ import annotations

import csv
import io
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.builders import Dates, FanOut, Grouping, Intervals, Mask, Prefixes
from shoal.core.hierarchy import Hierarchy
from shoal.errors import InputError
from shoal.io.hierarchies import parse_hierarchy, read_hierarchy, write_hierarchy

ROWS = [["a", "vowel", "*"], ["e", "vowel", "*"], ["b", "other", "*"]]
TEXT = "a;vowel;*\ne;vowel;*\nb;other;*\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "letters.csv"


def read(path: Path, content: str | bytes) -> Hierarchy:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_hierarchy(path)


class TestReading:
    @pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
    def test_finds_the_delimiter(self, file: Path, delimiter: str) -> None:
        assert read(file, TEXT.replace(";", delimiter)).to_rows() == ROWS

    @pytest.mark.parametrize(
        "content",
        [
            "\ufeff" + TEXT,
            TEXT.replace("\n", "\r\n"),
            TEXT.rstrip("\n"),
            "\n" + TEXT.replace("\n", "\n\n  \n"),
            TEXT.replace("vowel", '"vowel"'),
            ("\ufeff" + TEXT).encode("utf-16-le"),
        ],
        ids=["byte-order mark", "CRLF", "no final newline", "blank lines", "quotes", "UTF-16"],
    )
    def test_takes_files_as_they_are_saved(self, file: Path, content: str | bytes) -> None:
        assert read(file, content).to_rows() == ROWS

    def test_labels_may_hold_other_delimiters(self, file: Path) -> None:
        assert read(file, "23;[20, 25[;[20, 30[;*\n31;[30, 35[;[30, 40[;*\n").to_rows()[0] == [
            "23",
            "[20, 25[",
            "[20, 30[",
            "*",
        ]
        assert read(file, "a;b,x,all\nc;d,y,all\n").leaves == ("a;b", "c;d")
        assert read(file, '"a;1";"x ""y""";*\n"b\n2";z;*\n').to_rows() == [["a;1", 'x "y"', "*"], ["b\n2", "z", "*"]]

    def test_one_column_is_flat(self, file: Path) -> None:
        assert read(file, "a\nb\n").to_rows() == [["a", "*"], ["b", "*"]]

    def test_the_sample_may_end_in_the_middle_of_the_file(self, file: Path) -> None:
        text = "".join(f"{i};{i // 10}, {i // 10};all\n" for i in range(20_000))
        assert read(file, text).n_leaves == 20_000

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("", r"letters\.csv' is empty; it needs one line per value"),
            ("\n \n", "is empty"),
            ("a;x;*\n\nb;*\n", r"has 2 labels on line 3 where line 1 has 3; repeat a label"),
            ("a;*\nb;*\na;*\n", r"letters\.csv': the value 'a' has two rows, 1 and 3"),
            ("a;x;N;*\nb;x;S;*\n", "'x' on level 1 has two parents, 'N' and 'S'"),
            ("a;N\nb;S\n", "has no root: its last level has 2 labels"),
            (b"a;caf\x81;*\n", "is not in cp1252"),
            (b"a;\0;*\n", "holds NUL"),
            ('a;"x;*\nb;y;*\n', r"cannot be read at line 2: .*check its quotes"),
        ],
        ids=["empty", "blank", "ragged", "twice", "two parents", "no root", "encoding", "binary", "open quote"],
    )
    def test_bad_files_are_refused_in_a_sentence(self, file: Path, content: str | bytes, message: str) -> None:
        with pytest.raises(InputError, match=message):
            read(file, content)

    def test_a_missing_file_is_named(self, file: Path) -> None:
        with pytest.raises(InputError, match=r"There is no hierarchy file '.*letters\.csv'; check the path\."):
            read_hierarchy(file)

    def test_a_folder_is_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="cannot be read: is a directory"):
            read_hierarchy(tmp_path)


class TestWriting:
    def test_is_plain_where_it_can_be(self, file: Path) -> None:
        write_hierarchy(Hierarchy.from_rows(ROWS), file)
        assert file.read_bytes().decode() == TEXT

    def test_takes_an_open_file(self) -> None:
        opened = io.StringIO()
        write_hierarchy(Hierarchy.flat(["a;b", "c"]), opened)
        assert opened.getvalue() == '"a;b";*\nc;*\n'

    @settings(deadline=None)
    @given(
        st.lists(st.text("ab;,|\t\"'\r\n *é", max_size=4), min_size=1, max_size=6, unique=True),
        st.lists(st.text('a,;|" ', min_size=1, max_size=3), min_size=1, max_size=3),
    )
    def test_round_trip(self, tmp_path_factory: pytest.TempPathFactory, leaves: list[str], groups: list[str]) -> None:
        path = tmp_path_factory.mktemp("trip") / "h.csv"
        hierarchy = Hierarchy.from_rows(
            [[leaf, groups[i % len(groups)], "all, all; all"] for i, leaf in enumerate(leaves)]
        )
        write_hierarchy(hierarchy, path)
        assert read_hierarchy(path).to_rows() == hierarchy.to_rows()


class TestParsing:
    def test_hierarchies_and_builders_pass(self, tmp_path: Path) -> None:
        for ready in (Hierarchy.flat(["a"]), Mask()):
            assert parse_hierarchy(ready, tmp_path, "x") is ready

    @pytest.mark.parametrize("as_path", [True, False])
    def test_files_start_at_the_folder(self, file: Path, as_path: bool) -> None:
        file.write_text(TEXT)
        for spec in ("letters.csv", str(file)):
            parsed = parse_hierarchy(Path(spec) if as_path else spec, file.parent, "x")
            assert isinstance(parsed, Hierarchy)
            assert parsed.to_rows() == ROWS

    def test_groups(self, tmp_path: Path) -> None:
        parsed = parse_hierarchy({"vowel": ["a", "e"], "other": {"labial": ["b"]}}, tmp_path, "x")
        assert isinstance(parsed, Hierarchy)
        assert parsed.to_rows()[2] == ["b", "labial", "other", "*"]

    @pytest.mark.parametrize(
        ("text", "builder"),
        [
            ("mask", Mask()),
            ("mask:", Mask()),
            ("Mask:char=0,from_right=false,levels=2,pad=0", Mask("0", False, 2, "0")),
            ("dates", Dates()),
            ("dates:levels=month/year", Dates(("month", "year"))),
            ("dates:levels=year", Dates(("year",))),
            ("intervals:width=5", Intervals(5)),
            ("intervals:width=0.5,factors=2/5,origin=-1", Intervals(0.5, (2, 5), -1)),
            ("intervals:cuts=0/18/65.5, factors=3", Intervals(cuts=(0, 18, 65.5), factors=(3,))),
            ("fanout:fanout=4,order=low/mid/high", FanOut(4, ("low", "mid", "high"))),
            ("prefixes:lengths=3/1", Prefixes((3, 1))),
            ("prefixes:separator=/", Prefixes(separator="/")),
        ],
    )
    def test_builders_on_the_command_line(self, tmp_path: Path, text: str, builder: object) -> None:
        assert parse_hierarchy(text, tmp_path, "x") == builder

    def test_builders_in_a_job_file(self, tmp_path: Path) -> None:
        job = tomllib.loads(
            """
            age = { builder = "intervals", cuts = [0, 18, 30, 65], factors = [2] }
            fee = { builder = "intervals", width = 0.5, factors = [], origin = 0.25 }
            zip = { builder = "mask", levels = 3, from_right = true }
            born = { builder = "dates", levels = ["month", "year"] }
            risk = { builder = "FanOut", fanout = 2, order = ["low", "high"] }
            icd = { builder = "prefixes", lengths = [3, 1] }
            [state]
            builder = "grouping"
            others = "elsewhere"
            groups = { north = ["ME", "VT"], south = { gulf = ["TX"] } }
            """
        )
        assert {name: parse_hierarchy(spec, tmp_path, name) for name, spec in job.items()} == {
            "age": Intervals(cuts=[0, 18, 30, 65], factors=[2]),
            "fee": Intervals(0.5, [], 0.25),
            "zip": Mask(levels=3),
            "born": Dates(["month", "year"]),
            "risk": FanOut(2, ["low", "high"]),
            "icd": Prefixes([3, 1]),
            "state": Grouping({"north": ["ME", "VT"], "south": {"gulf": ["TX"]}}, "elsewhere"),
        }

    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ("maks", r"The hierarchy of 'zip': there is no file '.*maks' and no builder 'maks'. Did you mean 'mask'\?"),
            ("maks:char=x", r"no builder 'maks'. Did you mean 'mask'\?"),
            ("lettres.csv", r"there is no file '.*lettres.csv'. Did you mean 'letters.csv'\?"),
            ("none/at/all.csv", r"there is no file '.*all.csv'\.$"),
            ("x" * 5000, "there is no file"),
            (Path("lettres.csv"), "There is no hierarchy file"),
            ({"builder": "interval"}, r"there is no builder 'interval'. Did you mean 'intervals'\?"),
            ({"builder": "intervals", "widht": 5}, r"'intervals' has no parameter 'widht'. Did you mean 'width'\?"),
            ("fanout:fan=5", r"'fanout' has no parameter 'fan'. Did you mean 'fanout'\?"),
            ({"builder": "grouping"}, "'grouping' needs the parameter 'groups'"),
            ("grouping", "'grouping' needs the parameter 'groups'"),
            ({"builder": "fanout", "fanout": 1}, "The hierarchy of 'zip': fanout must be at least 2, got 1"),
            ("mask:levels", "a parameter is written like width=5, or cuts=30/50, got 'levels'"),
            ("mask:levels=", "a parameter is written like width=5, or cuts=30/50, got 'levels='"),
            ({}, "The hierarchy of 'zip' is empty"),
            ({"g": ["a"], "h": ["a"]}, "The hierarchy of 'zip': the value 'a' has two rows"),
            (5, "'zip' must be a file, a builder such as 'mask', groups or a Hierarchy, got 5"),
            (Mask, "must be a file"),
            (None, "must be a file"),
        ],
    )
    def test_anything_else_is_refused_in_a_sentence(self, file: Path, spec: Any, message: str) -> None:
        file.write_text(TEXT)
        with pytest.raises(InputError, match=message):
            parse_hierarchy(spec, file.parent, "zip")


@pytest.mark.data
@pytest.mark.skipif("SHOAL_DATA" not in os.environ, reason="needs the data sets: set SHOAL_DATA to their folder")
def test_every_hierarchy_of_the_data_sets_loads() -> None:
    paths = sorted(Path(os.environ["SHOAL_DATA"]).glob("datasets/**/hierarchies/*.csv"))
    assert paths
    for path in paths:
        with path.open(encoding="utf-8-sig", newline="") as opened:
            n_rows = sum(1 for row in csv.reader(opened, delimiter=";") if row)
        assert read_hierarchy(path).n_leaves == n_rows, path.name
