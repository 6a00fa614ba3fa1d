"""Run a case through the command line in this process, and say what became of it."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redteam.case import Case, as_text, commands, lay_out
from redteam.judge import complaints, judge_promises
from shoal.cli import main

WRONG, LAWFUL, UGLY, LEAKY = "wrong release", "lawful release refused", "ugly end", "something left behind"
"""The kinds of failure."""


@dataclass(frozen=True)
class Outcome:
    """What became of a case: ``kind`` is empty where nothing is to be said against it."""

    kind: str
    detail: str = ""
    status: int = 0


def run(case: Case) -> Outcome:
    """Run all commands of a case; the first failure counts."""
    with _folder() as folder:
        lay_out(case, folder)
        given = {path.name for path in folder.iterdir()}
        for words in commands(case):
            status, said = call(words)
            failure = _failure(case, words, status, said, folder, given)
            if failure is not None:
                return failure
            if status != 0:
                return Outcome("", said.strip(), status)
        return _judged(case, folder)


def call(words: list[str]) -> tuple[int, str]:
    """The exit status and what was said on stderr."""
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(words)
        except BaseException as problem:
            return 70, f"{type(problem).__name__} came through: {problem}"
    return status, err.getvalue()


def _failure(case: Case, words: list[str], status: int, said: str, folder: Path, given: set[str]) -> Outcome | None:
    if status == 3:
        return Outcome(LAWFUL, said.strip(), status)
    is_verdict = words[0] in ("verify", "audit")
    if status not in (0, 1, 2) or "Traceback" in said:
        return Outcome(UGLY, said.strip(), status)
    if status == 2 or (status == 1 and not is_verdict):
        left = {path.name for path in folder.iterdir()} - given
        if words[0] in ("anonymize", "run", "apply") and (left - {"recoding.json"}):
            return Outcome(LEAKY, f"{sorted(left)} after {said.strip()}", status)
        if len(said.strip().splitlines()) != 1 or not said.startswith("Error: "):
            return Outcome(UGLY, f"not one sentence: {said.strip()!r}", status)
    if words[0] == "verify":
        return _verdict(case, status, said)
    return None


def _verdict(case: Case, status: int, said: str) -> Outcome | None:
    """Whether verify says of a table what the definitions say."""
    if status == 2:
        return None
    published = [column for column in case.columns if column.role != "identifier"]
    rows = [[as_text(column.values[i]) or None for column in published] for i in range(case.n_rows)]
    found = judge_promises(case, rows)
    if bool(found) == (status == 1):
        return None
    return Outcome(WRONG, f"verify says {'NO' if status else 'YES'}: {said.strip()} — {found or 'it holds'}", status)


def _judged(case: Case, folder: Path) -> Outcome:
    if case.verb == "verify":
        return Outcome("")
    for column in case.of_role("identifier"):
        for path in (path for name in folder.glob("release.*") for path in (name, *name.rglob("*")) if path.is_file()):
            content = b"" if path.name.endswith(".run.json") else path.read_bytes()
            if any(str(value).encode() in content for value in column.values if value is not None):
                return Outcome(WRONG, f"an identifier stands in {path.name}")
    try:
        found = complaints(case, folder)
    except Exception as problem:
        return Outcome(WRONG, f"the file cannot be read: {type(problem).__name__} {problem}")
    left = [path.name for path in folder.iterdir() if path.name.startswith(".shoal")]
    if left:
        return Outcome(LEAKY, f"{left}")
    return Outcome(WRONG if found else "", found)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A folder of its own, which is where commands are called."""
    before, folder = Path.cwd(), Path(tempfile.mkdtemp(prefix="redteam-"))
    os.chdir(folder)
    try:
        yield folder
    finally:
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)
