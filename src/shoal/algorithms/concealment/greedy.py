"""(k,1)-anonymity by expansion: cells grow around each row, adding the cheapest row next."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from shoal.algorithms.concealment.draft_release import Draft, empty
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.progress import Progress, Silent
from shoal.kernels.expansion_greedy import grow_records, put_rows

_CHUNK = 2048


def greedy(field: RowTree, k: int, progress: Progress | None = None) -> Draft:
    """Algorithm 2: at most k − 1 times the least loss for monotone, sub-additive measures; usually much closer.

    Equal rows are processed once, and the cheapest row is found by branch and bound in a tree of the rows, so in
    practice it is far from the paper's O(k · n²). Records are independent of each other, so they grow in threads. Ties
    go to the first row in the table.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithm 2,
    Proposition 13).
    """
    progress = progress or Silent()
    progress.stage("expanding", field.n_types)
    records = empty(field, field.n_types)
    put_rows(field.tree, field.tariff, records)

    def work(first: int) -> int:
        last = min(first + _CHUNK, field.n_types)
        grow_records(field.tree, field.tariff, field.people, field.names, k, records, first, last)
        return last - first

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for n_done in threads.map(work, range(0, field.n_types, _CHUNK)):
            progress.advance(n_done)
    return Draft.of_types(field, records)


def grown(draft: Draft, k: int) -> Draft:
    """Widen the records of any draft until each holds k rows."""
    wider, field = draft.copy(), draft.field
    grow_records(field.tree, field.tariff, field.people, field.names, k, wider.records, 0, field.n_rows)
    return wider


def singles(field: RowTree) -> Draft:
    """Every record holds its own row and nothing else."""
    records = empty(field, field.n_types)
    put_rows(field.tree, field.tariff, records)
    return Draft.of_types(field, records)
