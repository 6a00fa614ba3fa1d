"""Local recoding beside its papers: the artificial data, the curves on Adult, and every data set checked."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest

from shoal.algorithms import ALL, Agglomerative, Clustering, Forest, Hilbert, Lexicographic
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.io.encode import encode
from shoal.metrics import GCP, LM
from shoal.models import KAnonymity

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"


@pytest.fixture(scope="module")
def tables() -> Iterator[ModuleType]:
    """The benchmarks' data sets."""
    sys.path.insert(0, str(BENCHMARKS))
    yield import_module("tables")
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def artificial(tables: ModuleType) -> ModuleType:
    """The benchmarks' artificial data."""
    return import_module("artificial")


def made(algorithm: Algorithm, table: Table, k: int, metric: LM | GCP | None = None) -> Release:
    return algorithm.run(table, Goal((KAnonymity(k),), metric or LM()), Randomness(1), Silent())


# Tassa, Mazza and Gionis 2012, section 9


def test_the_printed_probabilities(artificial: ModuleType) -> None:
    assert {name: len(shares) for name, shares in artificial.SHARES.items()} == {
        "A1": 2, "A2": 4, "A3": 4, "A4": 25, "A5": 10, "A6": 5,
    }  # fmt: skip
    frame = artificial.rows(40_000)
    for name, shares in artificial.SHARES.items():
        assert sum(shares) == pytest.approx(1)
        counts = dict(frame[name].value_counts().iter_rows())
        for value, share in enumerate(shares, 1):
            assert counts[f"a{value}"] == pytest.approx(40_000 * share, abs=5 * (40_000 * share) ** 0.5)


def test_the_printed_subsets_and_no_others(artificial: ModuleType) -> None:
    for column in artificial.artificial(500).quasi:
        nested, n = column.recoding.nested, column.domain.n_leaves
        texts = np.array(column.domain.texts)
        found = {
            frozenset(texts[nested.low[level, leaf] : nested.high[level, leaf] + 1].tolist())
            for level in range(nested.n_levels)
            for leaf in range(n)
        }
        wanted = {frozenset(f"a{i}" for i in range(a, b + 1)) for a, b in artificial.SUBSETS[column.name]}
        assert {some for some in found if 1 < len(some) < n} == wanted


def test_a6_is_an_unbalanced_tree_of_height_3(artificial: ModuleType) -> None:
    """*The distance of a4 and a5 from the root is 3, while the distance of a1, a2 and a3 from the root is 2.*"""
    rows = {row[0]: len(dict.fromkeys(row)) - 1 for row in artificial.hierarchy("A6").to_rows()}
    assert rows == {"a1": 2, "a2": 2, "a3": 2, "a4": 3, "a5": 3}


@pytest.mark.parametrize("k", [10, 50, 100])
def test_agglomerative_is_well_below_forest(artificial: ModuleType, k: int) -> None:
    table = artificial.artificial()
    forest = min(LM().score(made(Forest(way), table, k)) for way in ("loss", "levels"))
    for linkage in ("closure", "increase", "size"):
        assert LM().score(made(Agglomerative(linkage), table, k)) < 0.9 * forest


# Wong, Mamoulis and Cheung 2010, figures 11 and 13


@pytest.mark.parametrize(("vary", "d", "k"), [("d", 2, 10), ("d", 3, 10), ("k", 4, 50), ("d", 10, 10)])
def test_hr_and_hs_on_a_grid_of_64_steps(data_folder: Path, vary: str, d: int, k: int) -> None:
    with (data_folder / "reference" / "nonhomogeneous.csv").open() as lines:
        printed = next(
            row
            for row in csv.DictReader(lines)
            if row["dataset"] == "adult" and (row["vary"], int(row["d"]), int(row["k_or_l"])) == (vary, d, k)
        )
    frame = pl.read_csv(data_folder / "datasets" / "adult" / "adult.csv", infer_schema=False)
    frame = frame.select(frame.columns[:d])
    numbers = {name for name in frame.columns if frame[name].cast(pl.Float64, strict=False).null_count() == 0}
    orders = {name: sorted(frame[name].unique()) for name in frame.columns if name not in numbers}
    ranges = dict.fromkeys(frame.columns, "range")
    names = tuple(frame.columns)
    table = encode(frame, Schema(names, kinds=dict.fromkeys(numbers, "numeric"), orders=orders, recodings=ranges)).table
    sets = encode(frame, Schema(names, recodings=dict.fromkeys(names, "sets"))).table
    release = made(Hilbert(axes="values", bits=6), table, k, GCP())
    assert GCP().score(release) == pytest.approx(float(printed["HR"]), rel=0.2)
    assert GCP().score(Release.from_groups(sets, release.classes)) == pytest.approx(float(printed["HS"]), rel=0.22)
    if d in (2, 4):
        assert GCP().score(made(Lexicographic(), sets, k, GCP())) == pytest.approx(float(printed["HP"]), rel=0.05)


# Every data set

NAMES = ("artificial", "cmc", "nursery", "coil", "creditcard", "adult", "adult sets", "mach", "kdd", "census")


LARGE = ("coil", "mach", "kdd", "census")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LARGE else name for name in NAMES]
)
def test_every_local_algorithm_keeps_k_on_every_data_set(data_folder: Path, tables: ModuleType, name: str) -> None:
    table = _every_so_many(tables.TABLES[name](), 300)
    goal = Goal((KAnonymity(7),), LM())
    n_served = 0
    for made_by in ALL.values():
        algorithm = made_by()
        if not made_by.is_local:
            continue
        algorithm = Clustering(steps=200) if isinstance(algorithm, Clustering) else algorithm
        try:
            algorithm.refuse(table, goal)
        except InputError:
            continue
        release = algorithm.run(table, goal, Randomness(1), Silent())
        counts = pl.DataFrame({"shape": release.shapes})["shape"].value_counts()["count"]
        assert counts.min() >= 7, algorithm  # type: ignore[operator]
        assert KAnonymity(7).check(release).holds
        n_served += 1
    assert n_served >= 7


def _every_so_many(table: Table, n: int) -> Table:
    """About ``n`` rows of a table."""
    codes = np.ascontiguousarray(table.codes[:, :: max(1, table.n_rows // n)])
    return replace(table, codes=codes, passengers=pl.DataFrame())
