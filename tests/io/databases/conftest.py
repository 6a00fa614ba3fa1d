"""One PostgreSQL server for all tests of a process, and what to put into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support import postgres

Execute = Callable[..., list[Any]]


@pytest.fixture(scope="session")
def _server() -> Iterator[str]:
    pytest.importorskip("adbc_driver_postgresql", reason="the db extra is not installed")
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with postgres.server() as address:
        yield address


@pytest.fixture
def address(_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """``postgresql://owner@host:port/postgres``, the password being in the environment."""
    monkeypatch.setenv("PGPASSWORD", postgres.PASSWORD)
    return f"postgresql://owner@{_server}/postgres"


@pytest.fixture
def execute(address: str) -> Iterator[Execute]:
    """Runs SQL and gives back its rows; every table and role that a test makes is gone afterwards."""
    from adbc_driver_postgresql import dbapi

    own = address.replace("owner@", f"owner:{postgres.PASSWORD}@")

    def run(*statements: str) -> list[Any]:
        rows: list[Any] = []
        with dbapi.connect(own, autocommit=True) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
                rows = cursor.fetchall() if cursor.description else []
        return rows

    yield run
    run("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
