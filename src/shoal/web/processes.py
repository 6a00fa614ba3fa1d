"""Work in other processes, so that pages stay responsive and one bad file harms nobody else.

Their errors come back as sentences.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from shoal.errors import ShoalError

_CONTEXT = multiprocessing.get_context("spawn")

ENDED = "The work was ended by the system, probably for lack of memory; nothing was written."

_SHARE = 0.75
"""The part of the machine's memory that a process may take."""


def start(target: Callable[..., None], *arguments: Any, patience: int = 0) -> tuple[BaseProcess, Connection]:
    """Start a process that runs ``target(connection, *arguments)``; return it with the other end of its connection.

    With ``patience`` it runs at lower priority (as with ``nice``).
    """
    ours, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_begin, args=(target, theirs, patience, *arguments), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def stop(process: BaseProcess) -> None:
    """Kill a process; its partial output is wiped with its folder."""
    with contextlib.suppress(ValueError):
        process.kill()
        process.join(5)


def _begin(target: Callable[..., None], line: Connection, patience: int, *arguments: Any) -> None:
    """Leave Ctrl-C to the parent, limit the memory, and work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if patience and hasattr(os, "nice"):
        os.nice(patience)
    _limit_memory()
    with contextlib.suppress(BrokenPipeError, EOFError):
        target(line, *arguments)


def _limit_memory() -> None:
    """Limit the process to a share of the machine's memory, if the system supports it."""
    with contextlib.suppress(ImportError, ValueError, OSError, AttributeError):
        import resource

        there_is = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = int(_SHARE * there_is)
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


def give_back_memory() -> None:
    """Return unused memory to the system after a question."""
    import ctypes

    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    with contextlib.suppress(OSError, AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def sending_faults(line: Connection, mark: str | bool) -> Iterator[None]:
    """Send any error as ``(mark, sentence)``."""
    try:
        yield
    except BaseException as problem:
        line.send((mark, sentence_of(problem)))


def sentence_of(problem: BaseException) -> str:
    """The sentence for the user. For an unexpected error only the type is shown: its text may contain data."""
    if isinstance(problem, ShoalError):
        return str(problem)
    if isinstance(problem, MemoryError):
        return "There is not enough memory for this table."
    return f"An unexpected error occurred ({type(problem).__name__}); please report what you did."
