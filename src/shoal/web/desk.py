"""A session's connection to its desk process."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock
from typing import Any

from shoal.errors import ImpossibleGoal, InputError
from shoal.web.desk_process import PENDING, answer_questions
from shoal.web.processes import ENDED, start, stop

_PAUSE = 0.1
"""Seconds between polls of a long-running question."""


class DeskLine:
    """Asks one question at a time; between two polls of a long one, others can be asked.

    The process is started when first needed, and again if it has ended.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._lock = Lock()
        self._opened: dict[str, Any] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, while it runs."""
        return self._process.pid if self._process else None

    async def ask(self, verb: str, **arguments: Any) -> Any:
        """Ask a question and return the answer.

        Raises:
            InputError: the request cannot be fulfilled, with the reason; ImpossibleGoal if no release could.
        """
        while (answer := await asyncio.to_thread(self._ask, verb, arguments)) == PENDING:
            await asyncio.sleep(_PAUSE)
        return answer

    def moved(self, name: str) -> None:
        """Remember the new name of the open table, in case it must be opened again."""
        if self._opened is not None:
            self._opened = {**self._opened, "name": name}

    def warm_up(self) -> None:
        """Start the process in advance, so that it is ready for the first question."""
        with self._lock:
            self._connect()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            stop(process)

    def _connect(self) -> Connection:
        if self._process is None or not self._process.is_alive() or self._line is None:
            self._process, self._line = start(answer_questions, str(self._folder))
        return self._line

    def _ask(self, verb: str, arguments: dict[str, Any]) -> Any:
        with self._lock:
            known = self._process
            line = self._connect()
            if self._process is not known and self._opened and verb not in ("open", "make_example"):
                self._exchange(line, "open", self._opened)
            answer = self._exchange(line, verb, arguments)
            if verb == "open":
                self._opened = arguments
            return answer

    def _exchange(self, line: Connection, verb: str, arguments: dict[str, Any]) -> Any:
        try:
            line.send((verb, arguments))
            kind, answer = line.recv()
        except (EOFError, OSError):
            self._line = None
            if verb == "open":
                self._opened = None
            raise InputError(ENDED) from None
        if kind:
            raise (ImpossibleGoal if kind == ImpossibleGoal.__name__ else InputError)(answer)
        return answer
