"""Where a run takes place: in memory, on disk within a memory limit, or on a Spark cluster.

Read in this order. ``contract`` (what a run asks of a backend, and the one ``Outcome``), ``running`` (words → plan →
backend → outcome, the same for all). In memory: ``memory``. Where rows come in pieces: ``pieces`` (what disk and Spark
share: learn the columns, plan, search or cut into blocks), ``columns`` (columns known by their values), ``levels`` (the
full-domain search on counts), ``blocks`` (one block: run, check, print). On disk: ``anonymize_file``, ``disk``,
``disk_release`` (what is written until it takes its name), ``memory_limit``, ``row_files`` (blocks and shards),
``packing`` (rows counted as words), ``written_file`` (the check of what was written). On Spark: ``spark``.
"""
