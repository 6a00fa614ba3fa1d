"""Clusters of at least k rows that share their cells: the start, and what makes it better.

Read in this order: ``planes`` and ``coded_rows`` (the table as the kernels see it), ``agglomeration`` with
``merge_slices`` and ``vantage_point_leaves``, ``initial_partition``, ``group_merging``, ``group_splitting`` and
``sensitive_mix`` (whatever the promises). Better: ``partition_search``, ``improvement_rounds``, ``neighbourhoods``,
``sequential``, within a ``budget``. The algorithms: ``agglomerative``, ``pipeline`` (clustering), ``forest``, and
``refined`` with its ``refinements`` for any other algorithm.
"""

from __future__ import annotations

from shoal.algorithms.clustering.agglomerative import Agglomerative
from shoal.algorithms.clustering.forest import Forest
from shoal.algorithms.clustering.partition_search import refine
from shoal.algorithms.clustering.pipeline import Clustering
from shoal.algorithms.clustering.refined import Refined
from shoal.algorithms.clustering.refinements import REFINEMENTS, Refinement, Search, Sequential

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
