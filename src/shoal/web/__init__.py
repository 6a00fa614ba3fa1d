"""The workbench: pages and a REST API on the engine. No logic of its own.

Read in this order: ``settings`` and ``access`` (who may come in), ``gate``, ``headers``, ``sign_in`` and
``idle_connections`` (what stands in front of everything), ``folders`` and ``sessions`` (where data lives, and for how
long), ``session`` with ``open_table``, ``run_list``, ``receiving`` and ``names``, ``undo`` with ``history``,
``undoable_actions`` and ``put_away_tables`` (what one user has, and does), ``projects`` and ``sealed`` (what outlives
the workbench). What is said: ``column_words``, ``job_words``, ``word_forms``, ``preparation_forms``,
``protection_forms``, ``rule_forms``, ``algorithm_forms``. The processes that do the work: ``processes`` and ``faults``,
``desk`` with ``desk_process``, ``run`` with ``run_folder`` and ``run_process``, ``tools`` with ``tool_process``,
``database_process``, ``dossier_process``. What comes of it: ``findings``, ``acceptance``, ``fixes``, ``downloads``. Two
faces of the same: ``api`` and ``pages`` (with ``assets`` and ``asset_files``); ``app`` and ``serving``.
"""
