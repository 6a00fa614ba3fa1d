"""How models are written: their parameters in forms and job files, and texts such as ``3:entropy:disease``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from shoal.core.contracts import PrivacyModel
from shoal.errors import InputError, did_you_mean

Form = Literal["whole", "number", "choice", "column", "values", "columns"]
"""A whole number, any number, a choice, a sensitive column, some of its values, sets of quasi-identifiers."""

_LABELS = {
    "k": "k: the least number of records",
    "l": "l: the diversity wanted",
    "t": "t: the largest distance",
    "p": "p: the least number of different values",
    "r": "The largest risk",
    "s": "The largest share of records above it",
    "u": "The largest share that is unique",
    "c": "c (recursive l-diversity)",
    "alpha": "alpha: the largest share of one value",
    "beta": "beta: the largest relative gain",
    "delta": "delta: the largest difference in bits",
    "estimator": "Estimator",
    "population": "Number of people in the population",
    "sample": "Number of people in the sample",
    "significance": "Significance level",
    "every": "Every so many quasi-identifiers together",
    "keys": "Columns that are known together",
    "kind": "Kind",
    "distance": "Distance between values",
    "of": "Sensitive column",
    "others": "Other sensitive columns",
    "matches": "Matches that are judged",
    "values": "Values that are sensitive",
    "side": "What is counted",
}

_OWN_LABELS = {
    ("average-risk", "r"): "The largest average risk",
    ("linkage", "p"): "The largest chance of a link",
    ("presence", "delta"): "The largest share of people who are in the table",
    ("k-map", "k"): "k: the least number of people",
    ("estimated-k-map", "k"): "k: the least number of people",
}
"""Labels of parameters that mean something else in other models."""

_CHOICES = {
    "quasi": "known to the attacker",
    "ignore": "not considered",
    "printed": "as printed",
    "named": "as named by the algorithm",
    "equal": "all equally far apart",
    "ordered": "by their order",
    "hierarchical": "by their hierarchy",
    "both": "rows and records",
}
"""Labels of choices whose own word is not clear enough."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a model. ``default`` is None if there is no default."""

    name: str
    label: str
    form: Form
    is_required: bool
    default: Any = None
    choices: tuple[str, ...] = ()

    @property
    def options(self) -> dict[str, str]:
        """The choices, and what forms call them."""
        return {one: _CHOICES.get(one, one) for one in self.choices}


def parameters_of(model: type[PrivacyModel]) -> tuple[Parameter, ...]:
    """The parameters that a form for the model asks for, required ones first.

    >>> [one.name for one in parameters_of(__import__("shoal").TCloseness)]
    ['t', 'distance', 'of', 'others']
    """
    types = get_type_hints(model)
    asked = [one for one in fields(model) if one.init and one.repr]  # type: ignore[arg-type]
    declared = [_parameter(model, one, types[one.name]) for one in asked]
    return tuple(sorted(declared, key=lambda one: (not one.is_required, one.name in ("of", "others"))))


def _parameter(model: type[PrivacyModel], declared: Field[Any], hint: Any) -> Parameter:
    is_required = declared.default is MISSING and declared.default_factory is MISSING
    default = None if is_required or declared.default in (MISSING, ()) else declared.default
    form, choices = _form(declared.name, hint)
    named = _LABELS.get(declared.name, declared.name.replace("_", " ").capitalize())
    label = _OWN_LABELS.get((model.flag, declared.name), named)
    return Parameter(declared.name, label, form, is_required, default, choices)


def _form(name: str, hint: Any) -> tuple[Form, tuple[str, ...]]:
    if get_origin(hint) in (Union, UnionType):
        hint = next(one for one in get_args(hint) if one is not NoneType)
    if get_origin(hint) is Literal:
        return "choice", get_args(hint)
    if get_origin(hint) in (tuple, Sequence):
        return ("columns" if get_origin(get_args(hint)[0]) in (tuple, Union, UnionType) else "values"), ()
    forms: dict[Any, Form] = {int: "whole", float: "number", str: "column"}
    return forms[hint], ()


def model_from(model: type[PrivacyModel], said: Mapping[str, Any]) -> PrivacyModel:
    """Make the model from its parameters by name, as in job files.

    Raises:
        InputError: a parameter is unknown or missing, or has an invalid value.
    """
    known = {one.name: one for one in parameters_of(model)}
    for name in said:
        if name not in known:
            raise InputError(f"{model.name} has no parameter {name!r}.{did_you_mean(name, known)}")
    for name, one in known.items():
        if one.is_required and name not in said:
            raise InputError(f"{model.name} needs {name}, as in {model.flag} = {{{name} = …}}.")
    make: Callable[..., PrivacyModel] = model
    return make(**{name: _frozen(value) for name, value in said.items()})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def said_of(promise: PrivacyModel) -> dict[str, Any]:
    """The parameters of a model by name, without those that have their default."""
    told = {one: getattr(promise, one.name) for one in parameters_of(type(promise))}
    return {one.name: _plain(value) for one, value in told.items() if one.is_required or value not in (one.default, ())}


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def spelled(promise: PrivacyModel) -> Any:
    """A model as written in job files after its flag: one number, or its parameters by name.

    >>> import shoal
    >>> spelled(shoal.KAnonymity(5)), spelled(shoal.LDiversity(3, "entropy"))
    (5, {'l': 3.0, 'kind': 'entropy'})
    """
    said = said_of(promise)
    return next(iter(said.values())) if len(said) == 1 else said


@dataclass(frozen=True)
class Spelled:
    """The parts of a text: the numbers, a word that the model knows, the column, and options."""

    numbers: str
    word: str | None
    of: str | None
    options: Mapping[str, str]


def take_apart(text: str, words: Collection[str] = (), options: Collection[str] = ()) -> Spelled:
    """Split at colons: numbers first, then in any order one of ``words``, ``option=value`` and the column.

    A column with the name of a word or an option is written as ``of=…``; a column name may contain colons.

    >>> take_apart("3:entropy:disease", words=("entropy",))
    Spelled(numbers='3', word='entropy', of='disease', options={})
    """
    numbers, *parts = text.split(":")
    word, column, said = None, [], {}
    for part in parts:
        key, is_option, value = part.partition("=")
        if is_option and key in (*options, "of", "others"):
            said[key] = value
        elif part in words and word is None:
            word = part
        else:
            column.append(part)
    of = said.pop("of", None) or ":".join(column) or None
    return Spelled(numbers, word, of, said)


def two_numbers(name: str, example: str, text: str) -> tuple[Any, Any]:
    """The two parts of ``0.4,3``, as texts."""
    first, comma, second = text.partition(",")
    if not (comma and first and second):
        raise InputError(f"{name} must be two numbers such as {example}, got {text!r}.")
    return first, second
