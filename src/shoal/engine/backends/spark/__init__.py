"""The backend on a Spark cluster; the table never comes to the driver.

Read in this order: ``anonymize_frame`` (the public functions), ``session`` with ``class_archive``
(made by ``archived_run``), ``reading`` and ``dataframes`` (rows and columns), ``cluster`` (the backend), ``masking``,
``level_recoding`` (full domain), ``block_tasks`` (local recoding, one task per block),
``people_on_spark``, ``cell_forms``. The check: ``sql``, with ``match_proofs``
for models about which rows fit which records.
"""
