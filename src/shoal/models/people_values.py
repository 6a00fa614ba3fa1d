"""The sensitive values of people, where a person may have several rows.

Somebody who knows one row of a person finds the class, and learns what the people there have in common. So a share is
of people, and a person with several rows of one value counts once for it. A person with several values counts for each
of them: the chance that somebody of the group has v is (people with v) / (people), however many other values they have.
Dividing a person among their values instead, or counting rows, would make a value look rarer that everybody has.

Where a promise is about the entropy of the values of a group, people have to have one each. There everybody is taken
for the one of theirs that most of the group have: that leaves least to be uncertain about.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.core.groups import Groups
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.models.of_people import people_of


def over_people(column: SensitiveColumn) -> SensitiveColumn:
    """The column with people counted in the whole table, each once for each of their values."""
    assert column.held is not None
    return replace(column, domain=replace(column.domain, counts=column.held.counts))


def tally_people(table: Table, column: SensitiveColumn, groups: Groups, each_for_one: bool = False) -> Tallies:
    """How many people of each group have each value. O(members · log members)."""
    assert table.people is not None
    homes = np.repeat(np.arange(len(groups), dtype=np.int64), groups.sizes)
    rows = groups.members
    owners, people, values = _pairs(homes, table.people[rows], column.codes[rows], column.domain.n_leaves)
    tallies = Tallies.of_ids(owners, values, column.domain.n_leaves, len(groups))
    if each_for_one:
        kept = _commonest(tallies, owners, people, values, column.domain.n_leaves)
        tallies = Tallies.of_ids(owners[kept], values[kept], column.domain.n_leaves, len(groups))
    return replace(tallies, people=people_of(table, groups))


def _pairs(homes: Offsets, people: Codes, values: Codes, n_values: int) -> tuple[Offsets, Offsets, Codes]:
    """Each value of each person of each group once."""
    pairs = people.astype(np.int64) * n_values + values
    order = np.lexsort((pairs, homes))
    homes, pairs = homes[order], pairs[order]
    new = np.ones(order.size, bool)
    new[1:] = (np.diff(homes) != 0) | (np.diff(pairs) != 0)
    return homes[new], pairs[new] // n_values, (pairs[new] % n_values).astype(np.int32)


def _commonest(tallies: Tallies, owners: Offsets, people: Offsets, values: Codes, n_values: int) -> Offsets:
    """Of each person of each group the pair whose value most people of the group have, the first of such values."""
    keys = tallies.owners.astype(np.int64) * n_values + tallies.values
    counts = tallies.counts[np.searchsorted(keys, owners * n_values + values)]
    order = np.lexsort((values, -counts, people, owners))
    first = np.ones(order.size, bool)
    first[1:] = (np.diff(owners[order]) != 0) | (np.diff(people[order]) != 0)
    return order[first].astype(np.int64)
