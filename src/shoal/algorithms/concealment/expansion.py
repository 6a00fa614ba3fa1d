"""(k,1)-anonymity by whichever expansion suits the table."""

from __future__ import annotations

from typing import Literal

from shoal.algorithms.concealment.draft import Draft
from shoal.algorithms.concealment.field import Field
from shoal.algorithms.concealment.greedy import greedy
from shoal.algorithms.concealment.optimal import can_be_optimal, optimal
from shoal.core.progress import Progress
from shoal.errors import InputError

Expansion = Literal["auto", "optimal", "greedy"]
EXPANSIONS: tuple[Expansion, ...] = ("auto", "optimal", "greedy")
"""The cheapest cells there are where every column is a hierarchy (or suppressed), else greedy; or one of the two."""

_TRIAL = 300_000_000
"""Work after which the search for the optimum is given up, unless it was asked for by name: about ten seconds."""


def expanded(field: Field, k: int, how: Expansion, progress: Progress) -> Draft:
    """A (k,1)-anonymous draft.

    Where the search for the optimum does not end in time, records for which it found nothing are expanded greedily.

    Raises:
        InputError: the optimum is asked for where cells are not combinations of levels.
    """
    if how == "optimal" and not can_be_optimal(field):
        raise InputError(
            "The optimal expansion needs a hierarchy (or suppression) for every column; "
            "give hierarchies, or use expansion='greedy'."
        )
    if how == "greedy" or not can_be_optimal(field):
        return greedy(field, k, progress)
    progress.stage("expanding")
    if how == "optimal":
        return optimal(field, k)[0]
    draft, is_proven = optimal(field, k, work=_TRIAL)
    return draft if is_proven else greedy(field, k, progress)
