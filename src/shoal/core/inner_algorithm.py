"""Algorithms that run inside others, which look them up on use because algorithms do not import each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.core.contracts import Algorithm
from shoal.core.plugins import build, family_of


def inner_algorithm(said: str | Mapping[str, Any] | Algorithm) -> Algorithm:
    """The algorithm itself, or the one of that name and options, as in ``mondrian:relaxed``."""
    return said if isinstance(said, Algorithm) else build("algorithm", said, family_of("shoal.algorithms"))
