"""Several files that take their places all or not at all, even if the machine stops in between.

Each is written under a temporary name and made sure of. Then a journal, one small file, says which name each will have:
from that moment on the files count as written. They are renamed, and the journal goes. Who finds a journal knows that
the last run stopped between the two, and renames what is left.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError
from shoal.io.atomic import create, finish, mode_of, reason, sync, write_private


@dataclass(frozen=True)
class File:
    """A file to be: where, what writes it, and whether nobody but its owner may ever read it."""

    target: Path
    write: Callable[[Path], None]
    private: bool = False


@dataclass(frozen=True)
class Table:
    """A table of a database that belongs to the files: its name as it may be shown, and what writes it."""

    shown: str
    write: Callable[[], None]


def journal_of(path: Path) -> Path:
    """The journal of runs that write this file together with others."""
    return path.with_name(f".{path.name}.journal")


def write_together(journal: Path, files: Sequence[File], table: Table | None = None) -> None:
    """Write all files or none; a table, where there is one, once they are complete, before they take their names.

    Raises:
        InputError: the disk is full, or the operating system or the database refuses; nothing is written.
    """
    made: dict[str, str] = {}
    try:
        try:
            for file in files:
                temporary = create(file.target.parent)
                made[str(temporary.resolve())] = str(file.target.parent.resolve() / file.target.name)
                file.write(temporary)
                finish(temporary, mode_of(private=file.private))
            write_private(json.dumps({"files": made, "table": table.shown if table else None}), journal)
            if table:
                _write_table(table, journal)
        except BaseException:
            for name in () if journal.exists() else made:
                Path(name).unlink(missing_ok=True)
            raise
        _rename(made, journal)
    except OSError as error:
        raise InputError(f"Cannot write {str(files[0].target)!r}: {reason(error)}.") from error


def finish_together(journal: Path) -> list[Path]:
    """Give the files of a journal their names, where that is left to do, and remove it; the files.

    Raises:
        InputError: a table belongs to them, and whether it was written has to be looked at by somebody.
    """
    said = json.loads(journal.read_text(encoding="utf-8"))
    if said["table"]:
        moves = " and ".join(f"{old!r} to {new!r}" for old, new in said["files"].items())
        raise InputError(
            f"An earlier run was stopped while it wrote {said['table']}; if that table is there now, rename {moves}, "
            f"otherwise delete the first; then delete {str(journal)!r} and run again."
        )
    return _rename(said["files"], journal)


def _write_table(table: Table, journal: Path) -> None:
    """A database that refuses has written nothing, so neither is anything else."""
    try:
        table.write()
    except InputError:
        journal.unlink()
        raise


def _rename(names: Mapping[str, str], journal: Path) -> list[Path]:
    for temporary, target in names.items():
        if Path(temporary).exists():
            Path(temporary).replace(target)
    targets = [Path(target) for target in names.values()]
    for folder in {target.parent for target in targets}:
        sync(folder)
    journal.unlink()
    sync(journal.parent)
    return targets
