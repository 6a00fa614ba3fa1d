"""Questions about any file: each is answered by a separate process, which can be stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from shoal.web.processes import ENDED, start, stop
from shoal.web.tool_process import do_tool

_PATIENCE = 5
"""Like runs, questions have lower priority than pages."""


class Tool:
    """One kind of question in a session: the input of its form, the progress, the last answer."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.said: dict[str, Any] = {}
        """The current input of the form."""
        self.stage, self.sentence = "", ""
        self.answer: dict[str, Any] | None = None
        self._process: BaseProcess | None = None

    @property
    def is_running(self) -> bool:
        """Whether the answer is being computed."""
        return self._process is not None

    async def ask(self, files: dict[str, Path], words: dict[str, Any], changed: Callable[[], None]) -> None:
        """Compute the answer; ignored while another question is being answered."""
        if self.is_running:
            return
        self.stage, self.sentence, self.answer = "starting", "", None
        paths = {name: str(path) for name, path in files.items()}
        self._process, line = start(do_tool, self.name, paths, words, patience=_PATIENCE)
        changed()
        await asyncio.to_thread(self._wait, line, changed)
        changed()

    def stop(self) -> None:
        """Cancel the question."""
        if self._process is not None:
            self.sentence = "Cancelled."
            self._process.terminate()

    def _wait(self, line: Connection, changed: Callable[[], None]) -> None:
        try:
            while True:
                kind, *said = line.recv()
                if kind == "done":
                    self.answer = said[0]
                    break
                if kind == "sorry":
                    self.sentence = said[0]
                    break
                if kind == "stage":
                    self.stage = said[0]
                    changed()
        except (EOFError, OSError):
            self.sentence = self.sentence or ENDED
        process, self._process = self._process, None
        if process is not None:
            stop(process)
