"""Access control: host, origin, token, password."""

from __future__ import annotations

import hmac
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

from shoal.web.settings import Settings, is_address

_MOST_FAILURES, _WINDOW = 10, 60.0
"""After this many wrong passwords within this many seconds, nobody is let in for a while."""


@dataclass(frozen=True)
class Refusal:
    """Why a request is refused: the status, and a sentence that reveals nothing about any data."""

    status: int
    sentence: str


@dataclass
class Access:
    """Accepts or refuses requests by their headers alone."""

    settings: Settings
    _failures: deque[float] = field(default_factory=deque)

    def refuse_host(self, headers: Mapping[str, str]) -> Refusal | None:
        """Refuse a host name that is not ours: somebody else's name server may point it here."""
        host = host_of(headers.get("host", ""))
        known = {"localhost", "127.0.0.1", "[::1]", self.settings.host, *self.settings.names}
        if host in known or (self.settings.is_remote and is_address(host)):
            return None
        return Refusal(400, "The workbench is not served under this host name.")

    def refuse_origin(self, headers: Mapping[str, str], *, needed: bool) -> Refusal | None:
        """Refuse another site's page that talks to the workbench through its user's browser."""
        origin = headers.get("origin")
        if origin is None:
            is_foreign = headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
            is_visit = headers.get("sec-fetch-mode") == "navigate"
            if needed or (is_foreign and not is_visit):
                return Refusal(403, "Requests from other sites are refused.")
            return None
        if origin != f"{self.settings.scheme}://{headers.get('host', '')}":
            return Refusal(403, "Requests from other sites are refused.")
        return None

    def has_token(self, headers: Mapping[str, str]) -> bool:
        """Whether a program sends the token, and the password if one is needed."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not self.is_token(token.strip()):
            return False
        return self.settings.password is None or self.is_password(headers.get("x-shoal-password", ""))

    def is_token(self, said: str) -> bool:
        """Whether this is the token; compared in constant time."""
        return hmac.compare_digest(said.encode(), self.settings.token.encode())

    def is_password(self, said: str) -> bool:
        """Whether this is the password, in constant time; after too many failures none is accepted for a minute."""
        now = time.monotonic()
        while self._failures and now - self._failures[0] > _WINDOW:
            self._failures.popleft()
        if len(self._failures) >= _MOST_FAILURES:
            return False
        is_right = hmac.compare_digest(said.encode(), (self.settings.password or "").encode())
        if not is_right:
            self._failures.append(now)
        return is_right


def host_of(header: str) -> str:
    """The name in a Host header, without its port.

    >>> host_of("localhost:80"), host_of("[::1]:80")
    ('localhost', '[::1]')
    """
    if header.startswith("["):
        return header.partition("]")[0] + "]"
    return header.partition(":")[0].lower()


def cookie_of(headers: Mapping[str, str], name: str) -> str:
    """The value of a cookie; empty if it is not set."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""
