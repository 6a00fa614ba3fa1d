"""Models that learn from a release and are tested on original rows of people they have not seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.utility.analyses.study import Analysis, Study
from shoal.utility.learning import learners

_DRAWS = 2
"""Number of drawn tables that models learn from, each separately: scores differ little between them."""


class _Model(Analysis):
    """The original's score minus the release's: the area under the ROC curve for classes, R² for numbers."""

    learns: ClassVar[bool] = True

    ensemble: ClassVar[str]
    """The beginning of the names of two models of scikit-learn: a regressor and a classifier."""

    settings: ClassVar[Mapping[str, int]] = {}

    def compare(self, study: Study) -> float | None:
        """None without a target, or without people to test on."""
        scores = self.scores(study)
        return None if scores is None else scores[0] - scores[1]

    def scores(self, study: Study) -> tuple[float, float] | None:
        """The scores of models that learned from the original and from the release; None as above."""
        if study.target is None or study.test is None or study.rows is None or study.test.is_empty():
            return None
        right = study.answers(study.test)
        if self.name not in study.baselines:
            own = study.original_features(study.rows, study.rows, is_released=False)
            unseen = study.original_features(study.test, study.rows, is_released=False)
            study.baselines[self.name] = self._score(study, own, study.answers(study.rows), unseen, right)
        learned = [
            self._score(
                study, study.released_features(frame), study.answers(frame),
                study.original_features(study.test, frame, is_released=True), right,
            )
            for frame in study.released[:_DRAWS]
        ]  # fmt: skip
        return study.baselines[self.name], float(np.mean(learned))

    def _score(self, study: Study, features: Floats, answers: Floats, unseen: Floats, right: Floats) -> float:
        if np.unique(answers).size < 2:
            return 0.0 if study.is_regression else 0.5
        middles = np.nan_to_num(np.nanmedian(np.where(np.isfinite(features).any(axis=0), features, 0.0), axis=0))
        features, unseen = (np.where(np.isfinite(x), x, middles) for x in (features, unseen))
        kind = getattr(learners("ensemble"), f"{self.ensemble}{'Regressor' if study.is_regression else 'Classifier'}")
        model = kind(**self.settings, random_state=0).fit(features, answers)
        if study.is_regression:
            return float(model.score(unseen, right))
        return _area(model, unseen, right)


class GradientBoosting(_Model):
    """scikit-learn's histogram gradient boosting with default settings."""

    name: ClassVar[str] = "gradient-boosting"
    summary: ClassVar[str] = "loss of score (ROC AUC or R²) when gradient boosting learns from the release"
    ensemble: ClassVar[str] = "HistGradientBoosting"


class RandomForest(_Model):
    """scikit-learn's random forest: a hundred trees with leaves of at least five records."""

    name: ClassVar[str] = "random-forest"
    summary: ClassVar[str] = "loss of score (ROC AUC or R²) when a random forest learns from the release"
    ensemble: ClassVar[str] = "RandomForest"
    settings: ClassVar[Mapping[str, int]] = {"n_estimators": 100, "min_samples_leaf": 5}


def _area(model: Any, unseen: Floats, right: Floats) -> float:
    """The area under the ROC curve; for several classes, the mean of each against the rest."""
    from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

    chances = model.predict_proba(unseen)
    areas = [
        roc_auc_score(right == one, chances[:, place])
        for place, one in enumerate(model.classes_)
        if 0 < (right == one).sum() < right.size
    ]
    return float(np.mean(areas)) if areas else 0.5
