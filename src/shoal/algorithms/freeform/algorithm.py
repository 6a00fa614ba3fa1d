"""Freeform: every record gets cells of its own, around the k rows that cost it least."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

import numpy as np

from shoal.algorithms.freeform.exact import Optimum, cost_of_complete, solve
from shoal.algorithms.freeform.rounds import MATCHINGS, build, polished
from shoal.core.arrays import Codes, Flags
from shoal.core.claims import LeastLoss
from shoal.core.contracts import CellMetric, Goal
from shoal.core.diverse_parts import pieces_for
from shoal.core.groups import Groups
from shoal.core.orders import lexicographic_order, lexicographic_parts
from shoal.core.parameters import real_number, whole_number
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.regular_parts import RegularParts, closed_to_others
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.core.tariff import tariff_of
from shoal.errors import InputError, did_you_mean
from shoal.kernels.tariff import Tariff
from shoal.models.match_goals import DrawsOwners, judged_column, matches_wanted

Method = Literal["greedy", "sorted", "hungarian", "exact"]

_EXACT_ROWS = 60
_NATURAL = 10
"""Parts of this many times k rows are cut into pieces if sensitive values matter: their rows are alike."""
_LARGEST_BLOCK = 10_000
"""If k requires larger blocks than this, all rows of a block match each other: its pairs would need gigabytes."""


@dataclass(frozen=True)
class Freeform(DrawsOwners):
    """A k-regular graph between rows and records whose cells lose little, and a random assignment of rows to records.

    Each record begins with one row. In each of k − 1 rounds every row gets one more record to match, all different, at
    a small increase of the goal's metric; in the end every row matches k records and every record k rows. The owner of
    a record is drawn among its k rows. ``method`` says how a round is matched:

    * ``greedy``: rows in lexicographic order take the cheapest record (Algorithm 1, with its backtracking);
    * ``sorted``: all pairs of rows and records from cheapest to most expensive;
    * ``hungarian``: the cheapest assignment of the round;
    * ``exact``: no rounds, but the cheapest graph by mixed integer programming: up to 60 rows. If stopped after
      ``seconds``, it reports how far from the optimum it is at most.

    Rows are divided into blocks of at most ``block`` along the lexicographic order, which are solved on all processors.
    ``polish`` solves each round again, given the others, this many times: the loss never rises, and each time takes as
    long again.

    Promises about sensitive values hold whatever is drawn, because blocks are cut accordingly
    (``shoal.core.diverse_parts``), into pieces of k to 2k − 1 rows. That leaves little to choose, so almost nothing is
    gained over rings.

    Differs from the paper: weights follow the goal's metric, GCP among others, so hierarchies work too.

    Cost: for n rows in blocks of b, O(k · n · b · columns) time, with ``hungarian`` O(k · n · b²); memory per block and
    processor 4 · b² bytes (12 · b² with ``hungarian``) and 5 · b for each value that occurs in it.

    Reference: Doka, Xue, Tsoumakos and Karras 2015, k-Anonymization by Freeform Generalization.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "privacy": shoal.UniformMatching(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Freeform(), **words)
    >>> print(release.verdicts[0])
    2 uniform matches holds: achieved 2
    """

    method: Method = "sorted"
    block: int = 2000
    polish: int = 0
    seconds: float = 60.0

    name: ClassVar[str] = "freeform"
    summary: ClassVar[str] = "individual cells for every record, its owner drawn among the k rows that cost it least"

    def __post_init__(self) -> None:
        methods = get_args(Method)
        if self.method not in methods:
            raise InputError(f"There is no method {self.method!r} of freeform.{did_you_mean(self.method, methods)}")
        object.__setattr__(self, "block", whole_number("block", self.block, least=2))
        object.__setattr__(self, "polish", whole_number("polish", self.polish, least=0))
        object.__setattr__(self, "seconds", real_number("seconds", self.seconds, least=0.0))

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse promises about identical records, metrics that do not price cells, and ``exact`` on many rows."""
        super().refuse(table, goal)
        if not isinstance(goal.metric, CellMetric):
            raise InputError(
                f"The algorithm 'freeform' needs a cell-based metric such as gcp, not {goal.metric.name!r}."
            )
        if self.method == "exact" and table.n_rows > _EXACT_ROWS:
            raise InputError(
                f"The exact method of 'freeform' takes at most {_EXACT_ROWS} rows, the table has {table.n_rows:,}; "
                "use 'hungarian', which is within a few percent of it."
            )

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Cut blocks, build a regular graph in each, and draw."""
        self.refuse(table, goal)
        for promise in goal.promises:
            promise.refuse(table)
        k = matches_wanted(goal)
        blocks = self._blocks(table, goal, k)
        pieces = pieces_for(table, goal, blocks, k, judged_column(table, goal))
        sizes = pieces.groups.sizes
        is_complete = pieces.is_whole | (sizes == k) | (sizes > max(self.block, _LARGEST_BLOCK))
        optima: list[Optimum] = []
        edges = self._graphs(table, goal, pieces.groups, ~is_complete, k, progress, optima)
        parts = RegularParts(pieces.groups.members, pieces.groups.offsets, is_complete, edges)
        progress.stage("drawing the owners")
        safe = closed_to_others(table, goal, parts, k)
        release = safe.release(table, randomness.child("assignment"))
        if self.method != "exact" or safe is not parts:
            return release
        whole = [table.codes[:, pieces.groups.of(int(piece))] for piece in np.flatnonzero(is_complete)]
        return replace(release, claims=(self._proof(table, goal, optima, whole, k),))

    def _proof(
        self, table: Table, goal: Goal, optima: Sequence[Optimum], complete: Sequence[Codes], k: int
    ) -> LeastLoss:
        """How close the graph is to the cheapest one, according to the solver; complete pieces have only one graph."""
        assert isinstance(goal.metric, CellMetric)
        tariff = tariff_of(table, goal.metric)
        fixed = sum(cost_of_complete(codes, tariff) for codes in complete)
        n_pieces = len(optima) + len(complete)
        cost = fixed + sum(found.cost for found in optima)
        bound = fixed + sum(found.bound for found in optima)
        is_stopped = any(found.gap > 1e-6 for found in optima)
        return LeastLoss(
            goal.metric,
            cost / table.n_rows,
            bound / table.n_rows,
            kind=f"match of {k:,} rows to each record" + (f" within {n_pieces:,} pieces" if n_pieces > 1 else ""),
            stopped=f"after {self.seconds:g} s" if is_stopped else "",
        )

    def _blocks(self, table: Table, goal: Goal, k: int) -> Groups:
        """Stretches of the lexicographic order of nearly equal length; natural parts if these will be cut further."""
        if goal.group_models:
            return lexicographic_parts(table, min(_NATURAL * k, table.n_rows))
        n_blocks = -(-table.n_rows // max(self.block, 2 * k))
        bounds = np.linspace(0, table.n_rows, n_blocks + 1).astype(np.int64)
        return Groups(bounds, lexicographic_order(table))

    def _graphs(
        self,
        table: Table,
        goal: Goal,
        blocks: Groups,
        is_open: Flags,
        k: int,
        progress: Progress,
        optima: list[Optimum],
    ) -> Codes:
        """The graphs of all open blocks, one below the other, solved in parallel."""
        assert isinstance(goal.metric, CellMetric)
        tariff = tariff_of(table, goal.metric, most=k)
        inside = (np.ascontiguousarray(table.codes[:, blocks.of(int(b))]) for b in np.flatnonzero(is_open))
        progress.stage("matching", int(blocks.sizes[is_open].sum()))
        graphs = [np.empty((0, k), np.int32)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for graph in pool.map(lambda codes: self._graph(codes, k, tariff, optima), inside):
                graphs.append(graph)
                progress.advance(graph.shape[0])
        return np.concatenate(graphs)

    def _graph(self, codes: Codes, k: int, tariff: Tariff, optima: list[Optimum]) -> Codes:
        take = MATCHINGS["hungarian" if self.method == "exact" else self.method]
        edges = polished(codes, build(codes, k, tariff, take), tariff, take, self.polish)
        if self.method != "exact":
            return edges
        found = solve(codes, k, tariff, self.seconds, edges)
        optima.append(found)
        return found.edges
