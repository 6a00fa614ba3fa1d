"""What is between a release and its certificate: groups that are not the best, or a bound that cannot rise further.

Usage: python benchmarks/floor_limit.py [ROWS] [K] [SECONDS]

On a sample of Adult (nine columns, ARX's hierarchies; 300 rows, k = 5 and 60 seconds for the integer program unless
said otherwise), mean LM of: a release by ``clustering``; the best partition into the groups of a large pool, by HiGHS;
the least cost of groups that cover each row once where groups may be taken in part, which is the highest bound that
prices of rows can prove; and the floor of the certificate. Groups are generated until none of any size and shape would
lower the linear program. The pool has the release's groups and the 5,000 that cost least more than their prices in that
program: where the last of them costs more by as much as the release is above the program, and no better partition is
found, hardly any better one can be left. Needs SHOAL_DATA.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from time import process_time

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csc_array

import tables
from shoal.algorithms import Clustering
from shoal.algorithms.relaxation import find_floor
from shoal.core.arrays import Floats, Whole
from shoal.core.contracts import Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.metrics import LM
from shoal.models import KAnonymity

Group = tuple[int, ...]
_TINY, _MOST = 1e-7, 4000
"""What a group has to gain, and how many are added in a round."""

_START = 0.9
"""The share of what the release pays by which the first groups are found."""

_NEXT, _POOL, _TAKEN = 4, 30_000, 5_000
"""How many of the rows after the dearest of a box may take their places, how many such groups are kept, and how many of
all, those nearest to their prices, the integer program chooses from."""


@dataclass(frozen=True)
class Boxes:
    """All boxes, one node per column: for each choice of levels the number of each row's box and what it costs."""

    numbers: npt.NDArray[np.int16]
    costs: Floats

    @classmethod
    def of(cls, table: Table) -> Boxes:
        """O(nodes of the lattice · rows) memory."""
        columns = []
        for column, codes in zip(table.quasi, table.codes, strict=True):
            nested, prices = column.recoding.nested, LM().level_prices(column)
            columns.append([(nested.low[level, codes], prices[level, codes]) for level in range(nested.n_levels)])
        nodes = [*product(*columns)]
        numbers, costs = np.zeros((len(nodes), table.n_rows), np.int16), np.zeros((len(nodes), table.n_rows))
        for at, node in enumerate(nodes):
            numbers[at] = np.unique(np.array([low for low, _ in node]), axis=1, return_inverse=True)[1]
            costs[at] = sum(paid for _, paid in node) / len(node)
        return cls(numbers, costs)

    def dearest(self, prices: Floats, k: int, slack: float) -> Iterator[tuple[Whole, float]]:
        """The rows, dearest first, and the cost of boxes whose k dearest cost at most ``slack`` more than their prices.

        O(nodes · rows log rows).
        """
        by_price = np.argsort(-prices, kind="stable")
        order = by_price[np.argsort(self.numbers[:, by_price], axis=1, kind="stable")]
        numbers, costs = np.take_along_axis(self.numbers, order, axis=1), np.take_along_axis(self.costs, order, axis=1)
        summed = np.pad(np.cumsum(prices[order], axis=1), ((0, 0), (1, 0)))
        is_first = np.diff(numbers, axis=1, prepend=-1)[:, : 1 - k] != 0
        lost = k * costs[:, : 1 - k] - (summed[:, k:] - summed[:, :-k])
        for node, at in np.argwhere(is_first & (numbers[:, k - 1 :] == numbers[:, : 1 - k]) & (lost < slack)):
            rows = order[node, at:][numbers[node, at:] == numbers[node, at]]
            yield rows, float(costs[node, at])


def covered(pool: dict[Group, float], n_rows: int) -> tuple[Floats, csc_array]:
    """The costs of all groups, and which rows each holds."""
    offsets = np.cumsum([0, *(len(group) for group in pool)])
    rows = np.concatenate([np.array(group) for group in pool])
    return np.array([*pool.values()]), csc_array((np.ones(rows.size), rows, offsets), shape=(n_rows, len(pool)))


def priced(pool: dict[Group, float], n_rows: int) -> tuple[float, Floats]:
    """The linear program over a pool: its value, and the price of each row."""
    costs, holds = covered(pool, n_rows)
    done = linprog(costs, A_eq=holds, b_eq=np.ones(n_rows), method="highs")
    return float(done.fun), np.asarray(done.eqlin.marginals)


def generated(boxes: Boxes, pool: dict[Group, float], n_rows: int, k: int) -> tuple[float, Floats]:
    """Add groups until none lowers the linear program; its value and prices then."""
    while True:
        value, prices = priced(pool, n_rows)
        found: dict[Group, float] = {}
        for rows, cost in boxes.dearest(prices, k, -_TINY):
            size = max(k, int((prices[rows] > cost).sum()))
            found[tuple(sorted(rows[:size].tolist()))] = size * cost
        gains = sorted(found, key=lambda group: found[group] - prices[list(group)].sum())[:_MOST]
        pool.update({group: min(found[group], pool.get(group, np.inf)) for group in gains})
        if not gains:
            return value, prices


def nearly(boxes: Boxes, prices: Floats, k: int, slack: float) -> dict[Group, float]:
    """Groups of k that cost little more than their prices."""
    found: dict[Group, tuple[float, float]] = {}
    for rows, cost in boxes.dearest(prices, k, slack):
        for group in combinations(sorted(rows[: k + _NEXT].tolist()), k):
            lost = k * cost - float(prices[list(group)].sum())
            if lost < min(slack, found.get(group, (np.inf, 0.0))[0]):
                found[group] = lost, k * cost
    return {group: found[group][1] for group in sorted(found, key=lambda group: found[group])[:_POOL]}


def partitioned(pool: dict[Group, float], n_rows: int, seconds: float) -> tuple[float, float]:
    """The best partition into groups of a pool that was found, and a bound on all such partitions."""
    costs, holds = covered(pool, n_rows)
    once = LinearConstraint(holds, np.ones(n_rows), np.ones(n_rows))
    options = {"time_limit": seconds, "mip_rel_gap": 0.0}
    done = milp(costs, constraints=once, integrality=np.ones(costs.size), bounds=Bounds(0, 1), options=options)
    return float(np.inf if done.x is None else done.fun), float(done.mip_dual_bound or 0.0)


def sample(n_rows: int) -> Table:
    """So many rows of Adult, drawn at random."""
    data = tables.adult()
    rows = np.sort(np.random.default_rng(1).permutation(data.n_rows)[:n_rows])
    return replace(data, codes=np.ascontiguousarray(data.codes[:, rows]), passengers=pl.DataFrame())


def main(n_rows: int = 300, k: int = 5, seconds: int = 60) -> None:
    """Print the four figures, each beside the linear program."""
    table, goal = sample(n_rows), Goal((KAnonymity(k),), LM())
    release = Clustering(budget=3).run(table, goal, Randomness(1), Silent())
    loss, floor = LM().score(release), find_floor(release, goal, Randomness(1), Silent(), 5.0).value
    began, boxes = process_time(), Boxes.of(table)
    own, paid = {}, np.empty(n_rows)
    for owned in (np.sort(release.classes.of(group)) for group in range(len(release.classes))):
        same = (boxes.numbers[:, owned] == boxes.numbers[:, owned[:1]]).all(axis=1)
        paid[owned] = boxes.costs[same, owned[0]].min()
        own[tuple(owned.tolist())] = float(paid[owned].sum())
    pool = {**nearly(boxes, _START * paid, k, 0.1 * k * loss), **own}
    value, prices = generated(boxes, pool, n_rows, k)
    pool = {**nearly(boxes, prices, k, loss * n_rows - value), **pool}
    lost = {group: cost - float(prices[list(group)].sum()) for group, cost in pool.items()}
    taken = sorted(pool, key=lambda group: lost[group])[:_TAKEN]
    best, bound = partitioned({group: pool[group] for group in (*taken, *own)}, n_rows, seconds)
    print(f"{n_rows} rows, k = {k}: {len(pool):,} groups; {len(taken):,} are chosen from, which cost at most "
          f"{lost[taken[-1]] / n_rows:.5f} more than their prices; {process_time() - began:.0f} CPU s")  # fmt: skip
    for name, figure in (
        ("release of clustering, 3 s", loss * n_rows),
        ("best partition of the pool found", best),
        ("no partition of the pool loses less", bound),
        ("linear program over all groups", value),
        ("floor of the certificate", floor * n_rows),
    ):
        print(f"{name:<38}{figure / n_rows:.5f}  {figure / value - 1:+.2%}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
