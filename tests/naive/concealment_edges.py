"""The edges between types, pair by pair."""

from __future__ import annotations


def edges(held: list[list[int]], types: list[int]) -> list[tuple[int, int]]:
    """From each type inside a record to the type of its owner, each pair once, in order."""
    return sorted({(inside, types[j]) for j, some in enumerate(held) for inside in some})
