"""Incognito: all minimal nodes, through the lattices of ever larger sets of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

import numpy as np

from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.solution import no_node, too_big
from shoal.algorithms.lattice.space import Levels, Space
from shoal.core.arrays import Flags
from shoal.core.claims import Minimal, OneLevelPerColumn
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError

_MOST_NODES = 10_000_000


@dataclass(frozen=True)
class Incognito(Algorithm):
    """Every minimal generalization; the one that loses least by the goal's metric is published.

    Rows that differ on fewer columns form larger classes. So a node over a set of columns can only be feasible if it is
    feasible over every smaller set: columns are added one at a time, and nodes that failed before are left out. Over
    one set, nodes are judged from the bottom up, and all nodes above a feasible one are marked feasible with it.

    This requires that nodes above a feasible one are feasible, which holds for k-anonymity and, without suppression,
    for every monotone promise. For other goals nothing is left out, and all columns are taken at once. With suppression
    a node that is not minimal may lose less, because it suppresses less: ``lattice`` finds that one.

    Leaving a column out is the same as moving it to the root, so the nodes over sets of columns are nodes of the whole
    lattice, and classes are rolled up between them.

    Cost: O(2^columns · nodes) at worst; O(nodes of all sets) memory.

    Reference: LeFevre, DeWitt and Ramakrishnan 2005, Incognito: Efficient Full-Domain k-Anonymity; Ciriani et al. 2007,
    k-Anonymity (Algorithm 3.2).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Incognito(), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '*'), ('0214*', '*')]
    """

    name: ClassVar[str] = "incognito"
    summary: ClassVar[str] = "all minimal choices of one hierarchy level per column, the best of them published"
    serves = (GroupModel,)
    is_global: ClassVar[bool] = True

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse metrics that cannot judge nodes, and lattices that are too big."""
        super().refuse(table, goal)
        space = Space.of(table)
        with_absent = Space(space.names, tuple(height + 1 for height in space.heights))
        if with_absent.n_nodes > _MOST_NODES:
            raise too_big(with_absent, _MOST_NODES)
        if not goal.metric.scores_nodes:
            raise InputError(f"The metric {goal.metric.name!r} cannot judge nodes of a lattice; choose another metric.")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Publish the minimal node that loses least."""
        self.refuse(table, goal)
        judge = Judge(table, goal)
        nodes = [judge.node(judge(levels), with_rows=True) for levels in minimal_nodes(judge, progress)]
        best = min(nodes, key=lambda node: (goal.metric.node_key(node), node.levels))
        claims = (OneLevelPerColumn(best.levels), Minimal(goal, best.levels, len(nodes)))
        return replace(best.release(), claims=claims)


def minimal_nodes(judge: Judge, progress: Progress) -> list[Levels]:
    """All minimal nodes, by height.

    Raises:
        GoalNotMet: no node keeps the promises within the suppression limit.
    """
    nodes = _lowest(marked_nodes(judge, progress)[tuple(range(judge.table.n_quasi))])
    if not nodes:
        raise no_node(judge, Space.of(judge.table), None, is_sure=True)
    return nodes


def marked_nodes(judge: Judge, progress: Progress) -> Mapping[tuple[int, ...], Flags]:
    """For each set of columns (by their positions) that was needed, which nodes over it are feasible or above one."""
    space, n_columns = Space.of(judge.table), judge.table.n_quasi
    sizes = range(1, n_columns + 1) if judge.is_upward else [n_columns]
    progress.stage("joining columns", 2**n_columns - 1)
    found: dict[tuple[int, ...], Flags] = {}
    for size in sizes:
        for columns in combinations(range(n_columns), size):
            found[columns] = _searched(judge, space, columns, present_nodes(space, columns, found))
            progress.advance()
    return found


def present_nodes(space: Space, columns: tuple[int, ...], marked: Mapping[tuple[int, ...], Flags]) -> Flags:
    """The nodes that are feasible over every subset with one column less."""
    present = np.ones([space.heights[c] + 1 for c in columns], bool)
    for place in range(len(columns)):
        smaller = marked.get(columns[:place] + columns[place + 1 :])
        if smaller is not None:
            present &= np.expand_dims(smaller, place)
    return present


def _searched(judge: Judge, space: Space, columns: tuple[int, ...], present: Flags) -> Flags:
    """Judge the present nodes, all other columns at the root, from the bottom up, marking all above a feasible one."""
    marked = np.zeros_like(present)
    nodes = np.argwhere(present)
    for node in nodes[np.argsort(nodes.sum(axis=1), kind="stable")].tolist():
        own = dict(zip(columns, node, strict=True))
        levels = tuple(own.get(column, root) for column, root in enumerate(space.top))
        if not marked[tuple(node)] and judge(levels, in_a_hurry=True).is_feasible:
            marked[tuple(slice(level, None) for level in node)] = True
    return marked


def _lowest(marked: Flags) -> list[Levels]:
    """The marked nodes with no marked node one step below, by height."""
    lowest = marked.copy()
    for axis in range(marked.ndim):
        below = np.roll(marked, 1, axis)
        below[(slice(None),) * axis + (0,)] = False
        lowest &= ~below
    nodes = [tuple(node) for node in np.argwhere(lowest).tolist()]
    return sorted(nodes, key=lambda node: (sum(node), node))
