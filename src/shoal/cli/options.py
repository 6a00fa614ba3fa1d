"""What commands take: tables, and options generated from the vocabulary, one for each setting.

A dataclass as the type of a parameter, or in its ``Annotated`` type, declares several options: typer gets its fields
instead. A function in an ``Annotated`` type parses the text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass, make_dataclass, replace
from inspect import Parameter, Signature, isfunction, signature
from typing import Annotated, Any, get_args, get_type_hints

import typer
from rich.markup import escape

from shoal.cli import spelling
from shoal.engine.vocabulary import PANELS
from shoal.engine.words import Word, Words, long_option
from shoal.io.location import location_of

_KINDS = (
    ".csv, .tsv, .txt, .parquet, .arrow, .feather, .xlsx, .sav, .zsav, .dta, .sas7bdat or .xpt; or "
    "postgresql://host/database#table, sqlite:///file.db#table, duckdb:///file.db#table."
)

File = Annotated[Any, typer.Argument(metavar="FILE", help=f"The table: {_KINDS}", show_default=False), location_of]
Original = Annotated[
    Any,
    typer.Argument(metavar="ORIGINAL", help="The table the release was made from.", show_default=False),
    location_of,
]
Release = Annotated[Any, typer.Argument(metavar="RELEASE", help="What was published.", show_default=False), location_of]

_REPEATED = ("names", "several", "pairs", "orders", "labels", "each")


def bundled(function: Callable[..., None]) -> Callable[..., None]:
    """The command for typer, with each dataclass parameter replaced by the fields of the dataclass.

    >>> from dataclasses import dataclass
    >>> Point = dataclass(type("Point", (), {"__annotations__": {"x": int, "y": int}}))
    >>> def show(point: Point, loud: bool): print(point.x + point.y, loud)
    >>> show.__annotations__["point"] = Point
    >>> bundled(show)(x=1, y=2, loud=False)
    3 False
    """
    hints = get_type_hints(function, include_extras=True)
    hints = {name: next((m for m in get_args(kind)[1:] if is_dataclass(m)), kind) for name, kind in hints.items()}
    readers = {name: made for name, kind in hints.items() for made in get_args(kind)[1:] if isfunction(made)}
    bundles: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    def command(**said: Any) -> None:
        said |= {name: read(said[name]) for name, read in readers.items()}
        made = {name: kind(**{f.name: said.pop(f.name) for f in fields(kind)}) for name, kind in bundles.items()}
        function(**said, **made)

    parameters = [one for given in signature(function).parameters.values() for one in _spread(given, hints)]
    command.__doc__ = function.__doc__
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return command


def _spread(given: Parameter, hints: dict[str, Any]) -> Iterator[Parameter]:
    """The parameter itself, or one for each field of its dataclass."""
    kind = hints[given.name]
    if not is_dataclass(kind):
        yield Parameter(given.name, Parameter.KEYWORD_ONLY, default=given.default, annotation=_shown(kind))
        return
    types = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=types[field.name])


def _shown(kind: Any) -> Any:
    """The type for typer: text instead of a type with a parser function, which typer does not know."""
    rest = get_args(kind)[1:]
    if not any(isfunction(made) for made in rest):
        return kind
    return Annotated[str, *(made for made in rest if not isfunction(made))]


class Said:
    """The values of a command's options; ``words()`` returns them as the library takes them."""

    _words: type[Words]

    def words(self) -> dict[str, Any]:
        """The settings that were given, each as the library takes it.

        Raises:
            InputError: a value cannot be parsed or is not allowed.
        """
        known = self._words.vocabulary()
        renamed = {old: new for old, (new, _) in self._words.old_names().items()}
        known |= {old: replace(known[new], name=old, options=(long_option(old),)) for old, new in renamed.items()}
        given = {name: getattr(self, name) for name in known if hasattr(self, name)}
        said = {
            name: _READ[known[name].form](known[name].options[-1], value)
            for name, value in given.items()
            if value not in (None, [])
        }
        checked = self._words.said(said, spelled=lambda name: _as_written(known, name))
        return {name: getattr(checked, name) for name in (renamed.get(name, name) for name in said)}


def options_of(words: type[Words], without: Collection[str] = ()) -> Any:
    """A dataclass with one typer option per setting, for ``bundled``, without those the command declares itself."""
    options = [
        (one.name, Annotated[_type(one), typer.Option(*one.options[::-1], **_looks(one))], None)
        for one in sorted(words.vocabulary().values(), key=lambda one: PANELS.index(one.panel))
        if one.name not in without
    ]
    options += [
        (old, Annotated[_type(words.vocabulary()[new]), typer.Option(long_option(old), hidden=True)], None)
        for old, (new, _) in words.old_names().items()
        if new not in without
    ]
    return make_dataclass(f"{words.__name__}Options", options, bases=(Said,), namespace={"_words": words}, frozen=True)


def _type(word: Word) -> Any:
    if word.form == "flag":
        return bool | None
    return list[str] | None if word.form in _REPEATED else str | None


def _looks(word: Word) -> dict[str, Any]:
    """How the help shows an option."""
    return {
        "help": escape(word.full_help),
        "metavar": word.metavar or ("|".join(word.choices) or "TEXT" if word.form != "flag" else None),
        "rich_help_panel": word.panel,
        "show_default": _default(word) or False,
    }


def _default(word: Word) -> str | None:
    """The default shown in the help: only non-empty texts and numbers."""
    is_plain = word.form in ("text", "number", "algorithms") and isinstance(word.default, str | float)
    return str(word.default) if is_plain and word.default != "" else None


def _as_written(known: Mapping[str, Word], name: str) -> str:
    return known[name].options[-1 if known[name].options[-1].startswith("--") else 0] if name in known else repr(name)


def _number(option: str, said: str) -> Any:
    """An int if it is a whole number; otherwise the text, which the setting itself checks."""
    return int(said) if said.strip().removeprefix("-").isdecimal() else said


def _levels(option: str, said: Any) -> Any:
    from shoal.algorithms.lattice.optimal import parse_levels  # it imports the whole search

    return parse_levels(said)


_READ: dict[str, Callable[[str, Any], Any]] = {
    "text": lambda option, said: said,
    "flag": lambda option, said: said,
    "number": _number,
    "names": spelling.names,
    "several": lambda option, said: list(said),
    "pairs": spelling.pairs,
    "orders": spelling.orders,
    "labels": spelling.labels,
    "levels": _levels,
    "each": spelling.each,
    "algorithms": lambda option, said: spelling.algorithms(said),
}
"""How to parse the text after an option, for each form of a value."""
