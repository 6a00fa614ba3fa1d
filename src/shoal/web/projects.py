"""Projects: a session's table, files, settings and finished runs in one sealed file, which outlives the workbench."""

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
    """The default folder for projects: in the user's own data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "shoal" / "projects"


class Projects:
    """A folder of sealed projects, each readable only with its passphrase."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[str]:
        """Names of all saved projects."""
        return sorted(path.stem for path in self.folder.glob(f"*{ENDING}")) if self.folder.is_dir() else []

    def save(self, session: Session, name: str, passphrase: str) -> None:
        """Save a session, replacing the project of this name.

        Raises:
            InputError: no table is open, the name is invalid, the passphrase is too short, or the file cannot be
            written.
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
        """Restore a project in place of the session's content.

        Raises:
            InputError: there is no such project, the passphrase is wrong, or the file was changed.
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
        """Remove a project; it can be restored by undo until the session ends."""
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
    """Inputs of a run that are no longer among the session's files, because others have taken their names."""
    read = {path.name: path for path in run.folder.inputs.iterdir()}
    return [path for name, path in read.items() if not run.folder.has_as_it_is(session.inputs / name)]


def _said(run: Run) -> dict[str, Any]:
    kept = ("id", "name", "words", "figures", "written", "accepted", "applied", "only_here")
    return {**{key: getattr(run, key) for key in kept}, "table": run.job.input, "pieces": sorted(run.pieces)}


async def _unpack(session: Session, files: zipfile.ZipFile) -> None:
    """Unpack a project; names are validated again, although we packed them."""
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
                    target.unlink(missing_ok=True)  # it may be a hard link to a file of the session
                    target.write_bytes(files.read(member))
    session.runs.shown = state["shown"] if state["shown"] in session.runs else None
    session.changed()
