"""Distinct rows with counts stand for the whole table, and words for rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.algorithms import Lattice, Mondrian
from shoal.algorithms.lattice.space import Space
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import CountedTable, SensitiveColumn, Table
from shoal.engine.backends.levels import find_levels
from shoal.engine.backends.packing import Packing, are_among, count_distinct_words
from shoal.errors import GoalNotMet, ImpossibleGoal, InputError
from shoal.metrics import GCP, LM
from shoal.models import KAnonymity, LDiversity, LinkageBound, TCloseness
from support.strategies import tables
from support.tables import coded, goal_of


def _counted(table: Table) -> CountedTable:
    rows = Counter(zip(*table.codes.tolist(), *(c.codes.tolist() for c in table.sensitive), strict=True))
    codes = np.array(list(rows), np.int32).T
    n = table.n_quasi
    sensitive = tuple(
        SensitiveColumn(c.domain, np.ascontiguousarray(own), c.hierarchy)
        for c, own in zip(table.sensitive, codes[n:], strict=True)
    )
    return CountedTable(table.quasi, codes[:n].copy(), sensitive, counts=np.array(list(rows.values()), np.int64))


@given(tables(), st.integers(1, 5), st.sampled_from([0.0, 0.2]), st.sampled_from([LM(), GCP()]))
def test_the_search_finds_the_same(table: Table, k: int, limit: float, metric: LM | GCP) -> None:
    promises = (KAnonymity(min(k, table.n_rows)), LDiversity(1, others="ignore"), TCloseness(0.6, others="ignore"))
    goal = Goal(promises, metric, limit)
    counted = _counted(table)
    assert counted.n_rows == table.n_rows
    try:
        wanted = Lattice().search(table, goal)
    except GoalNotMet:
        with pytest.raises(GoalNotMet):
            Lattice().search(counted, goal)
        return
    found = Lattice().search(counted, goal)
    assert (found.levels, found.n_suppressed) == (wanted.levels, wanted.n_suppressed)
    assert found.score == pytest.approx(wanted.score)


class Topmost(Algorithm):
    """An algorithm of another package that takes the highest level of every column, whatever the table."""

    name, summary, serves = "topmost", "", (GroupModel,)
    is_global = works_on_counts = True

    def levels_for(self, table: Table, goal: Goal, progress: Progress) -> tuple[tuple[int, ...], str]:
        """The highest levels."""
        return Space.of(table).top, "the top"

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Publish the top."""
        return Lattice.publish(table, goal, Space.of(table).top)


def test_any_algorithm_that_works_on_counts_can_find_levels_and_no_other() -> None:
    table, goal = _counted(coded({"a": [1, 1, 2, 3], "b": [1, 1, 2, 2]}, ["a", "b"])), goal_of(KAnonymity(2))
    found = find_levels(table, goal, Topmost(), Silent())
    assert (found.levels, found.account) == (Space.of(table).top, "the top")
    best = find_levels(table, goal, Lattice(), Silent())
    assert best.levels == Lattice().search(table, goal).levels
    assert "proven" in best.account
    given = find_levels(table, goal, Lattice(levels=best.levels), Silent())
    assert (given.levels, given.account) == (best.levels, "")
    with pytest.raises(InputError, match=r"'mondrian' needs the rows themselves; use 'lattice'"):
        find_levels(table, goal, Mondrian(), Silent())


def _counted_by_person(table: Table) -> CountedTable:
    assert table.people is not None
    each = zip(*table.codes.tolist(), *(c.codes.tolist() for c in table.sensitive), table.people.tolist(), strict=True)
    rows = Counter(each)
    codes, n = np.array(list(rows), np.int32).T, table.n_quasi
    sensitive = tuple(replace(c, codes=own.copy()) for c, own in zip(table.sensitive, codes[n:-1], strict=True))
    counts = np.array(list(rows.values()), np.int64)
    return CountedTable(
        table.quasi, codes[:n].copy(), sensitive, people=codes[-1].copy(), counts=counts, persons=table.n_people
    )


@given(tables(), st.integers(1, 4), st.sampled_from([0.0, 0.3]), st.sampled_from([0.4, 1.0]), st.data())
def test_the_search_over_people_finds_the_same(
    table: Table, k: int, limit: float, p: float, data: st.DataObject
) -> None:
    drawn = data.draw(st.lists(st.integers(0, 5), min_size=table.n_rows, max_size=table.n_rows))
    people = np.unique(drawn, return_inverse=True)[1].astype(np.int32)
    table = table.with_people(people)
    promises = (KAnonymity(min(k, table.n_people)), LDiversity(1.2, "frequency"), TCloseness(0.7), LinkageBound(p))
    goal = Goal(promises, LM(), limit).of_people()
    counted = _counted_by_person(table)
    assert (counted.n_rows, counted.n_people) == (table.n_rows, table.n_people)
    try:
        wanted = Lattice().search(table, goal)
    except (GoalNotMet, ImpossibleGoal) as problem:
        with pytest.raises(type(problem)):
            Lattice().search(counted, goal)
        return
    found = Lattice().search(counted, goal)
    assert (found.levels, found.n_suppressed) == (wanted.levels, wanted.n_suppressed)
    assert found.score == pytest.approx(wanted.score)


@given(st.lists(st.integers(1, 2**20), min_size=1, max_size=9), st.integers(1, 30), st.data())
def test_words_hold_rows(sizes: list[int], n: int, data: st.DataObject) -> None:
    rows = [[data.draw(st.integers(0, min(3, size - 1))) for size in sizes] for _ in range(n)]
    codes = np.array(rows, np.int32).reshape(n, len(sizes)).T
    packing = Packing.of(sizes)
    words = packing.pack(codes)
    assert (packing.unpack(words) == codes).all()
    distinct, counts = count_distinct_words(words)
    found = dict(zip(map(tuple, packing.unpack(distinct).T.tolist()), counts.tolist(), strict=True))
    assert found == Counter(map(tuple, rows))
    some = words[:, ::2]
    assert are_among(words, some).tolist() == [row in rows[::2] for row in rows]
