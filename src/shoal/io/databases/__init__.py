"""Tables in databases: PostgreSQL and SQLite through ADBC, DuckDB through its own library (extra ``shoal[db]``).

Read in this order: ``address`` (what users write), ``contract``, ``opening``, then one file per database: ``postgres``,
``sqlite``, ``duck``; ``faults`` rewords the drivers' errors.
"""

from __future__ import annotations

from shoal.io.databases.address import Address, address_of
from shoal.io.databases.contract import Database, FetchedTable
from shoal.io.databases.opening import check_table, read_table, rows_in, write_table

__all__ = ["Address", "Database", "FetchedTable", "address_of", "check_table", "read_table", "rows_in", "write_table"]
