"""Where a run takes place: in memory, on disk within a memory limit, or on a Spark cluster.

Read in this order. ``contract`` (the interface of backends, and ``Outcome``), ``running`` (settings → plan → backend →
outcome, the same for all). In memory: ``memory``. If rows come in pieces: ``pieces`` (what disk and Spark share: learn
the columns, plan, search or cut into blocks), ``coded_columns`` (columns known by their values), ``levels`` (the
full-domain search on counts), ``checked_table`` (one block: run, check, print), ``colliding_blocks`` (blocks that are
judged together), ``people_blocks`` (people with all their rows). On disk: ``anonymize_file``, ``disk``,
``disk_release`` (the files until they get their final names), ``memory_limit``, ``row_files`` (blocks and shards),
``packing`` (rows packed into words and counted), ``people_on_disk``, ``forms_on_disk``, ``written_file`` (the check of
the written file). On Spark: ``spark``.
"""
