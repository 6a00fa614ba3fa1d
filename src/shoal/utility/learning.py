"""Learning: how well a model trained on the release does on unseen people, compared with the original."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl

from shoal.core.arrays import Flags, Floats
from shoal.core.cells import Cells
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError, did_you_mean
from shoal.utility.spread import bins_of, cell_shares


@dataclass(frozen=True)
class Learned:
    """Scores on held-out originals: accuracy for classes, R² for numbers; ``guess`` is the score without features."""

    target: str
    task: str
    original: float
    release: float
    guess: float

    @property
    def lost(self) -> float:
        """The share of the features' predictive value that the release lost; 0 is best, 1 no better than guessing."""
        gain = self.original - self.guess
        return (self.original - self.release) / gain if gain > 0 else 0.0


def learn(release: Release, target: str, *, holdout: float = 0.3, seed: int = 1) -> Learned:
    """Train a linear model on some people's records, and one on their original rows, and test both on other people.

    The target is a column published unchanged. The same people are held out for both; they took part in the recoding,
    like everybody in the table. Cells count as the even mix of their values. Classes use a logistic regression, numbers
    with more than 20 values a ridge regression.

    Raises:
        InputError: scikit-learn is not installed, or the target is not a published column.
    """
    table = release.table
    values = target_of(table, target)
    is_number = values.dtype.is_numeric() and values.n_unique() > 20
    known = values.cast(pl.Float64) if is_number else values.cast(pl.String).rank("dense").cast(pl.Int32)
    answers = known.fill_null(0).to_numpy()
    held_out = some_people(table, holdout, Randomness(seed).child("holdout"))
    cells = [column.recoding.exact(codes) for column, codes in zip(table.quasi, table.codes, strict=True)]
    originals = _features(table.quasi, cells)
    records = _features(table.quasi, [cells.take(release.shapes) for cells in release.cells])
    trained = ~held_out[release.owners]
    seen, test = release.owners[trained], (originals[held_out], answers[held_out])
    return Learned(
        target,
        "regression" if is_number else "classification",
        original=_score(is_number, originals[~held_out], answers[~held_out], *test),
        release=_score(is_number, records[trained], answers[seen], *test),
        guess=0.0 if is_number else float((test[1] == np.bincount(answers[~held_out]).argmax()).mean()),
    )


def some_people(table: Table, share: float, randomness: Randomness) -> Flags:
    """Flag all rows of a random share of the people."""
    chosen = np.zeros(table.n_people, bool)
    chosen[randomness.permutation(table.n_people)[: int(share * table.n_people)]] = True
    return chosen if table.people is None else chosen[table.people]


def target_of(table: Table, target: str) -> pl.Series:
    """The column to predict.

    Raises:
        InputError: it is not published unchanged.
    """
    if target not in table.passengers.columns:
        hint = did_you_mean(target, table.passengers.columns)
        raise InputError(f"The target {target!r} is not a column that is published unchanged.{hint}")
    return table.passengers[target]


def _features(quasi: tuple[QuasiColumn, ...], cells: list[Cells]) -> Floats:
    """``[record, feature]``: the share of a cell's values in each bin of each column."""
    parts = []
    for column, each in zip(quasi, cells, strict=True):
        bins, n_bins = bins_of(column.domain)
        parts.append(cell_shares(each, bins, n_bins)[each.ids])
    return np.concatenate(parts, axis=1)


def _score(is_number: bool, features: Floats, answers: Any, unseen: Floats, right: Any) -> float:
    if len(features) == 0 or np.unique(answers).size < 2:
        return 0.0
    models = learners("linear_model")
    model = models.Ridge() if is_number else models.LogisticRegression(max_iter=200)
    return float(model.fit(features, answers).score(unseen, right))


def learners(module: str) -> Any:
    """A module of scikit-learn, which is slow to import, and an extra.

    Raises:
        InputError: it is not installed.
    """
    try:
        return import_module(f"sklearn.{module}")
    except ImportError:
        raise InputError(
            "Learning needs scikit-learn, which is not installed; install it with: pip install 'shoal[learn]'."
        ) from None
