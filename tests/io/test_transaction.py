"""Files that take their places together, by a process that is stopped at any of its steps."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from shoal.errors import InputError
from shoal.io import transaction as module
from shoal.io.databases import Address
from shoal.io.transaction import recover, together

NEW = {"release.csv": "new release", "held.txt": "new rows"}


def _write(folder: Path) -> None:
    with together(folder / "held.txt") as files:
        for name, text in NEW.items():
            files.path(folder / name, private=name == "held.txt").write_text(text)


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if not path.name.startswith(".")}


def _hidden(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


def _stopped_at(step: int, folder: Path) -> bool:
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
        _write(folder)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9


def test_a_process_stopped_anywhere_leaves_all_or_nothing(tmp_path: Path) -> None:
    outcomes = []
    for step in range(30):
        folder = tmp_path / str(step)
        folder.mkdir()
        (folder / "held.txt").write_text("old rows")
        stopped = _stopped_at(step, folder)
        if finished := recover(folder):
            assert sorted(finished) == sorted(folder / name for name in NEW)
            assert stopped
            outcomes.append("finished later")
        else:
            outcomes.append("all" if _contents(folder) == NEW else "nothing")
        assert _contents(folder) in ({"held.txt": "old rows"}, NEW), step
        assert [name for name in _hidden(folder) if not name.endswith(".lock")] == []
        if not stopped:
            break
    assert [outcome for n, outcome in enumerate(outcomes) if outcome != outcomes[n - 1] or not n] == [
        "nothing", "finished later", "all",
    ]  # fmt: skip
    assert outcomes.count("finished later") >= 3
    assert (folder / "held.txt").stat().st_mode & 0o777 == 0o600
    assert _hidden(folder) == []


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    def full() -> None:
        with together(tmp_path / "one") as files:
            files.path(tmp_path / "one").write_text("1")
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="the disk is full"):
        full()
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_take_their_names_do_so_in_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "held.txt").write_text("old rows")
    with monkeypatch.context() as patched:
        patched.setattr(module, "_rename", lambda said: (_ for _ in ()).throw(OSError(28, "full")))
        with pytest.raises(InputError, match=r"Everything was written, but .* the next run of shoal"):
            _write(tmp_path)
    assert _contents(tmp_path) == {"held.txt": "old rows"}
    with together(tmp_path / "third") as files:
        files.path(tmp_path / "third").write_text("3")
    assert _contents(tmp_path) == {**NEW, "third": "3"}
    assert _hidden(tmp_path) == []


@pytest.mark.parametrize("is_there", [True, False])
def test_whether_a_table_was_committed_is_asked_of_the_database(
    is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Address("sqlite", str(tmp_path / "x.db"), ("t",))
    monkeypatch.setattr(
        module, "holds_rows", lambda spelled, rows: (spelled, rows) == (place.spelled, "abc") and is_there
    )

    def stopped() -> None:
        with together(tmp_path / "held.txt") as files:
            for name, text in NEW.items():
                files.path(tmp_path / name).write_text(text)
            files.prepare(place.spelled, "abc")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert _contents(tmp_path) == (NEW if is_there else {})
    assert _hidden(tmp_path) == []


def test_a_journal_of_somebody_else_moves_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("mine")
    said = {"files": [[str(tmp_path), "secret", "public"]], "journals": [], "table": None}
    journal = tmp_path / ".shoal-0.journal"
    journal.write_text(json.dumps(said))
    for mode in (0o666, 0o600):
        journal.chmod(mode)
        assert recover(tmp_path) == []
        assert secret.exists()


def test_what_stopped_runs_left_is_swept_away_and_what_is_in_use_is_not(tmp_path: Path) -> None:
    (tmp_path / ".shoal-old.tmp").write_text("left by a run that was stopped")
    with together(tmp_path / "one") as files:
        path = files.path(tmp_path / "one")
        path.write_text("1")
        assert not (tmp_path / ".shoal-old.tmp").exists()
        recover(tmp_path)
        assert path.exists()
    assert _contents(tmp_path) == {"one": "1"}


def test_a_folder_that_cannot_be_looked_through_has_nothing_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert recover(tmp_path / "nowhere") == []
    monkeypatch.setattr(os, "scandir", lambda folder: (_ for _ in ()).throw(PermissionError(13, "no")))
    assert recover(tmp_path) == []
