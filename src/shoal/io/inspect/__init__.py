"""Inspecting a table: the content of its columns, suggested roles, and how many people they single out.

Read in this order: ``inspection`` (the entry point), ``findings`` (its result), ``partition`` (columns as codes),
``profile`` and ``roles`` (one column), ``hints`` and ``identifier_patterns`` (the lists they consult),
``columns_without_role``, ``exact_dates``, ``person_keys``, ``hierarchies`` (that suit a column), ``combinations``
(columns that single people out only in combination, and the worst of them). Problems of the table: ``layout`` (where it
begins in its file), ``column_values`` (what checks get and return), ``checks``.
"""
