"""Families of plug-ins: built-in ones, and those that other packages register as entry points."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from shoal.errors import InputError, did_you_mean

Kind = TypeVar("Kind", bound=type)
T = TypeVar("T")


_FAMILIES: dict[str, Mapping[str, Any]] = {}


def family_of(name: str) -> Mapping[str, Any]:
    """The plug-ins collected under a name, for a family that another may not import."""
    return _FAMILIES[name]


class Family(MutableMapping[str, Kind]):
    """Plug-ins by name, each imported on first use, so that a run imports only those it needs.

    Built-in plug-ins come first, then those of the entry-point group of the same name whose names are not taken.
    Without a name there are only the built-in ones.
    """

    def __init__(self, name: str | None, ours: Mapping[str, Kind | str]) -> None:
        """Take the built-in plug-ins, or where to find them: ``"package.module:Class"``."""
        self._name, self._known, self._is_whole = name, dict[str, Kind | str | EntryPoint](ours), name is None

    def __getitem__(self, name: str) -> Kind:
        if name not in self._known:
            self._look_for_others()
        found = self._known[name]
        if isinstance(found, str):
            found = self._known[name] = attribute_at(found)
        elif isinstance(found, EntryPoint):
            found = self._known[name] = found.load()
        return found

    def __setitem__(self, name: str, made: Kind) -> None:
        self._known[name] = made

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        self._look_for_others()
        return iter(self._known)

    def __len__(self) -> int:
        self._look_for_others()
        return len(self._known)

    def __contains__(self, name: object) -> bool:
        if name not in self._known:
            self._look_for_others()
        return name in self._known

    def classes(self) -> dict[str, str]:
        """Map the names of our classes to the names of the plug-ins, without importing anything."""
        named = {name: made.partition(":")[2] for name, made in self._known.items() if isinstance(made, str)}
        loaded = {name: made for name, made in self._known.items() if isinstance(made, type)}
        named |= {name: made.__name__ for name, made in loaded.items() if made.__module__.startswith("shoal.")}
        return {class_name: name for name, class_name in named.items()}

    def _look_for_others(self) -> None:
        if not self._is_whole:
            for entry in _announced().select(group=self._name):
                self._known.setdefault(entry.name, entry)
            self._is_whole = True


def collect(family: str, ours: Iterable[Kind] | Mapping[str, str]) -> Family[Kind]:
    """Plug-ins by name: the built-in ones or their locations, then those of the entry-point group ``family``.

    A package adds an algorithm with ``[project.entry-points."shoal.algorithms"]`` and ``name = "package:Class"``.
    """
    known: Mapping[str, Any] = ours if isinstance(ours, Mapping) else {one.name: one for one in ours}  # type: ignore[attr-defined]
    _FAMILIES[family] = found = Family[Kind](family, known)
    return found


def attribute_at(place: str) -> Any:
    """Import and return the attribute at ``"package.module:name"``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def imported_when_used(package: str, places: Iterable[str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose public names are defined at these places, as ``"package.module:name"``."""
    homes = {place.partition(":")[2]: place for place in places}

    def __getattr__(name: str) -> Any:  # noqa: N807 (the name Python requires)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = attribute_at(homes[name])
        setattr(import_module(package), name, found)
        return found

    return __getattr__


@cache
def _announced() -> Any:
    """The entry points of all installed packages, looked up once because that reads the metadata of each."""
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
    """Convert a text from the command line to the type of the option's default."""
    if not isinstance(value, str):
        return value
    kind: type = type(field.default)
    try:
        if kind is bool:
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[value.lower()]
        return kind(value) if kind in (int, float) else value
    except (KeyError, ValueError):
        raise InputError(f"The option {option!r} must be a {kind.__name__}, got {value!r}.") from None
