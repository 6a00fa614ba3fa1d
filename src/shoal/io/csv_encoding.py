"""Detecting the encoding of a text, and converting it to UTF-8 piece by piece."""

from __future__ import annotations

import codecs
import io
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO

from shoal.errors import InputError

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks and their encodings; the longer ones first."""

FALLBACK = "cp1252"
"""The encoding assumed for text that is not UTF-8: the Western Windows code page, and with it ISO 8859-1."""

STEP = 1 << 20


def to_utf8(data: bytes, encoding: str | None, name: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a text as UTF-8 without byte-order mark and leading blank lines, and remarks on how it was read.

    Raises:
        InputError: as ``find_encoding`` and ``utf8_pieces``.
    """
    file = io.BytesIO(data)
    found, notes = find_encoding(file, encoding)
    if encoding is None and found == "utf-8" and not data.startswith((codecs.BOM_UTF8, b"\r", b"\n")):
        _refuse_nul(name, has_nul=0 in data)  # all of it has been checked to be UTF-8
        return data, notes
    return b"".join(utf8_pieces(file, found, name)), notes


def find_encoding(file: BinaryIO, encoding: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the encoding of an open file, and remarks. O(bytes).

    If none is given, a byte-order mark decides, then whether the bytes are valid UTF-8; anything else is read as
    cp1252, with a remark.

    Raises:
        InputError: the encoding is unknown.
    """
    if encoding is not None:
        try:
            " ".encode(encoding)
            codecs.getincrementaldecoder(encoding)
        except (LookupError, ValueError):
            raise InputError(f"The encoding {encoding!r} is not known; try utf-8, cp1252 or utf-16.") from None
        return encoding, ()
    start = file.read(4)
    file.seek(0)
    for mark, marked in MARKS:
        if start.startswith(mark):
            return marked, () if marked == "utf-8" else (f"read as {marked.upper()} because of its byte-order mark",)
    try:
        deque(codecs.iterdecode(iter(lambda: file.read(STEP), b""), "utf-8"), maxlen=0)
    except UnicodeDecodeError:
        return FALLBACK, (f"read as {FALLBACK} because it is not UTF-8",)
    finally:
        file.seek(0)
    return "utf-8", ()


def utf8_pieces(file: BinaryIO, encoding: str, name: str) -> Iterator[bytes]:
    """Yield the text as UTF-8, without byte-order mark and leading blank lines. O(bytes).

    Raises:
        InputError: the encoding does not fit, or the text holds NUL characters.
    """
    is_utf8, at_start, place, has_nul = codecs.lookup(encoding).name == "utf-8", True, 0, False
    decoder, following = codecs.getincrementaldecoder(encoding)(), file.read(STEP)
    while piece := following:
        following, pending = file.read(STEP), len(decoder.getstate()[0])
        try:
            text = decoder.decode(piece, final=not following)
        except UnicodeError as error:
            bad = place - pending + int(getattr(error, "start", 0)) + 1
            raise InputError(
                f"{name} is not in {encoding} (byte {bad:,} does not fit); name the encoding it is in."
            ) from None
        place += len(piece)
        found = piece if is_utf8 else text.encode()
        has_nul = has_nul or 0 in found
        if at_start:
            found = (found.removeprefix(codecs.BOM_UTF8) if place == len(piece) else found).lstrip(b"\r\n")
            at_start = not found
        yield found
    _refuse_nul(name, has_nul=has_nul)


def _refuse_nul(name: str, *, has_nul: bool) -> None:
    if has_nul:
        raise InputError(f"{name} holds NUL bytes, so it is not plain text; convert it, or name its encoding.")
