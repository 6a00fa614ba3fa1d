"""What one user has: a table, what was said about it, and runs."""

from __future__ import annotations

import asyncio
import copy
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, cast

from shoal.core.domain import Kind
from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.io.example import ROLES, hierarchies
from shoal.web.candidate import Candidate
from shoal.web.column_words import (
    STARTING,
    fitting_hierarchies,
    has_roles,
    role,
    with_hierarchies,
    with_kind,
    with_policy,
    with_role,
    with_suggested_roles,
)
from shoal.web.database_process import database
from shoal.web.deeds import Act, Deeds
from shoal.web.desk import DeskLine
from shoal.web.folders import exchange, save, wipe
from shoal.web.history import History
from shoal.web.job_words import JOB, SCRIPT, checked_job, is_file
from shoal.web.names import file_name, safe_stem, table_name
from shoal.web.runs import Run, check_room
from shoal.web.shelf import Kept, Shelf
from shoal.web.tool_process import TOOLS
from shoal.web.tools import Tool

EXAMPLE = "people.csv"
EXAMPLE_ROWS = 20_000


class Session:
    """A private folder, a desk, the words of a job, and the runs so far."""

    def __init__(self, folder: Path) -> None:
        self.id, self.secret = secrets.token_urlsafe(18), secrets.token_urlsafe(32)
        self.folder = folder / secrets.token_hex(8)
        self.inputs, self._incoming = self.folder / "inputs", self.folder / "incoming"
        self.others = self.folder / "others"
        """Files that are not of this table: to be checked, attacked, or published by an earlier recoding."""
        self._aside = self.folder / "aside"
        """Files in whose place others came, until the session ends."""
        for folder in (self.folder, self.inputs, self._incoming, self.others, self._aside):
            folder.mkdir(mode=0o700)
        self.desk = DeskLine(self.inputs)
        self.touched = monotonic()
        self.listeners: set[Callable[[], None]] = set()
        self.runs: dict[str, Run] = {}
        self._deeds = Deeds()
        self.shown_run: str | None = None
        self.later: dict[str, str] = {}
        """Which later rows are to be published, and by the recoding of which run."""
        self.tools = {name: Tool(name) for name in TOOLS}
        self.pinned: dict[str, Candidate] = {}
        """The clipboard: candidates for a release, by run and levels."""
        self.is_starting = False
        """Whether a run is being started just now."""
        self.column: str | None = None
        self.reading: dict[str, Any] = {}
        """How the next table is read, where that is not found out."""
        self.history = History({})
        self._shelf = Shelf(self.folder / "shelf", self.inputs)
        self._forget_table()

    def _forget_table(self) -> None:
        for old in self.inputs.iterdir():
            old.unlink()
        self.table: str | None = None
        self.table_key = ""
        """Another for every table that is opened, whatever its name."""
        self.size: dict[str, Any] = {}
        self.inspection: dict[str, Any] | None = None
        self.files: set[str] = set()
        self.history.forget(copy.deepcopy(STARTING))
        self._offered: set[str] = set()
        self.column = None

    @property
    def words(self) -> dict[str, Any]:
        """What is said about the job now; change it by ``change``."""
        return self.history.words

    def change(self, words: dict[str, Any]) -> None:
        """Say something else about the job; what was said before can be had back."""
        self._deeds.say_something_else()
        self.history.change(words)
        self.changed()

    def do(self, do: Act, undo: Act) -> None:
        """Do something beside the words of the job that can be undone; every page is drawn again."""
        self._deeds.do(self.history, do, undo)
        self._redraw()

    def _redraw(self) -> None:
        self.history.version += 1
        self.changed()

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back: something that was said or done, another table opened."""
        return self._deeds.can_undo(self.history) or self.history.can_undo or self._shelf.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether a change was taken back that can be made again."""
        return self._deeds.can_redo(self.history) or self.history.can_redo or self._shelf.can_redo

    async def undo(self) -> None:
        """Take the last change back."""
        if self._deeds.can_undo(self.history):
            self._deeds.undo()
            self._redraw()
        elif self.history.can_undo:
            await self._step(self.history.undo)
        elif self._shelf.can_undo:
            await self._have(self._shelf.undo(self._kept()))

    async def redo(self) -> None:
        """Make the change again that was taken back last."""
        if self._deeds.can_redo(self.history):
            self._deeds.redo()
            self._redraw()
        elif self.history.can_redo:
            await self._step(self.history.redo)
        elif self._shelf.can_redo:
            await self._have(self._shelf.redo(self._kept()))

    async def _have(self, kept: Kept) -> None:
        """Have a table that was on the shelf in place of the one that is open."""
        version = self.history.version
        self.history, self.files, self.reading = kept.history, kept.files, kept.reading
        self.history.version = version + 1
        self.table, self.table_key, self.inspection = kept.table, kept.table_key, kept.inspection
        self._offered = kept.offered
        if kept.has_runs:
            self.runs, self.pinned, self.shown_run = kept.runs, kept.pinned, kept.shown_run
        self.size = await self.desk.ask("open", name=kept.table, reading=self.words.get("reading", {}))
        self.changed()

    def _kept(self) -> Kept:
        return Kept(
            str(self.table),
            self.table_key,
            self.inspection,
            self.files,
            self.history,
            dict(self.reading),
            self._offered,
            self.runs,
            self.pinned,
            self.shown_run,
        )

    def _shelve(self, *, with_runs: bool = False) -> None:
        """Keep the table that is open, before another takes its place; its runs stay in the list or go with it."""
        if self.table is not None:
            version, kept = self.history.version, self._kept()
            kept.has_runs = with_runs
            self._shelf.put(kept)
            self.history = History({})
            self.history.version = version + 1
        if with_runs:
            for run in self.runs.values():
                if run.state == "running":
                    run.cancel()
            self.runs, self.pinned, self.shown_run = {}, {}, None

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
        name = table_name(name)

        def keep(place: Path) -> Awaitable[None]:
            return save(body, place / name)

        await self._receive(name, dict(self.reading), keep)

    async def receive_from(self, address: str, query: str = "") -> None:
        """Take a copy of a table in a database in place of the table before.

        Raises:
            InputError: the address names no table, or the database does not give it.
        """
        name = f"{safe_stem('.'.join(database(address).table) or 'query')}.parquet"

        def keep(place: Path) -> Awaitable[None]:
            return self.desk.ask("fetch", address=address, query=query, target=str(place / name))

        await self._receive(name, {}, keep)
        self.changed()

    async def _receive(
        self,
        name: str,
        reading: dict[str, Any],
        keep: Callable[[Path], Awaitable[None]],
        *,
        with_runs: bool = False,
    ) -> None:
        """Have ``keep`` write a table, and files beside it, and open it in place of the one before."""
        fresh = self._incoming / secrets.token_hex(8)
        fresh.mkdir(mode=0o700)
        try:
            await keep(fresh)
            size = await self._open(f"../incoming/{fresh.name}/{name}", reading)
            self._shelve(with_runs=with_runs)
            self._forget_table()
            for path in [*fresh.iterdir()]:
                path.replace(self.inputs / path.name)
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
        known = self.words
        if size["columns"] != self.size["columns"]:
            known, self._offered, self.column = STARTING, set(), None
        self.inspection, self.size = None, size
        words = {key: said for key, said in known.items() if key != "reading"}
        self.change({**words, "reading": reading} if reading else words)

    async def open_example(self) -> None:
        """Take the built-in example, with the roles and hierarchies that suit it."""
        self._shelve()
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
        await self._put(body, self.inputs / name)
        self.files.add(name)
        return name

    async def _put(self, body: AsyncIterator[bytes], target: Path) -> None:
        """Write a file; where it takes the place of another, undo brings that back."""
        fresh = self._aside / secrets.token_hex(8)
        await save(body, fresh)
        if target.is_file():
            self._exchange(target, fresh)
        else:
            fresh.replace(target)

    def set_aside(self, path: Path) -> None:
        """Remove a file; undo brings it back until the session ends."""
        self._exchange(path, self._aside / secrets.token_hex(8))

    def _exchange(self, path: Path, other: Path) -> None:
        swap = partial(exchange, path, other)
        self.do(swap, swap)

    async def restore(self, table: str, inputs: Mapping[str, bytes], words: dict[str, Any], reading: Any) -> None:
        """Have a table, its files and what was said about it back, in place of everything.

        Raises:
            InputError: the table cannot be read.
        """

        async def keep(place: Path) -> None:
            for name, body in inputs.items():
                (place / file_name(name)).write_bytes(body)

        await self._receive(table_name(table), reading, keep, with_runs=True)
        self.files = {*inputs} - {table}
        self.history.forget(words)
        self._offered = {*self.size["columns"]}

    def restore_run(self, said: Mapping[str, Any]) -> Run:
        """Have a finished run back; its files are for the caller to put in place."""
        run = Run(said["name"], self.job(said["words"]), said["words"], self.folder / "runs")
        run.restore(said, self.inputs)
        run.table_key = self.table_key
        self.runs[run.id] = run
        return run

    async def inspect(self) -> dict[str, Any]:
        """What the columns are; asked once for each table, and its roles are taken where none were given."""
        if self.inspection is None:
            self.inspection = await self.desk.ask("inspect")
            if not has_roles(self.words):
                self.history.settle(
                    with_suggested_roles(self.words, self.inspection["columns"], self.size.get("n_rows", 0))
                )
            self._offer_hierarchies(self.inspection)
        return self.inspection

    def _offer_hierarchies(self, found: dict[str, Any]) -> None:
        """Take the hierarchies that suit quasi-identifiers; each is offered once."""
        new = {name: one for name, one in fitting_hierarchies(self.words, found).items() if name not in self._offered}
        self._offered |= {*new}
        self.history.settle(with_hierarchies(self.words, new) if new else self.words)

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

    async def follow(self, policy: str) -> None:
        """Say what a policy says of this table, and that it is followed.

        Raises:
            InputError: something in the table stands against it.
        """
        self.change(with_policy(self.words, policy, await self.desk.ask("policy", name=policy)))

    def job(self, words: dict[str, Any] | None = None) -> Job:
        """The job as it is said now."""
        if self.table is None:
            raise InputError("There is no table yet; open one under Prepare.")
        return checked_job(self.words if words is None else words, self.table, self.files)

    def least_job(self) -> Job:
        """The job as it is said now, also where no quasi-identifier or privacy model is."""
        return self.job({"quasi_identifiers": [], "privacy": {}, **self.words})

    def role(self, column: str) -> str:
        """The role of a column."""
        return role(self.words, column)

    def set_role(self, column: str, role: str) -> None:
        """Give a column another role; columns keep the table's order."""
        found = (self.inspection or {}).get("columns", ())
        self.change(with_role(self.words, column, role, self.size["columns"], found, self.size.get("n_rows", 0)))

    def kind(self, column: str) -> Kind | None:
        """The kind that was chosen for a column, if any was."""
        return cast("Kind | None", self.words.get("kinds", {}).get(column))

    def hierarchy(self, column: str) -> object:
        """The hierarchy of a column in the words of a job; None where it has none."""
        return self.words.get("hierarchies", {}).get(column)

    def set_kind(self, column: str, kind: str | None) -> None:
        """Say what the values of a column are; None leaves it to what was found."""
        self.change(with_kind(self.words, column, kind))

    def set_hierarchy(self, column: str, spec: object) -> None:
        """Give a column a hierarchy, or none.

        Raises:
            InputError: it is said by a file that has no plain name.
        """
        self.set_hierarchies({column: spec})

    def set_hierarchies(self, specs: Mapping[str, object]) -> None:
        """The same for several columns at once; None for none.

        Raises:
            InputError: one is said by a file that has no plain name.
        """
        self.files |= {file_name(str(spec)) for spec in specs.values() if is_file(spec)}
        self.change(with_hierarchies(self.words, specs))

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
        run.table_key, run.only_here = self.table_key, dict(more or {})
        self.runs[run.id] = run
        await asyncio.to_thread(run.begin, self.inputs, self.changed)
        self.shown_run = run.id
        return run

    async def receive_other(self, name: str, body: AsyncIterator[bytes]) -> str:
        """Take a file that is not of this table: one to check, to attack, or with later rows.

        Raises:
            InputError: the name is no name of a table, or the disk is full.
        """
        name = table_name(name)
        await self._put(body, self.others / name)
        return name

    async def apply(self, earlier: Run, name: str) -> Run:
        """Start a run that publishes the rows of a file by the recoding of an earlier run.

        Raises:
            InputError: that run has none, there is no such file, or enough runs are under way.
        """
        check_room(self.runs)
        if not (self.others / table_name(name)).is_file():
            raise InputError("There is no such file here; drop it first.")
        run = Run(f"{name} by {earlier.name}"[:80], earlier.job, copy.deepcopy(earlier.words), self.folder / "runs")
        run.table_key = earlier.table_key
        await asyncio.to_thread(run.begin_by, earlier, self.others / name, self.changed)
        self.runs[run.id] = run
        self.shown_run = run.id
        return run

    def run(self, run: str) -> Run:
        """The run of that id.

        Raises:
            KeyError: there is none in this session.
        """
        return self.runs[run]

    def remove(self, run: str) -> None:
        """Take a run from the list; undo brings it back, and its files stay until the session ends."""
        gone, place = self.runs[run], [*self.runs].index(run)

        def take_out() -> None:
            self.runs.pop(run, None)
            self._show(None)

        def put_back() -> None:
            listed = [*self.runs.items()]
            listed.insert(place, (run, gone))
            self.runs.clear()
            self.runs.update(listed)
            self._show(run)

        self.do(take_out, put_back)

    def rename(self, run: Run, name: str) -> None:
        """Call a run something else; an empty name leaves it as it is."""
        before, after = run.name, name.strip()[:80]
        if after and after != before:
            self.do(partial(setattr, run, "name", after), partial(setattr, run, "name", before))

    def pin(self, key: str, kept: Candidate | None) -> None:
        """Put a candidate on the clipboard, or take it off."""
        before = self.pinned.get(key)
        self.do(partial(self._pin, key, kept), partial(self._pin, key, before))

    def _pin(self, key: str, kept: Candidate | None) -> None:
        self.pinned.pop(key, None)
        if kept is not None:
            self.pinned[key] = kept

    def forget(self, run: str) -> None:
        """Wipe a run and all it made, for good."""
        self.runs.pop(run).wipe()
        self._show(None)

    def _show(self, run: str | None) -> None:
        """Have pages show a run that is there."""
        wanted = run or self.shown_run
        self.shown_run = wanted if wanted in self.runs else next(reversed(self.runs), None)
        self.changed()

    def chosen_run(self) -> Run | None:
        """The run that pages show: the one that was chosen, if it is done."""
        chosen = self.runs.get(self.shown_run or "")
        return chosen if chosen and chosen.state == "done" else None

    def is_current(self, run: Run) -> bool:
        """Whether a run was made of this table by what is said now; otherwise what it shows is out of date."""
        is_same = run.table_key == self.table_key and run.words == {**self.words, **run.only_here}
        return bool(run.applied) or (is_same and run.has_read(self.inputs))

    def is_running_already(self) -> bool:
        """Whether what is said now is being run."""
        return any(run.state == "running" and self.is_current(run) for run in self.runs.values())

    def wipe(self) -> None:
        """End all work and remove everything."""
        for run in (*self.runs.values(), *self._shelf.runs()):
            run.cancel()
        for tool in self.tools.values():
            tool.stop()
        self.desk.close()
        wipe(self.folder)

    def _take(self, name: str, size: dict[str, Any], reading: dict[str, Any]) -> None:
        self.table, self.size, self.table_key = name, size, secrets.token_hex(8)
        if reading:
            self.history.settle({**self.words, "reading": reading})
