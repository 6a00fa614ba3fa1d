"""What the user allows to be blanked: explicit patterns, or rules that generate them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shoal.core.parameters import real_number, whole_number
from shoal.errors import InputError, did_you_mean

Names = tuple[str, ...]
Lists = Sequence[str | Sequence[str]]
"""Lists of columns, each written as a list or as one text such as ``"age,*,zip"`` or ``"age+zip"``."""


@dataclass(frozen=True)
class Rules:
    """The user's rules, in terms of column names; without any, every pattern is allowed.

    A pattern blanks a column if it publishes its star (with ``levels``: its top level).

    Attributes:
        patterns: the allowed patterns themselves, such as ``"age,*,zip"``; equal costs keep the order given here.
        max_stars: blank at most this many columns.
        never: blank none of these.
        together: groups of columns, each blanked together or not at all.
        at_most_one: groups of columns of which at most one is blanked.
        costs: what blanking a column costs a record, if it is not the column's weight.
        outliers: allow the all-star pattern, whatever the other rules say.
        levels: let a pattern name any level of a column's hierarchy, not only the value and the star.
    """

    patterns: Lists = ()
    max_stars: int | None = None
    never: Sequence[str] = ()
    together: Lists = ()
    at_most_one: Lists = ()
    costs: Mapping[str, float] = field(default_factory=dict)
    outliers: bool = True
    levels: bool = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.max_stars is not None:
            put(self, "max_stars", whole_number("max_stars", self.max_stars, least=0))
        put(self, "patterns", _vectors(self.patterns))
        put(self, "never", _names("never", self.never))
        put(self, "together", _groups("together", self.together))
        put(self, "at_most_one", _groups("at_most_one", self.at_most_one))
        costs = _pairs(self.costs).items()
        put(self, "costs", {str(name): real_number(f"The cost of {name!r}", cost, least=0) for name, cost in costs})

    def check_columns(self, known: Sequence[str]) -> None:
        """Raise InputError if a rule names a column that is not a quasi-identifier."""
        named: list[tuple[str, Iterable[str]]] = [("never", self.never), ("costs", self.costs)]
        named += [("together", group) for group in self.together]
        named += [("at_most_one", group) for group in self.at_most_one]
        for rule, names in named:
            for name in names:
                if name not in known:
                    raise InputError(
                        f"The rule {rule!r} names {name!r}, which is not a quasi-identifier.{did_you_mean(name, known)}"
                    )


def _pairs(said: Any) -> Mapping[Any, Any]:
    """Costs by column; ``age:2+zip:0.5`` on the command line, which has no mappings."""
    if isinstance(said, str):
        said = {name: cost for name, _, cost in (part.rpartition(":") for part in _split(said, "+"))}
    if not isinstance(said, Mapping) or "" in said:
        raise InputError(f"costs takes a number for each column, as in {{age = 2}} or age:2, got {said!r}.")
    return said


def _vectors(said: Any) -> tuple[Names, ...]:
    """Lists such as ``age,*,zip``; ``age+*+zip|*+*+zip`` on the command line, which has no lists."""
    if isinstance(said, str):
        said = [said] if "," in said else [_split(vector, "+") for vector in said.split("|")]
    if not isinstance(said, Sequence):
        raise InputError(f'patterns takes a list such as ["age,*,zip"], got {said!r}.')
    return tuple(_split(vector, ",") if isinstance(vector, str) else _names("patterns", vector) for vector in said)


def _groups(rule: str, said: Any) -> tuple[Names, ...]:
    """Lists of names; a single list of names is one group; ``a+b|c+d`` on the command line, which has no lists."""
    if isinstance(said, str):
        return tuple(_split(group, "+") for group in said.split("|"))
    if isinstance(said, Sequence) and said and all(isinstance(name, str) and "+" not in name for name in said):
        return (_names(rule, said),)
    if not isinstance(said, Sequence):
        raise InputError(f'{rule} takes lists of columns such as [["age", "sex"]], got {said!r}.')
    return tuple(_names(rule, group) for group in said)


def _names(rule: str, said: Any) -> Names:
    if isinstance(said, str):
        return _split(said, "+")
    if not isinstance(said, Sequence) or not all(isinstance(name, str) for name in said):
        raise InputError(f'{rule} takes a list of columns such as ["age", "sex"], got {said!r}.')
    return tuple(said)


def _split(text: str, separator: str) -> Names:
    return tuple(part.strip() for part in text.split(separator))
