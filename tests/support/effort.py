"""How hard property tests try: all in proportion to the profile of hypothesis, see ``tests/conftest.py``."""

from __future__ import annotations

from hypothesis import settings


def examples(times: float) -> int:
    """So many times the examples that a test gets without saying anything, and at least five."""
    return max(5, round(times * settings().max_examples))
