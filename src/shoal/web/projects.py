"""Projects: a session's table, files, words and finished runs in one sealed file, which outlives the workbench."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from shoal.errors import InputError
from shoal.web.names import file_name
from shoal.web.receiving import restore
from shoal.web.run import Run
from shoal.web.run_folder import INPUTS, OUTPUTS, SHOWN
from shoal.web.sealed import seal, unseal
from shoal.web.session import Session

ENDING = ".shoal"
_STATE, _INPUTS, _RUNS = "session.json", "inputs", "runs"


def default_folder() -> Path:
    """Where projects lie unless told otherwise: in the user's own data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "shoal" / "projects"


class Projects:
    """A folder of sealed projects; nothing in it can be read without the passphrase of each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[str]:
        """The projects there are."""
        return sorted(path.stem for path in self.folder.glob(f"*{ENDING}")) if self.folder.is_dir() else []

    def save(self, session: Session, name: str, passphrase: str) -> None:
        """Keep what a session has, in place of the project of this name.

        Raises:
            InputError: there is no table, no plain name or too short a passphrase; or it cannot be written.
        """
        if session.table.name is None:
            raise InputError("There is no table yet; open one first.")
        target = self._path(name)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with TemporaryDirectory(dir=session.folder) as place:
                packed = Path(place) / "packed"
                _pack(session, packed)
                seal(packed, target, passphrase)
        except OSError:
            raise InputError(
                "The project could not be saved: its folder is not writable, or the disk is full."
            ) from None

    async def open(self, session: Session, name: str, passphrase: str) -> None:
        """Have a project back in place of what the session has.

        Raises:
            InputError: there is none of this name, the passphrase is wrong, or the file was changed.
        """
        source = self._path(name)
        if not source.is_file():
            raise InputError(f"There is no project {name!r}.")
        with TemporaryDirectory(dir=session.folder) as place:
            packed = Path(place) / "packed"
            unseal(source, packed, passphrase)
            with zipfile.ZipFile(packed) as files:
                await _unpack(session, files)

    def remove(self, session: Session, name: str) -> None:
        """Remove a project; undo in this session brings it back until that ends."""
        session.set_aside(self._path(name))

    def _path(self, name: str) -> Path:
        return self.folder / f"{file_name(name.strip())}{ENDING}"


def _pack(session: Session, target: Path) -> None:
    done = [run for run in session.runs.values() if run.state == "done"]
    state = {
        "table": session.table.name,
        "files": sorted(session.table.files),
        "words": session.words,
        "runs": [_said(run) for run in done],
        "shown": session.runs.shown,
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as files:
        files.writestr(_STATE, json.dumps(state))
        for name in {str(session.table.name), *session.table.files}:
            files.write(session.inputs / name, f"{_INPUTS}/{name}")
        for run in done:
            for path in (*run.folder.outputs.iterdir(), *run.folder.shown.iterdir(), *_replaced(run, session)):
                files.write(path, f"{_RUNS}/{run.id}/{path.parent.name}/{path.name}")


def _replaced(run: Run, session: Session) -> list[Path]:
    """What a run has read and is not among the session's files any more: others have taken those names."""
    read = {path.name: path for path in run.folder.inputs.iterdir()}
    return [path for name, path in read.items() if not run.folder.has_as_it_is(session.inputs / name)]


def _said(run: Run) -> dict[str, Any]:
    kept = ("id", "name", "words", "figures", "written", "accepted", "applied", "only_here")
    return {**{key: getattr(run, key) for key in kept}, "table": run.job.input, "pieces": sorted(run.pieces)}


async def _unpack(session: Session, files: zipfile.ZipFile) -> None:
    """Every name was ours when it was packed; it is looked at all the same."""
    state = json.loads(files.read(_STATE))
    reading = state["words"].get("reading", {})
    inputs = {name: files.read(f"{_INPUTS}/{file_name(name)}") for name in {state["table"], *state["files"]}}
    await restore(session, state["table"], inputs, state["words"], reading)
    for said in state["runs"]:
        if said["table"] == state["table"]:
            run = session.restore_run(said)
            for member in files.namelist():
                at, _, rest = member.partition(f"{_RUNS}/{said['id']}/")
                place, _, name = rest.partition("/")
                if not at and place in (INPUTS, OUTPUTS, SHOWN):
                    target = run.folder.path / place / file_name(name)
                    target.unlink(missing_ok=True)  # it may be a link to a file of the session
                    target.write_bytes(files.read(member))
    session.runs.shown = state["shown"] if state["shown"] in session.runs else None
    session.changed()
