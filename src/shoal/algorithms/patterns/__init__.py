"""Pattern-guided anonymity: the user says in which combinations cells may be blanked.

Reference: *Pattern-Guided k-Anonymity*, the full version of the paper in FAW-AAIM 2013 (LNCS 7924, pages 350–361).
"""

from __future__ import annotations

from shoal.algorithms.patterns.pattern_exact import PatternExact
from shoal.algorithms.patterns.pattern_greedy import PatternGreedy
from shoal.algorithms.patterns.pattern_search import PatternSearch

__all__ = ["PatternExact", "PatternGreedy", "PatternSearch"]
