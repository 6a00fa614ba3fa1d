"""(1,k)-anonymity: widen records until every row fits k of them."""

from __future__ import annotations

from typing import Literal

import numpy as np

from shoal.algorithms.concealment.draft_release import Draft
from shoal.core.arrays import Whole
from shoal.core.randomness import Randomness
from shoal.kernels.concealment_repair import let_in

Order = Literal["costliest", "cheapest", "given", "random"]
"""The order in which rows are visited: by what their own record costs, as in the table, or at random."""


def visiting_order(draft: Draft, order: Order, randomness: Randomness) -> Whole:
    """The rows in visiting order. Costliest first repairs others on the way; only a random order hides the steps."""
    if order == "given":
        return np.arange(draft.field.n_rows)
    if order == "random":
        return randomness.permutation(draft.field.n_rows).astype(np.int64)
    sign = -1 if order == "costliest" else 1
    return np.argsort(sign * draft.costs(), kind="stable")


def repaired(draft: Draft, k: int, order: Whole) -> Draft:
    """Algorithm 3: add rows that fit fewer than k records to those whose price rises least.

    A (k,1)-anonymous draft becomes (k,k)-anonymous. On Adult the order matters more than anything else: costliest rows
    first leaves a hundred rows to repair, the order of the table seven hundred at ten times the loss.
    O(rows that need it · records · columns).

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithm 3).
    """
    done, field = draft.copy(), draft.field
    fits = np.bincount(draft.inside().members, minlength=field.n_types).astype(np.int64)
    types = field.types[order]
    _, firsts = np.unique(types, return_index=True)
    let_in(field.tree, field.tariff, types[np.sort(firsts)], k, done.records, fits)
    return done
