"""Cryptographic randomness, derived from a secret key."""

from __future__ import annotations

import hashlib
import os

import numpy as np

from shoal.core.arrays import Codes, Words64


class Randomness:
    """A stream of cryptographic random words.

    The key comes from the operating system unless a seed is given; the stream is SHAKE-256 of key and counter, so
    without the key it cannot be told from noise. A seed gives the same stream on every machine; anyone who knows it can
    undo the shuffle, so it belongs in the private run record and nowhere else.

    >>> Randomness(7).permutation(3).tolist() == Randomness(7).permutation(3).tolist()
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self._key = os.urandom(32) if seed is None else hashlib.sha3_256(f"shoal seed {seed}".encode()).digest()
        self._counter = 0

    def child(self, name: str) -> Randomness:
        """An independent stream for one part of the work, unaffected by what other parts draw."""
        other = Randomness(0)
        other._key = hashlib.sha3_256(self._key + b" child " + name.encode()).digest()
        return other

    def words(self, n: int) -> Words64:
        """``n`` independent uniform 64-bit words. About 3 ns per byte."""
        self._counter += 1
        stream = hashlib.shake_256(self._key + self._counter.to_bytes(8, "little"))
        return np.frombuffer(stream.digest(8 * n), dtype="<u8").astype(np.uint64)

    def permutation(self, n: int) -> Codes:
        """A uniform permutation of ``0 … n − 1``: the order of ``n`` random words, drawn again on a tie.

        For speed, the numbers replace the last bits of the words and are sorted with them, five times as fast as an
        ``argsort``; the last bits only matter if two words agree on all others.
        """
        n_bits = np.uint64(max(1, (n - 1).bit_length()))
        while True:
            keys = self.words(n)
            packed = (keys >> n_bits << n_bits) | np.arange(n, dtype=np.uint64)
            packed.sort()
            starts = packed >> n_bits
            if not (starts[1:] == starts[:-1]).any():
                return (packed & ((np.uint64(1) << n_bits) - np.uint64(1))).astype(np.int32)
            order = np.argsort(keys, kind="stable").astype(np.int32)
            ordered = keys[order]
            if not (ordered[1:] == ordered[:-1]).any():
                return order

    def integers(self, bound: int, n: int) -> Words64:
        """``n`` independent uniform integers below ``bound``, unbiased by rejection sampling."""
        if not 0 < bound <= 2**64:
            raise ValueError(f"bound must be between 1 and 2^64, got {bound}.")
        limit = (2**64 // bound) * bound
        drawn = self.words(n)
        while limit < 2**64 and (bad := drawn >= np.uint64(limit)).any():
            drawn[bad] = self.words(int(bad.sum()))
        return drawn % np.uint64(bound)
