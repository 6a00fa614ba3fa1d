"""Packs rows of codes into 64-bit words, so that millions of them can be sorted and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets, Words64

_BITS = 64


@dataclass(frozen=True)
class Packing:
    """As many bits for each column as its values need; no column spans two words."""

    widths: list[int]
    places: list[int]

    @classmethod
    def of(cls, sizes: list[int]) -> Packing:
        """The packing for columns with these numbers of values."""
        widths, places, end = [max(1, (size - 1).bit_length()) for size in sizes], [], 0
        for width in widths:
            if end % _BITS + width > _BITS:
                end += _BITS - end % _BITS
            places.append(end)
            end += width
        return cls(widths, places)

    def pack(self, codes: Codes) -> Words64:
        """``words[word, row]`` from ``codes[column, row]``."""
        words = np.zeros((self.places[-1] // _BITS + 1, codes.shape[1]), np.uint64)
        for column, place in zip(codes, self.places, strict=True):
            words[place // _BITS] |= column.astype(np.uint64) << np.uint64(place % _BITS)
        return words

    def unpack(self, words: Words64) -> Codes:
        """The codes that were packed."""
        parts = [
            (words[place // _BITS] >> np.uint64(place % _BITS)) & np.uint64((1 << width) - 1)
            for place, width in zip(self.places, self.widths, strict=True)
        ]
        return np.array(parts).astype(np.int32)


def count_distinct_words(words: Words64) -> tuple[Words64, Offsets]:
    """The distinct columns of ``words`` and how often each occurs. O(rows log rows)."""
    if words.shape[0] == 1:
        found, counts = np.unique(words[0], return_counts=True)
        return found[None, :], counts.astype(np.int64)
    return add_counts([(words, np.ones(words.shape[1], np.int64))])


def add_counts(counted: Sequence[tuple[Words64, Offsets]]) -> tuple[Words64, Offsets]:
    """The distinct words of several pieces, with their counts added up. O(words log words)."""
    words = np.concatenate([each for each, _ in counted], axis=1)
    counts = np.concatenate([each for _, each in counted])
    order = np.lexsort(words)
    words, counts = words[:, order], counts[order]
    starts = np.flatnonzero(np.append(True, (words[:, 1:] != words[:, :-1]).any(axis=0))[: words.shape[1]])
    return words[:, starts], np.add.reduceat(counts, starts) if counts.size else counts


def are_among(words: Words64, some: Words64) -> Flags:
    """Which columns of ``words`` occur in ``some``. O((rows + some) log)."""
    if words.shape[0] == 1:
        found: Flags = np.isin(words[0], some[0])
        return found
    both = np.concatenate([some, words], axis=1)
    _, ids = np.unique(both, axis=1, return_inverse=True)
    return np.isin(ids[some.shape[1] :], ids[: some.shape[1]])
