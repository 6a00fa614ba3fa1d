"""Full-domain generalization: one level per column, and what the searches for it share.

Read in this order. The lattice: ``space`` (every choice of levels, and their order), ``row_packing`` and
``class_rollup`` (the equivalence classes of a node, from those of a finer one). Judging a node: ``feasibility``,
``bounds`` and ``column_bounds`` (lower bounds on the cost of a node). The optimum: ``optimal`` (the algorithm),
``search``, its frontier in memory (``frontier_array``) or as a heap (``frontier_heap``), ``good_nodes`` (found early),
``solution``, ``exploration`` (every node). Others: ``samarati``, ``incognito``, ``k_optimize`` with ``column_cuts``,
``set_enumeration`` and ``k_optimize_costs``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.algorithms.lattice.incognito import Incognito
    from shoal.algorithms.lattice.k_optimize import KOptimize
    from shoal.algorithms.lattice.optimal import Lattice
    from shoal.algorithms.lattice.samarati import Samarati

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.algorithms.lattice.incognito:Incognito",
        "shoal.algorithms.lattice.k_optimize:KOptimize",
        "shoal.algorithms.lattice.optimal:Lattice",
        "shoal.algorithms.lattice.samarati:Samarati",
    ),
)

__all__ = ["Incognito", "KOptimize", "Lattice", "Samarati"]
