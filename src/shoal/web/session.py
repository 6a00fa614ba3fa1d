"""What one user has: a table, what was said about it, and runs."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import os
import secrets
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from time import monotonic
from typing import Any, cast

from shoal.core.domain import Kind
from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.io.example import ROLES, hierarchies
from shoal.web.candidate import Candidate
from shoal.web.desk import DeskLine
from shoal.web.folders import wipe
from shoal.web.history import History
from shoal.web.job_words import JOB, SCRIPT, checked_job, is_file
from shoal.web.names import file_name, table_name
from shoal.web.runs import Run, check_room

EXAMPLE = "people.csv"
EXAMPLE_ROWS = 20_000
ROLE_WORDS = {
    "identifier": "identifiers",
    "quasi-identifier": "quasi_identifiers",
    "sensitive": "sensitive",
    "other": "others",
}
"""Roles, and what job files call the columns that have them."""


class Session:
    """A private folder, a desk, the words of a job, and the runs so far."""

    def __init__(self, folder: Path) -> None:
        self.id, self.secret = secrets.token_urlsafe(18), secrets.token_urlsafe(32)
        self.folder = folder / secrets.token_hex(8)
        self.inputs, self._incoming = self.folder / "inputs", self.folder / "incoming"
        for folder in (self.folder, self.inputs, self._incoming):
            folder.mkdir(mode=0o700)
        self.desk = DeskLine(self.inputs)
        self.touched = monotonic()
        self.listeners: set[Callable[[], None]] = set()
        self.runs: dict[str, Run] = {}
        self.shown_run: str | None = None
        self.pinned: dict[str, Candidate] = {}
        """The clipboard: candidates for a release, by run and levels."""
        self.is_starting = False
        """Whether a run is being started just now."""
        self.column: str | None = None
        self.reading: dict[str, Any] = {}
        """How the next table is read, where that is not found out."""
        self.history = History({})
        self._forget_table()

    def _forget_table(self) -> None:
        for old in self.inputs.iterdir():
            old.unlink()
        self.table: str | None = None
        self.size: dict[str, Any] = {}
        self.inspection: dict[str, Any] | None = None
        self.files: set[str] = set()
        self._forget_words()

    def _forget_words(self) -> None:
        self.history.forget({"privacy": {"k": 5}})
        self.column = None

    @property
    def words(self) -> dict[str, Any]:
        """What is said about the job now; change it by ``change``."""
        return self.history.words

    def change(self, words: dict[str, Any]) -> None:
        """Say something else about the job; what was said before can be had back."""
        self.history.change(words)
        self.changed()

    async def undo(self) -> None:
        """Take the last change back."""
        await self._step(self.history.undo)

    async def redo(self) -> None:
        """Make the change again that was taken back last."""
        await self._step(self.history.redo)

    async def _step(self, step: Callable[[], None]) -> None:
        before = self.words.get("reading", {})
        step()
        after = self.words.get("reading", {})
        if before != after and self.table is not None:
            self.inspection, self.size = None, await self._open(self.table, after)
            self.reading = dict(after)
        self.changed()

    def touch(self) -> None:
        """Somebody is there."""
        self.touched = monotonic()

    @property
    def is_busy(self) -> bool:
        """Whether a run is under way."""
        return any(run.state == "running" for run in self.runs.values())

    def changed(self) -> None:
        """Tell every open page of this session."""
        for listener in list(self.listeners):
            listener()

    async def receive(self, name: str, body: AsyncIterator[bytes]) -> None:
        """Take a table in place of the one before, which stays where the new one cannot be read.

        Raises:
            InputError: the name is no name of a table, the disk is full, or the file cannot be read as one.
        """
        name, reading = table_name(name), dict(self.reading)
        fresh = self._incoming / secrets.token_hex(8)
        fresh.mkdir(mode=0o700)
        try:
            await self._save(body, fresh / name)
            size = await self._open(f"../incoming/{fresh.name}/{name}", reading)
            self._forget_table()
            (fresh / name).replace(self.inputs / name)
        finally:
            wipe(fresh)
        self.desk.moved(name)
        self._take(name, size, reading)

    async def _open(self, name: str, reading: dict[str, Any]) -> dict[str, Any]:
        """Have the desk open a table; where it cannot, the one before is open again."""
        try:
            size: dict[str, Any] = await self.desk.ask("open", name=name, reading=reading)
        except InputError:
            if self.table is not None:
                await self.desk.ask("open", name=self.table, reading=self.words.get("reading", {}))
            raise
        return size

    async def read_again(self, reading: dict[str, Any]) -> None:
        """Read the table in another way. What was said about its columns stays where they are the same.

        Raises:
            InputError: there is no table, or it cannot be read so; then it stays as it was.
        """
        if self.table is None:
            raise InputError("There is no table yet; open one under Prepare.")
        size = await self._open(self.table, reading)
        if size["columns"] != self.size["columns"]:
            self._forget_words()
        self.inspection, self.size = None, size
        words = {key: said for key, said in self.words.items() if key != "reading"}
        self.change({**words, "reading": reading} if reading else words)

    async def open_example(self) -> None:
        """Take the built-in example, with the roles and hierarchies that suit it."""
        self._forget_table()
        await self.desk.ask("make_example", name=EXAMPLE, n=EXAMPLE_ROWS)
        self._take(EXAMPLE, await self.desk.ask("open", name=EXAMPLE, reading={}), {})
        self.history.forget({**ROLES, "privacy": {"k": 10, "l": 3}, "hierarchies": hierarchies()})

    async def receive_file(self, name: str, body: AsyncIterator[bytes]) -> str:
        """Take a file that belongs to the table: a hierarchy or a population.

        Raises:
            InputError: no name of a file, or one that the table, the job file or the script has; or the disk is full.
        """
        name = file_name(name)
        if name.casefold() in (JOB, SCRIPT, (self.table or "").casefold()):
            raise InputError("The table, the job file or the script has this name; give the file another.")
        fresh = self._incoming / secrets.token_hex(8)
        await self._save(body, fresh)
        fresh.replace(self.inputs / name)
        self.files.add(name)
        return name

    async def inspect(self) -> dict[str, Any]:
        """What the columns are; asked once for each table, and its roles are taken where none were given."""
        if self.inspection is None:
            self.inspection = await self.desk.ask("inspect")
            if not any(self.words.get(words) for words in ROLE_WORDS.values()):
                self.history.settle(self._with_roles(self.inspection["columns"]))
        return self.inspection

    def _with_roles(self, columns: list[dict[str, Any]]) -> dict[str, Any]:
        """What is said now, and the roles that were suggested."""
        words = copy.deepcopy(self.words)
        for column in columns:
            if column["role"] != "other":
                word = ROLE_WORDS.get(column["role"], "identifiers")  # whose rows they are is asked
                words.setdefault(word, []).append(column["name"])
        return words

    async def say(self, words: dict[str, Any]) -> Job:
        """Take the words of a job in place of those before; where they read the table otherwise, it is read again.

        Raises:
            InputError: as for job files.
        """
        job = self.job(words)
        reading = {word: value for word, value in job.reading.items() if value}
        if reading != self.words.get("reading", {}):
            await self.read_again(reading)
        self.change(words)
        return job

    def job(self, words: dict[str, Any] | None = None) -> Job:
        """The job as it is said now."""
        if self.table is None:
            raise InputError("There is no table yet; open one under Prepare.")
        return checked_job(self.words if words is None else words, self.table, self.files)

    def role(self, column: str) -> str:
        """The role of a column."""
        if column == self.words.get("person"):
            return "person"
        return next((role for role, word in ROLE_WORDS.items() if column in self.words.get(word, [])), "other")

    def set_role(self, column: str, role: str) -> None:
        """Give a column another role; columns keep the table's order."""
        words = copy.deepcopy(self.words)
        for word in ROLE_WORDS.values():
            words[word] = [name for name in words.get(word, []) if name != column]
        if column == words.get("person"):
            del words["person"]
        if role == "person":
            words["person"] = column
        else:
            chosen = {*words[ROLE_WORDS[role]], column}
            words[ROLE_WORDS[role]] = [name for name in self.size["columns"] if name in chosen]
        self.change(words)

    def kind(self, column: str) -> Kind | None:
        """The kind that was chosen for a column, if any was."""
        return cast("Kind | None", self.words.get("kinds", {}).get(column))

    def hierarchy(self, column: str) -> object:
        """The hierarchy of a column in the words of a job; None where it has none."""
        return self.words.get("hierarchies", {}).get(column)

    def set_kind(self, column: str, kind: str | None) -> None:
        """Say what the values of a column are; None leaves it to what was found."""
        kinds = {name: one for name, one in self.words.get("kinds", {}).items() if name != column}
        self.change({**self.words, "kinds": kinds | ({column: kind} if kind else {})})

    def set_hierarchy(self, column: str, spec: object) -> None:
        """Give a column a hierarchy, or none.

        Raises:
            InputError: it is said by a file that has no plain name.
        """
        if is_file(spec):
            self.files.add(file_name(str(spec)))
        trees = {name: one for name, one in self.words.get("hierarchies", {}).items() if name != column}
        self.change({**self.words, "hierarchies": trees | ({} if spec is None else {column: spec})})

    async def start(self, name: str = "", more: dict[str, Any] | None = None) -> Run:
        """Start a run of the job as it is said now, with ``more`` words for this run only.

        Raises:
            InputError: the job cannot be run on this table, or enough runs are under way.
        """
        check_room(self.runs)
        words = {**self.words, **(more or {})}
        job = self.job(words)
        await self.desk.ask("try_out", job=job)
        run = Run(name.strip()[:80] or f"Run {len(self.runs) + 1}", job, copy.deepcopy(words), self.folder / "runs")
        self.runs[run.id] = run
        await asyncio.to_thread(run.begin, self.inputs, self.changed)
        self.shown_run = run.id
        return run

    def run(self, run: str) -> Run:
        """The run of that id.

        Raises:
            KeyError: there is none in this session.
        """
        return self.runs[run]

    def forget(self, run: str) -> None:
        """Remove a run and all it made."""
        self.runs.pop(run).wipe()
        self.shown_run = next(reversed(self.runs), None) if self.shown_run == run else self.shown_run

    def chosen_run(self) -> Run | None:
        """The run that pages show: the one that was chosen, if it is done."""
        chosen = self.runs.get(self.shown_run or "")
        return chosen if chosen and chosen.state == "done" else None

    def is_current(self, run: Run) -> bool:
        """Whether a run was made of this table by what is said now; otherwise what it shows is out of date."""
        return run.job.input == self.table and run.words == self.words

    def is_running_already(self) -> bool:
        """Whether what is said now is being run."""
        return any(run.state == "running" and self.is_current(run) for run in self.runs.values())

    def wipe(self) -> None:
        """End all work and remove everything."""
        for run in self.runs.values():
            run.cancel()
        self.desk.close()
        wipe(self.folder)

    def _take(self, name: str, size: dict[str, Any], reading: dict[str, Any]) -> None:
        self.table, self.size = name, size
        if reading:
            self.history.settle({**self.words, "reading": reading})

    async def _save(self, body: AsyncIterator[bytes], target: Path) -> None:
        """Write a body to a file that only its owner may read, as it comes."""
        try:
            handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                async for piece in body:
                    await asyncio.to_thread(file.write, piece)
        except OSError:
            _remove(target)
            raise InputError("The file could not be kept: the disk is full or not writable.") from None
        except BaseException:
            _remove(target)
            raise


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
