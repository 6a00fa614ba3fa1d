"""The results of an inspection."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from shoal.core.domain import Kind
from shoal.core.schema import Role
from shoal.io.inspect.column_values import Advice, merged
from shoal.io.inspect.hierarchies import Fit

FoundKind = Kind | Literal["free text"]
"""The kinds by which columns are coded, and free text, which cannot be coded and is best dropped."""


@dataclass(frozen=True)
class Finding:
    """One column: its content, and the suggested role.

    ``n_distinct`` counts non-missing values; ``n_unique`` the rows whose value, missing or not, no other row has;
    ``separation`` is the share of pairs of rows that the column distinguishes, ``largest_share`` the share of rows with
    the commonest value, missing included. ``examples`` are original values, for the data owner only.
    """

    name: str
    kind: FoundKind
    n_distinct: int
    n_missing: int
    n_unique: int
    separation: float
    largest_share: float
    role: Role
    reason: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Combination:
    """Columns, and how many rows are unique on them."""

    columns: tuple[str, ...]
    n_unique: int
    share: float


@dataclass(frozen=True)
class PersonKey:
    """A column that looks like a person key, and how many rows its keys have.

    ``agreement`` says how much more rows with the same key agree on other columns than any two rows do: 1 is fully.
    """

    name: str
    n_keys: int
    mean_rows: float
    most_rows: int
    agreement: float

    def __str__(self) -> str:
        return (
            f"{self.name!r} looks like a person's key that repeats: {self.n_keys:,} people have {self.mean_rows:.1f} "
            f"rows on average and at most {self.most_rows:,}"
        )


@dataclass(frozen=True)
class Inspection:
    """A table's columns, and how many rows they single out.

    ``n_unique`` counts the rows that are unique on the suggested quasi-identifiers, ``n_unique_others`` those unique on
    the columns that would be published unchanged; ``combinations`` are the worst few columns; ``notes`` say what was
    skipped to bound the work; ``keys`` are columns that look like person keys, the likeliest first. ``advice`` lists
    the problems of the table, with the settings that fix them; kinds and roles are those of the table as read with
    these settings. ``hierarchies`` suit columns that will be generalized.
    """

    n_rows: int
    columns: tuple[Finding, ...]
    n_unique: int
    n_unique_others: int
    combinations: tuple[Combination, ...]
    notes: tuple[str, ...] = ()
    keys: tuple[PersonKey, ...] = ()
    advice: tuple[Advice, ...] = ()
    hierarchies: dict[str, Fit] = field(default_factory=dict)

    @property
    def words(self) -> dict[str, Any]:
        """The advice as settings of ``anonymize``."""
        return merged(one.words for one in self.advice)

    @property
    def questions(self) -> list[str]:
        """The questions that only a person can answer."""
        return [one.question for one in self.advice if one.question]

    def named(self, role: Role) -> list[str]:
        """The columns with this role, in the table's order."""
        return [column.name for column in self.columns if column.role == role]

    @property
    def roles(self) -> dict[str, list[str]]:
        """The suggested roles as settings of ``anonymize``."""
        return {
            "identifiers": self.named("identifier"),
            "quasi_identifiers": self.named("quasi-identifier"),
            "sensitive": self.named("sensitive"),
        }

    def as_data(self) -> dict[str, object]:
        """Plain dicts, lists, texts and numbers, for reports, including the example values."""
        return asdict(self)
