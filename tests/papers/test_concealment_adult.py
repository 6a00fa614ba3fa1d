"""Adult, 30,162 rows of nine columns with ARX's hierarchies: what the steps lose, and whether promises are kept."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.algorithms import Concealment
from shoal.algorithms.concealment.match_repair import repaired, visiting_order
from shoal.algorithms.concealment.optimal import optimal
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.io.hierarchies import read_hierarchy
from shoal.metrics import LM
from shoal.models import KK, KConcealment
from support.tables import goal_of

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def adult(data_folder: Path) -> Table:
    folder = data_folder / "datasets" / "adult-arx"
    frame = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    trees = {name: read_hierarchy(folder / "hierarchies" / f"adult_hierarchy_{name}.csv") for name in frame.columns}
    return encode(frame, Schema(tuple(frame.columns), hierarchies=trees)).table


@pytest.mark.parametrize(("k", "one", "both"), [(5, 0.0301, 0.0306), (10, 0.0431, 0.0440)])
def test_k_one_is_optimal_and_kk_next_to_it(adult: Table, k: int, one: float, both: float) -> None:
    field = RowTree.of(adult, LM())
    draft, is_proven = optimal(field, k)
    assert is_proven
    assert LM().score(draft.release()) == pytest.approx(one, abs=5e-5)
    release = repaired(draft, k, visiting_order(draft, "costliest", Randomness(1))).release()
    assert LM().score(release) <= both
    assert KK(k).check(release).holds


@pytest.mark.slow
def test_the_paper_pipeline_with_shrinking(adult: Table) -> None:
    promise = KConcealment(10, "rows")
    release = Concealment(linkage=1).run(adult, goal_of(promise), Randomness(1), Silent())
    assert promise.check(release).holds
    assert LM().score(release) <= 0.08
    assert "chance of 1;" in release.account[0], "and what it costs is said"
