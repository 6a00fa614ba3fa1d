"""Reports as text, JSON and HTML with plots.

Read in this order: ``summary`` (the numbers, collected once) with ``risk``, ``before_after`` and ``as_it_is``;
``published`` (what the public edition contains, and why). Wording: ``figures`` (numbers), ``wording``. Tables and
pages: ``grids``, ``markup``, ``sections``, ``html_edition``, ``text_edition``, ``json_edition``. Plots: ``svg``,
``risk_plot``, ``class_size_plot``, ``loss_plot``. Other reports: ``audit_grids``, ``audit_wording`` and
``audit_editions``; ``comparison``, ``solutions``, ``usefulness_page``, ``inspection``, ``pattern_list``,
``column_counts``; ``dossier``, which a board signs.

Each report has an internal and a public edition. Import from the modules: this package imports nothing, so that a
command only loads the modules it needs.
"""
