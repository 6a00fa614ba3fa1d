"""One level per column, then single cells starred: what is printed, which levels are taken, what is refused."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.algorithms import ALL, Agglomerative, LocalSuppression, Mondrian
from shoal.core.claims import OneLevelOrStar
from shoal.core.hierarchy import Hierarchy
from shoal.core.plugins import build
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.io.labels import to_frame
from shoal.metrics import LM
from shoal.models import KAnonymity, LDiversity
from support.tables import coded, goal_of

ZIPS = Hierarchy.from_rows([[zip_code, zip_code[:4] + "*", "*"] for zip_code in ("22030", "22032", "22045", "22047")])


def _table(zips: str, sexes: str) -> Table:
    known = {"0": "22030", "2": "22032", "5": "22045", "7": "22047"}
    columns = {"zip": [known[z] for z in zips], "sex": list(sexes), "s": [f"v{i % 3}" for i in range(len(zips))]}
    return coded(columns, ["zip", "sex"], sensitive=("s",), hierarchies={"zip": ZIPS}, recodings={"sex": "suppress"})


def _made(algorithm: LocalSuppression, table: Table, k: int = 2) -> tuple[Release, pl.DataFrame]:
    release = algorithm.run(table, goal_of(KAnonymity(k)), Randomness(1), Silent())
    assert KAnonymity(k).check(release).holds
    return release, to_frame(publish(release, Randomness(1)))


def test_cells_are_of_one_level_or_stars() -> None:
    release, printed = _made(LocalSuppression(levels=(1, 0)), _table("00225577", "mfmfmfmm"))
    assert set(printed["zip"]) <= {"2203*", "2204*", "*"}
    assert set(printed["sex"]) <= {"m", "f", "*"}
    [claim] = release.claims
    assert claim.check(release, printed).holds


def test_a_cell_of_another_level_is_found_out() -> None:
    release, printed = _made(LocalSuppression(levels=(0, 0)), _table("00225577", "mfmfmfmm"))
    assert OneLevelOrStar((0, 0)).check(release, printed).holds
    verdict = OneLevelOrStar((1, 0)).check(release, printed)
    assert set(printed["zip"]) & {"22030", "22032", "22045", "22047"}
    assert not verdict.holds


def test_levels_are_raised_where_that_loses_less() -> None:
    """Eight different people: on level 0 all ZIP codes would be starred, on level 1 none is."""
    table = _table("02020202" + "57575757", "m" * 16)
    release, printed = _made(LocalSuppression(), table, k=8)
    assert set(printed["zip"]) == {"2203*", "2204*"}
    assert release.claims == (OneLevelOrStar((1, 0)),)
    starred = LM().score(_made(LocalSuppression(levels=(0, 0)), table, k=8)[0])
    assert LM().score(release) < starred


def test_without_anything_to_raise_it_is_cell_suppression() -> None:
    """CS of the taxonomy: no hierarchies, and the groups of the inner algorithm with stars where they differ."""
    table = coded({"a": list("xxyyzz"), "b": list("pqpqpp")}, ["a", "b"], recodings={"a": "suppress", "b": "suppress"})
    goal = goal_of(KAnonymity(2))
    mine = LocalSuppression(Agglomerative()).run(table, goal, Randomness(1), Silent())
    theirs = Agglomerative().run(table, goal, Randomness(1), Silent())
    assert LM().score(mine) <= LM().score(theirs)


def test_options_from_the_command_line() -> None:
    algorithm = build("algorithm", "local-suppression:levels=1+0,inner=agglomerative", ALL)
    assert algorithm == LocalSuppression("agglomerative", (1, 0))
    release, _ = _made(algorithm, _table("00225577", "mfmfmfmm"))
    assert release.claims == (OneLevelOrStar((1, 0)),)


@pytest.mark.parametrize("levels", [(1,), (3, 0), (0, 2)])
def test_levels_that_there_are_not(levels: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"one for each quasi-identifier \(zip 0 to 2, sex 0 to 1\)"):
        LocalSuppression(levels=levels).refuse(_table("0022", "mmff"), goal_of(KAnonymity(2)))


def test_promises_about_values_are_kept() -> None:
    table = _table("00225577", "mfmfmfmm")
    goal = goal_of(KAnonymity(2), LDiversity(2))
    release = LocalSuppression(Mondrian()).run(table, goal, Randomness(1), Silent())
    assert all(promise.check(release).holds for promise in goal.promises)
