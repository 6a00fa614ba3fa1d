"""The refinements that may follow an algorithm, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.parameters import real_number, whole_number


class Refinement:
    """A way to improve existing groups; it keeps every promise and never loses more."""

    name: ClassVar[str]
    summary: ClassVar[str]


@dataclass(frozen=True)
class Sequential(Refinement):
    """Rows move one by one to the cluster where they cost least, while the loss falls.

    Large clusters are split, and one with no row to spare is dissolved if that costs less.
    O(rows · planes · 1,000 clusters nearby) a pass; a few passes, until one gains less than a thousandth.

    Reference: Goldberger and Tassa 2010, Efficient Anonymizations with Enhanced Utility; Tassa, Mazza and Gionis 2012,
    k-Concealment: An Alternative Model of k-Type Anonymity (section 6).
    """

    name: ClassVar[str] = "sequential"
    summary: ClassVar[str] = "move rows one by one while the loss falls, split large clusters, dissolve small ones"


@dataclass(frozen=True)
class Search(Refinement):
    """Large-neighbourhood search: dissolve a few neighbouring clusters at a time and recluster their rows.

    It runs until the time is up or nothing has been found for long. With ``steps`` above 0 it tries exactly that many
    neighbourhoods instead, regardless of time, so that with a seed the result is the same everywhere. It ends early if
    the last eighth of the time, or of the steps, has gained less than ``least_gain`` of the loss.
    """

    steps: int = 0
    least_gain: float = 0.0

    name: ClassVar[str] = "search"
    summary: ClassVar[str] = "dissolve a few clusters at a time and cluster their rows again, until the budget is spent"

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", whole_number("steps", self.steps, least=0))
        object.__setattr__(self, "least_gain", real_number("least_gain", self.least_gain, least=0))


REFINEMENTS: dict[str, type[Refinement]] = {made.name: made for made in (Sequential, Search)}
"""Every refinement by name."""
