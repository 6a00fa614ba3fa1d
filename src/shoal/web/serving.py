"""Serve the workbench until Ctrl-C; idle connections are closed, so that half-open ones cannot accumulate."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
import traceback
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import uvicorn

from shoal.errors import InputError
from shoal.io.write import write_private
from shoal.web.app import create_app
from shoal.web.folders import PrivateFolder
from shoal.web.settings import Settings
from shoal.web.sign_in import leading_page

_PATIENCE = 30.0
"""Seconds that a connection may stay open without a complete request."""

_ROUND = 2.0
"""Seconds between two checks."""


def serve(settings: Settings, tell: Callable[[str], None], *, open_browser: bool = True) -> None:
    """Listen, show the link, and serve until interrupted; then wipe the private folder.

    Raises:
        InputError: the workbench cannot listen on this address.
    """
    be_discreet()
    listener = _listener(settings)
    settings = replace(settings, port=listener.getsockname()[1])
    folder = PrivateFolder()

    def ready() -> None:
        tell(link(settings))
        if open_browser:
            _open_by(folder.path, link(settings))

    try:
        server = _Server(_config(settings, folder), ready)
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(server.serve(sockets=[listener]))
    finally:
        folder.wipe()


def link(settings: Settings) -> str:
    """The URL to open, with the token."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104 (compared, not bound)
    host = f"[{host}]" if ":" in host else host
    return f"{settings.scheme}://{host}:{settings.port}/?token={settings.token}"


class _Server(uvicorn.Server):
    """Reports when it is ready, and closes idle connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._closing: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then report."""
        await super().startup(sockets)
        self._closing = asyncio.create_task(IdleConnections(self.server_state.connections).keep_closing())
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop closing idle connections, and close all."""
        if self._closing is not None:
            self._closing.cancel()
        await super().shutdown(sockets)


def _open_by(folder: Path, address: str) -> None:
    """Open the browser with a private file that redirects, so that no process list shows the token."""
    page = folder / "open.html"
    write_private(leading_page(address), page)
    webbrowser.open(page.as_uri())


def _config(settings: Settings, folder: PrivateFolder) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(settings, folder),
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=int(_PATIENCE),
        timeout_graceful_shutdown=2,
        ws_max_size=4 << 20,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.key,
    )


def _listener(settings: Settings) -> socket.socket:
    """Open a socket on the address."""
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as problem:
        listener.close()
        raise InputError(
            f"Cannot listen on {settings.host} port {settings.port}: {(problem.strerror or str(problem)).lower()}; "
            "give another with --host or --port."
        ) from None
    return listener


LOGGERS = ("nicegui", "uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "fastapi", "engineio", "socketio")


class Discreet(logging.Formatter):
    """Logs error types and code positions only; messages and values are left out, as they may contain data."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and one for each step of a traceback."""
        said = f"{record.levelname}: {record.name} at {record.module}:{record.lineno}"
        if not record.exc_info or record.exc_info[1] is None:
            return said
        problem = record.exc_info[1]
        last = traceback.extract_tb(problem.__traceback__)[-12:]
        steps = [f"  {Path(step.filename).name}:{step.lineno} {step.name}" for step in last]
        return "\n".join([f"{said}: {type(problem).__name__}", *steps])


def be_discreet() -> None:
    """Format the servers' logs with the discreet formatter, from warnings on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Discreet())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").disabled = True


class IdleConnections:
    """Closes connections on which no complete request headers arrive in time.

    The server itself only measures the time after a response. A connection that is being answered is left alone, and so
    are sockets, which have their own pings.
    """

    def __init__(self, connections: set[Any], patience: float = _PATIENCE) -> None:
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
