"""One user's session: a table, its settings, and runs.

Its parts have files of their own: ``tables``, ``run_list`` and ``history`` (earlier settings, and actions other than
settings). So do operations on the whole session: ``receiving`` (incoming tables and files) and ``undo``.
"""

from __future__ import annotations

import asyncio
import copy
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from shoal.errors import InputError
from shoal.web.column_words import STARTING, with_hierarchies, with_kind, with_policy, with_role
from shoal.web.desk import DeskLine
from shoal.web.folders import exchange, save, wipe
from shoal.web.history import Act, Deeds, History
from shoal.web.job_words import is_file
from shoal.web.names import file_name, table_name
from shoal.web.run import Run
from shoal.web.run_list import RunList
from shoal.web.tables import OpenTable, Shelf
from shoal.web.tool_process import TOOLS
from shoal.web.tools import Tool


class Session:
    """A private folder, a desk, the settings of a job, and the runs so far."""

    def __init__(self, folder: Path) -> None:
        self.id, self.secret = secrets.token_urlsafe(18), secrets.token_urlsafe(32)
        self.folder = folder / secrets.token_hex(8)
        self.inputs, self.incoming = self.folder / "inputs", self.folder / "incoming"
        self.others = self.folder / "others"
        """Files other than the table: to be checked, attacked, or published with an earlier recoding."""
        self._aside = self.folder / "aside"
        """Files that were replaced by others, kept until the session ends."""
        for place in (self.folder, self.inputs, self.incoming, self.others, self._aside):
            place.mkdir(mode=0o700)
        self.desk = DeskLine(self.inputs)
        self.touched = monotonic()
        self.listeners: set[Callable[[], None]] = set()
        self.later: dict[str, str] = {}
        """The file of later rows to publish, and the run whose recoding to use."""
        self.tools = {name: Tool(name) for name in TOOLS}
        self.is_starting = False
        """Whether a run is being started."""
        self.reading: dict[str, Any] = {}
        """The import options for the next table that are not left to detection."""
        self.deeds, self.shelf = Deeds(), Shelf(self.folder / "shelf", self.inputs)
        self.table, self.runs = OpenTable(History(copy.deepcopy(STARTING))), self.no_runs()

    def no_runs(self) -> RunList:
        """An empty list of runs."""
        return RunList(self.folder / "runs", self.do, self.changed)

    @property
    def is_busy(self) -> bool:
        """Whether a run is starting, running or being attacked, or a tool is computing an answer."""
        runs = (*self.runs.values(), *self.shelf.runs())
        return (
            self.is_starting
            or any(run.is_preparing for run in runs)
            or any(tool.is_running for tool in self.tools.values())
        )

    def touch(self) -> None:
        """Record that the user is active."""
        self.touched = monotonic()

    def changed(self) -> None:
        """Notify every open page of this session."""
        for listener in list(self.listeners):
            listener()

    def wipe(self) -> None:
        """Cancel all work and remove everything."""
        for run in (*self.runs.values(), *self.shelf.runs()):
            run.cancel()
        for tool in self.tools.values():
            tool.stop()
        self.desk.close()
        wipe(self.folder)

    @property
    def words(self) -> dict[str, Any]:
        """The current settings of the job; change them with ``change``."""
        return self.table.words

    def change(self, words: dict[str, Any]) -> None:
        """Change the settings of the job; this can be undone."""
        self.deeds.say_something_else()
        self.table.history.change(words)
        self.changed()

    def do(self, do: Act, undo: Act) -> None:
        """Perform an undoable action other than changing settings; every page is redrawn."""
        self.deeds.do(self.table.history, do, undo)
        self.redraw()

    def redraw(self) -> None:
        """Redraw every page."""
        self.table.history.version += 1
        self.changed()

    async def read(self, name: str, reading: dict[str, Any]) -> dict[str, Any]:
        """Have the desk read a table and return its size; if it cannot, the previous one is reopened.

        Raises:
            InputError: it cannot be read this way.
        """
        try:
            size: dict[str, Any] = await self.desk.ask("open", name=name, reading=reading)
        except InputError:
            if self.table.name is not None:
                await self.desk.ask("open", name=self.table.name, reading=self.table.reading)
            raise
        return size

    async def inspect(self) -> dict[str, Any]:
        """Inspect the columns, once per table; suggested roles are applied if none are set."""
        table = self.table
        if table.inspection is None:
            table.found(await self.desk.ask("inspect"))
        return table.inspection or {}

    async def follow(self, policy: str) -> None:
        """Apply a policy to this table, and record that it is followed.

        Raises:
            InputError: the table conflicts with the policy.
        """
        self.change(with_policy(self.words, policy, await self.desk.ask("policy", name=policy)))

    def set_role(self, column: str, role: str) -> None:
        """Change the role of a column; columns keep the table's order."""
        size, found = self.table.size, (self.table.inspection or {}).get("columns", ())
        self.change(with_role(self.words, column, role, size["columns"], found, size.get("n_rows", 0)))

    def set_kind(self, column: str, kind: str | None) -> None:
        """Set the kind of a column's values; None leaves it to detection."""
        self.change(with_kind(self.words, column, kind))

    def set_hierarchies(self, specs: Mapping[str, object]) -> None:
        """Set the hierarchies of columns; None removes one.

        Raises:
            InputError: a hierarchy is a file with an invalid name.
        """
        self.table.files |= {file_name(str(spec)) for spec in specs.values() if is_file(spec)}
        self.change(with_hierarchies(self.words, specs))

    async def put(self, body: AsyncIterator[bytes], target: Path) -> None:
        """Write a file; if it replaces another, undo restores that.

        Raises:
            InputError: the disk is full.
        """
        fresh = self._aside / secrets.token_hex(8)
        await save(body, fresh)
        if target.is_file():
            self._exchange(target, fresh)
        else:
            fresh.replace(target)

    def set_aside(self, path: Path) -> None:
        """Remove a file; undo restores it until the session ends."""
        self._exchange(path, self._aside / secrets.token_hex(8))

    def _exchange(self, path: Path, other: Path) -> None:
        swap = partial(exchange, path, other)
        self.do(swap, swap)

    async def start(self, name: str = "", more: dict[str, Any] | None = None) -> Run:
        """Start a run with the current settings, and ``more`` settings for this run only.

        Raises:
            InputError: the job cannot be run on this table, or the maximum number of runs is in progress.
        """
        self.runs.check_room()
        words = {**self.words, **(more or {})}
        job = self.table.job(words)
        await self.desk.ask("try_out", job=job)
        run = self.runs.new(name, job, words, self.table.key)
        run.only_here = dict(more or {})
        self.runs[run.id] = run
        await asyncio.to_thread(run.begin, self.inputs, self.changed)
        self.runs.shown = run.id
        return run

    async def apply(self, earlier: Run, name: str) -> Run:
        """Start a run that publishes the rows of a file with the recoding of an earlier run.

        Raises:
            InputError: that run has no recoding, there is no such file, or too many runs are in progress.
        """
        self.runs.check_room()
        if not (self.others / table_name(name)).is_file():
            raise InputError("There is no such file here; upload it first.")
        run = self.runs.new(f"{name} by {earlier.name}", earlier.job, earlier.words, earlier.table_key)
        await asyncio.to_thread(run.begin_by, earlier, self.others / name, self.changed)
        self.runs[run.id] = run
        self.runs.shown = run.id
        return run

    def restore_run(self, said: Mapping[str, Any]) -> Run:
        """Restore a finished run; the caller puts its files in place."""
        run = self.runs.new(said["name"], self.table.job(said["words"]), said["words"], self.table.key)
        run.restore(said, self.inputs)
        self.runs[run.id] = run
        return run

    def is_current(self, run: Run) -> bool:
        """Whether a run used this table and the current settings; otherwise its results are out of date."""
        is_same = run.table_key == self.table.key and run.words == {**self.words, **run.only_here}
        return bool(run.applied) or (is_same and run.has_read(self.inputs))

    def is_running_already(self) -> bool:
        """Whether a run with the current settings is in progress."""
        return any(run.state == "running" and self.is_current(run) for run in self.runs.values())
