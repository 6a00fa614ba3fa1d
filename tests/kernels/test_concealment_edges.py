"""Edges between types: the same as by sorting all pairs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naive.concealment_edges import edges
from shoal.algorithms.concealment.bicycles import owner_edges
from shoal.algorithms.concealment.draft_release import Draft
from shoal.core.table import Table
from support.drafts import laid
from support.strategies import partitions, tables
from support.tables import groups_of


@given(tables(20), st.data())
def test_each_pair_once_and_sorted(table: Table, data: st.DataObject) -> None:
    field = laid(table)
    inside = Draft.of_groups(field, groups_of(data.draw(partitions(table.n_rows, may_suppress=False)))).inside()
    tails, heads = owner_edges(field, inside)
    held = [inside.of(j).tolist() for j in range(field.n_rows)]
    assert list(zip(tails.tolist(), heads.tolist(), strict=True)) == edges(held, field.types.tolist())
    assert tails.dtype == heads.dtype == np.int64
