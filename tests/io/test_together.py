"""Files that take their places together, by a process that is stopped at any of its steps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shoal.errors import InputError
from shoal.io import together
from shoal.io.together import File, Table, finish_together, journal_of, write_together

NEW = {"release.csv": "new release", "held.txt": "new rows"}


def _files(folder: Path) -> list[File]:
    return [
        File(folder / name, lambda path, text=text: path.write_text(text), private=name == "held.txt")  # type: ignore[misc]
        for name, text in NEW.items()
    ]


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if not path.name.startswith(".shoal-")}


def _stopped_at(step: int, folder: Path, journal: Path) -> bool:
    """Write in a process that dies at this step, as by a power cut; whether it got there."""
    pid = os.fork()
    if pid == 0:
        left = step
        for name in ("replace", "unlink", "chmod", "write_text"):
            usual = getattr(Path, name)

            def counting(self: Path, *said: object, usual: object = usual, **more: object) -> object:
                nonlocal left
                left -= 1
                if left < 0:
                    os._exit(9)
                return usual(self, *said, **more)  # type: ignore[operator]

            setattr(Path, name, counting)
        write_together(journal, _files(folder))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9


def test_a_process_stopped_anywhere_leaves_all_or_nothing(tmp_path: Path) -> None:
    outcomes = []
    for step in range(30):
        folder = tmp_path / str(step)
        folder.mkdir()
        (folder / "held.txt").write_text("old rows")
        journal = journal_of(folder / "held.txt")
        stopped = _stopped_at(step, folder, journal)
        if journal.exists():
            assert sorted(finish_together(journal)) == sorted(folder / name for name in NEW)
            assert stopped
            outcomes.append("finished later")
        else:
            outcomes.append("all" if _contents(folder) == NEW else "nothing")
        assert _contents(folder) in ({"held.txt": "old rows"}, NEW), step
        if not stopped:
            break
    assert [outcome for n, outcome in enumerate(outcomes) if outcome != outcomes[n - 1] or not n] == [
        "nothing", "finished later", "all",
    ]  # fmt: skip
    assert outcomes.count("finished later") >= 3
    assert (folder / "held.txt").stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    def full(path: Path) -> None:
        raise OSError(28, "No space left on device")

    files = [*_files(tmp_path), File(tmp_path / "third", full)]
    with pytest.raises(InputError, match="the disk is full"):
        write_together(tmp_path / ".journal", files)
    assert list(tmp_path.iterdir()) == []


def test_a_table_beside_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = tmp_path / ".journal"

    def refuses() -> None:
        assert journal.exists()
        raise InputError("The table exists already.")

    with pytest.raises(InputError, match="exists already"):
        write_together(journal, _files(tmp_path), Table("the table t", refuses))
    assert list(tmp_path.iterdir()) == []
    write_together(journal, _files(tmp_path), Table("the table t", lambda: None))
    assert _contents(tmp_path) == NEW

    def stopped(*said: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(together, "_rename", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_together(journal, _files(tmp_path), Table("the table t", lambda: None))
    with pytest.raises(InputError, match="stopped while it wrote the table t; if that table is there now, rename"):
        finish_together(journal)
    assert journal.exists()
