"""The basic data types: schema, domain, hierarchy, recoding, table, groups, release, contracts.

Read in this order. A column: ``schema`` (what the user declares), ``domain`` (its values, numbered), ``number_texts``,
``hierarchy`` with ``builders`` and ``tree_edits``, ``recoding`` (how its cells may be generalized), ``cells``. The
table: ``table`` (all rows, or the distinct ones with counts), ``groups``, ``tallies``, ``orders``, ``standard_scores``.
Output: ``release`` (records and their owners; publications), ``claims`` (guarantees of algorithms), ``contracts`` (base
classes of privacy models, metrics and algorithms), ``goal_feasibility`` (goals that no release of a table can reach),
``plugins``, ``parameters``. Prices of cells: ``priced_column``, ``level_prices`` (by level), ``planes`` and ``tariff``
(for kernels). The generalization lattice: ``node``, ``class_suppression``, ``suppression_limit``. Blocks:
``block_tree`` (assigns rows to blocks), ``block_union`` (joins blocks). Which row may own which record:
``consistency``, ``match_bundles``, ``assignment``, ``linkage``; drawing owners: ``diverse_parts``, ``regular_parts``.
People with several rows: ``histories``, ``history_forms``. Small modules: ``arrays``, ``progress``, ``randomness``,
``parallel_work``, ``notebook_table``, ``plain_data``.
"""
