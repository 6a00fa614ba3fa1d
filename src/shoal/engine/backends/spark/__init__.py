"""The same on a Spark cluster, which never hands the table to the driver.

Read in this order: ``anonymize_frame`` (the verbs), ``session`` with ``shuffles`` and ``class_archive`` (made by
``archived_run``), ``reading`` and ``dataframes`` (rows and columns), ``cluster`` (the backend), ``masking``,
``level_recoding`` (full domain), ``block_tasks`` and ``blocks_of_people`` (local recoding, a task a block),
``people_on_spark``, ``cell_forms``, ``folders`` (what is written). The check: ``sql``, with ``match_proofs`` and
``match_reachability`` where who fits what is promised.
"""
