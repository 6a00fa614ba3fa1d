"""Clusters of at least k rows that share their cells: the start, and what makes it better."""

from __future__ import annotations

from shoal.algorithms.clustering.agglomerative import Agglomerative
from shoal.algorithms.clustering.forest import Forest
from shoal.algorithms.clustering.pipeline import Clustering
from shoal.algorithms.clustering.refined import Refined
from shoal.algorithms.clustering.refinements import REFINEMENTS, Refinement, Search, Sequential
from shoal.algorithms.clustering.refining import refine

__all__ = [
    "REFINEMENTS",
    "Agglomerative",
    "Clustering",
    "Forest",
    "Refined",
    "Refinement",
    "Search",
    "Sequential",
    "refine",
]
