"""Checks in front of everything: pages, sockets and API."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoal.errors import InputError
from shoal.web.access import Access, Refusal, cookie_of
from shoal.web.headers import Guarded
from shoal.web.session import Session
from shoal.web.sessions import Sessions
from shoal.web.sign_in import closed_page, entered_page, password_page

SMALL = 4 << 20
"""Maximum size in bytes of a request other than an upload."""

_SAFE = ("GET", "HEAD", "OPTIONS")

_SOCKETS = "/_nicegui_ws/"
"""Path of sockets. A page's events arrive only through its own socket, which only its owner can open."""

_PATIENCE = 30.0
"""Seconds to wait for the next piece of a request body."""


class Gate:
    """Checks host, origin, size and token of every request, and finds its session.

    Behind it, ``scope["shoal.session"]`` is the session of the cookie, or None for a program that sends the token.
    """

    def __init__(self, app: ASGIApp, access: Access, sessions: Sessions) -> None:
        self._app, self._access, self._sessions = app, access, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, refuse, or let through."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, path = Headers(scope=scope), scope["path"]
        guarded = Guarded(send, is_page=path in ("/", "/enter"), is_static=path.startswith(("/_nicegui/", "/assets/")))
        session = self._sessions.of_cookie(self._cookie(headers))
        refusal = self._refusal(scope, headers, session)
        if refusal is not None:
            return await _refused(headers, refusal)(scope, receive, guarded)
        if path == "/" and b"token=" in scope["query_string"]:
            return await (await self._enter(scope, headers, session))(scope, receive, guarded)
        if path == "/enter" and scope["method"] == "POST":
            return await (await self._enter_by_password(scope, receive, headers))(scope, receive, guarded)
        if session is None and not self._access.has_token(headers):
            return await _refused(headers, _CLOSED)(scope, receive, guarded)
        if path.startswith(_SOCKETS):
            return await _refused(headers, _NO_POLLING)(scope, receive, guarded)
        if session is not None:
            session.touch()
        limit = self._sessions.settings.upload_limit if path.startswith("/api/") else SMALL
        plain = [(name, value) for name, value in scope["headers"] if path != "/" or name != b"accept-encoding"]
        inner = {**scope, "headers": plain, "shoal.session": session, "shoal.sessions": self._sessions}
        await self._app(inner, _bounded(receive, limit), guarded)
        return None

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        session = self._sessions.of_cookie(self._cookie(headers))
        client = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("client_id", [""])[0]
        is_fine = (
            self._access.refuse_host(headers) is None
            and self._access.refuse_origin(headers, needed=True) is None
            and session is not None
            and self._sessions.owns(session, client)
        )
        if is_fine:
            return await self._app({**scope, "shoal.session": session}, receive, send)
        await receive()
        await send({"type": "websocket.close", "code": 4403})
        return None

    def _cookie(self, headers: Headers) -> str:
        return cookie_of(headers, self._sessions.cookie_name)

    def _refusal(self, scope: Scope, headers: Headers, session: Session | None) -> Refusal | None:
        by_cookie = session is not None and "authorization" not in headers
        changes = scope["method"] not in _SAFE
        if (refusal := self._access.refuse_host(headers)) is not None:
            return refusal
        if (refusal := self._access.refuse_origin(headers, needed=by_cookie and changes)) is not None:
            return refusal
        limit = self._sessions.settings.upload_limit if scope["path"].startswith("/api/") else SMALL
        return _too_large(limit) if _length(headers) > limit else None

    async def _enter(self, scope: Scope, headers: Headers, session: Session | None) -> Response:
        """Enter through the printed link: the token is moved from the URL into a cookie."""
        said = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not self._access.is_token(said):
            return _refused(headers, _CLOSED)
        if self._access.settings.password is not None:
            return HTMLResponse(password_page(said))
        return self._entered(session)

    async def _enter_by_password(self, scope: Scope, receive: Receive, headers: Headers) -> Response:
        form = parse_qs((await _body(receive)).decode("utf-8", "replace"))
        token, password = form.get("token", [""])[0], form.get("password", [""])[0]
        if self._access.settings.password is None or not self._access.is_token(token):
            return _refused(headers, _CLOSED)
        if not self._access.is_password(password):
            await asyncio.sleep(1)
            return HTMLResponse(password_page(token, "That is not the password."), 401)
        return self._entered(None)

    def _entered(self, session: Session | None) -> Response:
        try:
            session = session or self._sessions.new()
        except InputError as problem:
            return HTMLResponse(closed_page(str(problem)), 429)
        answer = HTMLResponse(entered_page())
        answer.set_cookie(
            self._sessions.cookie_name,
            session.secret,
            httponly=True,
            samesite="strict",
            secure=self._access.settings.scheme == "https",
        )
        return answer


_CLOSED = Refusal(401, "Open the workbench by the link that shoal serve printed; it contains the token.")


_NO_POLLING = Refusal(403, "Events of a page are accepted only over its own WebSocket.")


def _too_large(limit: int) -> Refusal:
    return Refusal(413, f"This is larger than the {limit / (1 << 20):,.0f} MiB that may be sent; see --upload-limit.")


def _refused(headers: Headers, refusal: Refusal) -> Response:
    if "text/html" in headers.get("accept", ""):
        return HTMLResponse(closed_page(refusal.sentence), refusal.status)
    return JSONResponse({"detail": refusal.sentence}, refusal.status)


def _length(headers: Headers) -> int:
    said = headers.get("content-length", "0")
    return int(said) if said.isascii() and said.isdigit() else 0


class RequestTooLarge(Exception):
    """The body is larger than announced, or than allowed."""


class TooSlow(Exception):
    """The body stopped arriving before its end."""


def _bounded(receive: Receive, limit: int) -> Receive:
    """Limit the number of bytes received, and the pauses between them."""
    got, is_whole = 0, False

    async def bounded() -> Message:
        nonlocal got, is_whole
        try:
            message: dict[str, Any] = dict(await asyncio.wait_for(receive(), None if is_whole else _PATIENCE))
        except TimeoutError:
            raise TooSlow("The request ended before it was complete.") from None
        is_whole = not message.get("more_body")
        got += len(message.get("body", b""))
        if got > limit:
            raise RequestTooLarge(_too_large(limit).sentence)
        return message

    return bounded


async def _body(receive: Receive) -> bytes:
    """Receive a small body within a fixed time; return what has arrived by then."""
    body, bounded = b"", _bounded(receive, SMALL)
    with contextlib.suppress(TimeoutError, RequestTooLarge, TooSlow):
        async with asyncio.timeout(_PATIENCE):
            is_whole = False
            while not is_whole:
                message = await bounded()
                body += message.get("body", b"")
                is_whole = not message.get("more_body")
    return body
