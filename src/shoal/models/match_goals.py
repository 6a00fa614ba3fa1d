"""The requirements of a goal on algorithms that give every record its own cells and draw its owner."""

from __future__ import annotations

from typing import ClassVar

from shoal.core.claims import Promised
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.release import Claim
from shoal.core.table import SensitiveColumn, Table
from shoal.errors import InputError
from shoal.models.l_diversity import LDiversity
from shoal.models.uniform_matching import UniformMatching


class DrawsOwners(Algorithm):
    """An algorithm that gives every record its own cells and draws its owner."""

    serves = (UniformMatching, LDiversity)
    draws_owners: ClassVar[bool] = True

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse promises about classes of equal records, and say what to ask for instead."""
        for promise in goal.promises:
            if isinstance(promise, GroupModel) and promise.reads == "classes":
                k = promise.floor
                raise InputError(
                    f"The algorithm {self.name!r} gives every record its own cells, so it cannot promise {promise}, "
                    f"which needs classes of equal records; ask for uniform matching (--matching {k}), under which "
                    f"each record is equally likely to belong to any of {k} people, with l-diversity if there are "
                    "sensitive values, or choose an algorithm that makes classes, such as 'mondrian'."
                )
        super().refuse(table, goal)

    def claims(self, table: Table, goal: Goal) -> tuple[Claim, ...]:
        """The number of equally likely matches that the goal needs, if it goes beyond the promises."""
        matches = UniformMatching(matches_wanted(goal))
        is_more = matches.k > _matches_asked(goal)
        return (*super().claims(table, goal), *([Promised(matches)] if is_more else []))


def matches_wanted(goal: Goal) -> int:
    """How many equally likely matches a record needs to satisfy every model of a goal."""
    return max(goal.floor, _matches_asked(goal))


def _matches_asked(goal: Goal) -> int:
    return max((promise.drawn_from or 1 for promise in goal.promises), default=1)


def judged_column(table: Table, goal: Goal) -> SensitiveColumn | None:
    """The only sensitive column that the models on groups judge, if more repeated values are never safer.

    Then the worst choice of k rows is that with the most frequent values; this holds for all kinds of l-diversity
    except the estimate (``grassberger``). None if several columns are judged, or only rows that agree on other columns.
    """
    columns = set()
    for promise in goal.group_models:
        if not isinstance(promise, LDiversity) or promise.kind == "grassberger":
            return None
        judged = promise.columns(table)
        if len(judged) > 1 or (promise.others == "quasi" and len(table.sensitive) > 1):
            return None
        columns.add(judged[0])
    return columns.pop() if len(columns) == 1 else None
