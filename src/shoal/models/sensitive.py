"""The base class of models about sensitive values: which columns are judged, and how the others are treated."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.contracts import GroupModel, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.node import once
from shoal.core.parameters import checked, one_of
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.errors import InputError, did_you_mean
from shoal.kernels.distinct import number_rows
from shoal.kernels.grouping import count_distinct
from shoal.kernels.histograms import split
from shoal.models.of_people import OfPeople, people_of
from shoal.models.parameters import Spelled, take_apart
from shoal.models.people_values import over_people, tally_people

Look = Callable[[SensitiveColumn, Groups], Floats]
"""One measure per group of rows, from the values of a column."""

Others = Literal["quasi", "ignore"]
"""How to treat the sensitive columns other than the one being judged."""


@dataclass(frozen=True)
class SensitiveModel(GroupModel):
    """A model about the values of the sensitive column ``of``, or of every sensitive column, one after the other.

    An adversary who learns a person's value in one sensitive column may use it to find their value in another. So if
    there are several, ``others="quasi"`` judges each with all others added to the quasi-identifiers: a group satisfies
    the model if each of its parts that agree on the other sensitive columns does. That is a strong guarantee;
    ``others="ignore"`` judges each column as if it were the only one. With one sensitive column both are the same.

    If the model is monotone for one column, it stays so with the others added: the parts of a union are unions of
    parts. A missing value counts as a value.

    Reference: Ciriani et al. 2007, k-Anonymity (section 5, after Definition 5.1).
    """

    judges_tallies: ClassVar[bool] = True
    """Whether ``judge`` and ``judge_sizes`` suffice, so that a search may maintain tallies instead of rows.

    False if a model overrides ``measure``.
    """

    words: ClassVar[tuple[str, ...]] = ()
    """The words that may follow the number where the model is written: the values of its second parameter."""

    of: str | None = field(default=None, kw_only=True)
    others: Others = field(default="quasi", kw_only=True, metadata=checked(one_of, "others", known=get_args(Others)))

    @classmethod
    def parse(cls, text: str) -> PrivacyModel:
        """Parse a number, then in any order one of ``words`` and the column: ``0.2:hierarchical:disease``."""
        said = take_apart(text, words=cls.words)
        make: Callable[..., PrivacyModel] = cls
        return make(said.numbers, *([said.word] if said.word else []), **about(said))

    def easier(self, n_sensitive: int) -> str:
        """Judge each column by itself, if it is judged among rows that agree on the others."""
        if self.others == "ignore" or n_sensitive < 2:
            return ""
        return "With others=ignore, sensitive columns are judged one by one, not among rows that agree on the others."

    @abstractmethod
    def judge(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """One measure per group from how often it has each value of the column; larger is safer."""

    def doomed(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """For each group, a lower bound on the rows in failing parts however it is split; 0 if unknown.

        Searches that start from large groups use it to skip all finer groupings.
        """
        return np.zeros(len(tallies))

    def look(self, column: SensitiveColumn, groups: Groups) -> Floats:
        """One measure per group of rows. O(members)."""
        return self.judge(column, Tallies.of(groups, column.codes, column.domain.n_leaves))

    def measure(self, table: Table, groups: Groups) -> Floats:
        """The least safe part of each group, in the least safe column. O(members · columns)."""
        return self._measured(table, groups, self.look, groups.sizes)

    @property
    def takes_each_for_one(self) -> bool:
        """Whether, counting people, a person with several values counts only for the most frequent one in the group.

        Otherwise such a person counts for each of them. See ``shoal.models.people_values``.
        """
        return False

    def of_people(self) -> OfPeople:
        """The same model on the values of people; each different value of a person counts once."""
        return OfPeople(self)

    def measure_people(self, table: Table, groups: Groups) -> Floats:
        """Like ``measure``, counting people. O(members · log members · columns)."""

        def look(column: SensitiveColumn, some: Groups) -> Floats:
            return self.judge(over_people(column), tally_people(table, column, some, self.takes_each_for_one))

        return self._measured(table, groups, look, people_of(table, groups))

    def _measured(self, table: Table, groups: Groups, look: Look, sizes: Offsets) -> Floats:
        worst = np.array(self.judge_sizes(sizes), np.float64)
        for column in self.columns(table):
            parts = self.parts(table, column, groups)
            if parts is None:
                np.minimum(worst, look(column, groups), out=worst)
            else:
                np.minimum.at(worst, parts[1], look(column, parts[0]))
        return worst

    def judge_sizes(self, sizes: Offsets) -> Floats:
        """A bound on the measure from the group sizes alone; ∞ if sizes do not matter."""
        return np.full(len(sizes), np.inf)

    def parts(self, table: Table, column: SensitiveColumn, groups: Groups) -> tuple[Groups, Codes] | None:
        """The groups split by the other sensitive columns, and the group of each part; None if nothing is split."""
        if self.others == "ignore" or len(table.sensitive) < 2:
            return None
        ids, n_ids = once(table, ("other sensitive columns", column.name), lambda: _number_others(table, column))
        offsets, members, whole = split(groups.offsets, groups.members, ids, n_ids)
        return Groups(offsets, members), whole

    def most_values(self, table: Table, column: SensitiveColumn) -> int:
        """The most different values of the column that any group could have in all its parts."""
        groups = Groups.whole(column.codes.size)  # rows actually held: a counted table represents more
        parts = self.parts(table, column, groups)
        judged = parts[0] if parts else groups
        counts = count_distinct(judged.offsets, judged.members, column.codes, column.domain.n_leaves)
        return int(counts.max(initial=0))

    def columns(self, table: Table) -> tuple[SensitiveColumn, ...]:
        """The columns that are judged.

        Raises:
            InputError: there is no such sensitive column, or none at all.
        """
        if not table.sensitive:
            raise InputError(f"{self} needs a sensitive column, and none was named; say which columns are sensitive.")
        judged = tuple(column for column in table.sensitive if self.of in (None, column.name))
        if self.of is not None and not judged:
            hint = did_you_mean(self.of, [column.name for column in table.sensitive])
            raise InputError(f"{self}: {self.of!r} is not a sensitive column.{hint}")
        return judged

    def require_columns(self, table: Table) -> None:
        """Require the column to be judged."""
        self.columns(table)

    def refuse(self, table: Table) -> None:
        """Refuse a missing column; a model that the whole table satisfies needs no other check."""
        self.columns(table)

    def _about(self) -> str:
        """The end of the model's name."""
        column = f" of {self.of}" if self.of else ""
        usual = next(f.default for f in fields(self) if f.name == "others")
        if self.others == usual:
            return column
        return column + (", other sensitive columns " + ("ignored" if self.others == "ignore" else "known"))


def beyond(shares: Floats, limits: Floats | float, most: Floats | float, sizes: Floats) -> Floats:
    """Rows that must be in failing parts, if shares of good parts are at most a limit and of others at most ``most``.

    The share of a group is the mean of its parts' shares, or less if it is a convex function of theirs: with a share w
    of its rows in failing parts it is at most (1 − w) · limit + w · most.
    """
    over = np.maximum(shares - limits, 0.0)
    parts: Floats = np.divide(over, most - limits, out=np.zeros_like(over), where=over > 0)
    return whole_rows(parts * sizes)


def whole_rows(rows: Floats) -> Floats:
    """Round up, ignoring floating-point errors."""
    return np.ceil(rows * (1 - 1e-9) - 1e-9)


def about(spelled: Spelled) -> dict[str, Any]:
    """The column and, if given, the treatment of the others, as arguments."""
    said = {"of": spelled.of, "others": spelled.options.get("others")}
    return {name: value for name, value in said.items() if value is not None}


def _number_others(table: Table, column: SensitiveColumn) -> tuple[Codes, int]:
    """Rows that agree on all other sensitive columns get the same number."""
    codes = [other.codes for other in table.sensitive if other is not column]
    ids, firsts = number_rows(np.array(codes, np.int32))
    return ids, firsts.size
