"""Every public name has an example in its docstring, and the examples hold."""

from __future__ import annotations

import doctest
import inspect
import sys
from pathlib import Path

import pytest

from support.public_names import PUBLIC

SLOW = {"compare", "Comparison"}
"""Examples that start processes of their own."""


def test_every_public_name_has_an_example() -> None:
    assert [name for name, thing in PUBLIC.items() if ">>> " not in (inspect.getdoc(thing) or "")] == []


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in PUBLIC]
)
def test_the_example_holds(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    thing = PUBLIC[name]
    finder = doctest.DocTestFinder(recurse=False)
    found = finder.find(thing, name, globs=dict(vars(sys.modules[thing.__module__])))
    runner = doctest.DocTestRunner()
    told: list[str] = []
    for example in found:
        runner.run(example, out=told.append)
    assert runner.summarize(verbose=False).attempted > 0
    assert told == []
