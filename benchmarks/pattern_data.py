"""The tables of the pattern-guided paper: the data as it used them, its patterns in its order, its numbers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from shoal.algorithms.patterns.rules import Rules
from shoal.core.domain import Kind
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode

ADULT_2 = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country", "class"]
NUMBERS = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")
USER = Rules(
    max_stars=2,
    never=("education", "class"),
    together=(("workclass", "occupation"),),
    at_most_one=(("age", "sex", "race"),),
)
"""The user of section 3.6."""

USERS_ORDER = (
    "native-country",
    "marital-status",
    "age",
    "sex",
    "race",
    "marital-status native-country",
    "workclass occupation",
    "age native-country",
    "age marital-status",
    "race native-country",
    "sex native-country",
    "marital-status race",
    "marital-status sex",
)
"""An order of her patterns of equal cost (by what they star) under which the greedy gives all numbers of table 8."""

SLIPS = {
    (6, "greedy"): "an error in the paper: one star in each of 12,960 rows makes 12,960, as its own ILP result says",
    (8, "ilp"): "within CPLEX's default tolerance of 0.01 %: this one is proven with no tolerance",
}
"""Why a row may differ from the paper's."""


def folder() -> Path:
    """The folder with the data sets and the paper's numbers."""
    path = Path(os.environ.get("SHOAL_DATA", ""))
    if not (path / "datasets").is_dir():
        raise SystemExit("Set SHOAL_DATA to the folder that holds datasets/ and reference/.")
    return path


def table_of(name: str, numbers: Sequence[str] = NUMBERS, recoding: str | None = "suppress") -> Table:
    """The data of a table; ``numbers`` are the columns that the paper took for numbers in its usefulness."""
    file = {"adult-2": "adult/adult.csv"}.get(name, f"{name}/{name}.csv")
    frame = pl.read_csv(folder() / "datasets" / file, infer_schema_length=None)
    drop = {"adult": ["fnlwgt"], "nursery": ["class"]}.get(name, [])
    frame = frame.select(ADULT_2) if name == "adult-2" else frame.drop(drop)
    return coded(frame, {column: "numeric" if column in numbers else "nominal" for column in frame.columns}, recoding)


def numbers_of(number: int) -> Sequence[str]:
    """In table 7 the paper took age and children of CMC for numbers, in table 4 it did not."""
    return ("wife_age", "num_children") if number == 7 else NUMBERS


def coded(frame: pl.DataFrame, kinds: dict[str, Kind] | None = None, recoding: str | None = "suppress") -> Table:
    """All columns are quasi-identifiers that are published as they are or starred, or by another recoding."""
    recodings = dict.fromkeys(frame.columns, recoding) if recoding else {}
    schema = Schema(tuple(frame.columns), kinds=kinds or {}, recodings=recodings)
    return encode(frame, schema).table


def starring(table: Table, stars: Sequence[str]) -> str:
    """The pattern that stars these columns."""
    return ",".join("*" if column.name in stars else column.name for column in table.quasi)


def paper_rules(number: int, data: Table) -> Rules:
    """The patterns of a table, in the order in which the paper's greedy must have taken them."""
    names = [column.name for column in data.quasi]
    if number == 7:
        sets = [[names[j] for j in range(len(names)) if mask >> j & 1] for mask in range(2 ** len(names))]
        return Rules(patterns=[starring(data, stars) for stars in sets if len(stars) <= 2])
    if number == 8:
        stars = ((), *(tuple(one.split()) for one in USERS_ORDER))
        return Rules(patterns=[starring(data, one) for one in stars])
    return Rules()


def rows_of(number: int, algorithm: str) -> list[dict[str, float]]:
    """The rows of one table of the paper."""
    frame = pl.read_csv(folder() / "reference" / "pattern_guided.csv", infer_schema_length=None)
    return frame.filter((pl.col("table") == number) & (pl.col("algorithm") == algorithm)).to_dicts()
