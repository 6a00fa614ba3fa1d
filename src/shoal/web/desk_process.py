"""The process that has a session's table on its desk, and answers questions about it."""

from __future__ import annotations

import io
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from shoal.core import tree_edits
from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.engine.desk import Desk
from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.io.example import people
from shoal.io.hierarchies import write_hierarchy
from shoal.io.write import write_frame, write_text
from shoal.report.column_plot import column_histogram
from shoal.web.faults import sentence_of
from shoal.web.names import safe_stem
from shoal.web.processes import give_back_memory

MOST_SHOWN = 200
"""How many values of a tree are sent to a page."""


def answer_questions(line: Connection, folder: str) -> None:
    """Answer until the other end is closed: ``(verb, arguments)`` in, ``(kind of error, answer or sentence)`` out."""
    answers = Answers(Path(folder))
    while True:
        try:
            verb, arguments = line.recv()
        except EOFError:
            return
        try:
            question: Callable[..., Any] = getattr(answers, verb)
            line.send(("", question(**arguments)))
        except BaseException as problem:
            line.send((type(problem).__name__, sentence_of(problem)))
        give_back_memory()


class Answers:
    """Each public method is a question; arguments and answers are plain data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._desk: Desk | None = None

    @property
    def _table(self) -> Desk:
        if self._desk is None:
            raise InputError("There is no table yet; open one on the page Data.")
        return self._desk

    def open(self, name: str, reading: dict[str, Any]) -> dict[str, Any]:
        """Read the table."""
        self._desk = None
        self._desk = Desk(self._folder / name, self._folder, **reading)
        return self._desk.size()

    def make_example(self, name: str, n: int) -> None:
        """Write the table of people who do not exist."""
        write_frame(people(n), self._folder / name)

    def rows(self, start: int, n: int) -> list[list[str]]:
        """Some rows."""
        return self._table.rows(start, n)

    def inspect(self) -> dict[str, Any]:
        """Kinds, counts and suggested roles."""
        return self._table.inspection.as_data()

    def alone(self, quasi: list[str]) -> dict[str, Any]:
        """Who stands alone on these columns."""
        return self._table.alone(quasi)

    def try_out(self, job: Job) -> dict[str, Any]:
        """What a job would run."""
        return self._table.try_out(job)

    def limits(self, job: Job) -> dict[str, Any]:
        """What cannot be exceeded."""
        return self._table.limits(job)

    def node(self, job: Job, levels: list[int]) -> dict[str, Any]:
        """A few records of a node."""
        return self._table.node(job, levels)

    def tree(self, column: str, spec: object, kind: Kind | None, cuts: list[float] | None = None) -> dict[str, Any]:
        """The hierarchy of a column for a page: rows of labels, counts, sizes of levels, what is lacking."""
        coded = self._table.column(column, kind)
        domain = coded.domain
        counts = dict(zip(domain.texts, domain.counts.tolist(), strict=True))
        answer: dict[str, Any] = {
            "kind": domain.kind,
            "n_values": domain.n_leaves,
            "histogram": column_histogram(domain, cuts or []),
            "rows": [],
            "sizes": [],
            "lacking": "",
        }
        if spec is None:
            return answer | {"values": list(domain.texts[:MOST_SHOWN])}
        made = self._table.hierarchy(column, spec, kind, covering=False)
        rows = [row for row in made.to_rows() if row[0] in counts] or made.to_rows()
        return answer | {
            "rows": [[*row, counts.get(row[0], 0)] for row in rows[:MOST_SHOWN]],
            "sizes": [len(set(labels)) for labels in made.labels],
            "lacking": _lacking(made, column, counts),
        }

    def edit(self, column: str, spec: object, kind: Kind | None, change: str, arguments: dict[str, Any]) -> object:
        """The hierarchy after a change, as groups for a job file, or the name of a file where groups cannot say it."""
        texts = list(self._table.column(column, kind).domain.texts)
        rows = (
            tree_edits.flat(texts)
            if spec is None
            else self._table.hierarchy(column, spec, kind, covering=False).to_rows()
        )
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
        """The hierarchy in ARX's form."""
        text = io.StringIO()
        write_hierarchy(self._table.hierarchy(column, spec, kind, covering=False), text)
        return text.getvalue()

    def _spelled(self, column: str, made: Hierarchy) -> object:
        groups = tree_edits.as_groups(made)
        if groups is not None:
            return groups
        text = io.StringIO()
        write_hierarchy(made, text)
        number = len([*self._folder.glob("hierarchy_*.csv")])
        name = f"hierarchy_{safe_stem(column)}_{number}.csv"
        write_text(text.getvalue(), self._folder / name)
        return name


def _lacking(made: Hierarchy, column: str, counts: dict[str, int]) -> str:
    """What the hierarchy lacks, in the words of the check before every run; empty where it lacks nothing."""
    try:
        made.require(column, [*counts], [*counts.values()])
    except InputError as problem:
        return str(problem)
    return ""
