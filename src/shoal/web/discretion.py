"""Logs that say where something went wrong, and nothing of the data."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path

LOGGERS = ("nicegui", "uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "fastapi", "engineio", "socketio")


class Discreet(logging.Formatter):
    """Kinds of errors and lines of code; messages and values may hold data, so they are left out."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and one for each step of a traceback."""
        said = f"{record.levelname}: {record.name} at {record.module}:{record.lineno}"
        if not record.exc_info or record.exc_info[1] is None:
            return said
        problem = record.exc_info[1]
        steps = [f"  {Path(step.filename).name}:{step.lineno} {step.name}" for step in _steps(problem)]
        return "\n".join([f"{said}: {type(problem).__name__}", *steps])


def be_discreet() -> None:
    """Send what the servers log through the discreet formatter, and only from warnings on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Discreet())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").disabled = True


def _steps(problem: BaseException) -> list[traceback.FrameSummary]:
    return traceback.extract_tb(problem.__traceback__)[-12:]
