"""Inspecting a table: the content of its columns, suggested roles, and how many people they single out.

Read in this order: ``inspection`` (the entry point), ``findings`` (its result), ``partition`` (columns as codes),
``profile`` and ``roles`` (one column), ``hints`` and ``identifier_patterns`` (the lists they consult),
``exact_dates``, ``person_keys``, ``hierarchies`` (that suit a column), ``combinations`` (columns that single people
out only in combination, and the worst of them). Problems of the table: ``layout`` (where it begins in its file),
``column_values`` (what checks get and return), ``checks``, ``doctor`` (runs all checks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.io.inspect.columns_without_role import refuse_unspoken as refuse_unspoken
    from shoal.io.inspect.findings import Combination as Combination
    from shoal.io.inspect.findings import Finding as Finding
    from shoal.io.inspect.findings import Inspection as Inspection
    from shoal.io.inspect.inspection import inspect_frame as inspect_frame
    from shoal.io.inspect.partition import uniqueness as uniqueness

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.io.inspect.findings:Combination",
        "shoal.io.inspect.findings:Finding",
        "shoal.io.inspect.findings:Inspection",
        "shoal.io.inspect.inspection:inspect_frame",
        "shoal.io.inspect.partition:uniqueness",
        "shoal.io.inspect.columns_without_role:refuse_unspoken",
    ),
)
