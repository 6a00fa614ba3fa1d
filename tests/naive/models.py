"""What each privacy model measures in one group of people, by its definition.

A twin takes the model, the sensitive values of each member and those of every row of the original table, and
returns what ``measure`` returns: larger is safer. Add one per model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

People = Sequence[Mapping[str, object]]
Twin = Callable[[Any, People, People], float]


def k_anonymity(model: Any, people: People, everybody: People) -> float:
    """How many they are."""
    return len(people)


def l_diversity(model: Any, people: People, everybody: People) -> float:
    """How many different values they have, in the column named or else in the poorest."""
    names = [model.of] if model.of is not None else list(people[0])
    return min(len({person[name] for person in people}) for name in names)


WANTED: Mapping[str, Callable[[Any], float]] = {
    "k-anonymity": lambda model: model.k,
    "l-diversity": lambda model: model.l,
}
"""What the measure has to reach, by the model's name."""

TWINS: Mapping[str, Twin] = {"k-anonymity": k_anonymity, "l-diversity": l_diversity}
"""The twins by the model's name."""
