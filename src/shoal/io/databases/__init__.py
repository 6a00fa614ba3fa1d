"""Tables in databases: PostgreSQL and SQLite through ADBC, DuckDB by itself. The drivers come with ``shoal[db]``."""

from __future__ import annotations

from shoal.io.databases.address import Address, address_of
from shoal.io.databases.contract import Database, Table
from shoal.io.databases.opening import check_table, read_table, rows_in, write_table

__all__ = ["Address", "Database", "Table", "address_of", "check_table", "read_table", "rows_in", "write_table"]
