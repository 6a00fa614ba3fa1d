"""Numbers to text, JSON and HTML with plots.

Read in this order: ``summary`` (the numbers, gathered once) with ``risk``, ``worst_groups``, ``as_it_is`` and
``labels``; ``published`` (what the public edition holds, and why). Words: ``figures`` (numbers), ``wording``,
``promise_meaning``, ``verdicts``. Tables and pages: ``grids``, ``markup``, ``sections``, ``html_edition``,
``text_edition``, ``json_edition``. Plots: ``svg``, ``risk_plot``, ``class_size_plot``, ``loss_plot``, ``form_plot``.
Other reports: ``audit_grids``, ``audit_wording``, ``audit_sections`` and ``audit_editions``; ``before_after``,
``comparison``, ``solutions``, ``usefulness_page``, ``inspection``, ``pattern_list``, ``column_counts``; ``dossier``,
what a board signs.

Each edition comes in two forms: internal, and public. Import from the modules: this package imports nothing, so that a
command that needs one of them does not pay for all.
"""
