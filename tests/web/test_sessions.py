"""Sessions are wiped after a time without activity, but never while they work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shoal.engine.job import Job
from shoal.web.folders import PrivateFolder
from shoal.web.run import Run
from shoal.web.session import Session
from shoal.web.sessions import Sessions
from shoal.web.settings import Settings


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(Settings(keep_seconds=60.0), PrivateFolder(tmp_path))


def _new_run(session: Session, state: str) -> Run:
    job = Job.said({"input": "a.csv", "output": "b.csv", "quasi_identifiers": ["a"]})
    run = session.runs.new("Run", job, {}, "")
    session.runs[run.id] = run
    run.state = state  # type: ignore[assignment]
    return run


def _running(session: Session) -> Callable[[], None]:
    return _new_run(session, "running").cancel


def _being_attacked(session: Session) -> Callable[[], None]:
    return _new_run(session, "done").cancel


def _starting(session: Session) -> Callable[[], None]:
    session.is_starting = True
    return lambda: setattr(session, "is_starting", False)


def _asking(session: Session) -> Callable[[], None]:
    class Process:
        def terminate(self) -> None:
            """Nothing runs."""

    tool: Any = session.tools["audit"]
    tool._process = Process()
    return lambda: setattr(tool, "_process", None)


@pytest.mark.parametrize("work", [_running, _being_attacked, _starting, _asking])
def test_a_session_that_works_is_wiped_only_once_it_has_finished(
    work: Callable[[Session], Callable[[], None]], sessions: Sessions
) -> None:
    session = sessions.new()
    finish = work(session)
    session.touched -= 61.0
    sessions.tidy()
    assert sessions.of_id(session.id) is session
    assert session.folder.is_dir()
    finish()
    sessions.tidy()
    assert sessions.of_id(session.id) is None
    assert not session.folder.exists()


def test_an_active_session_stays(sessions: Sessions) -> None:
    session = sessions.new()
    sessions.tidy()
    assert sessions.of_id(session.id) is session
