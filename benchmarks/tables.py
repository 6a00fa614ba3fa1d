"""The data sets as coded tables, with the hierarchies that come with them; all but the artificial need SHOAL_DATA."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from artificial import artificial
from census import QUASI, census
from data import ADULT_EIGHT
from shoal.core.hierarchy import Hierarchy
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.io.hierarchies import read_hierarchy

NURSERY: dict[str, dict[str, list[str]]] = {
    "parents": {"known": ["usual", "pretentious"], "great": ["great_pret"]},
    "has_nurs": {"good": ["proper", "less_proper"], "bad": ["improper", "critical", "very_crit"]},
    "form": {"whole": ["complete", "completed"], "part": ["incomplete", "foster"]},
    "children": {"few": ["1", "2"], "many": ["3", "more"]},
    "housing": {"fair": ["convenient", "less_conv"], "poor": ["critical"]},
    "social": {"fair": ["nonprob", "slightly_prob"], "poor": ["problematic"]},
    "health": {"fair": ["recommended", "priority"], "poor": ["not_recom"]},
}
"""Values that are close, ours: the paper does not print its own. ``finance`` has two values."""

KDD = ["age", "sex", "education", "marital stat", "race", "class of worker", "country of birth self"]


def folder() -> Path:
    """The folder of the data sets."""
    path = Path(os.environ.get("SHOAL_DATA", ""), "datasets")
    if not path.is_dir():
        raise SystemExit("Set SHOAL_DATA to the folder that holds datasets/.")
    return path


def read_csv(path: str, separator: str = ",") -> pl.DataFrame:
    """A file of the data sets, every value as text."""
    return pl.read_csv(folder() / path, separator=separator, infer_schema=False)


def read_trees(path: str, names: Sequence[str], prefix: str) -> dict[str, Hierarchy]:
    """The hierarchies of some columns, from a folder of ARX's files."""
    return {name: read_hierarchy(folder() / path / f"{prefix}_hierarchy_{name}.csv") for name in names}


def adult(n_columns: int = 9) -> Table:
    """ARX's Adult, 30,162 rows: all nine columns are quasi-identifiers, or the eight without the class."""
    frame = read_csv("adult-arx/adult.csv", ";")
    names = frame.columns if n_columns == 9 else ADULT_EIGHT
    return encode(
        frame.select(names), Schema(tuple(names), hierarchies=read_trees("adult-arx/hierarchies", names, "adult"))
    ).table


def adult_45222() -> Table:
    """All rows of Adult without a missing value, eight columns with ARX's hierarchies."""
    frame = pl.concat([read_csv("adult/adult.csv"), read_csv("adult/adult_test.csv")])
    frame = frame.filter(~pl.any_horizontal(pl.all() == "?")).select(ADULT_EIGHT)
    trees = read_trees("adult-arx/hierarchies", ADULT_EIGHT, "adult")
    return encode(frame, Schema(tuple(ADULT_EIGHT), hierarchies=trees)).table


def adult_sets() -> Table:
    """30,162 rows of eight columns: age as ranges, the others as sets."""
    return encode(read_csv("adult-arx/adult.csv", ";").select(ADULT_EIGHT), Schema(tuple(ADULT_EIGHT))).table


def cmc() -> Table:
    """1,473 rows of nine columns; three hierarchies come with it, the other columns are kept or starred."""
    frame = read_csv("cmc/cmc.csv")
    names = frame.columns[:9]
    theirs = {"wife_age": "age", "num_children": "children", "wife_education": "Weducation"}
    trees = {
        name: read_hierarchy(folder() / "cmc" / "hierarchies" / f"cmc_hierarchy_{file}.csv")
        for name, file in theirs.items()
    }
    others = {name: "suppress" for name in names if name not in theirs}
    return encode(frame.select(names), Schema(tuple(names), hierarchies=trees, recodings=others)).table


def nursery() -> Table:
    """12,960 rows of eight columns, every combination once, with hierarchies of ours."""
    trees = {name: Hierarchy.from_dict(groups, name=name) for name, groups in NURSERY.items()}
    frame = read_csv("nursery/nursery.csv").drop("class")
    schema = Schema(tuple(frame.columns), hierarchies=trees, recodings={"finance": "suppress"})
    return encode(frame, schema).table


def coil() -> Table:
    """9,822 rows; the first 15 columns, which describe the household, as ranges of their codes."""
    frame = pl.concat([read_csv("coil2000/coil2000_train.csv"), read_csv("coil2000/coil2000_eval.csv")])
    names = frame.columns[:15]
    return encode(frame.select(names), Schema(tuple(names), kinds=dict.fromkeys(names, "numeric"))).table


def kdd() -> Table:
    """99,762 rows of the KDD census, seven columns: age as ranges, the others as sets."""
    frame = pl.read_parquet(folder() / "census-kdd" / "census_income_kdd_test.parquet").select(KDD)
    return encode(frame, Schema(tuple(KDD))).table


def creditcard() -> Table:
    """30,000 rows; the first eleven columns with ARX's hierarchies (the others are amounts)."""
    frame = read_csv("arx/creditcard_int/creditcard_int.csv", ";")
    names = frame.columns[:11]
    trees = read_trees("arx/creditcard_int/hierarchies", names, "creditcard_int")
    return encode(frame.select(names), Schema(tuple(names), hierarchies=trees)).table


def mach() -> Table:
    """73,489 rows of 16 columns with ARX's hierarchies."""
    frame = read_csv("arx/mach2019_int/mach2019_int.csv", ";")
    trees = read_trees("arx/mach2019_int/hierarchies", frame.columns, "mach2019_int")
    return encode(frame, Schema(tuple(frame.columns), hierarchies=trees)).table


def mixed(n: int = 450_000, seed: int = 1) -> Table:
    """Rows that take each column from one row of Adult or, one time in four, from another: many different ones."""
    frame = read_csv("adult-arx/adult.csv", ";")
    rng = np.random.default_rng(seed)
    one, other = rng.integers(0, frame.height, n), rng.integers(0, frame.height, n)
    columns = [frame[name].gather(np.where(rng.random(n) < 0.75, one, other)) for name in frame.columns]
    trees = read_trees("adult-arx/hierarchies", frame.columns, "adult")
    return encode(pl.DataFrame(columns), Schema(tuple(frame.columns), hierarchies=trees)).table


def generated(n: int = 200_000, names: Sequence[str] = QUASI) -> Table:
    """The generated census: age and education as ranges, the others as sets; nine columns at most."""
    numbers = ("age", "education", "salary")
    kinds = {name: "numeric" if name in numbers else "nominal" for name in names}
    return encode(census(n).select(names), Schema(tuple(names), kinds=kinds)).table  # type: ignore[arg-type]


TABLES: dict[str, Callable[[], Table]] = {
    "artificial": artificial,
    "cmc": cmc,
    "nursery": nursery,
    "coil": coil,
    "creditcard": creditcard,
    "adult": adult,
    "adult sets": adult_sets,
    "mach": mach,
    "kdd": kdd,
    "census": generated,
}
"""By name, smallest first."""
