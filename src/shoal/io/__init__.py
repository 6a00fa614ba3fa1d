"""Reading tables from files, frames and databases, and writing releases: the only package where labels are strings.

Read in this order. Locations of tables: ``location`` (what users write), ``place`` (read, check, write, show, record),
``databases``, ``stores``. Reading: ``read``, ``csv_dialect``, ``csv_encoding`` and ``csv_read``, ``arrow_read``,
``excel_read``, ``stats_read``, ``frames``, ``column_rules`` (requirements for every table), ``table_file`` (rows in
batches). Interpreting values: ``written_values`` with ``written_dates``, ``lookalike_values``, ``kinds``,
``dictionaries`` and ``domains``, ``hierarchies``, ``people``, ``encode`` (puts them together into a coded table).
Before that: ``inspect``, ``preparation``, ``masking``. Writing: ``labels``, ``cell_forms``, ``text_layout``,
``formula``, ``write`` with ``csv_write``, ``excel_write``, ``stats_write`` and ``appending``, ``atomic`` and
``transaction`` (all or nothing), ``locking``, ``read_back`` and ``fingerprint`` (was everything written?). Reading
releases: ``label_grammar``, ``label_reader``, ``read_cells``, ``read_release``. Unintended disclosure:
``published_as_is``, ``undoing``, ``metadata_leaks`` with ``metadata_leaks_frame``. The example data: ``example`` with
``example_country``, ``example_jobs``, ``example_diagnoses``, ``example_random`` and ``example_visits``. ``toml`` writes
job files.
"""
