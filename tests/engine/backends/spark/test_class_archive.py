"""The archive of Java's classes: used where it is ours, made on demand, and a sentence where that fails."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from shoal.engine.backends.spark import class_archive, session
from shoal.errors import InputError
from shoal.kernels import machine_code


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the archive would be; there is none."""
    monkeypatch.setattr(machine_code, "folder", lambda: tmp_path / "kernels")
    return class_archive.archive_path()


def test_a_session_uses_the_archive_that_is_there(archive: Path) -> None:
    options = "spark.driver.defaultJavaOptions"
    assert "SharedArchiveFile" not in session._for_this_machine("")[options]
    archive.parent.mkdir(mode=0o700)
    archive.touch()
    assert f"-XX:SharedArchiveFile={archive}" in session._for_this_machine("")[options]
    assert "SharedArchiveFile" not in session._for_this_machine("-XX:ArchiveClassesAtExit=x")[options]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
@pytest.mark.parametrize("open_to_all", ["file", "folder"])
def test_an_archive_that_others_could_have_written_is_not_used(archive: Path, open_to_all: str) -> None:
    archive.parent.mkdir(mode=0o700)
    archive.touch()
    (archive if open_to_all == "file" else archive.parent).chmod(0o777)
    assert class_archive.archive_option() == ""


def test_an_archive_takes_its_name_when_it_is_whole(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **_: Any) -> None:
        assert not archive.exists()
        Path(command[-2]).write_bytes(b"classes")

    monkeypatch.setattr(subprocess, "run", run)
    assert class_archive.make_archive() == archive
    assert [path.name for path in archive.parent.iterdir()] == [archive.name]
    assert archive.read_bytes() == b"classes"


def test_no_archive_is_a_sentence_and_the_last_one_stays(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive.parent.mkdir(mode=0o700)
    archive.write_bytes(b"before")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    with pytest.raises(InputError, match="made no archive"):
        class_archive.make_archive()
    assert archive.read_bytes() == b"before"


@pytest.mark.nightly
@pytest.mark.slow
def test_java_writes_an_archive_at_the_end_of_a_run(archive: Path) -> None:
    pytest.importorskip("pyspark", reason="the spark extra is not installed")
    assert class_archive.make_archive().stat().st_size > 50 << 20
