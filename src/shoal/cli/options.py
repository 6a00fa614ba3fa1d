"""The options of a command, generated from the vocabulary: one for each of its settings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import make_dataclass, replace
from typing import Annotated, Any

import typer
from rich.markup import escape

from shoal.cli import spelling
from shoal.engine.vocabulary import PANELS
from shoal.engine.words import Word, Words, long_option

_REPEATED = ("names", "several", "pairs", "orders", "labels", "each")


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
        said = {name: _READ[known[name].form](known[name], value) for name, value in given.items() if _is_said(value)}
        checked = self._words.said(said, spelled=lambda name: _shown(known, name))
        return {name: getattr(checked, name) for name in (renamed.get(name, name) for name in said)}


def options_of(words: type[Words], without: Collection[str] = ()) -> Any:
    """A dataclass with one typer option per setting, for ``bundled``, without those the command declares itself."""
    fields = [
        (one.name, Annotated[_type(one), typer.Option(*one.options[::-1], **_looks(one))], None)
        for one in sorted(words.vocabulary().values(), key=lambda one: PANELS.index(one.panel))
        if one.name not in without
    ]
    fields += [
        (old, Annotated[_type(words.vocabulary()[new]), typer.Option(long_option(old), hidden=True)], None)
        for old, (new, _) in words.old_names().items()
        if new not in without
    ]
    return make_dataclass(f"{words.__name__}Options", fields, bases=(Said,), namespace={"_words": words}, frozen=True)


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


def _is_said(value: Any) -> bool:
    return value is not None and value != []


def _shown(known: Mapping[str, Word], name: str) -> str:
    return known[name].options[-1 if known[name].options[-1].startswith("--") else 0] if name in known else repr(name)


def _number(word: Word, said: str) -> Any:
    """An int if it is a whole number; otherwise the text, which the setting itself checks."""
    return int(said) if said.strip().removeprefix("-").isdecimal() else said


def _levels(word: Word, said: Any) -> Any:
    from shoal.algorithms.lattice.optimal import parse_levels  # it imports the whole search

    return parse_levels(said)


_READ: dict[str, Callable[[Word, Any], Any]] = {
    "text": lambda word, said: said,
    "flag": lambda word, said: said,
    "number": _number,
    "names": lambda word, said: spelling.names(_option(word), said),
    "several": lambda word, said: list(said),
    "pairs": lambda word, said: spelling.pairs(_option(word), said),
    "orders": lambda word, said: spelling.orders(_option(word), said),
    "labels": lambda word, said: spelling.labels(_option(word), said),
    "levels": _levels,
    "each": lambda word, said: spelling.each(_option(word), said),
    "algorithms": lambda word, said: spelling.algorithms(said),
}
"""How to parse the text after an option, for each form of a value."""


def _option(word: Word) -> str:
    return word.options[-1]
