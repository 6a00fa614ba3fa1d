"""Families of plug-ins: ours, and those of other packages that announce themselves by entry points."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any, TypeVar

from shoal.errors import InputError, did_you_mean

Kind = TypeVar("Kind", bound=type)
T = TypeVar("T")


_FAMILIES: dict[str, Mapping[str, Any]] = {}


def family_of(name: str) -> Mapping[str, Any]:
    """The plug-ins that were collected under a name: how one finds another that it may not import."""
    return _FAMILIES[name]


def collect(family: str, ours: Iterable[Kind]) -> dict[str, Kind]:
    """Plug-ins by name: ours, then those of the entry-point group ``family`` whose names are not taken.

    A package adds an algorithm with ``[project.entry-points."shoal.algorithms"]`` and ``name = "package:Class"``.
    """
    found = {plugin.name: plugin for plugin in ours}  # type: ignore[attr-defined]
    for entry in _announced().select(group=family):
        found.setdefault(entry.name, entry.load())
    _FAMILIES[family] = found
    return found


@cache
def _announced() -> Any:
    """What installed packages announce; looked up once, since that reads the metadata of each."""
    return entry_points()


def build(what: str, wanted: str | Mapping[str, Any], known: Mapping[str, type[T]]) -> T:
    """Make a plug-in from ``"name"``, ``"name:option=value,flag"`` or ``{"name": …, option: value}``.

    Raises:
        InputError: a name or an option that does not exist, with the nearest one that does.
    """
    name, options = _take_apart(what, wanted)
    if name not in known:
        raise InputError(f"There is no {what} {name!r}.{did_you_mean(name, known)}")
    made = known[name]
    fields = {field.name: field for field in dataclasses.fields(made)} if dataclasses.is_dataclass(made) else {}
    for option in options:
        if option not in fields:
            hint = did_you_mean(option, fields) if fields else " It has none."
            raise InputError(f"The {what} {name!r} has no option {option!r}.{hint}")
    return made(**{option: _convert(option, value, fields[option]) for option, value in options.items()})


def _take_apart(what: str, wanted: str | Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    if isinstance(wanted, Mapping):
        options = dict(wanted)
        if "name" not in options:
            raise InputError(f"The {what} needs a name, got {dict(wanted)!r}.")
        return str(options.pop("name")), options
    name, _, rest = wanted.partition(":")
    pairs = [part.partition("=") for part in rest.split(",") if part]
    return name, {key.strip(): value.strip() if eq else True for key, eq, value in pairs}


def _convert(option: str, value: Any, field: dataclasses.Field[Any]) -> Any:
    """A text from the command line as the type of the option's default."""
    if not isinstance(value, str):
        return value
    kind: type = type(field.default)
    try:
        if kind is bool:
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[value.lower()]
        return kind(value) if kind in (int, float) else value
    except (KeyError, ValueError):
        raise InputError(f"The option {option!r} must be a {kind.__name__}, got {value!r}.") from None
