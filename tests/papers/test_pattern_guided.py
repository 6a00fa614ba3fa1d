"""Tables 1 to 8 of *Pattern-Guided k-Anonymity*: every number of the greedy, and the optima.

Where the paper is not followed to the letter, ``SLIPS`` says so.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import polars as pl
import pytest

from shoal.algorithms.patterns import PatternExact
from shoal.algorithms.patterns.mask import make_mask
from shoal.algorithms.patterns.pattern_greedy import cover
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.algorithms.patterns.rules import Rules
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.job import run_job
from shoal.engine.listing_patterns import list_job_patterns
from shoal.io.encode import encode
from shoal.models import KAnonymity
from support.patterns import k_goal
from support.tally import tally

JOB = Path(__file__).parent.parent.parent / "docs_src" / "patterns" / "discrimination.toml"
SLIPS = {
    "table 6, greedy": "12,690 stars are printed for k up to 5; with one star in each of 12,960 rows it is 12,960",
    "tables 4 and 7": "age and children of CMC are taken for numbers in the usefulness of table 7, but not of table 4",
    "table 8, optima": "k = 3, 4: one star less is possible, k = 9, 25, 50: two (within CPLEX's tolerance of 0.01 %)",
}
BELOW_THE_PAPER = {3: 1, 4: 1, 9: 2, 25: 2, 50: 2}

ADULT_2 = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country", "class"]
NUMBERS = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")
USER = Rules(
    max_stars=2,
    never=("education", "class"),
    together=(("workclass", "occupation"),),
    at_most_one=(("age", "sex", "race"),),
)
USERS_ORDER = (
    "native-country|marital-status|age|sex|race|marital-status native-country|workclass occupation|age native-country|"
    "age marital-status|race native-country|sex native-country|marital-status race|marital-status sex"
)

pytestmark = pytest.mark.data


@cache
def data_of(folder: Path, name: str, numbers: tuple[str, ...] = NUMBERS) -> Table:
    """Every column the value or a star."""
    file = {"adult-2": "adult/adult.csv"}.get(name, f"{name}/{name}.csv")
    frame = pl.read_csv(folder / "datasets" / file, infer_schema_length=None)
    drop = {"adult": ["fnlwgt"], "nursery": ["class"]}.get(name, [])
    frame = frame.select(ADULT_2) if name == "adult-2" else frame.drop(drop)
    kinds = {column: "numeric" if column in numbers else "nominal" for column in frame.columns}
    recodings = dict.fromkeys(frame.columns, "suppress")
    return encode(frame, Schema(tuple(frame.columns), kinds=kinds, recodings=recodings)).table  # type: ignore[arg-type]


def paper(folder: Path, table: int, algorithm: str, k: int) -> dict[str, float]:
    """One row of one table."""
    with (folder / "reference" / "pattern_guided.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if (row["table"], row["algorithm"], row["k"]) == (str(table), algorithm, str(k)):
                return {
                    key: float(value) for key, value in row.items() if key not in ("dataset", "algorithm") and value
                }
    raise AssertionError(f"table {table} has no row for k = {k}")


def starring(table: Table, stars: Sequence[str]) -> str:
    return ",".join("*" if column.name in stars else column.name for column in table.quasi)


def rules_of(table: int, data: Table) -> Rules:
    """The paper's patterns in the order its greedy must have taken them: in table 7 the first column counts least."""
    names = [column.name for column in data.quasi]
    if table == 7:
        sets = [[names[j] for j in range(len(names)) if mask >> j & 1] for mask in range(2 ** len(names))]
        return Rules(patterns=[starring(data, stars) for stars in sets if len(stars) <= 2])
    if table == 8:
        sets = [[], *(one.split() for one in USERS_ORDER.split("|"))]
        return Rules(patterns=[starring(data, stars) for stars in sets])
    return Rules()


ALL = (2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 50, 75, 100)
TABLES = {1: "adult", 2: "adult-2", 3: "nursery", 4: "cmc", 6: "nursery", 7: "cmc", 8: "adult-2"}
CASES = [(table, name, k) for table, name in TABLES.items() for k in ALL]


@pytest.mark.parametrize(("table", "name", "k"), CASES)
def test_the_greedy_gives_the_papers_numbers(data_folder: Path, table: int, name: str, k: int) -> None:
    data = data_of(data_folder, name, ("wife_age", "num_children") if table == 7 else NUMBERS)
    problem = PatternProblem(data, make_mask(rules_of(table, data), data.quasi))
    got, wanted = tally(cover(problem, k_goal(k), Silent())), paper(data_folder, table, "greedy", k)
    assert got.row_types == wanted["row_types"]
    assert got.largest_size == wanted["max_size"]
    assert got.average_size == pytest.approx(wanted["avg_size"], abs=0.00051 if table < 8 else 0.6, rel=0.003)
    assert got.usefulness == pytest.approx(wanted["usefulness"], abs=0.00051 if table < 6 else 0.0051)
    if table > 5:
        slip = 270 if table == 6 and k <= 5 else 0
        assert got.cost == wanted["suppressions"] + slip


def solved(data: Table, rules: Rules, k: int) -> tuple[float, bool]:
    """The optimum, whether it is proven, once its release was found to keep the promise."""
    problem = PatternProblem(data, make_mask(rules, data.quasi))
    solution = PatternExact(time_limit=100).solve(problem, k_goal(k), Randomness(1), Silent())
    release = solution.assignment.release()
    assert release.truthful().all()
    assert release.n_suppressed == 0
    assert KAnonymity(k).check(release).holds
    return solution.assignment.cost, solution.is_proven


@pytest.mark.parametrize("k", ALL)
def test_table_6_the_greedy_is_proven_best_by_a_bound_per_row(data_folder: Path, k: int) -> None:
    cost, proven = solved(data_of(data_folder, "nursery"), Rules(), k)
    assert proven
    assert cost == paper(data_folder, 6, "ilp", k)["suppressions"]


@pytest.mark.parametrize("k", [k for k in ALL if k != 5])
def test_table_7_the_optima(data_folder: Path, k: int) -> None:
    """k = 5 takes longest: ``benchmarks/pattern_guided.py exact``."""
    cost, proven = solved(data_of(data_folder, "cmc"), Rules(max_stars=2), k)
    assert proven
    assert cost == paper(data_folder, 7, "ilp", k)["suppressions"]


@pytest.mark.slow
@pytest.mark.parametrize("k", [25, 100])
def test_table_8_the_optima(data_folder: Path, k: int) -> None:
    """The others take up to ten seconds each: ``benchmarks/pattern_guided.py exact``."""
    cost, proven = solved(data_of(data_folder, "adult-2"), USER, k)
    assert proven
    assert cost == paper(data_folder, 8, "ilp", k)["suppressions"] - BELOW_THE_PAPER.get(k, 0)


def test_the_user_of_section_3_6_is_the_job_file_of_the_docs(data_folder: Path, tmp_path: Path) -> None:
    """Her rules, word for word; fourteen patterns and the one of stars. Run on every tenth row."""
    rows = pl.read_csv(data_folder / "datasets" / "adult" / "adult.csv", infer_schema=False).gather_every(10)
    rows.write_csv(tmp_path / "adult.csv")
    job = tmp_path / "job.toml"
    job.write_bytes(JOB.read_bytes())
    allowed = list_job_patterns(job)
    assert allowed.by_stars == {0: 1, 1: 5, 2: 8, 9: 1}
    assert allowed.kept == ("education", "class")
    assert allowed.mask is not None
    said = tomllib.loads(job.read_text(encoding="utf-8"))["algorithm"]
    assert said.pop("name") == "patterns-search"
    assert Rules(**said) == USER
    result = run_job(job)
    wanted = {allowed.mask.text(pattern) for pattern in range(len(allowed.mask))}
    published = result.frame.select(ADULT_2)
    seen = {
        ",".join("*" if value == "*" else name for name, value in zip(ADULT_2, row, strict=True))
        for row in published.iter_rows()
    }
    assert len(seen) >= 4
    assert seen <= wanted
