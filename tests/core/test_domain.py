"""What a domain knows about its leaves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from shoal.core.hierarchy import Hierarchy
from shoal.core.table import Table
from support.strategies import tables
from support.tables import single


@given(tables(20))
def test_counts_are_those_of_the_codes(table: Table) -> None:
    for column, codes in zip(table.quasi, table.codes.tolist(), strict=True):
        domain = column.domain
        counts = [codes.count(leaf) for leaf in range(domain.n_leaves)]
        assert domain.counts.tolist() == counts
        assert domain.occurs.tolist() == [count > 0 for count in counts]
        below = [sum(count > 0 for count in counts[:leaf]) for leaf in range(domain.n_leaves + 1)]
        assert domain.n_occurring_before.tolist() == below


@given(tables(20))
def test_missing_is_the_last_leaf(table: Table) -> None:
    for column, codes in zip(table.quasi, table.codes.tolist(), strict=True):
        domain = column.domain
        assert len(domain.texts) == len(domain.values) == domain.points.size == domain.counts.size == domain.n_leaves
        if domain.missing is not None:
            assert domain.missing == domain.n_leaves - 1
            assert domain.missing in codes
            assert domain.values[domain.missing] is None


@pytest.mark.parametrize(
    ("values", "schema", "is_ordered"),
    [
        ([3, 1], {}, True),
        (["2024-02-29", "2023-01-01"], {}, True),
        (["b", "a"], {}, False),
        (["b", "a"], {"orders": {"q": ["b", "a"]}}, True),
    ],
)
def test_what_is_ordered(values: list[object], schema: dict[str, Any], is_ordered: bool) -> None:
    assert single(values, **schema).quasi[0].domain.is_ordered == is_ordered


def test_a_hierarchy_knows_values_that_no_row_has() -> None:
    domain = single(["a", "c"], hierarchies={"q": Hierarchy.flat(["a", "b", "c"])}).quasi[0].domain
    assert domain.n_leaves == 3
    assert domain.occurs.tolist() == [True, False, True]
