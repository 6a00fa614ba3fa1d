"""The workbench: pages and a REST API on top of the engine, without algorithms of its own.

Read in this order: ``settings`` and ``access`` (who is let in), ``gate``, ``headers`` and ``sign_in`` (in front of
everything else), ``folders`` and ``sessions`` (where data is kept, and how long), ``session`` with ``tables``,
``run_list``, ``receiving`` and ``names``, ``undo`` with ``history`` (one user's data and actions), ``projects`` and
``sealed`` (what outlives the workbench). Settings and forms: ``column_words``, ``job_words``, ``word_forms``,
``preparation_forms``, ``protection_forms``, ``rule_forms``, ``algorithm_forms``. The processes that do the work:
``processes``, ``desk`` with ``desk_process``, ``run`` with ``run_folder`` and ``run_process``, ``tools`` with
``tool_process``, ``export_process``. Results: ``findings``, ``fixes``, ``downloads``. The two interfaces: ``api`` and
``pages`` (with ``assets`` and ``asset_files``); ``app`` and ``serving``.
"""
