"""Every recoding is a closure: the smallest permitted cell around some leaves, and no other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.cells import Cells
from shoal.core.hierarchy import Hierarchy
from shoal.core.recoding import Range, Recoding, Sets, Suppress, Tree, choose
from shoal.errors import InputError
from support.strategies import FORMS, tables
from support.tables import groups_of, single

Leaves = frozenset[int]
every_form = pytest.mark.parametrize("form", FORMS)


@st.composite
def recodings(draw: st.DrawFn, form: str) -> Recoding:
    return draw(tables(12, max_columns=1, forms=(form,))).quasi[0].recoding


def leaf_sets(recoding: Recoding) -> st.SearchStrategy[Leaves]:
    return st.frozensets(st.integers(0, recoding.domain.n_leaves - 1), min_size=1)


def permitted(recoding: Recoding) -> list[Leaves]:
    """All cells that may be published, from the definition of each recoding."""
    n, missing = recoding.domain.n_leaves, recoding.domain.missing
    if isinstance(recoding, Suppress):
        return [frozenset([leaf]) for leaf in range(n)] + [frozenset(range(n))]
    if isinstance(recoding, Tree):
        bounds = zip(recoding.hierarchy.low.ravel(), recoding.hierarchy.high.ravel(), strict=True)
        return [frozenset(range(low, high + 1)) for low, high in set(bounds)]
    if isinstance(recoding, Range):
        n_present = n if missing is None else n - 1
        ranges = [frozenset(range(a, b + 1)) for a in range(n_present) for b in range(a, n_present)]
        return ranges if missing is None else [*ranges, frozenset([missing]), frozenset(range(n))]
    return [frozenset(chosen) for size in range(1, n + 1) for chosen in combinations(range(n), size)]


def enclose(recoding: Recoding, sets: Sequence[Iterable[int]]) -> Cells:
    """The cells around these sets of leaves; row ``i`` has code ``i``."""
    return recoding.enclose(groups_of([list(s) for s in sets]), np.arange(recoding.domain.n_leaves, dtype=np.int32))


def contents(cells: Cells) -> list[Leaves]:
    return [frozenset(cells.leaves(int(cell)).tolist()) for cell in cells.ids]


@every_form
@given(data=st.data())
def test_enclose_is_the_smallest_permitted_cell(form: str, data: st.DataObject) -> None:
    recoding = data.draw(recodings(form))
    cells = permitted(recoding)
    leaves = data.draw(leaf_sets(recoding))
    smallest = frozenset.intersection(*(cell for cell in cells if leaves <= cell))
    assert smallest in cells
    assert contents(enclose(recoding, [leaves])) == [smallest]


@every_form
@given(data=st.data())
def test_enclose_is_a_closure(form: str, data: st.DataObject) -> None:
    """It contains what it encloses, changes nothing the second time, and grows with what it encloses."""
    recoding = data.draw(recodings(form))
    small, more = data.draw(leaf_sets(recoding)), data.draw(leaf_sets(recoding))
    (closed,) = contents(enclose(recoding, [small]))
    assert small <= closed
    assert contents(enclose(recoding, [closed])) == [closed]
    assert closed <= contents(enclose(recoding, [small | more]))[0]


@every_form
@given(data=st.data())
def test_join_encloses_the_union(form: str, data: st.DataObject) -> None:
    recoding = data.draw(recodings(form))
    pairs = data.draw(st.lists(st.tuples(leaf_sets(recoding), leaf_sets(recoding)), min_size=1, max_size=5))
    ones, others = (enclose(recoding, side) for side in zip(*pairs, strict=True))
    joined = contents(recoding.join(ones, others))
    assert joined == contents(enclose(recoding, [one | other for one, other in pairs]))
    assert joined == contents(recoding.join(others, ones))
    assert contents(recoding.join(ones, ones)) == contents(ones)


@every_form
@given(data=st.data())
def test_close_encloses_intervals(form: str, data: st.DataObject) -> None:
    recoding = data.draw(recodings(form))
    leaves = data.draw(st.lists(leaf_sets(recoding), min_size=1, max_size=5))
    low, high = (np.array([end(s) for s in leaves], np.int32) for end in (min, max))
    whole = [range(min(s), max(s) + 1) for s in leaves]
    assert contents(recoding.close(low, high)) == contents(enclose(recoding, whole))


@every_form
@given(data=st.data())
def test_exact_and_everything(form: str, data: st.DataObject) -> None:
    recoding = data.draw(recodings(form))
    n = recoding.domain.n_leaves
    codes = data.draw(st.lists(st.integers(0, n - 1), max_size=6))
    assert contents(recoding.exact(np.array(codes, np.int32))) == [frozenset([code]) for code in codes]
    assert contents(recoding.everything(3)) == [frozenset(range(n))] * 3


@every_form
@given(data=st.data())
def test_covers(form: str, data: st.DataObject) -> None:
    recoding = data.draw(recodings(form))
    (leaves,) = contents(cell := enclose(recoding, [data.draw(leaf_sets(recoding))]))
    codes = np.arange(recoding.domain.n_leaves, dtype=np.int32)
    everywhere = cell.take(np.zeros(codes.size, np.int32))
    assert everywhere.cover(codes).tolist() == [code in leaves for code in codes.tolist()]


@every_form
@given(data=st.data())
def test_nested_groups_are_laminar_and_permitted(form: str, data: st.DataObject) -> None:
    """Each level joins nodes of the level below; nodes are cells where the recoding says that cells are nodes."""
    recoding = data.draw(recodings(form))
    nested, n = recoding.nested, recoding.domain.n_leaves
    assert nested.low[0].tolist() == nested.high[0].tolist() == list(range(n))
    assert set(nested.low[-1].tolist()) == {0}
    assert set(nested.high[-1].tolist()) == {n - 1}
    for level in range(1, nested.n_levels):
        assert (nested.low[level] <= nested.low[level - 1]).all()
        assert (nested.high[level] >= nested.high[level - 1]).all()
    cells = set(permitted(recoding))
    nodes = {frozenset(range(a, b + 1)) for a, b in zip(nested.low.ravel(), nested.high.ravel(), strict=True)}
    assert nodes <= cells
    if recoding.closes_to_nodes:
        assert nodes == cells


@pytest.mark.parametrize(
    ("form", "made", "has_width"),
    [
        ("numeric", Range, True),
        ("date", Range, True),
        ("ordinal", Range, False),
        ("nominal", Sets, False),
        ("suppress", Suppress, False),
        ("tree", Tree, False),
    ],
)
@given(data=st.data())
def test_what_is_chosen(form: str, made: type[Recoding], has_width: bool, data: st.DataObject) -> None:
    recoding = data.draw(recodings(form))
    assert type(recoding) is made
    assert recoding.has_width == has_width


def test_choices_that_do_not_fit_are_refused() -> None:
    domain = single(["b", "a"]).quasi[0].domain
    with pytest.raises(InputError, match=r"unknown recoding 'rnage'\. Did you mean 'range'\?"):
        choose("rnage", domain, None)
    with pytest.raises(InputError, match="needs a hierarchy"):
        choose("tree", domain, None)
    with pytest.raises(InputError, match="nominal and has no ranges"):
        choose("range", domain, None)
    with pytest.raises(InputError, match="has 3 values, its domain 2"):
        choose("tree", domain, Hierarchy.flat(["a", "b", "c"]))
