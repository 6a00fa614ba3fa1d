"""Files that can be read only with a passphrase, and not changed unnoticed. Uses only the standard library and NumPy.

A key is derived from the passphrase by scrypt. Bytes are combined with a key stream of SHAKE-256, keyed, with a fresh
nonce, piece by piece; an HMAC-SHA-256 over everything is verified before any of it is decrypted (encrypt, then
authenticate). Time and file size are linear in the bytes; memory is that of one piece.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from shoal.errors import InputError

LEAST = 8
"""Minimum length of a passphrase."""

_MAGIC = b"shoal sealed 1\n"
_SALT, _TAG, _PIECE = 16, 32, 1 << 22


def seal(source: Path, target: Path, passphrase: str) -> None:
    """Encrypt ``source`` into ``target``, which only its owner may read."""
    if len(passphrase) < LEAST:
        raise InputError(f"A passphrase needs at least {LEAST} characters.")
    salt, nonce = os.urandom(_SALT), os.urandom(_SALT)
    cipher, mac = _keys(passphrase, salt)
    fresh = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with source.open("rb") as plain, os.fdopen(handle, "wb") as sealed:
            seen = hmac.new(mac, digestmod="sha256")
            for piece in (_MAGIC, salt, nonce):
                _write(sealed, piece, seen)
            for number, piece in enumerate(_pieces(plain)):
                _write(sealed, _mixed(piece, cipher, nonce, number), seen)
            sealed.write(seen.digest())
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def unseal(source: Path, target: Path, passphrase: str) -> None:
    """Decrypt ``source`` into ``target``, if the passphrase is right and the file unchanged."""
    size = source.stat().st_size - len(_MAGIC) - 2 * _SALT - _TAG
    with source.open("rb") as sealed:
        head = sealed.read(len(_MAGIC) + 2 * _SALT)
        if size < 0 or not head.startswith(_MAGIC):
            raise InputError("This file is not a project of the workbench.")
        salt, nonce = head[len(_MAGIC) : -_SALT], head[-_SALT:]
        cipher, mac = _keys(passphrase, salt)
        seen = hmac.new(mac, head, "sha256")
        for piece in _pieces(sealed, size):
            seen.update(piece)
        if not hmac.compare_digest(seen.digest(), sealed.read(_TAG)):
            raise InputError("The passphrase is wrong, or the file was changed.")
        sealed.seek(len(head))
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as plain:
            for number, piece in enumerate(_pieces(sealed, size)):
                plain.write(_mixed(piece, cipher, nonce, number))


def _keys(passphrase: str, salt: bytes) -> tuple[bytes, bytes]:
    """Derive one key to encrypt and one to authenticate. Deliberately takes a tenth of a second."""
    both = hashlib.scrypt(passphrase.encode(), salt=salt, n=1 << 15, r=8, p=1, maxmem=1 << 26, dklen=64)
    return both[:32], both[32:]


def _mixed(piece: bytes, key: bytes, nonce: bytes, number: int) -> bytes:
    stream = hashlib.shake_256(key + nonce + number.to_bytes(8, "big")).digest(len(piece))
    return (np.frombuffer(piece, np.uint8) ^ np.frombuffer(stream, np.uint8)).tobytes()


def _pieces(file: BinaryIO, size: int | None = None) -> Iterator[bytes]:
    left = size
    while piece := file.read(_PIECE if left is None else min(_PIECE, left)):
        left = None if left is None else left - len(piece)
        yield piece


def _write(file: BinaryIO, piece: bytes, seen: hmac.HMAC) -> None:
    seen.update(piece)
    file.write(piece)
