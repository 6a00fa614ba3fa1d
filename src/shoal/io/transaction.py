"""Several files, and a table of a database where there is one, that take their places all or not at all.

Each file is written under a temporary name and made sure of. Then a journal, one small file, says which name each will
have: from that moment on the files count as written. They are renamed, and the journal is the last to go. Whoever
finds a journal whose run is gone knows that it stopped between the two, and renames what is left; what was stopped
earlier is swept away.

A table is filled inside a transaction of its database, and the journal written just before the commit holds a
fingerprint of its rows. Whether the commit took place is then a question to the database: does it have these rows?
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
    """Write files that belong together, of which ``first`` is the one that other runs would write as well.

    Runs that write the same first file wait for each other. What earlier runs that were stopped left behind, in the
    folders that are written to, is finished or removed before.

    Raises:
        InputError: the disk is full, or the operating system or the database refuses. Either nothing is written, or
            the message says that the next run finishes it.
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
    """Files on their way to their places."""

    folder: Path
    stack: ExitStack
    files: list[tuple[Path, Path, int]] = field(default_factory=list)
    made: list[Path] = field(default_factory=list)
    stale: list[Path] = field(default_factory=list)
    journal: dict[str, Any] | None = None
    renaming: bool = False

    def path(self, target: Path, *, private: bool = False) -> Path:
        """Where to write the file ``target``: an empty file that only its owner may read, ever if it is private."""
        recover(target.parent)
        made = self._create(target.parent)
        self.files.append((made, target, mode_of(private=private)))
        return made

    def remove(self, target: Path) -> None:
        """Take a file away when the others take their places: what an earlier run left and this one does not write."""
        self.stale.append(target)

    def _create(self, folder: Path) -> Path:
        """A temporary file, in use until all is done: others see that we are alive."""
        handle, path = create(folder)
        self.stack.callback(os.close, handle)
        self.made.append(path)
        return path

    def prepare(self, place: str | None = None, rows: str | None = None) -> None:
        """Make sure of every file and write the journal; a table is committed afterwards.

        Args:
            place: the table or object that belongs to the files, spelled out.
            rows: the fingerprint that it will have.
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
        """Give every file its name."""
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
        """Remove every trace, unless all is written; a table that may have been committed is asked for."""
        if self.renaming:
            return
        if self.journal is not None and self.journal["table"]:
            _settle(self.journal)
        elif self.journal is not None:
            _forget(self.journal)
        for path in self.made:
            path.unlink(missing_ok=True)


def recover(folder: Path) -> list[Path]:
    """Finish or undo what runs that were stopped left in a folder; the files that took their places by it.

    Waits for runs that are just now giving files their names. Only what belongs to the user is looked at.

    Raises:
        InputError: it cannot be done, because the folder may not be written to or a database does not answer.
    """
    kept: set[str] = set()
    done: list[Path] = []
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if _is_journal(entry.name))
    except OSError:  # not there, or not to be looked through: then we wrote nothing in it
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
    """Do what a journal says, unless the run that wrote it has done so meanwhile."""
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
    """What a journal says; None where it is not ours, or would rename what we did not make."""
    if not is_ours(handle) or os.fstat(handle).st_mode & 0o077:
        return None
    said: dict[str, Any] = json.loads(os.read(handle, 1 << 20))
    names = [*(target for _, _, target in said["files"]), *(name for _, name in said.get("stale", ()))]
    if all(_TEMPORARY.fullmatch(made) for _, made, _ in said["files"]) and all(Path(n).name == n for n in names):
        return said
    return None


def _settle(said: dict[str, Any]) -> list[Path]:
    """Go on where a table has its rows, or there is none; go back where it has not."""
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
    """The first, by which all counts as written, goes last."""
    for journal in map(Path, reversed(said["journals"])):
        journal.unlink(missing_ok=True)
        sync(journal.parent)
