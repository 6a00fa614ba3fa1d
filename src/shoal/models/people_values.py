"""The sensitive values of people, for tables in which a person may have several rows.

An adversary who knows one row of a person finds the class, and learns what the people in it have in common. So shares
are shares of people, and a person with several rows of one value counts once for it. A person with several values
counts for each of them: the probability that somebody of the group has v is (people with v) / (people), however many
other values they have. Dividing a person among their values instead, or counting rows, would make a value that
everybody has look rarer.

A model about the entropy of a group's values needs one value per person: the one that is most frequent in the group,
which leaves the least uncertainty.
"""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.core.groups import Groups
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.errors import InputError


def over_people(column: SensitiveColumn) -> SensitiveColumn:
    """The column with the people of the whole table counted, each once for each of their values."""
    assert column.held is not None
    return replace(column, domain=replace(column.domain, counts=column.held.counts))


def tally_people(table: Table, column: SensitiveColumn, groups: Groups, each_for_one: bool = False) -> Tallies:
    """How many people of each group have each value. O(members · log members), cached for several models."""
    known = _TALLIED.setdefault(groups, [])
    for people, codes, for_one, found in known:
        if people is table.people and codes is column.codes and for_one == each_for_one:
            return found
    found = _tallied(table, column, groups, each_for_one)
    known.append((table.people, column.codes, each_for_one, found))
    return found


_TALLIED: WeakKeyDictionary[Groups, list[tuple[Codes | None, Codes, bool, Tallies]]] = WeakKeyDictionary()
"""Results for groups that are still in use: several models are evaluated on the same groups in turn."""


def _tallied(table: Table, column: SensitiveColumn, groups: Groups, each_for_one: bool) -> Tallies:
    assert table.people is not None
    n_values = column.domain.n_leaves
    owners, people, values = _pairs(table.people, column.codes, groups, table.n_people, n_values)
    tallies = Tallies.of_ids(owners, values, n_values, len(groups))
    if each_for_one:
        kept = _commonest(tallies, owners, people, values, n_values)
        tallies = Tallies.of_ids(owners[kept], values[kept], n_values, len(groups))
    is_first = np.diff(owners * table.n_people + people, prepend=-1) != 0
    return replace(tallies, people=np.bincount(owners[is_first], minlength=len(groups)).astype(np.int64))


def _pairs(people: Codes, codes: Codes, groups: Groups, n_people: int, n_values: int) -> tuple[Offsets, Offsets, Codes]:
    """Each value of each person of each group once, found by sorting one number per member."""
    if len(groups) * n_people * n_values >= 2**63:
        raise InputError("There are too many groups, people and values to be counted at once; use blocks of rows.")
    homes = np.repeat(np.arange(len(groups), dtype=np.int64), groups.sizes)
    keys = (homes * n_people + people[groups.members]) * n_values + codes[groups.members]
    keys.sort()
    keys = keys[np.diff(keys, prepend=-1) != 0]
    pairs, values = np.divmod(keys, n_values)
    return *np.divmod(pairs, n_people), values.astype(np.int32)


def _commonest(tallies: Tallies, owners: Offsets, people: Offsets, values: Codes, n_values: int) -> Offsets:
    """For each person of each group, the pair whose value most people of the group have; the first on a tie."""
    keys = tallies.owners.astype(np.int64) * n_values + tallies.values
    counts = tallies.counts[np.searchsorted(keys, owners * n_values + values)]
    order = np.lexsort((values, -counts, people, owners))
    first = np.ones(order.size, bool)
    first[1:] = (np.diff(owners[order]) != 0) | (np.diff(people[order]) != 0)
    return order[first].astype(np.int64)
