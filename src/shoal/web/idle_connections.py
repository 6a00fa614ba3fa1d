"""Closing idle connections, so that half-open ones cannot accumulate."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

PATIENCE = 30.0
"""Seconds that a connection may stay open without a complete request."""

_ROUND = 2.0
"""Seconds between two checks."""


class IdleConnections:
    """Closes connections on which no complete request headers arrive in time.

    The server itself only measures the time after a response. A connection that is being answered is left alone, and so
    are sockets, which have their own pings.
    """

    def __init__(self, connections: set[Any], patience: float = PATIENCE) -> None:
        self._connections, self._patience = connections, patience
        self._since: dict[Any, tuple[Any, float]] = {}

    async def keep_closing(self) -> None:
        """Check repeatedly until cancelled."""
        while True:
            await asyncio.sleep(min(_ROUND, self._patience / 4))
            self.close_idle(monotonic())

    def close_idle(self, now: float) -> None:
        """Check once."""
        waiting = {one: one.cycle for one in list(self._connections) if _is_waiting(one)}
        self._since = {one: self._begun(one, cycle, now) for one, cycle in waiting.items()}
        for one, (_, since) in self._since.items():
            if now - since > self._patience:
                one.transport.close()

    def _begun(self, connection: Any, cycle: Any, now: float) -> tuple[Any, float]:
        """The last request, and the time since which nothing has followed it."""
        before = self._since.get(connection)
        return before if before is not None and before[0] is cycle else (cycle, now)


def _is_waiting(connection: Any) -> bool:
    """Whether this is an HTTP connection on which no request is being answered."""
    if not hasattr(connection, "cycle") or connection.transport is None:
        return False
    return connection.cycle is None or bool(connection.cycle.response_complete)
