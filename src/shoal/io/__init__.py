"""Files, frames and databases in, publications out: the only room where labels are strings.

Read in this order. Where tables are: ``location`` (what users write), ``place`` (read, check, write, show, record),
``databases``, ``stores``. Reading: ``read``, ``csv_dialect``, ``csv_encoding`` and ``csv_read``, ``text_types``,
``arrow_read`` with ``parquet_size``, ``excel_read``, ``stats_read``, ``regular_file``, ``frames``, ``column_rules``
(what every table must be), ``table_file`` (rows in batches). What values mean: ``written_values`` with
``written_dates`` and ``written_numbers``, ``lookalike_values``, ``kinds``, ``dictionaries`` and ``domains``,
``hierarchies``, ``people``, ``sample_weights``, ``encode`` (all of it: a coded table). Before that: ``inspect``,
``preparation``, ``masking``. Out again: ``labels``, ``cell_forms``, ``text_layout``, ``formula``, ``stripped_copy``,
``write`` with ``csv_write``, ``excel_write``, ``stats_write`` and ``appending``, ``atomic`` and ``transaction`` (all or
nothing), ``locking``, ``read_back`` and ``fingerprint`` (is it there?). Reading releases: ``label_grammar``,
``label_reader`` and ``plain_labels``, ``read_cells``, ``read_release``. What gives more away than was meant:
``published_as_is``, ``undoing``, ``metadata_leaks`` with ``metadata_leaks_arrow``, ``metadata_leaks_excel`` and
``metadata_leaks_frame``. The example: ``example`` with ``example_country``, ``example_jobs``, ``example_diagnoses``,
``example_random`` and ``example_visits``. ``toml`` writes job files.
"""
