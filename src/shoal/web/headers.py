"""Security headers of every response."""

from __future__ import annotations

import secrets

from starlette.types import Message, Send

_COMMON = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
"""The policy for everything that is not a page of the workbench."""


def page_policy(nonce: str) -> str:
    """Allow scripts from here or with the nonce, no evaluated text, and no connections to other hosts.

    Inline styles are allowed, because NiceGUI's components position elements with them.
    """
    return (
        f"default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )


class Guarded:
    """Sends a response with the headers; a page is held back until it is complete and its scripts have the nonce."""

    def __init__(self, send: Send, *, is_page: bool, is_static: bool) -> None:
        self._send = send
        self._is_page, self._is_static = is_page, is_static
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        """Process one message of the response."""
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif self._start is not None:
            await self._collect(message)
        else:
            await self._send(message)

    async def _begin(self, message: Message) -> None:
        kind = next((value for name, value in message["headers"] if name.lower() == b"content-type"), b"")
        if self._is_page and kind.startswith(b"text/html"):
            self._start = message
            return
        await self._send({**message, "headers": _with(message["headers"], self._common(NOTHING))})

    async def _collect(self, message: Message) -> None:
        self._body += message.get("body", b"")
        if message.get("more_body") or self._start is None:
            return
        nonce = secrets.token_urlsafe(18)
        body = self._body.replace(b"<script", f'<script nonce="{nonce}"'.encode())
        headers = [(name, value) for name, value in self._start["headers"] if name.lower() != b"content-length"]
        more = {**self._common(page_policy(nonce)), "content-length": str(len(body))}
        await self._send({**self._start, "headers": _with(headers, more)})
        await self._send({"type": "http.response.body", "body": body})

    def _common(self, policy: str) -> dict[str, str]:
        fresh = {} if self._is_static else {"cache-control": "no-store"}
        return {**_COMMON, **fresh, "content-security-policy": policy}


def _with(headers: list[tuple[bytes, bytes]], more: dict[str, str]) -> list[tuple[bytes, bytes]]:
    ours = {name.encode(): value.encode() for name, value in more.items()}
    return [(name, value) for name, value in headers if name.lower() not in ours] + [*ours.items()]
