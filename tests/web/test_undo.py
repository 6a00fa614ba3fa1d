"""Undo: what was said and what was removed come back one after the other, in the order in which they went."""

from __future__ import annotations

import asyncio
from pathlib import Path

from shoal.web.column_words import MOST_LIVE, STARTING, with_role, with_suggested_roles
from shoal.web.job_words import checked_job
from shoal.web.runs import Run
from shoal.web.session import Session


def _session(folder: Path, *names: str) -> Session:
    """A session without a table, with runs that were never begun."""
    session = Session(folder)
    for name in names:
        run = Run(name, checked_job({"privacy": {"k": 2}}, "t.csv", []), {}, session.folder / "runs")
        run.folder.make()
        session.runs[run.id] = run
    return session


def _names(session: Session) -> list[str]:
    return [run.name for run in session.runs.values()]


def test_removals_and_words_are_taken_back_in_turn_and_made_again(tmp_path: Path) -> None:
    session = _session(tmp_path, "a", "b", "c")
    _, second, third = [*session.runs]
    session.change({"seed": 1})
    session.remove(second)
    session.change({"seed": 2})
    session.remove(third)
    seen = []
    for step in [session.undo] * 4 + [session.redo] * 4:
        asyncio.run(step())
        seen.append((session.words.get("seed"), _names(session)))
    assert seen[:4] == [(2, ["a", "c"]), (1, ["a", "c"]), (1, ["a", "b", "c"]), (None, ["a", "b", "c"])]
    assert seen[4:] == [(1, ["a", "b", "c"]), (1, ["a", "c"]), (2, ["a", "c"]), (2, ["a"])]
    assert not session.can_redo


def test_a_removed_run_keeps_its_files_until_it_is_wiped(tmp_path: Path) -> None:
    session = _session(tmp_path, "a", "b")
    first, second = session.runs.values()
    session.remove(first.id)
    assert first.folder.outputs.is_dir()
    session.forget(second.id)
    assert not second.folder.path.exists()
    asyncio.run(session.undo())
    assert _names(session) == ["a"]
    assert session.shown_run == first.id


def test_one_sensitive_column_begins_with_a_model_that_stops_what_k_does_not() -> None:
    roles = [{"name": "age", "role": "quasi-identifier"}, {"name": "ill", "role": "sensitive"}]
    assert with_suggested_roles(STARTING, roles)["privacy"] == {"k": 5, "t": 0.3}
    assert with_suggested_roles({"privacy": {"k": 7}}, roles)["privacy"] == {"k": 7}
    several = [*roles, {"name": "pay", "role": "sensitive"}]
    assert with_suggested_roles(STARTING, several)["privacy"] == {"k": 5}
    assert with_suggested_roles(STARTING, roles, MOST_LIVE + 1)["privacy"] == {"k": 5}
    words = with_suggested_roles(STARTING, roles)
    assert with_role(words, "ill", "other", ["age", "ill"])["privacy"] == {"k": 5}
    assert with_role(words, "age", "other", ["age", "ill"])["privacy"] == {"k": 5, "t": 0.3}
    assert with_role({**words, "privacy": {"k": 5}}, "age", "other", ["age", "ill"])["privacy"] == {"k": 5}
