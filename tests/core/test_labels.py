"""Labels: what is printed for a cell, and that no two cells are printed alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.cells import Cells
from shoal.core.hierarchy import Hierarchy
from shoal.core.recoding import Recoding
from support.strategies import FORMS, tables
from support.tables import groups_of, single

AWKWARD = ["*", "(missing)", "a", "b", "a, b", "{a, b}", "a..b", "[a..b]", "b..a", "{", "\\", '"a"', '\\"', " a", ""]


def labels(recoding: Recoding) -> dict[str | None, set[tuple[int, ...]]]:
    """Which cells are printed under each label, among the closures of all pairs and triples of leaves."""
    leaves = range(recoding.domain.n_leaves)
    sets = [chosen for size in (1, 2, 3) for chosen in combinations(leaves, size)] + [tuple(leaves)]
    cells = recoding.enclose(groups_of(sets), np.arange(len(leaves), dtype=np.int32))
    found: dict[str | None, set[tuple[int, ...]]] = {}
    for cell in range(cells.n_distinct):
        assert recoding.labels(cells)[cell] == recoding.label(cells, cell)
        found.setdefault(recoding.label(cells, cell), set()).add(tuple(cells.leaves(cell).tolist()))
    return found


def ambiguous(recoding: Recoding) -> dict[str | None, list[list[str]]]:
    """Labels that stand for several cells, with the values of those."""
    texts = recoding.domain.texts
    return {
        label: [[texts[leaf] for leaf in cell] for cell in cells]
        for label, cells in labels(recoding).items()
        if len(cells) > 1
    }


@pytest.mark.parametrize("form", FORMS)
@given(data=st.data())
def test_no_two_cells_are_printed_alike(form: str, data: st.DataObject) -> None:
    assert not ambiguous(data.draw(tables(12, max_columns=1, forms=(form,))).quasi[0].recoding)


@given(st.lists(st.sampled_from(AWKWARD), min_size=1, unique=True), st.booleans())
def test_sets_of_awkward_values(values: list[str], some_missing: bool) -> None:
    given_values: list[object] = [*values, *([None] if some_missing else [])]
    assert not ambiguous(single(given_values, kinds={"q": "nominal"}).quasi[0].recoding)


@given(st.lists(st.sampled_from(AWKWARD), min_size=1, unique=True), st.booleans())
def test_stars_and_awkward_values(values: list[str], some_missing: bool) -> None:
    given_values: list[object] = [*values, *([None] if some_missing else [])]
    assert not ambiguous(single(given_values, recodings={"q": "suppress"}).quasi[0].recoding)


@given(st.lists(st.sampled_from(AWKWARD), min_size=1, unique=True), st.booleans())
def test_ranges_of_awkward_values(values: list[str], some_missing: bool) -> None:
    given_values: list[object] = [*values, *([None] if some_missing else [])]
    assert not ambiguous(single(given_values, orders={"q": values}).quasi[0].recoding)


def _label(recoding: Recoding, leaves: Sequence[int]) -> str | None:
    codes = np.arange(recoding.domain.n_leaves, dtype=np.int32)
    return recoding.label(recoding.enclose(groups_of([leaves]), codes), 0)


def test_ranges() -> None:
    recoding = single([17, -5, 30, 64]).quasi[0].recoding
    assert _label(recoding, [0]) == "-5"
    assert _label(recoding, [0, 2]) == "[-5..30]"
    assert _label(recoding, [0, 3]) == "*"


def test_a_range_with_missing_values_is_a_star() -> None:
    recoding = single([17, 30, None, 64]).quasi[0].recoding
    assert _label(recoding, [3]) is None
    assert _label(recoding, [1, 3]) == "*"
    assert _label(recoding, [0, 2]) == "[17..64]"


def test_sets() -> None:
    recoding = single(["Flu", "HIV", "cold", None]).quasi[0].recoding
    assert _label(recoding, [0, 1]) == "{Flu, HIV}"
    assert _label(recoding, [0, 3]) == "{Flu, (missing)}"
    assert _label(recoding, [3]) is None
    assert _label(recoding, [0, 1, 2, 3]) == "*"


def test_values_that_would_be_ambiguous_in_a_set_are_quoted() -> None:
    recoding = single(["a, b", "c", "(missing)", 'say "x"'], kinds={"q": "nominal"}).quasi[0].recoding
    assert _label(recoding, [1, 2]) == '{"a, b", c}'
    assert _label(recoding, [0, 2]) == '{"(missing)", c}'
    assert _label(recoding, [2, 3]) == '{c, "say \\"x\\""}'


def test_nodes_go_by_the_hierarchys_own_labels() -> None:
    tree = Hierarchy.from_rows([["Rome", "Italy", "Europe"], ["Bari", "Italy", "Europe"], ["Oslo", "Norway", "Europe"]])
    recoding = single(["Rome", "Bari", "Oslo"], hierarchies={"q": tree}).quasi[0].recoding
    assert [_label(recoding, leaves) for leaves in ([0], [0, 1], [2], [0, 2])] == ["Rome", "Italy", "Oslo", "Europe"]


def test_a_cell_may_name_the_level_to_print() -> None:
    """A full-domain release prints Norway, not Oslo, though both are the same leaf."""
    tree = Hierarchy.from_rows([["Rome", "Italy", "*"], ["Bari", "Italy", "*"], ["Oslo", "Norway", "*"]])
    recoding = single(["Rome", "Bari", "Oslo"], hierarchies={"q": tree}).quasi[0].recoding
    cells = Cells.of_intervals(np.array([2, 0], np.int32), np.array([2, 1], np.int32), np.array([1, 1], np.int32))
    assert [recoding.label(cells, int(cell)) for cell in cells.ids] == ["Norway", "Italy"]
