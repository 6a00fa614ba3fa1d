"""Connections on which no request ever ends are closed; those that are used are left alone."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from shoal.web import gate
from shoal.web.gate import TooSlow, _body, _bounded
from shoal.web.serving import IdleConnections

HALVES = [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n"]
"""Nothing, half a line, headers without an end, and a second request that does not end."""


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await Request(scope, receive).body()
        await PlainTextResponse("fine")(scope, receive, send)


@pytest.mark.parametrize("protocol", ["h11", "httptools"])
@pytest.mark.parametrize("half", HALVES)
def test_a_half_open_connection_is_closed(protocol: str, half: bytes) -> None:
    async def talk() -> bytes:
        config = uvicorn.Config(_app, port=0, http=protocol, lifespan="off", log_config=None)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        closing = asyncio.create_task(IdleConnections(server.server_state.connections, 0.2).keep_closing())
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(half)
        try:
            return await asyncio.wait_for(reader.read(), 20)
        finally:
            writer.close()
            closing.cancel()
            server.should_exit = True
            await serving

    assert asyncio.run(talk()).count(b"fine") == half.count(b"\r\n\r\n")


def connection(cycle: Any) -> Any:
    closed: list[bool] = []
    transport = SimpleNamespace(close=lambda: closed.append(True))
    return type("Connection", (), {"cycle": cycle, "transport": transport, "closed": closed})()


def test_a_connection_that_is_answered_or_used_again_is_left_alone() -> None:
    done, under_way = SimpleNamespace(response_complete=True), SimpleNamespace(response_complete=False)
    answered, used, socket = connection(under_way), connection(done), SimpleNamespace(transport=None)
    idle = IdleConnections({answered, used, type("Socket", (), vars(socket))()}, 10.0)
    for now in (0.0, 8.0, 16.0, 24.0):
        idle.close_idle(now)
        used.cycle = SimpleNamespace(response_complete=True)
    assert not answered.closed
    assert not used.closed
    idle.close_idle(30.0)
    idle.close_idle(41.0)
    assert used.closed


def test_a_body_that_stops_coming_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_PATIENCE", 0.05)
    pieces = [{"type": "http.request", "body": b"a", "more_body": True}]

    async def receive() -> Any:
        return pieces.pop() if pieces else await asyncio.sleep(60)

    async def read() -> None:
        bounded = _bounded(receive, 100)
        assert (await bounded())["body"] == b"a"
        with pytest.raises(TooSlow):
            await bounded()

    asyncio.run(read())
    assert asyncio.run(_body(receive)) == b""
