"""(1,k)-, (k,1)-, (k,k)-anonymity and k-concealment: one step per file, and the pipeline that combines them.

Read in this order: ``pipeline`` (the algorithm), ``requirements`` (what a goal requires, and what is refused),
``row_tree`` (the table as the steps see it), ``draft_release`` and ``match_sets`` (records under construction, and
which rows fit them). (k,1): ``expansion``, ``optimal``. (1,k): ``match_repair``. k-concealment:
``bicycles``, ``component_merging``. A bound on links: ``shared_cells``. Further matches, for this bound
and for sensitive values: ``diversity``. Then ``shrinking``, ``dropping``, and ``concealed_blocks`` for large tables.
"""

from shoal.algorithms.concealment.pipeline import Concealment

__all__ = ["Concealment"]
