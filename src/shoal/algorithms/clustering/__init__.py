"""Clusters of at least k rows that share their cells: an initial partition, and ways to improve it.

Read in this order: ``planes`` and ``coded_rows`` (the table as the kernels see it), ``agglomeration`` with
``merge_rounds``, ``nearest_lists`` and ``vantage_point_leaves``, ``specialization`` (top-down instead of bottom-up),
``initial_partition`` (for any promises). Improvement: ``partition_search``, ``improvement_rounds``, ``neighbourhoods``,
``ejection_chains``, ``sequential``, within a ``budget``, on all ``threads``. The algorithms: ``agglomerative``,
``pipeline`` (clustering), ``forest``, ``specialization``, and ``refined`` with its ``refinements`` for any other
algorithm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.algorithms.clustering.agglomerative import Agglomerative as Agglomerative
    from shoal.algorithms.clustering.forest import Forest as Forest
    from shoal.algorithms.clustering.partition_search import refine as refine
    from shoal.algorithms.clustering.pipeline import Clustering as Clustering
    from shoal.algorithms.clustering.refined import Refined as Refined
    from shoal.algorithms.clustering.refinements import REFINEMENTS as REFINEMENTS
    from shoal.algorithms.clustering.refinements import Refinement as Refinement
    from shoal.algorithms.clustering.refinements import Search as Search
    from shoal.algorithms.clustering.refinements import Sequential as Sequential
    from shoal.algorithms.clustering.specialization import Specialization as Specialization

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
