"""The nouns: schema, domain, hierarchy, recoding, table, groups, release, contracts.

Read in this order. A column: ``schema`` (what the user says), ``domain`` (its values, numbered), ``exact_numbers``,
``hierarchy`` with ``builders`` and ``tree_edits``, ``recoding`` (how its cells may grow), ``cells``. The table:
``table``, ``counted_table`` (only distinct rows, with counts), ``groups``, ``tallies``, ``orders``,
``standard_scores``. What comes out: ``release`` (records and their owners; publications), ``claims`` (what algorithms
guarantee), ``contracts`` (what models, metrics and algorithms are), ``goal_feasibility`` (what no release of a table
can promise), ``plugins``, ``parameters``. Prices of cells: ``priced_column``, ``level_prices`` (on levels), ``tariff``
(for kernels). The lattice: ``node``, ``class_suppression``, ``suppression_limit``. Blocks: ``block_tree`` (rows sent to
blocks), ``block_union`` (blocks joined). Who may own which record: ``consistency``, ``match_bundles``, ``assignment``,
``linkage``, ``printed_matches``; drawing owners: ``diverse_parts``, ``regular_parts``. People with several rows:
``histories``, ``history_forms``, ``history_classes``, ``linked_places``. Small things: ``arrays``, ``progress``,
``randomness``, ``parallel_work``, ``plain_numbers``, ``notebook_table``.
"""
