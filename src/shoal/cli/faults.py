"""Errors as one sentence on stderr and an exit status; tracebacks only on request."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

from shoal.errors import ShoalError

DEBUG = "SHOAL_DEBUG"
"""The environment variable that turns on tracebacks."""

BAD_INPUT, OUR_FAULT, INTERRUPTED = 2, 70, 130


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while files may have been written; the message says what state they are in."""


def report(problem: BaseException) -> int:
    """Print the error on stderr and return the exit status."""
    if isinstance(problem, SystemExit):
        return problem.code if isinstance(problem.code, int) else int(problem.code is not None)
    if os.environ.get(DEBUG, "0") not in ("", "0"):
        traceback.print_exception(problem)
    sentence, status = explain(problem)
    sys.stderr.write(one_line(sentence) + "\n")
    return status


def explain(problem: BaseException) -> tuple[str, int]:
    """The sentence for the user and the exit status."""
    if isinstance(problem, ShoalError):
        return f"Error: {problem}", problem.exit_status
    if isinstance(problem, KeyboardInterrupt):
        return str(problem) or "Interrupted; nothing was written.", INTERRUPTED
    if (message := _usage(problem)) is not None:
        return f"Error: {message}", BAD_INPUT
    if isinstance(problem, MemoryError):
        return f"Error: There is not enough memory for this table ({DEBUG}=1 shows where).", OUR_FAULT
    if isinstance(problem, OSError) and problem.strerror:
        where = f" {str(problem.filename)!r}" if problem.filename else ""
        return f"Error: The system refused to go on{where and ' with' + where}: {problem.strerror}.", BAD_INPUT
    what = f"{type(problem).__name__}: {problem}"
    return f"Error: An unexpected error occurred ({what}); {DEBUG}=1 shows where, please report it.", OUR_FAULT


def one_line(text: str) -> str:
    """The text without line breaks and without characters that would control a terminal."""
    return "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))


def _usage(problem: BaseException) -> str | None:
    """Typer's message about options and arguments; None for other errors.

    Typer brings its own copy of click since version 0.26 and has no public name for these errors, so they are
    recognized by two of their attributes.
    """
    context = getattr(problem, "ctx", None)
    if not hasattr(problem, "format_message") or not hasattr(problem, "exit_code"):
        return None
    hint = f" (see {context.command_path} --help)" if context else ""
    return f"{_other_case(problem) or problem.format_message().rstrip('.')}{hint}."


def _other_case(problem: Any) -> str | None:
    """A message for an unknown option that exists in another case."""
    wanted, context = getattr(problem, "option_name", None), problem.ctx
    if not hasattr(problem, "possibilities") or wanted is None or context is None:
        return None
    known = [name for option in context.command.params for name in option.opts if name.lower() == wanted.lower()]
    return f"No such option: {wanted}; did you mean {known[0]}?" if known else None
