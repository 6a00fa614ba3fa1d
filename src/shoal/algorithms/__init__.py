"""Algorithms: a table and a goal in, a release out. One algorithm a file, imported when used; none imports another.

Families that share a search have a folder. ``best`` runs several and keeps the best release, ``blocked`` runs any in
blocks of similar rows, ``histories`` applies any of them to people with several rows each, and ``relaxation`` also
computes a lower bound on the loss of all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.contracts import Algorithm
from shoal.core.plugins import Family, collect, imported_when_used

if TYPE_CHECKING:
    from shoal.algorithms.anatomy import Anatomy as Anatomy
    from shoal.algorithms.blocked import Blocked as Blocked
    from shoal.algorithms.clustering import Agglomerative as Agglomerative
    from shoal.algorithms.clustering import Clustering as Clustering
    from shoal.algorithms.clustering import Forest as Forest
    from shoal.algorithms.concealment import Concealment as Concealment
    from shoal.algorithms.freeform import Freeform as Freeform
    from shoal.algorithms.hilbert import Hilbert as Hilbert
    from shoal.algorithms.lattice import Incognito as Incognito
    from shoal.algorithms.lattice import KOptimize as KOptimize
    from shoal.algorithms.lattice import Lattice as Lattice
    from shoal.algorithms.lattice import Samarati as Samarati
    from shoal.algorithms.lexicographic import Lexicographic as Lexicographic
    from shoal.algorithms.local_suppression import LocalSuppression as LocalSuppression
    from shoal.algorithms.microaggregation import Microaggregation as Microaggregation
    from shoal.algorithms.mondrian import Mondrian as Mondrian
    from shoal.algorithms.nonhomogeneous import NonHomogeneous as NonHomogeneous
    from shoal.algorithms.patterns import PatternExact as PatternExact
    from shoal.algorithms.patterns import PatternGreedy as PatternGreedy
    from shoal.algorithms.patterns import PatternSearch as PatternSearch
    from shoal.algorithms.relaxation import ColumnGeneration as ColumnGeneration
    from shoal.algorithms.suppression import Factor as Factor
    from shoal.algorithms.suppression import MeyersonWilliams as MeyersonWilliams
    from shoal.algorithms.suppression import ParkShim as ParkShim

_PLACES = {
    "mondrian": "shoal.algorithms.mondrian:Mondrian",
    "hilbert": "shoal.algorithms.hilbert:Hilbert",
    "agglomerative": "shoal.algorithms.clustering:Agglomerative",
    "clustering": "shoal.algorithms.clustering:Clustering",
    "column-generation": "shoal.algorithms.relaxation:ColumnGeneration",
    "forest": "shoal.algorithms.clustering:Forest",
    "lexicographic": "shoal.algorithms.lexicographic:Lexicographic",
    "park-shim": "shoal.algorithms.suppression:ParkShim",
    "meyerson-williams": "shoal.algorithms.suppression:MeyersonWilliams",
    "factor": "shoal.algorithms.suppression:Factor",
    "anatomy": "shoal.algorithms.anatomy:Anatomy",
    "nonhomogeneous": "shoal.algorithms.nonhomogeneous:NonHomogeneous",
    "freeform": "shoal.algorithms.freeform:Freeform",
    "concealment": "shoal.algorithms.concealment:Concealment",
    "patterns": "shoal.algorithms.patterns:PatternGreedy",
    "patterns-search": "shoal.algorithms.patterns:PatternSearch",
    "patterns-exact": "shoal.algorithms.patterns:PatternExact",
    "lattice": "shoal.algorithms.lattice:Lattice",
    "samarati": "shoal.algorithms.lattice:Samarati",
    "incognito": "shoal.algorithms.lattice:Incognito",
    "k-optimize": "shoal.algorithms.lattice:KOptimize",
    "local-suppression": "shoal.algorithms.local_suppression:LocalSuppression",
    "blocked": "shoal.algorithms.blocked:Blocked",
    "microaggregation": "shoal.algorithms.microaggregation:Microaggregation",
}

ALL: Family[type[Algorithm]] = collect("shoal.algorithms", _PLACES)
"""Every algorithm by name."""

__getattr__ = imported_when_used(__name__, _PLACES.values())
