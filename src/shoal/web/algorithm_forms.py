"""Forms for algorithms: a field for each option that an algorithm declares, and conversion to settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from shoal import algorithms
from shoal.core.contracts import Algorithm
from shoal.core.plugins import build
from shoal.errors import InputError

Form = Literal["flag", "whole", "number", "choice", "algorithm", "columns", "groups", "patterns", "costs", "levels"]
"""The form of an option's field.

``columns`` are some columns, ``groups`` groups of them, ``patterns`` the columns kept in each pattern, ``costs`` and
``levels`` a number or a hierarchy level for each column.
"""

STAR = "*"

_LABELS = {
    "relaxed": "Rows with equal values may be separated",
    "cut_by": "Cut by the cost of",
    "stretch": "Stretch columns to a common depth",
    "axes": "Place values by",
    "bits": "Steps of each axis, as a power of 2 (0: enough)",
    "linkage": "Cost of a merge",
    "neighbours": "Near clusters to compare with (0: all)",
    "block": "Rows of a block",
    "budget": "Seconds to search",
    "steps": "Steps instead of seconds (0: by the clock)",
    "distance": "Distance between rows",
    "parting": "How the order is split",
    "sets": "Sets that are examined",
    "partition": "Which rows form a ring",
    "method": "Method",
    "polish": "Rounds solved again",
    "seconds": "Seconds for the exact method",
    "rounds": "Rounds of cuts",
    "expansion": "How cells are expanded",
    "randomized": "Randomize among near rows",
    "q": "Near rows to choose from (0: 2(k − 1))",
    "shrink": "Narrow cells afterwards",
    "groups": "Algorithm that makes the groups",
    "drop": "Share of rows left out at random",
    "patterns": "Columns that are kept, in pattern",
    "max_stars": "Columns suppressed at most",
    "never": "Columns never blanked",
    "together": "Columns suppressed together, group",
    "at_most_one": "Columns of which at most one is suppressed, group",
    "costs": "Cost of blanking",
    "outliers": "Records may be fully suppressed",
    "levels": "Level of",
    "effort": "Search steps for each possible class",
    "time_limit": "Seconds at most",
    "preference": "Among minimal nodes prefer",
    "max_sets": "Sets examined at most (empty: no limit)",
    "inner": "Algorithm on the rows",
    "rows": "Rows of a block",
    "by": "Cut blocks by",
    "aggregate": "Publish the",
}
_OWN_LABELS = {
    "concealment": {"linkage": "Largest chance of a link (0: 2/k)"},
    "patterns": {"levels": "Patterns may name hierarchy levels"},
    "patterns-search": {"levels": "Patterns may name hierarchy levels"},
    "patterns-exact": {"levels": "Patterns may name hierarchy levels"},
}
"""Labels of options whose name means something different in another algorithm."""

_SPECIAL: dict[str, Form] = {"patterns": "patterns"}
_BESIDES = {"partition": ("curve",)}
"""Values that an option takes besides names of algorithms."""


@dataclass(frozen=True)
class Option:
    """One option of an algorithm, its label and the values it takes."""

    name: str
    label: str
    form: Form
    default: Any
    choices: tuple[str, ...] = ()


def options_of(name: str) -> list[Option]:
    """The options in the form of an algorithm; none for an unknown one, such as ``auto``.

    >>> [(one.name, one.form) for one in options_of("mondrian")]
    [('relaxed', 'flag')]
    """
    if name not in algorithms.ALL:
        return []
    made = algorithms.ALL[name]
    hints = get_type_hints(made)
    return [_option(made, one, hints[one.name]) for one in fields(made)]  # type: ignore[arg-type]


def _option(made: type[Algorithm], declared: Field[Any], hint: Any) -> Option:
    name, default = declared.name, {} if declared.default is MISSING else declared.default
    kinds = {*get_args(hint)} - {NoneType} if get_origin(hint) in (Union, UnionType) else {hint}
    form = _SPECIAL.get(name) or _form(kinds, default)
    choices = get_args(next(iter(kinds))) if form == "choice" else _others(made, name) if form == "algorithm" else ()
    label = _OWN_LABELS.get(made.name, {}).get(name) or _LABELS.get(name, name.replace("_", " ").capitalize())
    return Option(name, label, form, _plain(default), choices)


def _form(kinds: set[Any], default: Any) -> Form:
    if Algorithm in kinds or (isinstance(default, str) and default in algorithms.ALL):
        return "algorithm"
    origins = {get_origin(kind) or kind: kind for kind in kinds}
    if tuple in origins or Sequence in origins:
        inner = get_args(origins[tuple if tuple in origins else Sequence])[0]
        return "levels" if inner is int else "columns" if inner is str else "groups"
    forms: dict[Any, Form] = {bool: "flag", int: "whole", float: "number", Literal: "choice", Mapping: "costs"}
    return next(form for kind, form in forms.items() if kind in origins)


def _others(made: type[Algorithm], option: str) -> tuple[str, ...]:
    """The algorithms that another may use; unsuitable ones are refused when tried."""
    return (*_BESIDES.get(option, ()), *(name for name in algorithms.ALL if name != made.name))


def from_words(said: str | Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The name of an algorithm and the values of its form, from the settings of a job.

    >>> from_words("mondrian:relaxed")
    ('mondrian', {'relaxed': True})
    """
    name = said.partition(":")[0] if isinstance(said, str) else str(said.get("name", ""))
    asked = options_of(name)
    if not asked:
        return name, {}
    try:
        made = build("algorithm", said, algorithms.ALL)
    except InputError:  # the page shows what is wrong with it
        return name, {}
    told = {one.name: _plain(getattr(made, one.name)) for one in asked}
    return name, {one.name: told[one.name] for one in asked if told[one.name] != one.default}


def to_words(name: str, given: Mapping[str, Any]) -> str | dict[str, Any]:
    """An algorithm as a setting of a job; options with their default values are left out.

    >>> to_words("clustering", {"budget": "2.5", "steps": "0"})
    {'name': 'clustering', 'budget': 2.5}

    Raises:
        InputError: an option does not take this value.
    """
    asked = {one.name: one for one in options_of(name)}
    said = {option: _value(asked[option], value) for option, value in given.items()}
    words = {option: value for option, value in said.items() if value != asked[option].default and value is not None}
    if not words:
        return name
    build("algorithm", {"name": name, **words}, algorithms.ALL)
    return {"name": name, **words}


def _value(option: Option, given: Any) -> Any:
    """Convert what was typed or chosen to the option's type; None if it is empty."""
    if option.form in ("whole", "number"):
        return None if given in ("", None) else _number(option.label, given)
    if option.form == "costs":
        return {name: _number(f"{option.label} {name}", one) for name, one in given.items() if one not in ("", None)}
    if option.form == "levels":
        return _levels(option, given)
    if option.form in ("groups", "patterns"):
        return [list(group) for group in given if group]
    return list(given) if option.form == "columns" else given


def _levels(option: Option, given: Any) -> list[Any] | None:
    """One level for each column, 0 if none was typed; None if all are empty."""
    levels = [None if one in ("", None) else _number(option.label, one) for one in given or ()]
    return None if all(one is None for one in levels) else [one or 0 for one in levels]


def _number(label: str, text: Any) -> float | int:
    try:
        number = float(text)
    except (TypeError, ValueError):
        raise InputError(f"{label}: that must be a number, got {text!r}.") from None
    return int(number) if number.is_integer() else number


def kept_in(pattern: Sequence[str]) -> list[str]:
    """The columns kept in a pattern."""
    return [one for one in pattern if one != STAR]


def pattern_of(kept: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The pattern that keeps these columns; empty if there are none.

    >>> pattern_of(["age"], ["age", "zip"])
    ['age', '*']
    """
    return [one if one in kept else STAR for one in columns] if kept else []


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
