"""Records that come in any order leave in a random one, though never all of them are in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.core.randomness import Randomness
from shoal.io.appending import Writer


class Shards:
    """Files among which records are dealt at random; each is later shuffled as a whole, and all written one by one.

    So every order of the records is equally likely. The files are originals' kin: they lie in a private folder.
    """

    def __init__(self, folder: Path, n_shards: int, randomness: Randomness) -> None:
        self._folder, self._n, self._randomness = folder, max(1, n_shards), randomness
        self._writers: list[Any] = []
        self.n_records = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Deal records out. Every frame has the same columns."""
        table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
        if not self._writers:
            paths = [self._path(shard) for shard in range(self._n)]
            self._writers = [pa.ipc.new_stream(str(path), table.schema) for path in paths]
        homes = self._randomness.integers(self._n, frame.height).astype(np.int64)
        order, sizes = np.argsort(homes, kind="stable"), np.bincount(homes, minlength=self._n)
        dealt, start = table.take(pa.array(order)), 0
        for writer, size in zip(self._writers, sizes.tolist(), strict=True):
            if size:
                writer.write_table(dealt.slice(start, size))
            start += size
        self.n_records += frame.height

    def write(self, writer: Writer, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
        """Shuffle each shard and hand it on; its file is gone afterwards."""
        for each in self._writers:
            each.close()
        for shard in range(len(self._writers)):
            with pa.ipc.open_stream(str(self._path(shard))) as stream:
                frame = pl.from_arrow(stream.read_all())
            assert isinstance(frame, pl.DataFrame)
            self._path(shard).unlink()
            if frame.height:
                writer.add(change(frame[self._randomness.permutation(frame.height)]))

    def _path(self, shard: int) -> Path:
        return self._folder / f"shard {shard}"
