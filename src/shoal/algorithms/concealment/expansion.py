"""(k,1)-anonymity by the expansion that suits the table."""

from __future__ import annotations

from math import comb
from typing import Literal

from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.greedy import greedy
from shoal.algorithms.concealment.optimal import MOST_WORK, can_be_optimal, optimal
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.algorithms.concealment.subsets import MOST_SUBSETS, can_be_tried, cheapest_closures
from shoal.core.progress import Progress
from shoal.errors import InputError

Expansion = Literal["auto", "optimal", "greedy"]
EXPANSIONS: tuple[Expansion, ...] = ("auto", "optimal", "greedy")
"""``auto``: the cheapest possible cells if every column is a hierarchy (or suppressed), else greedy; or one of the two.

``optimal`` also finds the cheapest cells with ranges and sets, in tables of few rows.
"""

_TRIAL = 300_000_000
"""The work after which ``auto`` gives up the search for the optimum: about ten seconds."""


def expanded(field: RowTree, k: int, how: Expansion, progress: Progress) -> Draft:
    """A (k,1)-anonymous draft.

    If ``auto`` does not finish the search for the optimum in time, it starts again from the greedy records and keeps
    the better ones that it finds in the same time.

    Raises:
        InputError: the optimum is requested but cells are not combinations of levels and there are many rows, or it
            is not found in a minute.
    """
    if how == "optimal" and not can_be_optimal(field):
        if can_be_tried(field, k):
            progress.stage("expanding")
            return cheapest_closures(field, k)
        raise InputError(
            "The optimal expansion needs a hierarchy (or suppression) for every column, or few rows: with ranges and "
            f"sets all sets of k = {k} rows are tried, up to {MOST_SUBSETS:,}, and {field.n_rows:,} rows have "
            f"{comb(field.n_rows, k):,}; give hierarchies, or use expansion='greedy'."
        )
    if how == "greedy" or not can_be_optimal(field):
        return greedy(field, k, progress)
    progress.stage("expanding")
    draft, is_proven = optimal(field, k, work=MOST_WORK if how == "optimal" else _TRIAL)
    if is_proven:
        return draft
    if how == "optimal":
        raise InputError(
            f"The optimal expansion was not found in {MOST_WORK:,} steps; use expansion='auto', which takes the "
            "best found so far, or fewer columns."
        )
    return optimal(field, k, greedy(field, k, progress), _TRIAL)[0]
