"""The steps of concealment as the paper writes them: records are sets of rows, all is worked out anew each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from naive.assignment import possible
from naive.plain import records_of
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.release import Release
from support.tables import groups_of

Rows = frozenset[int]


@dataclass
class Plain:
    """What a set of rows costs once its cells are closed, and which rows lie in them."""

    laid: RowTree
    known: dict[Rows, tuple[int, Rows]] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return self.laid.n_rows

    def _look(self, rows: Rows) -> tuple[int, Rows]:
        if rows not in self.known:
            groups, table = groups_of([sorted(rows)]), self.laid.table
            cost = int(Draft.of_groups(self.laid, groups).costs()[min(rows)])
            cells = records_of(Release.from_groups(table, groups))[0].cells
            people = table.codes.T.tolist()
            inside = [i for i, row in enumerate(people) if all(v in c for v, c in zip(row, cells, strict=True))]
            self.known[rows] = cost, frozenset(inside)
        return self.known[rows]

    def cost(self, rows: Rows) -> int:
        return self._look(rows)[0]

    def inside(self, rows: Rows) -> Rows:
        return self._look(rows)[1]

    def first_like(self, i: int) -> int:
        """The first row that is equal to row i."""
        return min(self.inside(frozenset([i])) & {j for j in self.inside(frozenset([i])) if self._equal(i, j)})

    def _equal(self, i: int, j: int) -> bool:
        return bool((self.laid.table.codes[:, i] == self.laid.table.codes[:, j]).all())

    def graph(self, records: Sequence[Rows]) -> list[list[int]]:
        """The records that each row fits."""
        return [[j for j, rows in enumerate(records) if i in self.inside(rows)] for i in range(self.n_rows)]


def cheapest(plain: Plain, k: int) -> list[int]:
    """Algorithm 1: for each row the least cost of k rows with it among them."""
    sets = [frozenset(rows) for rows in combinations(range(plain.n_rows), k)]
    return [min(plain.cost(rows) for rows in sets if i in rows) for i in range(plain.n_rows)]


def expand(plain: Plain, k: int) -> list[Rows]:
    """Algorithm 2, equally cheap rows in the order of the table; rows inside the cells come for nothing."""
    found = []
    for i in range(plain.n_rows):
        rows = frozenset([i])
        while len(plain.inside(rows)) < k:
            outside = set(range(plain.n_rows)) - plain.inside(rows)
            rows |= {min(outside, key=lambda j: (plain.cost(rows | {j}), j))}
        found.append(rows)
    return found


def repair(plain: Plain, records: Sequence[Rows], k: int, order: Sequence[int]) -> list[Rows]:
    """Algorithm 3."""
    done = list(records)
    for i in order:
        outside = [j for j, rows in enumerate(done) if i not in plain.inside(rows)]
        need = k - (plain.n_rows - len(outside))
        if need > 0:
            rises = sorted((plain.cost(done[j] | {i}) - plain.cost(done[j]), j) for j in outside)
            for _, j in rises[:need]:
                done[j] |= {i}
    return done


def conceal(plain: Plain, records: Sequence[Rows], k_rows: int, k_records: int, order: Sequence[int]) -> list[Rows]:
    """Algorithm 5, all matches found anew after each step; then the same for the record, the other way round."""
    done = list(records)
    for i in order:
        while (row := _new_row(plain, done, i, k_rows)) is not None:
            done[i] |= {row}
        while k_records and (other := _new_record(plain, done, i, k_records)) is not None:
            done[other] |= {i}
    return done


def _new_row(plain: Plain, records: Sequence[Rows], i: int, k: int) -> int | None:
    """The neighbour whose row record i should hold."""
    graph = plain.graph(records)
    matches = possible(graph)[i]
    others = [j for j in graph[i] if j not in matches]
    if len(matches) >= k or not others:
        return None
    return min(others, key=lambda j: (plain.cost(records[i] | {j}), j))


def _new_record(plain: Plain, records: Sequence[Rows], i: int, k: int) -> int | None:
    """The record that should hold row i, so that record i gets one more match."""
    every = possible(plain.graph(records))
    matches = {row for row, found in enumerate(every) if i in found}
    others = {plain.first_like(row) for row in plain.inside(records[i]) - matches}
    if len(matches) >= k or not others:
        return None
    return min(others, key=lambda j: (plain.cost(records[j] | {i}) - plain.cost(records[j]), j))
