"""Similarity: the values differ, but mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.audit.about_values import ValueAttack, largest_pool, text_of
from shoal.audit.adversary_view import Scene
from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import Risk
from shoal.audit.number_wording import people
from shoal.audit.scorer import Referee
from shoal.core.arrays import Flags, Floats
from shoal.core.parameters import real_number


@dataclass(frozen=True)
class Similarity(ValueAttack):
    """Find the people whose possible values are all close together: under one hierarchy node, or in a short interval.

    An interval is short if it is at most ``within`` of the whole range; a node or an interval that holds more than half
    of all records does not count. The baseline is the rate of homogeneity.

    Stopped by: t-closeness with an ordered or hierarchical distance.

    Cost: O(members of the pools).

    Reference: Li, Li and Venkatasubramanian 2007, t-Closeness: Privacy Beyond k-Anonymity and l-Diversity; Ciriani et
    al. 2007, k-Anonymity (figure 19).
    """

    within: float = 0.15

    name: ClassVar[str] = "similarity"
    counts_owners: ClassVar[bool] = True
    story: ClassVar[str] = (
        "An adversary finds all records that may be a person's; their sensitive values differ, but all are kinds of "
        "the same illness, or nearly the same amount."
    )
    remedy: ClassVar[str] = "Ask for t-closeness with an ordered or hierarchical distance."
    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = (
        ("t", "0.15:ordered"),
        ("t", "0.3"),
        ("t", "0.2"),
        ("t", "0.1"),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "within", real_number("within", self.within, least=0, most=1))

    def lacks(self, scene: Scene) -> str:
        """Requires a sensitive column with a hierarchy or with numbers."""
        none = "" if self.about(scene.beliefs) else "It needs a sensitive column with numbers or with a hierarchy."
        return super().lacks(scene) or none

    def about(self, beliefs: Sequence[Beliefs]) -> Sequence[Beliefs]:
        """Beliefs about columns whose values can be close."""
        columns = [(one, one.column) for one in beliefs]
        return [one for one, of in columns if of.hierarchy is not None or of.domain.kind in ("numeric", "date")]

    def weigh(self, beliefs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        """Count people whose possible values are close together."""
        close = _under_a_node(beliefs) | self._in_a_stretch(beliefs)
        n, rate = beliefs.count(close & (beliefs.people > 0))
        certain, baseline = beliefs.count((beliefs.n_values == 1) & (beliefs.people > 0))
        name = beliefs.column.name
        says = f"Nobody's possible values of {name} lie close together, unless they are equal."
        closely = close & (beliefs.n_values > 1) & (beliefs.people > 0)
        is_known = n > certain if beliefs.whose is None else bool(closely.any())
        if is_known:
            shown = _shown(beliefs, largest_pool(beliefs, closely))
            says = f"The {name} of {n:,} of {people(beliefs.n_people)} is known closely: {shown}, for instance."
        figures = {"people whose value is known closely": n, "people whose value is certain": certain}
        return Risk(self.name, "falls" if is_known else "stopped", says, rate, baseline, about=name, figures=figures)

    def _in_a_stretch(self, beliefs: Beliefs) -> Flags:
        """Pools whose values are numbers within a short interval that holds at most half of all records."""
        domain = beliefs.column.domain
        if domain.kind not in ("numeric", "date"):
            return np.zeros(beliefs.people.size, bool)
        points = domain.places
        present = points[(beliefs.prior > 0) & ~np.isnan(points)]
        span = float(np.ptp(present)) if present.size else 0.0
        first, last = _bounds(beliefs, points)
        order = np.argsort(points)
        ranked, mass = points[order], np.concatenate([[0.0], np.cumsum(beliefs.prior[order])])
        inside = mass[np.searchsorted(ranked, last, "right")] - mass[np.searchsorted(ranked, first, "left")]
        short: Flags = (last - first <= self.within * span) & (inside <= 0.5)
        return short


def _bounds(beliefs: Beliefs, points: Floats) -> tuple[Floats, Floats]:
    """The smallest and largest point of each pool; nan if one of its values has none or it is empty."""
    low, high = np.full(beliefs.people.size, np.inf), np.full(beliefs.people.size, -np.inf)
    with np.errstate(invalid="ignore"):  # a missing value has no point, and makes its pool nan
        np.minimum.at(low, beliefs.pools, points[beliefs.values])
        np.maximum.at(high, beliefs.pools, points[beliefs.values])
    empty = beliefs.n_values == 0
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)


def _under_a_node(beliefs: Beliefs) -> Flags:
    """Pools whose values are under one node that holds at most half of all records."""
    tree = beliefs.column.hierarchy
    if tree is None:
        return np.zeros(beliefs.people.size, bool)
    bounds = _bounds(beliefs, np.arange(beliefs.column.domain.n_leaves, dtype=np.float64))
    low, high = (np.nan_to_num(codes).astype(np.int32) for codes in bounds)
    first, last, _ = tree.cover(low, high)
    mass = np.concatenate([[0.0], np.cumsum(beliefs.prior)])
    small: Flags = (mass[last + 1] - mass[first] <= 0.5) & (beliefs.n_values > 0)
    return small


def _shown(beliefs: Beliefs, pool: int) -> str:
    """The values of a pool: the node above them, or their range."""
    values = beliefs.values[beliefs.offsets[pool] : beliefs.offsets[pool + 1]]
    n = people(int(beliefs.people[pool]))
    tree, domain = beliefs.column.hierarchy, beliefs.column.domain
    if tree is not None:
        low, high, _ = tree.cover(values[:1], values[-1:])
        return f"{tree.label(int(low[0]), int(high[0]))!r} for {n}"
    order = np.argsort(domain.places[values])
    first, last = text_of(beliefs, int(values[order[0]])), text_of(beliefs, int(values[order[-1]]))
    return f"between {first} and {last} for {n}"
