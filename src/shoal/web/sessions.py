"""All sessions, isolated from each other; inactive ones are wiped after a time."""

from __future__ import annotations

import asyncio
import hmac
from hashlib import sha256
from time import monotonic

from shoal.errors import InputError
from shoal.web.folders import PrivateFolder
from shoal.web.session import Session
from shoal.web.settings import Settings

MOST = 100
"""Maximum number of concurrent sessions."""

_ROUND = 20.0
"""Maximum seconds between two clean-ups."""


class Sessions:
    """Finds the session of a cookie or an id, creates new ones, and cleans up."""

    def __init__(self, settings: Settings, folder: PrivateFolder) -> None:
        self.settings = settings
        self.cookie_name = f"shoal-{sha256(settings.token.encode()).hexdigest()[:12]}"
        self._folder = folder
        self._sessions: dict[str, Session] = {}
        self._clients: dict[str, str] = {}

    def new(self) -> Session:
        """Create a session."""
        if len(self._sessions) >= MOST:
            raise InputError(f"There are {MOST} sessions already; end some of them, or restart the workbench.")
        session = Session(self._folder.path)
        self._sessions[session.id] = session
        return session

    def of_cookie(self, said: str) -> Session | None:
        """The session with this secret, if any."""
        if not said:
            return None
        told = said.encode("utf-8", "replace")
        return next((one for one in self._sessions.values() if hmac.compare_digest(one.secret.encode(), told)), None)

    def of_id(self, said: str) -> Session | None:
        """The session with this id, if any."""
        return self._sessions.get(said)

    def hold(self, session: Session, client: str) -> None:
        """Remember that a page belongs to a session."""
        self._clients[client] = session.id

    def let_go(self, client: str) -> None:
        """Forget a page that was closed."""
        self._clients.pop(client, None)

    def owns(self, session: Session, client: str) -> bool:
        """Whether a page belongs to a session."""
        return self._clients.get(client) == session.id

    def end(self, session: Session) -> None:
        """Wipe a session."""
        self._sessions.pop(session.id, None)
        self._clients = {client: owner for client, owner in self._clients.items() if owner != session.id}
        session.wipe()

    def tidy(self) -> None:
        """Wipe sessions that have been inactive for too long and have no work in progress."""
        for session in list(self._sessions.values()):
            if not session.is_busy and monotonic() - session.touched > self.settings.keep_seconds:
                self.end(session)

    async def keep_tidy(self) -> None:
        """Clean up repeatedly until cancelled."""
        while True:
            await asyncio.sleep(min(_ROUND, self.settings.keep_seconds / 4))
            self.tidy()

    def close(self) -> None:
        """Wipe everything."""
        for session in list(self._sessions.values()):
            self.end(session)
        self._folder.wipe()
