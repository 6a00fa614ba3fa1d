"""Fifty nasty tables through the whole program; and the judge finds what it is there to find."""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from redteam.__main__ import AT_ONCE, results
from redteam.case import Case, Column, Promise, told, write_table
from redteam.cells import holds
from redteam.graphs import chances, has_factor, matching
from redteam.judge import complaints
from redteam.known import KNOWN, is_known
from redteam.running import run
from redteam.shrinking import shrink
from redteam.tables import draw
from shoal import algorithms, models

FIRST, COUNT = 0, 30
"""The seeds of the short form; ``make fuzz`` draws others."""

JUDGE = ("files", "cells", "graphs", "promises", "judge", "case")


def _nothing_wrong(first: int, count: int) -> None:
    """0 wrong releases, 0 lawful releases refused, 0 ugly ends, but for what is listed as known."""
    found = list(results(first, count))
    failed = [(draw(seed), outcome) for seed, outcome in found if outcome.kind]
    new = [f"{outcome.kind}: {outcome.detail}\n{told(case)}" for case, outcome in failed if not is_known(case, outcome)]
    assert not new, "\n\n".join(new)
    assert sum(outcome.status == 0 for _, outcome in found) > count / 4


def test_nothing_wrong_comes_out_of_nasty_tables() -> None:
    _nothing_wrong(FIRST, COUNT)


@pytest.mark.slow
def test_nothing_wrong_comes_out_of_a_hundred_more() -> None:
    _nothing_wrong(COUNT, 100)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(COUNT + 100, COUNT + 100 + 3000, AT_ONCE))
def test_nothing_wrong_comes_out_of_thousands_of_nasty_tables(first: int) -> None:
    _nothing_wrong(first, AT_ONCE)


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_to_fail_still_does(name: str, request: pytest.FixtureRequest) -> None:
    request.applymarker(pytest.mark.xfail(reason=name, strict=True))
    assert not run(KNOWN[name].example).kind


def test_the_judge_imports_nothing_of_ours() -> None:
    for name in JUDGE:
        tree = ast.parse(Path(__file__).with_name(f"{name}.py").read_text("utf-8"))
        named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        named += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        assert not [module for module in named if module.split(".")[0] == "shoal"], name
        assert {module.split(".")[1] for module in named if module.startswith("redteam.")} <= {*JUDGE}


def test_the_same_seed_draws_the_same_case_and_all_is_drawn() -> None:
    cases = [draw(seed) for seed in range(2000)]
    assert cases[:50] == [draw(seed) for seed in range(50)]
    assert all(Case.from_json(case.to_json()) == case for case in cases[:200])
    drawn = Counter(case.algorithm.partition(":")[0] for case in cases)
    assert {*algorithms.ALL} <= {*drawn}
    promised = {promise.flag for case in cases for promise in case.promises}
    assert promised == {model.flag for model in models.ALL.values()}


TABLE = [
    Column("name", "text", "identifier", ["Ann", "Bob", "Cy", "Di"]),
    Column("age", "int", "quasi", [20, 21, 30, 31]),
    Column("ill", "text", "sensitive", ["flu", "cold", "flu", "gout"]),
]
FINE = [["[20..21]", "flu"], ["[20..21]", "cold"], ["[30..31]", "gout"], ["[30..31]", "flu"]]


def judged(rows: list[list[str]], folder: Path, *promises: Promise, names: tuple[str, ...] = ("age", "ill")) -> str:
    """What the judge says of a release that was made by hand."""
    columns = [Column(name, "text", "other", [row[i] for row in rows]) for i, name in enumerate(names)]
    write_table(columns, folder / "release.csv")
    return complaints(Case(TABLE, list(promises or [Promise("k", 2)])), folder)


def test_the_judge_is_content_with_a_good_release(tmp_path: Path) -> None:
    promises = [Promise("k", 2), Promise("l", 2), Promise("l", 2, "entropy"), Promise("t", 0.5), Promise("p", 2, k=2)]
    assert (
        judged(FINE, tmp_path, *promises, Promise("alpha", 0.5, k=2), Promise("kk", 2), Promise("linkage", 0.5)) == ""
    )


@pytest.mark.parametrize(
    ("place", "cell", "says"),
    [
        ((0, 0), "20", "k 2"),
        ((0, 0), "[22..29]", "no way to give every record a row"),
        ((0, 1), "gout", "no way to give every record a row"),
        ((2, 1), "", "no way to give every record a row"),
    ],
)
def test_the_judge_finds_a_changed_cell(tmp_path: Path, place: tuple[int, int], cell: str, says: str) -> None:
    rows = [list(row) for row in FINE]
    rows[place[0]][place[1]] = cell
    assert says in judged(rows, tmp_path)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ([0.1, 0.3], ""),
        (["0.1", "0.30000000000000004"], ""),
        ([0.1, 0.3001], "no way to give every record a row"),
        (["0.1", "0.30000000000000005"], "no way to give every record a row"),
        ([0.1], "1 rows are gone"),
    ],
)
def test_the_judge_knows_that_a_workbook_keeps_fifteen_digits(tmp_path: Path, written: list[Any], says: str) -> None:
    book = openpyxl.Workbook()
    for cell in ("x", *written):
        book.worksheets[0].append([cell])
    book.save(tmp_path / "release.xlsx")
    case = Case([Column("x", "float", "other", [0.1, 0.1 + 0.2])], [], target="xlsx")
    assert complaints(case, tmp_path).startswith(says)
    assert bool(complaints(case, tmp_path)) == bool(says)


def test_the_judge_finds_lost_rows_and_identifiers(tmp_path: Path) -> None:
    assert "rows are gone" in judged(FINE[:2], tmp_path)
    assert "columns" in judged([["Ann", *row] for row in FINE], tmp_path, names=("name", "age", "ill"))


@pytest.mark.parametrize(
    "promise",
    [
        Promise("k", 3),
        Promise("l", 3),
        Promise("l", 2.1, "entropy"),
        Promise("l", 2.1, "frequency"),
        Promise("l", 2, "recursive", c=0.5),
        Promise("t", 0.2),
        Promise("alpha", 0.4, k=2),
        Promise("p", 2, k=3),
        Promise("beta", 0.5),
        Promise("delta", 1),
        Promise("matching", 3),
        Promise("one-k", 3),
        Promise("k-one", 3),
        Promise("kk", 3),
        Promise("concealment", 3),
        Promise("linkage", 0.4),
    ],
    ids=lambda promise: f"{promise.flag} {promise.spelled()}",
)
def test_the_judge_finds_a_broken_promise(tmp_path: Path, promise: Promise) -> None:
    assert judged(FINE, tmp_path, promise)


@pytest.mark.parametrize(
    ("kind", "cell", "inside", "outside"),
    [
        ("int", "[-5..3]", [-5, 0, 3], [4, None]),
        ("int", "[9007199254740992..9007199254740993]", [9007199254740993], [9007199254740994]),
        ("text", '{a, "b, c", (missing)}', ["a", "b, c", None], ["b", "c"]),
        ("text", '"*"', ["*"], ["a"]),
        ("text", "*", ["*", "a", None], []),
        ("text", None, [None], ["a"]),
        ("date", "[2024-01-01..2024-02-29]", ["2024-02-01"], ["2024-03-01"]),
        ("float", "0.0", [-0.0, 0.0], [1.0]),
    ],
)
def test_cells_hold_what_they_say(kind: str, cell: str, inside: list[str], outside: list[str]) -> None:
    test = holds(Column("q", kind, "quasi", []), cell)
    assert all(map(test, inside))
    assert not any(map(test, outside))


def test_graphs_agree_with_counting_all_assignments() -> None:
    for bits in range(0, 512, 7):
        edges = [[bool(bits >> 3 * i + j & 1) for j in range(3)] for i in range(3)]
        ways = [p for p in itertools.permutations(range(3)) if all(edges[i][p[i]] for i in range(3))]
        assert (matching(edges, 3) is not None) == bool(ways)
        pairs = [[sum(p[i] == j for p in ways) / (len(ways) or 1) for j in range(3)] for i in range(3)]
        assert [*itertools.chain(*chances(edges))] == pytest.approx([*itertools.chain(*pairs)])
        disjoint = any(all(x != y for x, y in zip(p, q, strict=True)) for p in ways for q in ways)
        assert has_factor(edges, 2) == disjoint


def test_a_failure_is_made_small() -> None:
    case = replace(draw(3), words={"audit": "off", "seed": 1})
    small = shrink(case, lambda smaller: smaller.n_rows >= 2 and smaller.algorithm == case.algorithm)
    assert small.n_rows == 2
    assert small.words == {}
    assert len(small.columns) == 1
