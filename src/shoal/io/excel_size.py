"""Refuse workbooks that unpack to more than any table needs."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from shoal.errors import InputError

MOST_UNPACKED = 2 << 30
"""Bytes that a workbook may unpack to; a million rows of ten columns take about a quarter of it."""

MOST_TIMES = 200
"""How many times its packed size a part may unpack to; sheets reach 20 times, of one repeated value 100 times."""

_SMALL = 16 << 20
"""Parts up to this size harm nobody, however well they pack."""

_UTMOST = 1032
"""Nothing packs better than this by deflation."""

_PIECE = 1 << 20


def check_unpacked(data: bytes, name: str) -> None:
    """Look at how large the parts of a workbook are, before a reader unpacks them.

    What the workbook says about them is not believed: unless it is so small that it cannot matter, every part is
    unpacked piece by piece, counted and thrown away. O(unpacked bytes) time, at most ``MOST_UNPACKED``; O(1) memory.

    Raises:
        InputError: too large. Other faults are left to the reader, which has better words for them.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            parts = book.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError):
        return
    is_small = _UTMOST * sum(part.compress_size for part in parts) <= _SMALL
    left = MOST_UNPACKED
    for part in parts:
        size = part.file_size if is_small else _true_size(data, part, left)
        left -= max(size, part.file_size)
        if left < 0 or (size > _SMALL and size > MOST_TIMES * max(1, part.compress_size)):
            raise InputError(
                f"{name} would unpack to more than a table needs, as files do that are made to fill memories; "
                "save it as CSV or Parquet."
            )


def _true_size(data: bytes, part: zipfile.ZipInfo, most: int) -> int:
    """How many bytes a part unpacks to; counting ends once there are more than ``most``, or where it is broken."""
    start = part.header_offset
    name, extra = struct.unpack("<HH", data[start + 26 : start + 30].ljust(4, b"\0"))
    packed = memoryview(data)[start + 30 + name + extra :]
    if part.compress_type != zipfile.ZIP_DEFLATED:
        return part.file_size
    engine, size, at = zlib.decompressobj(-15), 0, 0
    try:
        while at < len(packed) and not engine.eof and size <= most:
            rest: bytes | memoryview = packed[at : at + _PIECE]
            at += _PIECE
            while rest and not engine.eof and size <= most:
                size += len(engine.decompress(rest, _PIECE))
                rest = engine.unconsumed_tail
    except zlib.error:
        return size
    return size
