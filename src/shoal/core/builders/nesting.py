"""The last step of every builder: put the star on top of its levels."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.core.hierarchy import STAR, Hierarchy
from shoal.errors import InputError

MOST_LEVELS = 50
"""Hierarchies with more levels come from free text rather than codes: they cost memory and are of no use."""


def under_star(name: str, texts: Sequence[str], levels: Sequence[Sequence[str]]) -> Hierarchy:
    """The hierarchy with these texts as leaves, these labels on the levels above, and the star as its root.

    >>> under_star("pet", ["cat", "cow", "hen"], [["c*", "c*", "h*"]]).n_levels
    3
    """
    if not texts:
        raise InputError(f"The column {name!r} has no values to build a hierarchy from; leave it out.")
    return Hierarchy.from_levels([texts, *levels, [STAR] * len(texts)], name)


def check_depth(name: str, n_levels: int, cure: str) -> None:
    """Raise InputError if a hierarchy would have far too many levels."""
    if n_levels > MOST_LEVELS:
        raise InputError(
            f"The hierarchy of {name!r} would have {n_levels:,} levels, more than {MOST_LEVELS}, "
            f"as if it held free text; {cure}."
        )
