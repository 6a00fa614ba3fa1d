"""The secret key for pseudonyms and shifted dates, in a separate file that only its owner may read."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from shoal.errors import InputError
from shoal.io.atomic import reason, sync

_DIGITS = 64


@dataclass(frozen=True)
class SecretKey:
    """256 random bits. They are never written to the run record or a report."""

    path: Path
    bits: bytes = field(repr=False)
    is_new: bool = False

    @classmethod
    def at(cls, path: Path) -> SecretKey:
        """Read the key from a file; if there is none, generate a key for ``save`` to write.

        Raises:
            InputError: the file is not a key, or others may read it.
        """
        path = path.expanduser()
        try:
            mode, text = path.stat().st_mode, path.read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            return cls(path, secrets.token_bytes(_DIGITS // 2), is_new=True)
        except OSError as problem:
            raise InputError(f"The key file {str(path)!r} cannot be read: {problem.strerror}.") from None
        if os.name != "nt" and mode & 0o077:
            raise InputError(f"Others may read the key file {str(path)!r}; make it yours alone first: chmod 600 {path}")
        if not re.fullmatch(rf"[0-9a-f]{{{_DIGITS}}}", text):
            raise InputError(
                f"{str(path)!r} is not a key file: it must hold {_DIGITS} hexadecimal digits. Name a file that does "
                "not exist, and a key is created there."
            )
        return cls(path, bytes.fromhex(text))

    def save(self) -> None:
        """Write a new key, readable only by its owner from the start; an existing one is left unchanged.

        Raises:
            InputError: it cannot be written, or another process has created a key there meanwhile.
        """
        if not self.is_new:
            return
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(self.bits.hex() + "\n")
            sync(self.path)
            sync(self.path.parent)
        except FileExistsError:
            raise InputError(
                f"{str(self.path)!r} was created by another program during the run; run again to use the key in it."
            ) from None
        except OSError as problem:
            raise InputError(f"The key cannot be written to {str(self.path)!r}: {reason(problem)}.") from None

    def digest(self, purpose: str, text: str) -> bytes:
        """HMAC-SHA256 of a text; different purposes give unrelated digests."""
        return hmac.digest(self.bits, f"shoal {purpose}\0{text}".encode(), hashlib.sha256)
