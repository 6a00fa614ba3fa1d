"""Writing several files, and possibly a database table, completely or not at all.

Each file is written under a temporary name and flushed to disk. Then a journal, one small file, lists their final
names: from that moment on the files count as written. They are renamed, and the journal is deleted last. A journal
whose run is gone shows that the run was stopped in between, so the remaining files are renamed; leftovers of runs
stopped earlier are deleted.

A table is filled inside a transaction of its database, and the journal, written just before the commit, holds a
fingerprint of its rows. Whether the commit took place can then be checked in the database: does it have these rows?
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.io.atomic import finish, mode_of, reason, sync
from shoal.io.fingerprint import holds_rows
from shoal.io.locking import PREFIX, SUFFIX, create, hold, is_at, is_ours, locked, sweep

JOURNAL = ".journal"
_TEMPORARY = re.compile(rf"{re.escape(PREFIX)}[^/\\]+{re.escape(SUFFIX)}")


@contextmanager
def together(first: Path) -> Iterator[Together]:
    """Write files that belong together; ``first`` is the one that concurrent runs would write as well.

    Runs that write the same first file wait for each other. What aborted runs left behind in the target folders is
    completed or removed first.

    Raises:
        InputError: the disk is full, or the operating system or the database refuses. Either nothing is written, or the
            message says that the next run completes it.
    """
    try:
        with locked(first), ExitStack() as stack:
            files = Together(first.parent, stack)
            try:
                yield files
                files.complete()
            except BaseException:
                files.undo()
                raise
    except OSError as error:
        raise InputError(f"Cannot write {str(first)!r}: {reason(error)}.") from error


@dataclass
class Together:
    """Files that are being written together."""

    folder: Path
    stack: ExitStack
    files: list[tuple[Path, Path, int]] = field(default_factory=list)
    made: list[Path] = field(default_factory=list)
    stale: list[Path] = field(default_factory=list)
    journal: dict[str, Any] | None = None
    renaming: bool = False

    def path(self, target: Path, *, private: bool = False) -> Path:
        """Return a temporary path for ``target``: an empty file, readable only by its owner (always if ``private``)."""
        recover(target.parent)
        made = self._create(target.parent)
        self.files.append((made, target, mode_of(private=private)))
        return made

    def remove(self, target: Path) -> None:
        """Delete a file when the others are renamed: one that an earlier run wrote and this one does not."""
        self.stale.append(target)

    def _create(self, folder: Path) -> Path:
        """A temporary file that stays in use until everything is done, so that others see this run is alive."""
        handle, path = create(folder)
        self.stack.callback(os.close, handle)
        self.made.append(path)
        return path

    def prepare(self, place: str | None = None, rows: str | None = None) -> None:
        """Flush every file and write the journal; a table is committed afterwards.

        Args:
            place: the address of the table or object that belongs to the files.
            rows: the fingerprint of its rows.
        """
        for made, _, mode in self.files:
            finish(made, mode)
        folders = [self.folder.resolve(), *(target.parent.resolve() for _, target, _ in self.files)]
        name = f"{PREFIX}{secrets.token_hex(8)}{JOURNAL}"
        self.journal = {
            "files": [[str(made.parent.resolve()), made.name, target.name] for made, target, _ in self.files],
            "stale": [[str(target.parent.resolve()), target.name] for target in self.stale],
            "journals": [str(folder / name) for folder in dict.fromkeys(folders)],
            "table": None if place is None else {"place": place, "rows": rows},
        }
        for journal in map(Path, self.journal["journals"]):
            path = self._create(journal.parent)
            path.write_text(json.dumps(self.journal), encoding="utf-8")
            finish(path, mode_of(private=True))
            path.replace(journal)
            sync(journal.parent)

    def complete(self) -> None:
        """Rename every file to its final name."""
        if self.journal is None:
            self.prepare()
        assert self.journal is not None
        self.renaming = True
        try:
            _rename(self.journal)
        except OSError as error:
            raise InputError(
                f"Everything was written, but not all files could be renamed ({reason(error)}); the next run of shoal "
                f"that reads or writes in {str(self.folder)!r} completes this."
            ) from error

    def undo(self) -> None:
        """Remove all traces, unless renaming has begun; if a table may have been committed, the database decides."""
        if self.renaming:
            return
        if self.journal is not None and self.journal["table"]:
            _settle(self.journal)
        elif self.journal is not None:
            _forget(self.journal)
        for path in self.made:
            path.unlink(missing_ok=True)


def recover(folder: Path) -> list[Path]:
    """Complete or undo what aborted runs left in a folder; return the files renamed by this.

    Waits for runs that are renaming files. Only this user's files are considered.

    Raises:
        InputError: this fails, because the folder is not writable or a database does not respond.
    """
    kept: set[str] = set()
    done: list[Path] = []
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if _is_journal(entry.name))
    except OSError:  # missing or unreadable: then we wrote nothing in it
        return done
    for name in names:
        try:
            done += _finish(folder / name, kept)
        except OSError as error:
            raise InputError(
                f"An earlier run was stopped before its files were renamed ({str(folder / name)!r} lists them), and "
                f"this cannot be completed: {reason(error)}."
            ) from error
    sweep(folder, kept)
    return done


def _is_journal(name: str) -> bool:
    return name.startswith(PREFIX) and name.endswith(JOURNAL)


def _finish(journal: Path, kept: set[str]) -> list[Path]:
    """Carry out a journal, unless the run that wrote it has done so meanwhile."""
    try:
        handle = os.open(journal, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return []
    try:
        said = _read(handle)
        if said is None:
            return []
        kept.update(made for _, made, _ in said["files"])
        hold(handle)
        if not is_at(handle, journal):
            return []
        return _settle(said)
    finally:
        os.close(handle)


def _read(handle: int) -> dict[str, Any] | None:
    """Read a journal; None if it is not ours, or would rename files that we did not make."""
    if not is_ours(handle) or os.fstat(handle).st_mode & 0o077:
        return None
    said: dict[str, Any] = json.loads(os.read(handle, 1 << 20))
    names = [*(target for _, _, target in said["files"]), *(name for _, name in said.get("stale", ()))]
    if all(_TEMPORARY.fullmatch(made) for _, made, _ in said["files"]) and all(Path(n).name == n for n in names):
        return said
    return None


def _settle(said: dict[str, Any]) -> list[Path]:
    """Rename the files if the table has its rows or there is no table; otherwise delete them."""
    table = said["table"]
    if table is not None and not holds_rows(table["place"], table["rows"]):
        _forget(said)
        return []
    return _rename(said)


def _rename(said: dict[str, Any]) -> list[Path]:
    targets = []
    for folder, made, target in said["files"]:
        if Path(folder, made).exists():
            Path(folder, made).replace(Path(folder, target))
        targets.append(Path(folder, target))
    stale = [Path(folder, name) for folder, name in said.get("stale", ())]
    for target in stale:
        target.unlink(missing_ok=True)
    for folder in {target.parent for target in (*targets, *stale)}:
        sync(folder)
    _remove_journals(said)
    return targets


def _forget(said: dict[str, Any]) -> None:
    _remove_journals(said)
    for folder, made, _ in said["files"]:
        Path(folder, made).unlink(missing_ok=True)


def _remove_journals(said: dict[str, Any]) -> None:
    """Remove the journals; the first, which makes the files count as written, goes last."""
    for journal in map(Path, reversed(said["journals"])):
        journal.unlink(missing_ok=True)
        sync(journal.parent)
