"""Forms for the privacy models of a job: a list of models, each with its parameters by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shoal import models
from shoal.core.contracts import PrivacyModel
from shoal.engine.vocabulary import promises_from
from shoal.errors import InputError
from shoal.models.parameters import Parameter, model_from, parameters_of, spelled


def protections(privacy: Mapping[str, Any]) -> list[PrivacyModel]:
    """The privacy models of the job, in order."""
    return list(promises_from(privacy))


def privacy_of(promises: Iterable[PrivacyModel]) -> dict[str, Any]:
    """The models as in a job file; several of one kind become a list."""
    said: dict[str, list[Any]] = {}
    for promise in promises:
        said.setdefault(promise.flag, []).append(spelled(promise))
    return {flag: values if len(values) > 1 else values[0] for flag, values in said.items()}


def from_form(flag: str, given: Mapping[str, Any]) -> PrivacyModel:
    """The model described by a form. Empty fields are left out.

    Raises:
        InputError: a parameter is missing or has an invalid value.
    """
    model = next(one for one in models.ALL.values() if one.flag == flag)
    known = {one.name: one for one in parameters_of(model)}
    said = {name: _value(known[name], value) for name, value in given.items() if value not in ("", None, [], ())}
    return model_from(model, said)


def starting_values(model: type[PrivacyModel]) -> dict[str, Any]:
    """The initial values of a new form: no more than the model needs."""
    asked = parameters_of(model)
    needed = [one for one in asked if one.is_required]
    more = [one for one in asked if one.form in ("whole", "number")]
    starts = [{one.name: _start(one, number) for one in some} for some in (needed, more) for number in (0.5, 2)]
    return next((start for start in starts if _is_taken(model, start)), starts[0])


def _start(parameter: Parameter, number: float) -> float:
    return 5 if parameter.name == "k" else 2 if parameter.form == "whole" else number


def _is_taken(model: type[PrivacyModel], given: Mapping[str, Any]) -> bool:
    try:
        model_from(model, given)
    except InputError:
        return False
    return True


def _value(parameter: Parameter, given: Any) -> Any:
    """Convert what was typed to the parameter's type."""
    if parameter.form in ("choice", "column"):
        return str(given)
    if parameter.form == "values":
        return [str(one) for one in given]
    if parameter.form == "columns":
        return given if isinstance(given[0], list) else [[str(one) for one in given]]
    return _number(parameter, str(given))


def _number(parameter: Parameter, text: str) -> float | int:
    try:
        number = float(text)
    except ValueError:
        raise InputError(f"{parameter.name} must be a number, got {text!r}.") from None
    return int(number) if number.is_integer() else number
