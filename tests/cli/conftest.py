"""Small tables on disk, and a way to call the command line in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from shoal.cli import main
from shoal.core.progress import Silent
from shoal.engine.warming import warm_up

DISEASES = ("flu", "cold", "gout")


@dataclass(frozen=True)
class Answer:
    """What a command answered."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile what default runs need, once: a note about it would be a second sentence on standard error."""
    warm_up("sizes", Silent())
    warm_up("values", Silent())


@pytest.fixture
def shoal(compiled: None, capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Call ``shoal`` with these words."""

    def call(*words: object) -> Answer:
        capsys.readouterr()
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Answer(status, captured.out, captured.err)

    return call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with ``people.csv``: 60 people of 20 ages in three postcodes with three diseases."""
    monkeypatch.chdir(tmp_path)
    rows = [f"P{i},{20 + i % 20},0210{i % 3},{'mf'[i % 2]},{DISEASES[i * 7 % 3]}" for i in range(60)]
    Path("people.csv").write_text("\n".join(["name,age,zip,sex,disease", *rows]) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def files(folder: Path) -> Callable[[], dict[str, bytes]]:
    """Every file in the folder with its content."""

    def look() -> dict[str, bytes]:
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    return look
