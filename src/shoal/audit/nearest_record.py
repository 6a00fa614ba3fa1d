"""Nearest record: numbers published as means are linked by distance."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.adversary_view import Pace, Scene
from shoal.audit.contract import Attack, Outcome, Risk
from shoal.audit.links import shape_numbers
from shoal.audit.number_wording import percent
from shoal.audit.scorer import Referee
from shoal.core.arrays import Codes


class NearestRecord(Attack):
    """Link each person to the published record whose numbers are nearest.

    Distance-based record linkage, by which statistical offices judge microaggregation: columns are scaled by their
    standard deviation among the people, and among records that are printed alike one is drawn. The rate is the share of
    people whose own record is found, or would be if the nearest class is theirs where owners are unknown; the baseline
    is 1 / k, what k equal records allow (1 / 2 if no k was promised).

    Stopped by: groups of k.

    Cost: O(people · log classes).

    Reference: Domingo-Ferrer and Torra 2003, Disclosure Risk Assessment in Statistical Microdata Protection via
    Advanced Record Linkage.
    """

    name: ClassVar[str] = "nearest-record"
    story: ClassVar[str] = "An adversary knows a person's exact numbers and takes the record with the nearest means."
    remedy: ClassVar[str] = "Ask for larger groups (k), or publish ranges instead of means."
    pace: ClassVar[Pace] = "usual"

    def lacks(self, scene: Scene) -> str:
        """Requires numbers that are published as means."""
        return "" if scene.means else "It needs numbers that are published as means, and there are none."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Guess the nearest class for everybody."""
        shapes = shape_numbers(scene.seen) if referee.shapes is not None else _by_means(scene)
        records = np.bincount(shapes)
        sizes = records if referee.shapes is None else referee.sizes(records)
        nearest = nearest_shapes(scene, shapes)
        found = referee.found(nearest, sizes)
        chances = 1.0 / sizes[nearest] if found is None else found
        total, n = referee.total(chances, np.ones(chances.size, bool))
        rate = total / max(1, n)
        baseline = 1.0 / max(2, scene.k or 2)
        names = " and ".join(repr(scene.names[column]) for column in scene.means)
        says = f"Taking the record whose {names} lie nearest finds a person's own for {percent(rate)}"
        says += f"; records that are printed alike in groups of k allow {percent(baseline)}."
        figures: dict[str, float] = {"classes": int(records.size)}
        if found is not None:
            figures["people whose nearest class is their own"] = referee.count(found > 0)
        outcome: Outcome = "falls" if rate > baseline + 1e-9 else "stopped"
        return [Risk(self.name, outcome, says, rate, baseline, figures=figures)]


def nearest_shapes(scene: Scene, shapes: Codes) -> Codes:
    """The shape of the record nearest to each person. Missing numbers are replaced by the mean."""
    firsts = np.unique(shapes, return_index=True)[1]
    from scipy.spatial import cKDTree  # type: ignore[import-untyped]  # half a second at every start otherwise

    points = np.stack([printed[firsts] for printed in scene.means.values()], axis=1)
    known = scene.known
    people = np.stack([known.quasi[column].domain.points[known.codes[column]] for column in scene.means], axis=1)
    middles, deviations = np.nanmean(people, axis=0), np.nanstd(people, axis=0)
    deviations[deviations == 0] = 1.0
    points, people = (np.nan_to_num((numbers - middles) / deviations) for numbers in (points, people))
    return np.asarray(cKDTree(points).query(people)[1], np.int32)


def _by_means(scene: Scene) -> Codes:
    """Number the records by their printed values, where means lie in no cell of the original's values."""
    rows = np.stack([shape_numbers(scene.seen).astype(np.float64), *scene.means.values()], axis=1)
    return np.unique(rows, axis=0, return_inverse=True)[1].astype(np.int32).ravel()
