"""The process that checks or attacks any file, or compares algorithms: one question, one answer, then it ends."""

from __future__ import annotations

import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from shoal.core.progress import Progress
from shoal.engine.auditing import audit_release
from shoal.engine.comparing import compare
from shoal.engine.verification_text import verification_headline, worst_grids
from shoal.engine.verifying import verify
from shoal.engine.vocabulary import promises_from
from shoal.report.audit_wording import audit_headline
from shoal.report.comparison import comparison_sections, headlines
from shoal.report.grids import Grid, verdict_grid
from shoal.report.sections import audit_sections, table
from shoal.web.processes import sending_faults
from shoal.web.run_process import Telling

Told = dict[str, Any]
"""What a page shows: a headline, whether the result is good, and parts of a report."""


def do_tool(line: Connection, tool: str, files: dict[str, str], words: dict[str, Any]) -> None:
    """Answer one question: send ``("stage", …)`` meanwhile, then ``("done", told)`` or ``("sorry", sentence)``."""
    signal.signal(signal.SIGTERM, _give_up)
    with sending_faults(line, "sorry"):
        line.send(("done", TOOLS[tool]({name: Path(path) for name, path in files.items()}, words, Telling(line))))


def _give_up(number: int, frame: object) -> None:
    """Stop as with Ctrl-C, so that child processes are stopped as well."""
    raise KeyboardInterrupt


def _verify(files: dict[str, Path], words: dict[str, Any], progress: Progress) -> Told:
    progress.stage("checking")
    found = verify(files["release"], original=files.get("original"), **words)
    untold = Grid("What cannot be decided", ["Promise", "Why"], [[one.promise, one.why] for one in found.untold])
    grids = [verdict_grid(found.verdicts), *worst_grids(found), untold]
    return {
        "headline": verification_headline(found),
        "is_good": found.holds,
        "notes": list(found.notes),
        "parts": [str(table(grid)) for grid in grids if grid.rows],
    }


def _audit(files: dict[str, Path], words: dict[str, Any], progress: Progress) -> Told:
    found = audit_release(files["original"], files["release"], progress=progress, **words)
    return {
        "headline": audit_headline(found),
        "is_good": found.withstands,
        "notes": list(found.notes),
        "parts": [str(part) for part in audit_sections(found)],
    }


def _compare(files: dict[str, Path], words: dict[str, Any], progress: Progress) -> Told:
    said = {key: value for key, value in words.items() if key not in ("privacy", "ks")}
    goals = [tuple(promises_from({**words["privacy"], **({"k": k} if k else {})})) for k in words["ks"] or [None]]
    found = compare(files["table"], goals=goals, progress=progress, **said)
    done = [entry for entry in found.entries if entry.is_done]
    return {
        "headline": " ".join(headlines(found.entries)),
        "is_good": bool(done),
        "notes": [],
        "parts": [str(part) for part in comparison_sections(found.entries)[1:]],
        "dots": [[one.losses["lm"], one.highest_risk, one.algorithm, one.goal, one.is_on_front] for one in done],
    }


TOOLS: dict[str, Callable[[dict[str, Path], dict[str, Any], Progress], Told]] = {
    "verify": _verify,
    "audit": _audit,
    "compare": _compare,
}
"""The possible questions, by the name of the command."""
