"""A relation of DuckDB is taken as a frame, without a copy, and an Arrow table comes back that DuckDB can query."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import shoal
from shoal.io.frames import to_polars

duckdb = pytest.importorskip("duckdb", reason="the db extra is not installed: pip install 'shoal[db]'")

PEOPLE = "SELECT 'P' || i AS name, 20 + i % 4 AS age, i % 2 = 0 AS smokes FROM range(40) numbers(i)"


def test_a_relation_goes_in_and_an_arrow_table_comes_out() -> None:
    database = duckdb.connect()
    made = shoal.anonymize(
        database.sql(PEOPLE), quasi_identifiers=["age", "smokes"], identifiers=["name"], privacy={"k": 5}, quick=True
    )
    published = made.to_frame()
    assert isinstance(published, pa.Table)
    [(least,)] = database.sql("SELECT min(n) FROM (SELECT count(*) AS n FROM published GROUP BY ALL)").fetchall()
    assert least >= 5


def test_whatever_gives_an_arrow_stream_is_not_copied() -> None:
    class Stream:
        def __init__(self, table: pa.Table) -> None:
            self._table = table

        def __arrow_c_stream__(self, requested: object = None) -> object:
            return self._table.__arrow_c_stream__(requested)

    table = pa.table({"age": pa.array(range(1000), pa.int64()), "cost": pa.array([0.5] * 1000)})
    frame, restore = to_polars(Stream(table))
    for name in frame.columns:
        assert frame[name].to_numpy().__array_interface__["data"][0] == table[name].chunk(0).buffers()[1].address
    restored: Any = restore(frame)
    assert restored["age"].chunk(0).buffers()[1].address == table["age"].chunk(0).buffers()[1].address


def test_identifiers_of_a_relation_do_not_come_back() -> None:
    database = duckdb.connect()
    with pytest.raises(shoal.InputError, match="'name', which looks like an identifier"):
        shoal.anonymize(database.sql(PEOPLE), quasi_identifiers=["age", "smokes"], privacy={"k": 5})
