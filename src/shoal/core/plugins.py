"""Families of plug-ins: ours, and those of other packages that announce themselves by entry points."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import TypeVar

T = TypeVar("T", bound=type)


def collect(family: str, ours: Iterable[T]) -> dict[str, T]:
    """Plug-ins by name: ours, then those of the entry-point group ``family`` whose names are not taken.

    A package adds an algorithm with ``[project.entry-points."shoal.algorithms"]`` and ``name = "package:Class"``.
    """
    found = {plugin.name: plugin for plugin in ours}  # type: ignore[attr-defined]
    for entry in entry_points(group=family):
        found.setdefault(entry.name, entry.load())
    return found
