"""The nouns: schema, domain, hierarchy, recoding, table, groups, release, contracts.

Read in this order. A column: ``schema`` (what the user says), ``domain`` (its values, numbered), ``exact_numbers``,
``hierarchy`` with ``builders`` and ``tree_edits``, ``recoding`` (how its cells may grow), ``cells``. The table:
``table``, ``counted`` (only distinct rows, with counts), ``groups``, ``tallies``, ``orders``, ``standard_scores``.
What comes out: ``release`` (records and their owners; publications), ``claims`` (what algorithms guarantee),
``contracts`` (what models, metrics and algorithms are), ``possible`` (what no release of a table can promise),
``plugins``, ``parameters``. Prices of cells:
``priced_column``, ``level_prices`` (on levels), ``tariff`` (for kernels). The lattice: ``node``, ``giving_up``,
``suppression_limit``. Blocks: ``cuts`` (rows sent to blocks), ``union`` (blocks joined). Who may own which record:
``consistency``, ``bundles``, ``assignment``, ``linkage``, ``printed_matches``; drawing owners: ``pieces``,
``regular_parts``. People with several rows: ``histories``, ``history_forms``, ``history_classes``, ``linked_places``.
Small things: ``arrays``, ``progress``, ``randomness``, ``side_by_side``, ``plain_numbers``, ``showing``.
"""
