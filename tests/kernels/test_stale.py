"""Machine code that is older than a source is forgotten."""

from __future__ import annotations

import os
from pathlib import Path
from time import time

from shoal.kernels.stale import forget_stale


def _made(folder: Path, ages: dict[str, int]) -> None:
    (folder / "__pycache__").mkdir()
    for name, seconds in ages.items():
        file = folder / name
        file.write_text("")
        os.utime(file, (time() - seconds, time() - seconds))


def _left(folder: Path) -> set[str]:
    return {file.name for file in (folder / "__pycache__").iterdir()}


def test_code_older_than_any_source_goes(tmp_path: Path) -> None:
    ages = {"a.py": 100, "b.py": 50, "__pycache__/a.nbi": 70, "__pycache__/a.1.nbc": 70, "__pycache__/b.nbi": 30}
    _made(tmp_path, ages | {"__pycache__/a.pyc": 99})
    assert forget_stale(tmp_path) == 2
    assert _left(tmp_path) == {"b.nbi", "a.pyc"}


def test_code_younger_than_all_sources_stays(tmp_path: Path) -> None:
    _made(tmp_path, {"a.py": 100, "__pycache__/a.nbi": 70})
    assert forget_stale(tmp_path) == 0


def test_a_source_from_the_future_does_not_empty_the_cache_each_time(tmp_path: Path) -> None:
    _made(tmp_path, {"a.py": 100, "b.py": -1000, "__pycache__/a.nbi": 70})
    assert forget_stale(tmp_path) == 0


def test_a_folder_without_code_is_fine(tmp_path: Path) -> None:
    assert forget_stale(tmp_path) == 0
