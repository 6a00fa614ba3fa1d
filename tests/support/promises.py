"""What may be asked of a table, and what may not, for every privacy model.

A new model gets one entry in each dictionary; the contract tests then run it with every algorithm that serves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from shoal.core.contracts import PrivacyModel
from shoal.core.table import Table
from shoal.models import KAnonymity, LDiversity

Ask = Callable[[Table], list[PrivacyModel]]
T = TypeVar("T")


def _k_possible(table: Table) -> list[PrivacyModel]:
    return [KAnonymity(k) for k in range(1, table.n_rows + 1)]


def _k_impossible(table: Table) -> list[PrivacyModel]:
    return [KAnonymity(table.n_rows + 1), KAnonymity(10**9)]


def _values(table: Table, name: str) -> int:
    return len(set(table.sensitive_named(name).codes.tolist()))


def _l_possible(table: Table) -> list[PrivacyModel]:
    names = [column.name for column in table.sensitive]
    least = min(_values(table, name) for name in names)
    by_name = [LDiversity(_values(table, name), of=name) for name in names]
    return [*(LDiversity(l) for l in range(1, least + 1)), *by_name]  # noqa: E741 (the paper's letter)


def _l_impossible(table: Table) -> list[PrivacyModel]:
    names = [column.name for column in table.sensitive]
    least = min(_values(table, name) for name in names)
    return [LDiversity(least + 1), *(LDiversity(_values(table, name) + 1, of=name) for name in names)]


POSSIBLE: Mapping[str, Ask] = {"k-anonymity": _k_possible, "l-diversity": _l_possible}
"""Promises that hold at least when all rows are one class."""

IMPOSSIBLE: Mapping[str, Ask] = {"k-anonymity": _k_impossible, "l-diversity": _l_impossible}
"""Promises that no release of the table with all its rows could keep."""

NEEDS_SENSITIVE: Mapping[str, PrivacyModel | None] = {"k-anonymity": None, "l-diversity": LDiversity(1)}
"""A promise that cannot be asked of a table without a sensitive column, if there is one."""

FORMS: Mapping[str, Mapping[str, PrivacyModel]] = {
    "k-anonymity": {"1": KAnonymity(1), "5": KAnonymity(5), "1000000": KAnonymity(10**6)},
    "l-diversity": {
        "3": LDiversity(3),
        "3:": LDiversity(3),
        "3:disease": LDiversity(3, of="disease"),
        "2:a:b c": LDiversity(2, of="a:b c"),
    },
}
"""What the command line takes, and what it means."""


def entry(what: str, entries: Mapping[str, T], name: str) -> T:
    """The entry of a plug-in, or a failure that says what is to be done."""
    assert name in entries, f"{name!r} has no entry in {what}; add one and it is tested with everything else."
    return entries[name]
