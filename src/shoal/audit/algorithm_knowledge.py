"""Algorithm knowledge: run the algorithm on the people, and see who gets which cells."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.adversary_view import Pace, Scene
from shoal.audit.contract import NEEDS_EVERYBODY, Attack, Outcome, Risk
from shoal.audit.number_wording import people, percent
from shoal.audit.scorer import Referee


class AlgorithmKnowledge(Attack):
    """Run the algorithm, and assume that everybody has a record with the cells that came out for them.

    The rate is the share of people who are found by picking one of the records with those cells at random, measured
    where owners are known; the baseline is 1 / k. A deterministic algorithm that gives every record its own cells is
    broken by this, whatever it promises.

    Stopped by: cells that several records share, or drawing at random who gets which cells.

    Cost: that of one run of the algorithm.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (section 7); Wong,
    Mamoulis and Cheung 2010, Non-Homogeneous Generalization in Privacy Preserving Data Publishing (section 4.2).
    """

    name: ClassVar[str] = "algorithm"
    story: ClassVar[str] = (
        "An adversary who knows everybody's quasi-identifiers and the algorithm, but not its random key, runs it and "
        "assumes that each person has a record with the resulting cells."
    )
    remedy: ClassVar[str] = "Let records share their cells, or draw at random who gets which."
    pace: ClassVar[Pace] = "thorough"

    def lacks(self, scene: Scene) -> str:
        """Requires the algorithm, and people to run it on."""
        if not scene.known.is_complete:
            return NEEDS_EVERYBODY
        if scene.rerun is None:
            return "It needs to know the algorithm; audit the result of an anonymization to run it."
        return "The cells depend on sensitive values, which are not known." if scene.rerun.reads_values else ""

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Run the algorithm, and compare the cells."""
        assert scene.rerun is not None
        links = scene.links
        shapes = scene.rerun.shapes()
        sizes = referee.sizes(links.records)
        counts = np.where(shapes >= 0, sizes[np.maximum(shapes, 0)], 0)
        found = referee.found(shapes, sizes)
        chances = np.where(counts > 0, 1.0 / np.maximum(1, counts), 0.0) if found is None else found
        total, n = referee.total(chances, np.ones(chances.size, bool))
        k = scene.k or int(counts[counts > 0].min(initial=n))
        rate, baseline = total / n, 1 / k
        alone = referee.count((counts == 1) & (chances > 0))
        figures = {
            "people with cells of their own": alone,
            "people whose cells were reproduced": referee.count(counts > 0),
        }
        margin = 3 * (baseline / n) ** 0.5
        outcome: Outcome = "falls" if rate > baseline + margin else "stopped"
        says = (
            f"Running the algorithm again finds the record of {percent(rate)} of people, of which 1 in {k} was allowed."
        )
        if alone and outcome == "falls":
            says += f" {people(alone)} got cells of their own again."
        return [Risk(self.name, outcome, says, rate, baseline, figures=figures)]
