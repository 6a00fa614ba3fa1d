"""How much time an audit may take."""

from __future__ import annotations

from typing import Literal

Pace = Literal["quick", "usual", "thorough"]
"""Quick: after every anonymization, a second or two. Usual: on request. Thorough: also attacks that take minutes."""

PACES: tuple[Pace, ...] = ("quick", "usual", "thorough")
"""From the quickest to the slowest."""


def includes(pace: Pace, needed: Pace) -> bool:
    """Whether an audit at one pace runs an attack that needs another.

    >>> includes("usual", "quick"), includes("usual", "thorough")
    (True, False)
    """
    return PACES.index(needed) <= PACES.index(pace)
