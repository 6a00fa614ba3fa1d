"""What a model learns from a release, beside what it learns from the original."""

from __future__ import annotations

import sys
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.release import Release
from shoal.errors import InputError
from shoal.utility.learning import learn
from support.tables import coded, partitioned

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

TABLE = coded(
    {"age": [i % 40 for i in range(400)], "rich": ["yes" if i % 40 > 20 else "no" for i in range(400)]},
    ["age"],
    others=("rich",),
)


def test_the_table_itself_teaches_all_and_one_cell_nothing() -> None:
    whole = learn(Release.identity(TABLE), "rich")
    assert whole.task == "classification"
    assert whole.release == whole.original > 0.9
    assert whole.lost == 0
    nothing = learn(partitioned(TABLE, [list(range(400))]), "rich")
    assert nothing.release == pytest.approx(nothing.guess)
    assert nothing.lost == pytest.approx(1)


def test_halves_that_cut_at_the_right_place_teach_nearly_all() -> None:
    young = [i for i in range(400) if i % 40 <= 20]
    old = [i for i in range(400) if i % 40 > 20]
    assert learn(partitioned(TABLE, [young, old]), "rich").lost < 0.1


def test_numbers_are_guessed_by_regression() -> None:
    columns: dict[str, list[Any]] = {
        "age": [i % 40 for i in range(400)],
        "pay": [i % 40 * 2.0 + i / 1000 for i in range(400)],
    }
    found = learn(Release.identity(coded(columns, ["age"], others=("pay",))), "pay")
    assert found.task == "regression"
    assert found.release == found.original > 0.9


def test_a_target_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"'rihc' is not a column that is published unchanged\. Did you mean 'rich'"):
        learn(Release.identity(TABLE), "rihc")


def test_without_scikit_learn_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(InputError, match=r"shoal\[learn\]"):
        learn(Release.identity(TABLE), "rich")


def test_results_tell() -> None:
    people = {"age": [i % 40 for i in range(400)], "rich": ["yes" if i % 40 > 20 else "no" for i in range(400)]}
    result = shoal.anonymize(pl.DataFrame(people), quasi_identifiers=["age"], privacy=shoal.KAnonymity(5))
    found = result.usefulness("rich")
    assert {*found} == {"count-queries", "sum-queries", "marginals", "pairs", "correlations", "learning"}
