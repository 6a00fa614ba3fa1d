"""Settings of the workbench server."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from shoal.errors import InputError

MEBI = 1 << 20


@dataclass(frozen=True)
class Settings:
    """Where to listen, who has access, and how much data is kept for how long.

    Args:
        host: the address to listen on.
        port: the port; 0 takes a free one.
        allow_remote: whether listening on an address other than the machine's own is intended.
        password: what users of other machines must know besides the token.
        names: host names, besides addresses, under which the workbench is reached.
        upload_limit: maximum size of an upload in bytes.
        keep_seconds: sessions that have been inactive for this long are wiped.
        token: the random token in the printed link.
        certificate: a file with the certificate for HTTPS, with ``key``.
        key: the file with its key.
        projects: the folder for encrypted projects; by default in the user's data folder.
    """

    host: str = "127.0.0.1"
    port: int = 0
    allow_remote: bool = False
    password: str | None = field(default=None, repr=False)
    names: tuple[str, ...] = ()
    upload_limit: int = 1024 * MEBI
    keep_seconds: float = 8 * 3600.0
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    certificate: str | None = None
    key: str | None = None
    projects: Path | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.port < 65536:
            raise InputError(f"The port must be between 0 and 65535, got {self.port}.")
        if self.upload_limit < 1 or not self.keep_seconds > 0:
            raise InputError("The upload limit and the time to keep sessions must be above 0.")
        if (self.certificate is None) != (self.key is None):
            raise InputError("HTTPS needs both a certificate and its key; give both or none.")
        if self.is_remote:
            self._check_remote()

    @property
    def is_remote(self) -> bool:
        """Whether other machines can reach the workbench."""
        return not is_loopback(self.host)

    @property
    def scheme(self) -> str:
        """http or https."""
        return "https" if self.certificate else "http"

    def _check_remote(self) -> None:
        if not self.allow_remote:
            raise InputError(
                f"The address {self.host!r} can be reached from other machines; add --allow-remote if you want that."
            )
        if not self.password or len(self.password) < 12:
            raise InputError(
                "Serving other machines needs a password of at least 12 characters; set it in SHOAL_PASSWORD."
            )


def is_loopback(host: str) -> bool:
    """Whether an address is the machine's own.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_address(host: str) -> bool:
    """Whether a host is an IP address, which no foreign name server can redirect."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
