"""Drafts of concealment in plain Python, and back."""

from __future__ import annotations

from collections.abc import Sequence

from naive.concealment import Graph, graph_of
from naive.plain import records_of
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.contracts import Metric
from shoal.core.table import Table
from shoal.metrics import LM
from support.tables import groups_of

Boxes = list[tuple[frozenset[int], ...]]


def laid(table: Table, metric: Metric | None = None) -> RowTree:
    """A table laid out for a metric."""
    return RowTree.of(table, metric or LM())


def closed(field: RowTree, records: Sequence[frozenset[int]]) -> Draft:
    """The draft whose record i is the closure of the i-th set of rows, which has row i in it."""
    draft = Draft.of_groups(field, groups_of([[row] for row in range(field.n_rows)]))
    for i, rows in enumerate(records):
        one = Draft.of_groups(field, groups_of([sorted(rows)]))
        for part, there in zip(draft.records, one.records, strict=True):
            part[i] = there[min(rows)]
    return draft


def boxes(draft: Draft) -> Boxes:
    """The leaves in each cell of each record, in the order of the rows that own them."""
    return [record.cells for record in sorted(records_of(draft.release()), key=lambda record: record.owner)]


def graph(draft: Draft) -> Graph:
    """The records that each row fits."""
    return graph_of(draft.release())
