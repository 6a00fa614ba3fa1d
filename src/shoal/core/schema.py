"""The roles, kinds and hierarchies that the user declares for the columns of a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.errors import InputError, did_you_mean

Role = Literal["identifier", "quasi-identifier", "sensitive", "other", "person", "sample weight"]
"""Identifiers are dropped, quasi-identifiers recoded, sensitive and other columns published unchanged.

The person column, which tells whose row each row is, is dropped after people are counted, and so are sample weights.
"""

UNPUBLISHED: tuple[Role, ...] = ("identifier", "person", "sample weight")


class HierarchyBuilder(Protocol):
    """Builds a hierarchy once the values of the column are known."""

    def build(self, name: str, texts: Sequence[str], kind: Kind) -> Hierarchy:
        """The hierarchy of column ``name`` over at least these values, given in value order."""


@dataclass(frozen=True)
class Schema:
    """Roles, kinds, hierarchies and recodings of the columns of a table.

    A column without a role is an *other* column. ``others`` states this explicitly: a nearly unique column that is not
    listed there is refused, so that it is not published by oversight. ``masked`` columns are other columns of free text
    in which names of people and the like are masked. ``person`` tells whose row each row is, ``sample_weight`` how many
    people of the population it represents, and ``adjust_weights`` whether the weights of the published rows are scaled
    up to the total weight if rows are suppressed.
    """

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy | HierarchyBuilder] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    recodings: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    missing: Literal["own", "drop"] = "own"
    person: str | None = None
    sample_weight: str | None = None
    adjust_weights: bool = False

    def __post_init__(self) -> None:
        if not self.quasi_identifiers:
            raise InputError(
                "No quasi-identifier was named; say which columns an adversary may know (quasi_identifiers, --quasi). "
                "shoal inspect suggests them."
            )
        if self.adjust_weights and self.sample_weight is None:
            raise InputError("adjust_weights scales sample weights; name their column as sample_weight.")
        roles: dict[str, Role] = {}
        for role, names in self._named():
            for name in names:
                if roles.setdefault(name, role) != role:
                    raise InputError(f"The column {name!r} is named as {roles[name]} and as {role}; choose one role.")
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise InputError(f"The column {twice!r} is named twice as {role}; name it once.")
        for name, kind in self.kinds.items():
            if kind not in get_args(Kind):
                raise InputError(f"The kind of {name!r} cannot be {kind!r}.{did_you_mean(str(kind), get_args(Kind))}")
        if self.missing not in ("own", "drop"):
            raise InputError(f"missing must be 'own' or 'drop', got {self.missing!r}.")
        for name, weight in self.weights.items():
            if not weight >= 0:
                raise InputError(f"The weight of {name!r} must be at least 0, got {weight}.")

    def _named(self) -> list[tuple[Role, tuple[str, ...]]]:
        return [
            ("quasi-identifier", self.quasi_identifiers),
            ("sensitive", self.sensitive),
            ("identifier", self.identifiers),
            ("other", (*self.others, *self.masked)),
            ("person", () if self.person is None else (self.person,)),
            ("sample weight", () if self.sample_weight is None else (self.sample_weight,)),
        ]

    def role(self, name: str) -> Role:
        """The role of a column."""
        return next((role for role, names in self._named() if name in names), "other")

    def as_they_are(self, names: Sequence[str]) -> list[str]:
        """Which of these columns are published unchanged, except sensitive ones."""
        return [name for name in names if self.role(name) == "other" and name not in self.masked]

    def names(self, name: str) -> bool:
        """Whether the schema gives this column a role."""
        return any(name in named for _, named in self._named())

    def check_columns(self, known: Sequence[str]) -> None:
        """Raise InputError if the schema names a column that the table does not have."""
        wanted: list[tuple[str, str]] = [(role, name) for role, names in self._named() for name in names]
        wanted += [("with a hierarchy", name) for name in self.hierarchies]
        wanted += [("with a kind", name) for name in self.kinds]
        wanted += [("with an order", name) for name in self.orders]
        wanted += [("with a recoding", name) for name in self.recodings]
        wanted += [("with a weight", name) for name in self.weights]
        for what, name in wanted:
            if name not in known:
                raise InputError(f"The table has no column {name!r} (named {what}).{column_hint(name, known)}")


def refuse_unknown(columns: Iterable[str], known: Collection[str]) -> None:
    """Raise InputError if one of the columns is not among the names of a table."""
    for name in columns:
        if name not in known:
            raise InputError(f"The table has no column {name!r}.{did_you_mean(name, known)}")


def column_hint(name: str, known: Sequence[str]) -> str:
    """A hint for the message about a missing column: the closest name, or that the delimiter seems wrong."""
    alone = known[0] if len(known) == 1 else ""
    if signs := [sign for sign in ",;|\t" if name in alone.split(sign) and sign in alone]:
        return (
            f" Everything was read as one column, {alone!r}; fields seem to be separated by {signs[0]!r} (--delimiter)."
        )
    return did_you_mean(name, known)
