"""Which encoding a text file is in, and the same text as UTF-8."""

from __future__ import annotations

import codecs

from shoal.errors import InputError

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks and what they stand for; the longer ones first."""

FALLBACK = "cp1252"
"""What a text is taken for that is not UTF-8: the Western Windows code page, and with it ISO 8859-1."""

STEP = 1 << 20


def to_utf8(data: bytes, encoding: str | None, name: str) -> tuple[bytes, tuple[str, ...]]:
    """The text as UTF-8 without a byte-order mark, and remarks on how it was read.

    Without ``encoding`` a byte-order mark decides, then whether the bytes are UTF-8; what is neither is read as
    cp1252, with a remark. O(bytes).

    Raises:
        InputError: the encoding is unknown or does not fit, or the text holds NUL characters.
    """
    text, notes = _found(data, name) if encoding is None else (_given(data, encoding, name), ())
    if 0 in text:
        raise InputError(f"{name} holds NUL bytes, so it is not plain text; convert it, or name its encoding.")
    return text, notes


def _found(data: bytes, name: str) -> tuple[bytes, tuple[str, ...]]:
    for mark, encoding in MARKS:
        if data.startswith(mark):
            notes = () if encoding == "utf-8" else (f"read as {encoding.upper()} because of its byte-order mark",)
            return _transcode(data[len(mark) :], encoding, name), notes
    if first_bad_byte(data) is None:
        return data, ()
    return _transcode(data, FALLBACK, name), (f"read as {FALLBACK} because it is not UTF-8",)


def _given(data: bytes, encoding: str, name: str) -> bytes:
    try:
        " ".encode(encoding)
    except (LookupError, ValueError):
        raise InputError(f"The encoding {encoding!r} is not known; try utf-8, cp1252 or utf-16.") from None
    return _transcode(data, encoding, name).removeprefix(codecs.BOM_UTF8)


def _transcode(data: bytes, encoding: str, name: str) -> bytes:
    if codecs.lookup(encoding).name == "utf-8":
        place = first_bad_byte(data)
        if place is None:
            return data
    else:
        try:
            return data.decode(encoding).encode()
        except UnicodeError as error:
            place = getattr(error, "start", 0)
    raise InputError(f"{name} is not in {encoding} (byte {place + 1:,} does not fit); name the encoding it is in.")


def first_bad_byte(data: bytes) -> int | None:
    r"""Where ``data`` stops being UTF-8, or None. O(bytes), a piece at a time.

    >>> first_bad_byte(b"caf\xe9"), first_bad_byte("café".encode())
    (3, None)
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), STEP):
        piece = data[start : start + STEP]
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(piece, final=start + STEP >= len(data))
        except UnicodeDecodeError as error:
            return start - pending + error.start
    return None
