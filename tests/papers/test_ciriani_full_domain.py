"""Ciriani et al., k-Anonymity: figures 1 to 5, 9 to 11 and examples 3.1 to 3.3, on the ten rows of figure 1."""

from __future__ import annotations

from itertools import product

import pytest

from naive import lattice as naive
from naive.plain import records_of
from shoal.algorithms.lattice import Lattice, Samarati
from shoal.algorithms.lattice.class_rollup import ClassRollup
from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.incognito import marked_nodes, minimal_nodes, present_nodes
from shoal.algorithms.lattice.space import Space
from shoal.core.contracts import Goal
from shoal.core.hierarchy import Hierarchy
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet
from shoal.metrics import LM
from shoal.models import KAnonymity
from support.chapter import FIGURE_1, FIGURE_5C
from support.tables import coded

FIGURE_3 = {
    "ZIP": Hierarchy.from_dict({"2203*": ["22030", "22032"], "2204*": ["22045", "22047"]}, root="220**"),
    "MaritalStatus": Hierarchy.from_dict(
        {"been married": ["married", "widow", "divorced"], "never married": ["single"]}, root="not released"
    ),
    "Sex": Hierarchy.from_rows([["M", "not released"], ["F", "not released"]]),
}
"""The value generalization hierarchies, with the leaves in the order of figure 12."""

FIGURE_5B = [
    ("220**", "been married", "F"),
    ("220**", "been married", "F"),
    ("220**", "never married", "M"),
    ("220**", "never married", "M"),
    ("220**", "never married", "M"),
    ("220**", "been married", "F"),
    ("220**", "been married", "M"),
    ("220**", "been married", "M"),
    ("220**", "been married", "M"),
]

FIGURE_9 = [
    "000 021 121 110 211 211 220",
    "021 000 100 121 220 220 201",
    "121 100 000 021 220 220 201",
    "110 121 021 000 201 211 220",
    "211 220 220 201 000 110 121",
    "211 220 220 211 110 000 021",
    "220 201 201 220 121 021 000",
]
"""The matrix VT; rows and columns are t1/t2, t3, t4/t5, t6, t7, t8/t9, t10."""

NAMES = ("ZIP", "MaritalStatus", "Sex")


def figure_1() -> Table:
    columns = dict(zip((*NAMES, "Disease"), map(list, zip(*FIGURE_1, strict=True)), strict=True))
    return coded(columns, NAMES, sensitive=("Disease",), hierarchies=FIGURE_3)


def goal_of(k: int, max_suppressed: int = 0) -> Goal:
    return Goal((KAnonymity(k),), LM(), max_suppressed / len(FIGURE_1))


def judge_3_2() -> Judge:
    return Judge(figure_1(), goal_of(3, 2), ClassRollup(figure_1()))


def printed(release: Release) -> list[tuple[str | None, ...]]:
    """The labels of the records, by the row they were made from."""
    columns = [
        [column.recoding.label(cells, int(cells.ids[shape])) for shape in release.shapes]
        for column, cells in zip(release.table.quasi, release.cells, strict=True)
    ]
    rows = zip(release.owners.tolist(), zip(*columns, strict=True), strict=True)
    return [labels for _, labels in sorted(rows)]


def suppressed(k: int, levels: tuple[int, ...]) -> int:
    release = Lattice(levels=levels).run(figure_1(), goal_of(k, 9), Randomness(0), Silent())
    return release.n_suppressed


def test_the_table_is_1_anonymous_and_2_anonymous_by_marital_status_alone() -> None:
    assert suppressed(2, (0, 0, 0)) == 4
    columns = {"MaritalStatus": [row[1] for row in FIGURE_1]}
    release = Lattice(levels=(0,)).run(coded(columns, ["MaritalStatus"]), goal_of(2), Randomness(0), Silent())
    assert release.n_suppressed == 0


def test_suppression_alone_section_2_1() -> None:
    """Suppressing tuples 3, 6, 7 and 10 satisfies 2-anonymity without any generalization."""
    release = Lattice(levels=(0, 0, 0)).run(figure_1(), goal_of(2, 4), Randomness(0), Silent())
    assert set(range(10)) - set(release.owners.tolist()) == {2, 5, 6, 9}
    assert printed(release) == [FIGURE_1[row][:3] for row in (0, 1, 3, 4, 7, 8)]


def test_figure_4_the_lattice() -> None:
    space = Space.of(figure_1())
    assert space.heights == (2, 2, 1)
    assert space.n_nodes == 18
    assert sum(space.top) == 5
    assert set(space.at_height(2)) == {(2, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1), (0, 2, 0)}
    assert set(space.at_height(1)) == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}


@pytest.mark.parametrize(
    ("levels", "expected"),
    [((2, 2, 1), [("220**", "not released", "not released")] * 10), ((2, 1, 0), FIGURE_5B), ((1, 1, 0), FIGURE_5C)],
)
def test_figure_5_generalized_tables(levels: tuple[int, ...], expected: list[tuple[str, ...]]) -> None:
    """The tables with their labels; (b) and (c) leave out the tenth row."""
    release = Lattice(levels=levels).run(figure_1(), goal_of(3, 2), Randomness(0), Silent())
    assert printed(release) == expected
    assert all(len(record.cells) == 3 for record in records_of(release))


def test_example_of_definition_3_4() -> None:
    """[1,1,0] suppresses one row; below it [1,0,0] seven at least, [0,1,0] and [0,0,0] all."""
    assert suppressed(3, (1, 1, 0)) == 1
    assert suppressed(3, (1, 0, 0)) == 7
    for levels in ((0, 1, 0), (0, 0, 0)):
        with pytest.raises(GoalNotMet, match="10 of 10 rows"):
            suppressed(3, levels)
    assert (1, 1, 0) in minimal_nodes(judge_3_2(), Silent())


def test_example_3_1_a_locally_minimal_generalization() -> None:
    path = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (2, 2, 0), (2, 2, 1)]
    nodes = {node.levels: node for node in naive.exhaustive(figure_1(), goal_of(3, 2))}
    assert next(levels for levels in path if nodes[levels].is_feasible) == (2, 1, 0)
    assert (2, 1, 0) not in minimal_nodes(judge_3_2(), Silent())


def test_figure_9_the_matrix_vt() -> None:
    table = figure_1()
    outliers, distinct, matrix = naive.vt_matrix(table, 3)
    assert outliers == distinct, "every combination of values has fewer than 3 rows"
    assert [" ".join("".join(map(str, vector)) for vector in row) for row in matrix] == FIGURE_9


def test_example_3_2_samarati() -> None:
    found = Samarati().search(figure_1(), goal_of(3, 2))
    assert found.levels == (1, 1, 0)
    assert found.n_suppressed == 1
    assert found.absolute_distance == naive.samarati_height(figure_1(), 3, 2) == 2
    for vector in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        assert not naive.satisfies(figure_1(), 3, 2, vector)


def test_example_3_3_and_figure_11_incognito() -> None:
    zip_code, marital, sex = range(3)
    judge = judge_3_2()
    found = marked_nodes(judge, Silent())
    marked = {columns: _nodes(found[columns]) for columns in found}
    absent = {columns: _nodes(~present_nodes(Space.of(judge.table), columns, found)) for columns in found}
    assert marked[(zip_code,)] == {(0,), (1,), (2,)}
    assert marked[(marital,)] == {(1,), (2,)}
    assert marked[(sex,)] == {(0,), (1,)}
    assert absent[zip_code, marital] == {(0, 0), (1, 0), (2, 0)}
    assert marked[zip_code, marital] == {(0, 2), (1, 2), (2, 2), (1, 1), (2, 1)}
    assert marked[zip_code, sex] == {(0, 1), (1, 1), (2, 1), (1, 0), (2, 0)}
    assert absent[marital, sex] == {(0, 0), (0, 1)}
    assert marked[marital, sex] == {(1, 0), (1, 1), (2, 0), (2, 1)}
    everything = (zip_code, marital, sex)
    assert absent[everything] == {
        *((z, 0, s) for z, s in product(range(3), range(2))),
        (0, 1, 0),
        (0, 1, 1),
        (0, 2, 0),
    }
    assert marked[everything] == {*product((1, 2), (1, 2), (0, 1)), (0, 2, 1)}
    assert minimal_nodes(judge, Silent()) == [(1, 1, 0), (0, 2, 1)]


@pytest.mark.parametrize(
    ("preference", "expected"),
    [
        ("minimum_absolute_distance", (1, 1, 0)),
        ("minimum_relative_distance", (1, 1, 0)),
        ("maximum_distribution", (1, 1, 0)),
        ("minimum_suppression", (1, 1, 0)),
    ],
)
def test_preferences_among_the_two_minimal_generalizations(preference: str, expected: tuple[int, ...]) -> None:
    """[1,1,0]: two steps, 3 distinct records, one row suppressed; [0,2,1]: three steps, 3 distinct, one suppressed."""
    assert Samarati(preference).search(figure_1(), goal_of(3, 2)).levels == expected  # type: ignore[arg-type]


def test_attribute_suppression_is_generalization_with_two_levels() -> None:
    """AS of figure 2: a column is published as it is or not at all."""
    columns = dict(zip(NAMES, map(list, zip(*(row[:3] for row in FIGURE_1), strict=True)), strict=True))
    table = coded(columns, NAMES, recodings=dict.fromkeys(NAMES, "suppress"), weights={"MaritalStatus": 2})
    found = Lattice().search(table, goal_of(2))
    assert Space.of(table).heights == (1, 1, 1)
    assert found.levels == (1, 0, 1), "marital status or sex alone is 2-anonymous, and the former is worth more"
    release = Lattice().run(table, goal_of(2), Randomness(0), Silent())
    assert printed(release) == [("*", row[1], "*") for row in FIGURE_1]


def test_tuple_suppression_is_the_bottom_of_the_lattice() -> None:
    """TS of figure 2: rows are published as they are or not at all."""
    with pytest.raises(GoalNotMet, match=r"4 of 10 rows .* 3 may be suppressed"):
        Lattice(levels=(0, 0, 0)).run(figure_1(), goal_of(2, 3), Randomness(0), Silent())
    release = Lattice(levels=(0, 0, 0)).run(figure_1(), goal_of(2, 4), Randomness(0), Silent())
    assert release.n_suppressed == 4


def _nodes(flags) -> set[tuple[int, ...]]:
    return {levels for levels in product(*(range(size) for size in flags.shape)) if flags[levels]}
