"""A memory limit: how it is given and enforced, and how much was used."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError

LEAST = 1 << 30
"""Python, its libraries and the compiled kernels alone take a third of this."""

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@dataclass(frozen=True)
class Memory:
    """``limit`` bytes, and what follows from it: rows read at once, rows per block, distinct rows that fit."""

    limit: int

    @classmethod
    def of(cls, said: str | int) -> Memory:
        """Parse ``"4GiB"``, ``"4G"``, ``"4096MB"`` or a number of bytes.

        >>> Memory.of("4GiB").limit == 4 << 30
        True

        Raises:
            InputError: the text has another form, or the limit is below 1 GiB.
        """
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", str(said), re.IGNORECASE)
        if match is None:
            raise InputError(f"The memory limit is written 4GiB or 500MiB, got {said!r}.")
        limit = int(float(match[1]) * _UNITS[match[2].lower()])
        if limit < LEAST:
            raise InputError(f"The memory limit must be at least 1 GiB, got {said!r}.")
        return cls(limit)

    @property
    def batch(self) -> int:
        """Rows read at once."""
        return max(50_000, min(1_000_000, self.limit >> 13))

    @property
    def block(self) -> int:
        """Rows per block."""
        return max(50_000, min(2_000_000, self.limit >> 12))

    @property
    def distinct(self) -> int:
        """Distinct rows that a search can hold, at about 250 bytes each."""
        return self.limit // 250

    def check(self) -> None:
        """Raise InputError if more memory is in use than allowed, before the system ends the process."""
        used = in_use()
        if used > self.limit:
            raise InputError(
                f"{used / (1 << 30):.1f} GiB are in use, more than the limit of {self.limit / (1 << 30):.1f} GiB; "
                "allow more, or publish fewer columns."
            )


def in_use() -> int:
    """Bytes of memory that this process uses now."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        return peak()


def peak() -> int:
    """The largest number of bytes that this process has used; 0 if the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
