"""What a form of the workbench says about an algorithm is what the job file says that it makes."""

from __future__ import annotations

import tomllib
from itertools import product
from typing import Any

import pytest

from shoal import algorithms
from shoal.core.contracts import Algorithm
from shoal.core.plugins import build
from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.web.algorithm_forms import Option, from_words, kept_in, options_of, pattern_of, to_words
from shoal.web.job_words import checked_job, job_text

_NAMES = ["a", "b:c", "of=d, e", "x|y"]
"""Names of columns that the command line could not say without care."""

_MOST = 60
_OURS = [name for name, made in algorithms.ALL.items() if made.__module__.startswith("shoal.")]
WITH_OPTIONS = [name for name in _OURS if options_of(name)]


def _answers(option: Option) -> list[Any]:
    """Some answers to one question of a form, as a browser sends them."""
    answers: dict[str, list[Any]] = {
        "flag": [True, False],
        "whole": ["", "3", "0"],
        "number": ["", "0.5", "1"],
        "choice": list(option.choices),
        "algorithm": [option.default, *option.choices[:3]],
        "columns": [[], _NAMES[:2]],
        "groups": [[], [_NAMES[:2], []], [_NAMES[:2], _NAMES[2:]]],
        "patterns": [[], [pattern_of(_NAMES[1:3], _NAMES), []]],
        "costs": [{}, {"b:c": "2.5", "a": ""}],
        "levels": [["", "", ""], ["1", "", "2"]],
    }
    return answers[option.form]


def _forms(name: str) -> list[dict[str, Any]]:
    """Every answer to each question by itself, and some of all together, without those that are refused."""
    asked = options_of(name)
    alone = [{one.name: answer} for one in asked for answer in _answers(one)]
    together = [
        dict(zip([one.name for one in asked], said, strict=True))
        for said in product(*(_answers(one)[-1:] for one in asked))
    ]
    return [one for one in [*alone, *together] if _is_taken(name, one)][:_MOST]


def _is_taken(name: str, given: dict[str, Any]) -> bool:
    try:
        to_words(name, given)
    except InputError:
        return False
    return True


def _read(words: str | dict[str, Any]) -> Algorithm:
    """The algorithm of the job file that the words make."""
    said = {"quasi_identifiers": _NAMES, "privacy": {"k": 2}, "algorithm": words}
    job = Job.said(tomllib.loads(job_text(checked_job(said, "people.csv", []))), "The job")
    return build("algorithm", job.algorithm, algorithms.ALL)  # type: ignore[arg-type]


def _typed(option: Option, given: Any) -> Any:
    if given in ("", [], {}) or (option.form == "levels" and not any(given)):
        return option.default
    if option.form in ("whole", "number"):
        return float(given)
    if option.form == "costs":
        return {name: float(one) for name, one in given.items() if one}
    if option.form == "levels":
        return [int(one or 0) for one in given]
    return [group for group in given if group] if option.form in ("groups", "patterns") else given


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_the_job_file_says_what_the_form_of_the_algorithm_says(name: str) -> None:
    forms = _forms(name)
    assert {option for given in forms for option in given} == {one.name for one in options_of(name)}
    for given in forms:
        words = to_words(name, given)
        made = _read(words)
        for one in options_of(name):
            meant = _typed(one, given[one.name]) if one.name in given else one.default
            assert _plain(getattr(made, one.name)) == meant, (one.name, given)
        assert to_words(*from_words(words)) == words


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_every_option_has_a_label_of_its_own_in_plain_words(name: str) -> None:
    labels = [one.label for one in options_of(name)]
    assert len({*labels}) == len(labels)
    assert not any(
        "_" in label or label == one.name.capitalize()
        for label, one in zip(labels, options_of(name), strict=True)
        if one.name != "method"
    )


def test_a_form_shows_what_the_command_line_said() -> None:
    assert from_words("mondrian:relaxed") == ("mondrian", {"relaxed": True})
    assert from_words("lattice:levels=1/0/2") == ("lattice", {"levels": [1, 0, 2]})
    assert from_words({"name": "blocked", "inner": "hilbert"}) == ("blocked", {"inner": "hilbert"})
    assert from_words("auto") == ("auto", {})
    assert from_words("no-such:thing=1") == ("no-such", {})
    assert kept_in(["*", "age", "*"]) == ["age"]
    assert to_words("mondrian", {"relaxed": False}) == "mondrian"


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("clustering", {"budget": "long"}, "Seconds to search: that must be a number, got 'long'"),
        ("clustering", {"budget": "-1"}, "budget"),
        ("nonhomogeneous", {"parting": "published", "partition": "curve"}, "goes with partition"),
    ],
)
def test_what_an_option_does_not_take_is_refused_in_a_sentence(name: str, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        to_words(name, given)
