"""shoal as a transformer of scikit-learn."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

from shoal.errors import InputError
from shoal.sklearn import Anonymizer

RNG = np.random.default_rng(1)
AGES = RNG.integers(20, 60, 300)
PEOPLE = pl.DataFrame({"age": AGES, "town": RNG.choice(list("abc"), 300), "pay": RNG.random(300)})
QUASI = ["age", "town"]


@parametrize_with_checks([Anonymizer()])
def test_scikit_learn_is_content(estimator: Anonymizer, check: object) -> None:
    check(estimator)  # type: ignore[operator]


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame])
def test_classes_of_the_training_table_have_k_rows_or_are_masked(kind: Any) -> None:
    table = PEOPLE if kind is pl.DataFrame else PEOPLE.to_pandas()
    found: Any = Anonymizer(7, quasi_identifiers=QUASI, cells="labels").fit_transform(table)
    assert isinstance(found, kind)
    rows = pl.DataFrame(found).select(QUASI).rows()
    sizes = Counter(row for row in rows if row != ("*", "*"))
    assert sizes
    assert min(sizes.values()) >= 7
    assert len(rows) == 300
    assert np.allclose(found["pay"], PEOPLE["pay"])


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame])
def test_values_that_need_no_recoding_come_back_as_they_are(kind: type) -> None:
    table = {"sex": ["m", "f"] * 20, "zip": ["12340", "12341", "12341", None] * 10, "size": [1, 2, None, 1] * 10}
    model = Anonymizer(5).fit(kind(table))
    assert model.levels_ == (0, 0, 0)
    found = pl.DataFrame(model.transform(kind(table)))
    assert found["sex"].to_list() == table["sex"]
    assert found["zip"].to_list() == table["zip"]
    assert [None if size is None else float(size) for size in found["size"]] == table["size"]


@pytest.mark.parametrize("cells", ["mean", "center", "sampled"])
def test_numbers_of_frames_stay_numbers_in_a_pipeline(cells: str) -> None:
    table = PEOPLE.to_pandas().set_axis(range(1000, 1300), axis=0)
    model = Anonymizer(7, quasi_identifiers=QUASI, cells=cells, random_state=1)
    found = model.fit_transform(table)
    assert list(found.columns) == list(table.columns)
    assert found.index.equals(table.index)
    assert pd.api.types.is_numeric_dtype(found["age"])
    assert abs(found["age"].mean() - table["age"].mean()) < 3
    again = model.fit_transform(table)
    pd.testing.assert_frame_equal(found, again)
    coded = make_column_transformer((OneHotEncoder(), ["town"]), remainder="passthrough")
    learner = make_pipeline(model, coded, LogisticRegression(max_iter=1000))
    assert learner.fit(table, AGES > 40).score(table, AGES > 40) > 0.8


@pytest.mark.parametrize("form", ["center", "sampled"])
def test_values_keep_their_types_and_lie_in_their_cells(form: str) -> None:
    labels = Anonymizer(7, quasi_identifiers=QUASI, cells="labels").fit_transform(PEOPLE)
    values = Anonymizer(7, quasi_identifiers=QUASI, cells=form, random_state=3).fit_transform(PEOPLE)
    assert values.schema == PEOPLE.schema
    for label, value in zip(labels["age"], values["age"], strict=True):
        low, _, high = label.strip("[]").partition("..")
        assert label == "*" or int(low) <= value <= int(high or low)


def test_set_output() -> None:
    model = Anonymizer(7, quasi_identifiers=QUASI).set_output(transform="pandas")
    found = model.fit_transform(PEOPLE.to_pandas())
    assert isinstance(found, pd.DataFrame)
    assert list(found.columns) == PEOPLE.columns
    assert isinstance(Anonymizer(7).set_output(transform="pandas").fit_transform(AGES.reshape(-1, 1)), pd.DataFrame)


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'center'"):
        Anonymizer(cells="centre").fit(PEOPLE)


def test_masked_rows_stay_within_the_limit() -> None:
    model = Anonymizer(7, quasi_identifiers=QUASI, suppression_limit=0.02).fit(PEOPLE)
    assert model.n_masked_ <= 6
    assert model.n_classes_ > 1


def test_new_rows_get_cells_of_known_classes_or_are_masked() -> None:
    model = Anonymizer(7, quasi_identifiers=QUASI, cells="labels").fit(PEOPLE)
    known = set(model.transform(PEOPLE).select(QUASI).rows())
    new = pl.DataFrame({"age": [25, 1000, 33], "town": ["a", "b", "nowhere"], "pay": [0.0, 0.0, 0.0]})
    found = model.transform(new).select(QUASI).rows()
    assert found[0] in known
    assert found[2] == ("*", "*")
    assert set(found) <= known | {("*", "*")}


def test_arrays_of_numbers_come_back_as_the_means_of_cells() -> None:
    ages = AGES.reshape(-1, 1).astype(float)
    found = Anonymizer(20, suppression_limit=0.0).fit_transform(ages)
    for mean in np.unique(found):
        rows = found[:, 0] == mean
        assert rows.sum() >= 20
        assert ages[rows].mean() == pytest.approx(mean)


def test_positions_name_columns_of_arrays() -> None:
    table = np.column_stack([AGES, np.arange(300)]).astype(float)
    found = Anonymizer(5, quasi_identifiers=[0]).fit_transform(table)
    assert (found[:, 1] == np.arange(300)).all()
    with pytest.raises(InputError, match="none at 2"):
        Anonymizer(quasi_identifiers=[2]).fit(table)
    with pytest.raises(InputError, match="no column 'aeg'"):
        Anonymizer(quasi_identifiers=["aeg"]).fit(PEOPLE)


def test_missing_values_are_values() -> None:
    table = np.where(np.arange(60) % 3 == 0, np.nan, np.arange(60) % 2).reshape(-1, 1).astype(float)
    found = Anonymizer(5).fit(table)
    assert found.n_classes_ == 3
    assert found.transform(table).shape == (60, 1)
    assert np.array_equal(np.isnan(found.transform(table)), np.isnan(table))


def test_fewer_rows_than_k_are_all_masked() -> None:
    model = Anonymizer(5, cells="labels").fit(PEOPLE.head(3))
    assert model.n_masked_ == 3
    assert set(model.transform(PEOPLE.head(3)).select(QUASI).rows()) == {("*", "*")}


def test_in_a_pipeline_and_pickled() -> None:
    y = (AGES > 40).astype(int)
    model = make_pipeline(Anonymizer(10), LogisticRegression()).fit(AGES.reshape(-1, 1).astype(float), y)
    again = pickle.loads(pickle.dumps(model))
    assert again.score(AGES.reshape(-1, 1).astype(float), y) > 0.9
