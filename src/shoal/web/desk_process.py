"""The desk: the process that holds a session's table and answers questions about it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core import tree_edits
from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.engine.compared_rows import side
from shoal.engine.desk import Desk
from shoal.engine.source import load
from shoal.engine.table_page import RowOrder, TablePages
from shoal.errors import InputError
from shoal.io.example import people
from shoal.io.hierarchies import write_hierarchy
from shoal.io.write import write_frame, write_text
from shoal.report.column_counts import column_counts
from shoal.web.export_process import database
from shoal.web.job_words import is_file
from shoal.web.names import file_name, safe_stem, table_name
from shoal.web.processes import give_back_memory, sentence_of

MOST_SHOWN = 200
"""Maximum number of values of a hierarchy that are sent to a page."""

_PATIENCE = 0.05
"""Seconds that others may have to wait for a long question."""

_MOST_TREES = 50
"""Number of hierarchies that are cached as sent."""


def answer_questions(line: Connection, folder: str) -> None:
    """Answer until the other end closes: ``(verb, arguments)`` in, ``(kind of error, answer or sentence)`` out.

    Slow answers are computed in the background, and the answer is PENDING until they are done: ask again. While idle,
    the process computes likely answers in advance, in pieces so small that no question has to wait.
    """
    answers = Answers(Path(folder))
    while True:
        while not line.poll() and answers.look_ahead():
            give_back_memory()
        try:
            verb, arguments = line.recv()
        except EOFError:
            return
        try:
            line.send(("", answers.to(verb, arguments)))
        except BaseException as problem:
            line.send((type(problem).__name__, sentence_of(problem)))
        give_back_memory()


PENDING = "pending"
"""The answer to a question that takes longer than others may wait."""

_LONG = {
    "inspect": _PATIENCE,
    "alone": _PATIENCE,
    "node": _PATIENCE,
    "fix": _PATIENCE,
    "fetch": _PATIENCE,
    "preview": 0.3,
}
"""Questions that may take long, and the seconds that others may have to wait for each."""


_OF_TABLE = ("rows", "page", "alone", "try_out", "possible", "policy", "preview", "fix", "node")
"""Questions that the table answers itself."""


class Answers:
    """Each public method is a question, or one of the table; arguments and answers are plain data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._desk: Desk | None = None
        self._trees: dict[str, dict[str, Any]] = {}
        self._beside = ThreadPoolExecutor(1)
        self._sought: dict[str, Future[Any]] = {}
        self._compared: tuple[str, TablePages] | None = None

    def to(self, verb: str, arguments: dict[str, Any]) -> Any:
        """The answer to a question, or PENDING."""
        question: Callable[..., Any] = getattr(self.table if verb in _OF_TABLE else self, verb)
        if verb not in _LONG:
            return question(**arguments)
        key = json.dumps([verb, arguments], default=str)
        if key not in self._sought:
            self._sought[key] = self._beside.submit(question, **arguments)
        wait([self._sought[key]], _LONG[verb])
        if not self._sought[key].done():
            return PENDING
        return self._sought.pop(key).result()

    @property
    def table(self) -> Desk:
        """The open table."""
        if self._desk is None:
            raise InputError("There is no table yet; open one under Prepare.")
        return self._desk

    def open(self, name: str, reading: dict[str, Any]) -> dict[str, Any]:
        """Read the table."""
        self._desk = None
        self._trees.clear()
        self._sought.clear()
        self._desk = Desk(self._folder / name, self._folder, **reading)
        return self._desk.size()

    def look_ahead(self) -> bool:
        """Compute in advance something that is likely to be asked; False if nothing is left."""
        try:
            return self._desk is not None and self._desk.look_ahead()
        except (InputError, MemoryError):
            return False

    def make_example(self, name: str, n: int) -> None:
        """Write the example table of fictional people."""
        write_frame(people(n), self._folder / name)

    def fetch(self, address: str, query: str, target: str) -> None:
        """Copy a database table into a file of the session."""
        write_frame(load(database(address), query=query or None).frame, Path(target), private=True)

    def inspect(self) -> dict[str, Any]:
        """Kinds, counts and suggested roles."""
        return self.table.inspection.as_data()

    def columns_of(self, name: str) -> list[str]:
        """The columns of a file other than the table."""
        return load(self._folder.parent / "others" / table_name(name)).frame.columns

    def compared(self, path: str, which: str, start: int, n: int, order: RowOrder) -> dict[str, Any]:
        """One side of rows and their records, as requested by a grid; the file was written by a run."""
        if self._compared is None or self._compared[0] != path:
            self._compared = path, TablePages(pl.read_ipc(path))
        found, total = self._compared[1].page(start, n, order)
        return {"rows": side(found, which), "n": total}

    def tree(self, column: str, spec: object, kind: Kind | None) -> dict[str, Any]:
        """The hierarchy of a column for a page: rows of labels, counts, sizes of levels, missing values."""
        key = json.dumps([column, spec, kind, self._age(spec)])
        if key not in self._trees:
            while len(self._trees) >= _MOST_TREES:
                del self._trees[next(iter(self._trees))]
            self._trees[key] = self._tree(column, spec, kind)
        return self._trees[key]

    def _age(self, spec: object) -> int:
        """The modification time of a hierarchy file; 0 for other hierarchies."""
        path = self._folder / str(spec) if is_file(spec) else None
        return path.stat().st_mtime_ns if path is not None and path.is_file() else 0

    def _tree(self, column: str, spec: object, kind: Kind | None) -> dict[str, Any]:
        domain = self.table.domain(column, kind)
        counts = dict(zip(domain.texts, domain.counts.tolist(), strict=True))
        answer: dict[str, Any] = {
            "kind": domain.kind,
            "n_values": domain.n_leaves,
            "counts": column_counts(domain),
            "rows": [],
            "sizes": [],
            "lacking": "",
        }
        if spec is None:
            return answer | {"values": list(domain.texts[:MOST_SHOWN])}
        made = self._hierarchy(column, spec, kind)
        rows = [row for row in made.to_rows() if row[0] in counts] or made.to_rows()
        return answer | {
            "rows": [[*row, counts.get(row[0], 0)] for row in rows[:MOST_SHOWN]],
            "sizes": [len(set(labels)) for labels in made.labels],
            "lacking": _lacking(made, column, counts),
        }

    def edit(self, column: str, spec: object, kind: Kind | None, change: str, arguments: dict[str, Any]) -> object:
        """The edited hierarchy, as groups for a job file, or the name of a file if groups cannot express it."""
        texts = list(self.table.domain(column, kind).texts)
        rows = tree_edits.flat(texts) if spec is None else self._hierarchy(column, spec, kind).to_rows()
        edits: dict[str, Callable[..., tree_edits.Rows]] = {
            "keep": lambda rows: rows,
            "move": tree_edits.move,
            "rename": tree_edits.rename,
            "add_level": tree_edits.add_level,
            "remove_level": tree_edits.remove_level,
            "cover": lambda rows: tree_edits.cover(rows, texts),
        }
        return self._spelled(column, Hierarchy.from_rows(edits[change](rows, **arguments), column))

    def export(self, column: str, spec: object, kind: Kind | None) -> str:
        """The hierarchy in ARX's format."""
        text = io.StringIO()
        write_hierarchy(self._hierarchy(column, spec, kind), text)
        return text.getvalue()

    def _hierarchy(self, column: str, spec: object, kind: Kind | None) -> Hierarchy:
        """Build the hierarchy; a file must belong to the session, and is given by its plain name."""
        if is_file(spec):
            file_name(str(spec))
        return self.table.hierarchy(column, spec, kind, covering=False)

    def _spelled(self, column: str, made: Hierarchy) -> object:
        groups = tree_edits.as_groups(made)
        if groups is not None:
            return groups
        text = io.StringIO()
        write_hierarchy(made, text)
        names = (f"hierarchy_{safe_stem(column)}_{number}.csv" for number in count())
        name = next(name for name in names if not (self._folder / name).exists())
        write_text(text.getvalue(), self._folder / name)
        return name


def _lacking(made: Hierarchy, column: str, counts: dict[str, int]) -> str:
    """The values that the hierarchy lacks, as the check before every run reports them; empty if it lacks none."""
    try:
        made.require(column, [*counts], [*counts.values()])
    except InputError as problem:
        return str(problem)
    return ""
