"""The main functions: inspect, anonymize, apply, verify, audit, run a job.

Read in this order. Settings: ``words`` (what a setting is), ``vocabulary`` (all of them), ``deprecation``, ``job`` and
``script`` (settings in a file), ``file_formats``. From settings to a plan: ``source`` (the table),
``algorithm_choice``, ``automatic`` (what "auto" runs), ``preparing``, ``policy`` with ``policy_job``,
``whole_histories``, ``plan``; where it runs: ``backends``. Anonymizing: ``anonymizing``; ``release_check`` and
``written_check`` (the two checks), ``verified_release`` and ``result`` (what is returned), ``forms_of_cells``,
``missing_codes``, ``missing_hierarchies``; ``targets`` and ``writing`` (all files or none), ``record``,
``datapackage``, ``dossier``. Before it: ``inspecting`` with ``suggested_job``, ``listing_patterns``, ``comparing`` with
``comparison_trial``. After it: ``verifying`` with ``release_as_read``, ``record_people`` and ``verification_text``;
``auditing`` with ``audit_inputs``, ``auditing_result``, ``rerunning``, ``undone_preparation`` and ``sample_risks``;
``release_findings``; ``usefulness`` with ``form_analyses``; ``reading_release``; ``applying`` with ``saved_recoding``
and ``held_rows``. Several tables: ``linked``. For the workbench: ``desk``, ``preview``, ``solution_space``,
``table_page``, ``compared_rows``, ``column_changes``, ``run_view``, ``outcome_view``. Waiting times:
``notebook_progress``, ``warming`` with ``compile_part``.
"""
