"""Leave out rows at random, so that nobody knows exactly who is in the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from shoal.core.block_union import block_of, join_releases
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.suppression_limit import rows_allowed
from shoal.core.table import Table
from shoal.errors import InputError


def refuse_dropping(table: Table, goal: Goal, share: float) -> None:
    """Raise InputError if more rows would be left out than the suppression limit allows."""
    n = rows_allowed(share, table.n_rows)
    if n > goal.most_suppressed(table.n_rows):
        raise InputError(
            f"drop = {share:g} leaves out {n:,} of {table.n_rows:,} rows, but the suppression limit allows "
            f"{goal.most_suppressed(table.n_rows):,}; raise the suppression limit to {share:g}, or drop less."
        )


def without_some(table: Table, share: float, randomness: Randomness, make: Callable[[Table], Release]) -> Release:
    """The release of the remaining rows after leaving out a share of them, drawn at random.

    An adversary who knows the whole population then does not know who is in the release: people may have no record, so
    fewer pairs can be ruled out. It helps less than the paper hopes; the page on concealment has numbers.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (end of section
    5.1).
    """
    n = rows_allowed(share, table.n_rows)
    kept = np.sort(randomness.permutation(table.n_rows)[n:]).astype(np.int32)
    block = Groups(np.array([0, kept.size], np.int64), kept)
    release = join_releases(table, block, [make(block_of(table, kept))])
    told = (
        f"{n:,} of {table.n_rows:,} rows, drawn at random, are left out; chances are those for somebody who knows which"
    )
    return replace(release, account=(*release.account, told))
