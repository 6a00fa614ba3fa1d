"""Clusters of at least k rows that share their cells: an initial partition, and ways to improve it.

Read in this order: ``planes`` and ``coded_rows`` (the table as the kernels see it), ``agglomeration`` with
``merge_rounds``, ``merge_slices``, ``nearest_lists`` and ``vantage_point_leaves``, ``specialization`` (top-down instead
of bottom-up), ``initial_partition`` and ``group_merging`` (for any promises).
Improvement: ``partition_search``, ``improvement_rounds``, ``neighbourhoods``, ``ejection_chains``, ``sequential``,
within a ``budget``, on all ``threads``. The algorithms: ``agglomerative``, ``pipeline`` (clustering), ``forest``,
``specialization``, and ``refined`` with its ``refinements`` for any other algorithm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.algorithms.clustering.agglomerative import Agglomerative
    from shoal.algorithms.clustering.forest import Forest
    from shoal.algorithms.clustering.partition_search import refine
    from shoal.algorithms.clustering.pipeline import Clustering
    from shoal.algorithms.clustering.refined import Refined
    from shoal.algorithms.clustering.refinements import REFINEMENTS, Refinement, Search, Sequential
    from shoal.algorithms.clustering.specialization import Specialization

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.algorithms.clustering.agglomerative:Agglomerative",
        "shoal.algorithms.clustering.forest:Forest",
        "shoal.algorithms.clustering.partition_search:refine",
        "shoal.algorithms.clustering.pipeline:Clustering",
        "shoal.algorithms.clustering.refined:Refined",
        "shoal.algorithms.clustering.refinements:REFINEMENTS",
        "shoal.algorithms.clustering.refinements:Refinement",
        "shoal.algorithms.clustering.refinements:Search",
        "shoal.algorithms.clustering.refinements:Sequential",
        "shoal.algorithms.clustering.specialization:Specialization",
    ),
)

__all__ = [
    "REFINEMENTS",
    "Agglomerative",
    "Clustering",
    "Forest",
    "Refined",
    "Refinement",
    "Search",
    "Sequential",
    "Specialization",
    "refine",
]
