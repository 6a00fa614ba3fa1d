"""What a form of the workbench says about a privacy model is what the job file says that it makes."""

from __future__ import annotations

import tomllib
from itertools import product
from typing import Any, get_args

import pytest

from shoal import models
from shoal.core.contracts import PrivacyModel
from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.models.parameters import Parameter, parameters_of, said_of
from shoal.models.population_uniqueness import ESTIMATORS, Estimator
from shoal.web.job_words import checked_job, job_text
from shoal.web.protection_forms import from_form, privacy_of, protections, starting_values

MODELS = [pytest.param(model, id=model.flag) for model in models.ALL.values()]
_NAMES = ["a", "b:c", "of=d, e", "entropy"]
"""Names of columns and values that the command line could not say without care."""

_MOST = 40


def _answers(parameter: Parameter) -> list[Any]:
    """Some answers to one question of a form, as a browser sends them."""
    answers: dict[str, list[Any]] = {
        "whole": ["2", "7"],
        "number": ["0.5", "2"],
        "choice": list(parameter.choices),
        "column": ["", *_NAMES],
        "values": [[], _NAMES],
        "columns": [[], _NAMES[:2]],
    }
    found = answers[parameter.form]
    return found if parameter.is_required or parameter.form in ("choice", "column") else ["", *found]


def _forms(model: type[PrivacyModel]) -> list[dict[str, Any]]:
    """Forms that are filled in in many ways, without those that the model refuses."""
    asked = parameters_of(model)
    filled = [
        dict(zip([one.name for one in asked], said, strict=True)) for said in product(*(_answers(one) for one in asked))
    ]
    taken = [one for one in filled if _is_taken(model, one)]
    return taken[:: max(1, len(taken) // _MOST)]


def _is_taken(model: type[PrivacyModel], given: dict[str, Any]) -> bool:
    try:
        from_form(model.flag, given)
    except InputError:
        return False
    return True


@pytest.mark.parametrize("model", MODELS)
def test_the_job_file_says_what_the_form_says(model: type[PrivacyModel]) -> None:
    forms = _forms(model)
    assert forms
    for given in forms:
        meant = from_form(model.flag, given)
        words = {"quasi_identifiers": ["age"], "privacy": privacy_of([meant])}
        read = Job.said(tomllib.loads(job_text(checked_job(words, "people.csv", []))), "The job")
        assert list(read.promises) == [meant]
        assert protections(read.privacy) == [meant]  # type: ignore[arg-type]
        for one in parameters_of(model):
            left_out = given[one.name] in ("", [])
            assert getattr(meant, one.name) in ([one.default, ()] if left_out else [_typed(one, given[one.name])])


def _typed(parameter: Parameter, value: Any) -> Any:
    """What a model has for an answer."""
    if parameter.form in ("whole", "number"):
        return float(value)
    return {"values": tuple(value), "columns": (tuple(value),)}.get(parameter.form, value)


@pytest.mark.parametrize("model", MODELS)
def test_a_new_form_can_be_taken_as_it_is(model: type[PrivacyModel]) -> None:
    assert isinstance(from_form(model.flag, starting_values(model)), model)


@pytest.mark.parametrize("model", MODELS)
def test_what_is_lacking_or_unknown_is_said(model: type[PrivacyModel]) -> None:
    first = parameters_of(model)[0].name
    with pytest.raises(InputError, match=f"needs {first}"):
        from_form(model.flag, {})
    with pytest.raises(InputError, match="has no parameter 'nothing'"):
        Job.said({"input": "a.csv", "output": "b.csv", "privacy": {model.flag: {"nothing": 1}}}, "The job").promises  # noqa: B018


def test_several_of_one_model_are_a_list_and_come_back() -> None:
    said = {"k": 5, "l": ["3:a", {"l": 2.5, "kind": "entropy", "of": "b"}]}
    found = protections(said)
    assert [said_of(one) for one in found] == [
        {"k": 5},
        {"l": 3, "of": "a"},
        {"l": 2.5, "kind": "entropy", "of": "b"},
    ]
    assert privacy_of(found) == {"k": 5, "l": [{"l": 3, "of": "a"}, {"l": 2.5, "kind": "entropy", "of": "b"}]}


def test_text_that_is_no_number_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match="k must be a number, got 'many'"):
        from_form("k", {"k": "many"})


def test_estimators_are_chosen_from_a_list_and_every_parameter_has_a_name_in_words() -> None:
    assert get_args(Estimator) == ESTIMATORS
    (asked,) = [one for one in parameters_of(models.ALL["population-uniqueness"]) if one.name == "estimator"]
    assert (asked.form, asked.choices) == ("choice", ESTIMATORS)
    labels = {one.label for model in models.ALL.values() for one in parameters_of(model)}
    assert not [label for label in labels if len(label) < 3]
