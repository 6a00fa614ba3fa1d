"""Ciriani et al., k-Anonymity: figures 18 and 19, homogeneous classes and what is said about them."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.core.cells import Cells
from shoal.core.hierarchy import Hierarchy
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models import KAnonymity, LDiversity
from support.chapter import FIGURE_5C
from support.tables import coded, groups_of, partitioned, sets_of_rows

ZIPS = ["22030", "22030", "22030", "22032", "22032", "22032", "22045", "22047", "22047"]
MARITAL = ["married", "married", "single", "single", "single", "divorced", "divorced", "widow", "widow"]
SEX = list("FFMMMFMMM")
DISEASE = ["hypertension", "hypertension", "obesity", "HIV", "obesity", "hypertension", "obesity", "HIV", "HIV"]

BLOCKS = [[0, 1, 5], [2, 3, 4], [6, 7, 8]]
DIABETES = list("NNYYNNNYN")
CHOLESTEROL = [230, 220, 250, 260, 250, 275, 285, 210, 190]


def _as_printed(**sensitive: list[object]) -> Release:
    """The figure's own labels, taken as values."""
    zips, marital, sex = (list(column) for column in zip(*FIGURE_5C, strict=True))
    columns = {"ZIP": zips, "MaritalStatus": marital, "Sex": sex, **sensitive}
    return Release.identity(coded(columns, ["ZIP", "MaritalStatus", "Sex"], sensitive=(*sensitive,)))


def _original() -> Table:
    """The first nine rows of figure 1 with the hierarchies of the chapter."""
    trees = {
        "ZIP": Hierarchy.from_rows([[z, z[:4] + "*", z[:3] + "**"] for z in ("22030", "22032", "22045", "22047")]),
        "MaritalStatus": Hierarchy.from_dict(
            {"been married": ["married", "divorced", "widow"], "never married": ["single"]}, root="not released"
        ),
        "Sex": Hierarchy.from_rows([["M", "not released"], ["F", "not released"]]),
    }
    columns: dict[str, list[object]] = {
        "ZIP": [*ZIPS],
        "MaritalStatus": [*MARITAL],
        "Sex": [*SEX],
        "Disease": [*DISEASE],
    }
    return coded(columns, ["ZIP", "MaritalStatus", "Sex"], sensitive=("Disease",), hierarchies=trees)


def test_figure_18_is_3_anonymous() -> None:
    release = _as_printed(Disease=[*DISEASE])
    assert sets_of_rows(release.classes) == {frozenset(block) for block in BLOCKS}
    verdict = KAnonymity(3).check(release)
    assert (verdict.holds, verdict.achieved, verdict.n_groups) == (True, 3.0, 3)
    assert not KAnonymity(4).check(release).holds


def test_figure_18_two_of_three_blocks_are_2_diverse() -> None:
    """The married women all suffer from hypertension: a homogeneity attack."""
    release = _as_printed(Disease=[*DISEASE])
    verdict = LDiversity(2).check(release)
    assert (verdict.holds, verdict.achieved, verdict.n_failing, verdict.n_groups) == (False, 1.0, 1, 3)
    assert verdict.worst_measures == (1.0, 2.0, 2.0)
    assert sorted(release.pools.of(verdict.worst[0]).tolist()) == [0, 1, 5]


def test_figure_18_is_what_generalizing_figure_1_gives() -> None:
    """Each block gets the smallest nodes; single men stay single, who are never married one level up."""
    table = _original()
    release = partitioned(table, BLOCKS)
    wanted = {block[0]: FIGURE_5C[block[0]] for block in BLOCKS}
    for shape, block in enumerate(BLOCKS):
        printed = [
            c.recoding.label(cells, int(cells.ids[shape])) for c, cells in zip(table.quasi, release.cells, strict=True)
        ]
        assert [text.replace("single", "never married") for text in printed if text] == [*wanted[block[0]]]


def test_figure_18_at_one_level_per_column() -> None:
    """ZIP and marital status one level up, sex as it is: the cells of a full-domain release say so."""
    table = _original()
    printed = []
    for column, codes, level in zip(table.quasi, table.codes, (1, 1, 0), strict=True):
        nested = column.recoding.nested
        levels = np.full(codes.size, level, np.int32)
        cells = Cells.of_intervals(nested.low[level, codes], nested.high[level, codes], levels)
        printed.append([column.recoding.label(cells, int(cell)) for cell in cells.ids])
    assert list(zip(*printed, strict=True)) == FIGURE_5C


def test_figure_19_is_2_diverse_in_cholesterol() -> None:
    release = _as_printed(Cholesterol=[*CHOLESTEROL])
    assert KAnonymity(3).check(release).holds
    verdict = LDiversity(2).check(release)
    assert (verdict.holds, verdict.achieved) == (True, 2.0)
    assert not LDiversity(3).check(release).holds


def test_figure_19_is_not_2_diverse_in_diabetes() -> None:
    """Its caption says 2-diverse, but as printed all three married women have none."""
    verdict = LDiversity(2).check(_as_printed(Diabetes=[*DIABETES]))
    assert (verdict.holds, verdict.n_failing) == (False, 1)


@pytest.mark.parametrize("block", [1, 2])
def test_figure_19_other_blocks_are_2_diverse_in_diabetes(block: int) -> None:
    release = _as_printed(Diabetes=[*DIABETES])
    assert LDiversity(2).accepts(release.table, groups_of([BLOCKS[block]])).all()


def test_l_diversity_is_monotone_along_generalization() -> None:
    """Joining the two blocks of the 2203* area makes both 2-diverse."""
    merged = partitioned(_original(), [BLOCKS[0] + BLOCKS[1], BLOCKS[2]])
    assert LDiversity(2).check(merged).holds
