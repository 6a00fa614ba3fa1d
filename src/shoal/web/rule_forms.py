"""Forms for the rules that build hierarchies: a field for each parameter that a builder declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from shoal.core.builders import BUILDERS

Form = Literal["number", "numbers", "text", "texts", "flag", "periods"]
"""A number, several numbers, a text, several texts, yes or no, calendar periods."""

RULES = ("intervals", "mask", "dates", "fanout", "prefixes", "icd10")
"""The builders that have a form; groups are edited in the tree itself."""

_LABELS = {
    "width": "Width of the intervals",
    "factors": "Intervals merged on each further level",
    "origin": "Intervals begin at",
    "cuts": "Cuts between intervals, instead of a width",
    "char": "Character that hides",
    "from_right": "Hide from the right",
    "levels": "Levels",
    "pad": "Fill short codes on the left with",
    "earliest": "Dates before this year are one group",
    "fanout": "Values merged on each level",
    "lengths": "Lengths of the prefixes, longest first",
    "separator": "Cut at this character instead",
    "hidden": "Prefixes of areas with few people",
}
HINTS = {
    "intervals": "Numbers into intervals of one width, or between cuts; each further level merges some neighbors.",
    "mask": "Codes hidden character by character.",
    "dates": "Days into longer periods.",
    "fanout": "Neighbors in order of their values, merged a few at a time.",
    "prefixes": "Codes such as ICD or NUTS cut to their first characters.",
    "icd10": "Diagnoses of ICD-10 into categories and chapters.",
}
_LEFT_OUT = ("order",)


@dataclass(frozen=True)
class RuleField:
    """One parameter of a rule, its label and the values it takes."""

    name: str
    label: str
    form: Form
    default: Any


def fields_of(rule: str) -> list[RuleField]:
    """The fields in the form of a rule.

    >>> [one.form for one in fields_of("dates")]
    ['periods', 'number']
    """
    hints = get_type_hints(BUILDERS[rule])
    return [
        RuleField(one.name, _LABELS.get(one.name, one.name), _form(rule, hints[one.name]), one.default)
        for one in fields(BUILDERS[rule])
        if one.name not in _LEFT_OUT
    ]


def _form(rule: str, hint: Any) -> Form:
    kind = next((one for one in get_args(hint) if one is not NoneType), hint) if NoneType in get_args(hint) else hint
    if get_origin(kind) is Sequence:
        return "numbers" if get_args(kind)[0] in (int, float) else "periods" if rule == "dates" else "texts"
    forms: dict[Any, Form] = {bool: "flag", str: "text"}
    return forms.get(kind, "number")


def spec_of(rule: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The hierarchy as a setting of a job; empty and default values are left out.

    >>> spec_of("intervals", {"cuts": ["18", "65"], "width": ""})
    {'builder': 'intervals', 'cuts': [18, 65]}
    """
    asked = {one.name: one for one in fields_of(rule)}
    said = {name: _value(asked[name], value) for name, value in given.items() if value not in ("", None, [])}
    return {"builder": rule, **{name: one for name, one in said.items() if one != _plain(asked[name].default)}}


def given_of(spec: object) -> tuple[str, dict[str, Any]] | None:
    """A rule and the values of its form, from the settings of a job; None if no form covers it."""
    if isinstance(spec, str):
        rule, _, rest = spec.partition(":")
        pairs = [part.partition("=") for part in rest.split(",") if part]
        spec = {"builder": rule.strip().lower(), **{key.strip(): value.strip() for key, _, value in pairs}}
    if not isinstance(spec, Mapping) or spec.get("builder") not in RULES:
        return None
    rule = str(spec["builder"])
    known = {one.name: one for one in fields_of(rule)}
    said = {name: value for name, value in spec.items() if name != "builder"}
    if not {*said} <= {*known}:
        return None
    return rule, {name: _listed(value) if _is_list(known[name]) else value for name, value in said.items()}


def _is_list(field: RuleField) -> bool:
    return field.form in ("numbers", "texts", "periods")


def _listed(value: Any) -> list[Any]:
    return value.split("/") if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else [value]


def _value(field: RuleField, given: Any) -> Any:
    if field.form == "numbers":
        return [_number(one) for one in given]
    if field.form == "number":
        return _number(given)
    return list(given) if _is_list(field) else given


def _number(text: Any) -> Any:
    """Convert to a number if possible; the builder reports anything else."""
    try:
        number = float(text)
    except (TypeError, ValueError):
        return text
    return int(number) if number.is_integer() else number


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
