"""Algorithms: a table and a goal in, a release out. One a file; none imports another."""

from __future__ import annotations

from shoal.algorithms.anatomy import Anatomy
from shoal.algorithms.blocked import Blocked
from shoal.algorithms.clustering import Agglomerative, Clustering, Forest
from shoal.algorithms.concealment import Concealment
from shoal.algorithms.freeform import Freeform
from shoal.algorithms.hilbert import Hilbert
from shoal.algorithms.lattice import Incognito, KOptimize, Lattice, Samarati
from shoal.algorithms.lexicographic import Lexicographic
from shoal.algorithms.local_suppression import LocalSuppression
from shoal.algorithms.microaggregation import Microaggregation
from shoal.algorithms.mondrian import Mondrian
from shoal.algorithms.nonhomogeneous import NonHomogeneous
from shoal.algorithms.patterns import PatternExact, PatternGreedy, PatternSearch
from shoal.algorithms.suppression import Factor, MeyersonWilliams, ParkShim
from shoal.core.contracts import Algorithm
from shoal.core.plugins import collect

ALL: dict[str, type[Algorithm]] = collect(
    "shoal.algorithms",
    (
        Mondrian,
        Hilbert,
        Agglomerative,
        Clustering,
        Forest,
        Lexicographic,
        ParkShim,
        MeyersonWilliams,
        Factor,
        Anatomy,
        NonHomogeneous,
        Freeform,
        Concealment,
        PatternGreedy,
        PatternSearch,
        PatternExact,
        Lattice,
        Samarati,
        Incognito,
        KOptimize,
        LocalSuppression,
        Blocked,
        Microaggregation,
    ),
)
"""Every algorithm by name."""
