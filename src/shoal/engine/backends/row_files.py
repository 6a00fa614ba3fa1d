"""Distributes rows among files in a private folder, so that they are never all in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.core.arrays import Codes, Offsets
from shoal.core.randomness import Randomness
from shoal.io.appending import Append


class RowFiles:
    """Numbered files of rows. They contain original data: the folder is private, and each file is read once."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._writers: dict[int, Any] = {}

    def deal(self, frame: pl.DataFrame, homes: Codes | Offsets) -> None:
        """Add each row to the file of its number. Every frame has the same columns."""
        order, sizes = np.argsort(homes, kind="stable"), np.bincount(homes)
        dealt, start = frame.to_arrow(compat_level=pl.CompatLevel.oldest()).take(pa.array(order)), 0
        for number, size in enumerate(sizes.tolist()):
            if size:
                if number not in self._writers:
                    self._writers[number] = pa.ipc.new_stream(str(self._path(number)), dealt.schema)
                self._writers[number].write_table(dealt.slice(start, size))
            start += size

    def close(self) -> None:
        """Close the files; no more rows follow."""
        for writer in self._writers.values():
            writer.close()

    def numbered(self, most: float = np.inf, whole: Set[int] = frozenset()) -> Iterator[tuple[int, pl.DataFrame]]:
        """Each file's number and rows, in order; files of over ``most`` rows in pieces, except those in ``whole``."""
        for number in sorted(self._writers):
            limit = np.inf if number in whole else most
            pieces: list[Any] = []
            with pa.ipc.open_stream(str(self._path(number))) as stream:
                for batch in stream:
                    pieces.append(batch)
                    if sum(piece.num_rows for piece in pieces) > limit:
                        yield number, pl.DataFrame(pl.from_arrow(pa.Table.from_batches(pieces)))
                        pieces = []
            self._path(number).unlink()
            if pieces:
                yield number, pl.DataFrame(pl.from_arrow(pa.Table.from_batches(pieces)))

    def _path(self, number: int) -> Path:
        return self._folder / f"{self._name} {number}"


class Shards:
    """Files among which records are distributed at random; each is later shuffled, and all are written in turn.

    So every order of the records is equally likely.
    """

    def __init__(self, folder: Path, n_shards: int, randomness: Randomness) -> None:
        self._n, self._randomness = max(1, n_shards), randomness
        self._files = RowFiles(folder, "shard")
        self.n_records = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Distribute records. Every frame has the same columns."""
        self._files.deal(frame, self._randomness.integers(self._n, frame.height).astype(np.int64))
        self.n_records += frame.height

    def write(self, add: Append, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
        """Shuffle each shard and pass it on; its file is then deleted."""
        self._files.close()
        for _, frame in self._files.numbered():
            add(change(frame[self._randomness.permutation(frame.height)]))
