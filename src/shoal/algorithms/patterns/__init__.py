"""Pattern-guided anonymity: the user says in which combinations cells may be blanked.

Read in this order: ``rules``, ``column_levels``, ``listing`` and ``mask`` (what is allowed, and what it costs),
``problem`` (the table in terms of patterns), ``assignment`` (rows and their patterns), ``instances`` (what rows could
share), ``base`` and ``claims`` (what all algorithms share). ``pattern_greedy``; ``pattern_search``; ``exact`` and
``pattern_exact`` with ``simplex``, ``pairing``, ``class_guessing`` and ``integer_program``.

Reference: Bredereck, Nichterlein and Niedermeier 2013, Pattern-Guided k-Anonymity, the full version of the paper in
FAW-AAIM 2013 (LNCS 7924, pages 350–361).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.algorithms.patterns.pattern_exact import PatternExact
    from shoal.algorithms.patterns.pattern_greedy import PatternGreedy
    from shoal.algorithms.patterns.pattern_search import PatternSearch

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.algorithms.patterns.pattern_exact:PatternExact",
        "shoal.algorithms.patterns.pattern_greedy:PatternGreedy",
        "shoal.algorithms.patterns.pattern_search:PatternSearch",
    ),
)

__all__ = ["PatternExact", "PatternGreedy", "PatternSearch"]
