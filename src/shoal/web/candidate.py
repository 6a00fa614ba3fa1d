"""A node of a lattice that somebody wants to come back to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """A node of the lattice of a run: its levels, what it loses by which metric, its risk, the rows it leaves out."""

    run: str
    levels: tuple[int, ...]
    metric: str
    loss: float
    risk: float
    n_suppressed: int
