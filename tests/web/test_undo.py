"""Undo: what was said and what was removed come back one after the other, in the order in which they went."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shoal.engine.release_findings import ReleaseFinding
from shoal.errors import InputError
from shoal.web.column_words import (
    BY_CLOSENESS,
    BY_FREQUENCY,
    BY_ORDER,
    MOST_LIVE,
    STARTING,
    with_role,
    with_suggested_roles,
)
from shoal.web.findings import answer
from shoal.web.job_words import checked_job
from shoal.web.projects import Projects
from shoal.web.protection_forms import privacy_of, protections
from shoal.web.receiving import read_again, receive, receive_file, receive_other
from shoal.web.run import Run
from shoal.web.run_list import Candidate
from shoal.web.run_process import RECORD
from shoal.web.session import Session
from shoal.web.undo import can, step

undo, redo = partial(step, way="undo"), partial(step, way="redo")

_SAID = {"id": "r", "name": "kept", "figures": {}, "written": {}, "accepted": {}, "pieces": []}
"""A finished run as projects have it, but for its words."""


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
    session.runs.remove(second)
    session.change({"seed": 2})
    session.runs.remove(third)
    seen = []
    for turn in [undo] * 4 + [redo] * 4:
        asyncio.run(turn(session))
        seen.append((session.words.get("seed"), _names(session)))
    assert seen[:4] == [(2, ["a", "c"]), (1, ["a", "c"]), (1, ["a", "b", "c"]), (None, ["a", "b", "c"])]
    assert seen[4:] == [(1, ["a", "b", "c"]), (1, ["a", "c"]), (2, ["a", "c"]), (2, ["a"])]
    assert not can(session, "redo")


def test_a_removed_run_keeps_its_files_until_it_is_wiped(tmp_path: Path) -> None:
    session = _session(tmp_path, "a", "b")
    first, second = session.runs.values()
    session.runs.remove(first.id)
    assert first.folder.outputs.is_dir()
    session.runs.forget(second.id)
    assert not second.folder.path.exists()
    asyncio.run(undo(session))
    assert _names(session) == ["a"]
    assert session.runs.shown == first.id


def _column(name: str, role: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "role": role, "kind": "nominal", "largest_share": 0.2, "n_distinct": 6, **more}


def test_one_sensitive_column_begins_with_a_model_that_stops_what_k_does_not() -> None:
    found = [_column("age", "quasi-identifier"), _column("ill", "sensitive")]
    by_frequency = {"k": 5, **BY_FREQUENCY}
    assert with_suggested_roles(STARTING, found)["privacy"] == by_frequency
    assert with_suggested_roles(STARTING, found, MOST_LIVE + 1)["privacy"] == by_frequency
    assert with_suggested_roles({"privacy": {"k": 7}}, found)["privacy"] == {"k": 7}
    assert with_suggested_roles(STARTING, [*found, _column("pay", "sensitive")])["privacy"] == {"k": 5}
    words = with_suggested_roles(STARTING, found)
    assert with_role(words, "ill", "other", ["age", "ill"], found)["privacy"] == {"k": 5}
    assert with_role(words, "age", "other", ["age", "ill"], found)["privacy"] == by_frequency
    assert with_role({**words, "privacy": {"k": 5}}, "age", "other", ["age", "ill"], found)["privacy"] == {"k": 5}


@pytest.mark.parametrize(
    ("more", "n_rows", "begun"),
    [
        ({"kind": "numeric"}, 100, BY_ORDER),
        ({"kind": "date"}, 100, BY_ORDER),
        ({"largest_share": 0.6}, 100, {"t": 0.3}),
        ({"largest_share": 0.7, "n_distinct": 2}, 100, {"t": 0.2}),
        ({"kind": "numeric"}, MOST_LIVE + 1, {}),
        ({"largest_share": 0.6}, MOST_LIVE + 1, {}),
    ],
)
def test_what_a_table_begins_with_suits_the_values(more: dict[str, Any], n_rows: int, begun: dict[str, Any]) -> None:
    found = [_column("age", "quasi-identifier"), _column("ill", "sensitive", **more)]
    words = with_suggested_roles(STARTING, found, n_rows)
    assert words["privacy"] == {"k": 5, **begun}
    assert with_role(words, "ill", "other", ["age", "ill"], found, n_rows)["privacy"] == {"k": 5}


@pytest.mark.parametrize("more", [BY_FREQUENCY, BY_ORDER, *BY_CLOSENESS.values()])
def test_what_a_table_begins_with_is_said_as_its_card_says_it(more: dict[str, Any]) -> None:
    """Otherwise a card that was only looked at would count as a choice of somebody's."""
    assert privacy_of(protections({"k": 5, **more})) == {"k": 5, **more}


async def _body(text: str) -> AsyncIterator[bytes]:
    yield text.encode()


async def _both_ways(session: Session, look: Callable[[], Any], steps: int) -> list[Any]:
    """What is to be seen after each undo, and after each redo."""
    seen = []
    for turn in [undo] * steps + [redo] * steps:
        await turn(session)
        seen.append(look())
    return seen


def test_names_pins_and_words_are_taken_back_in_turn(tmp_path: Path) -> None:
    session = _session(tmp_path, "a")
    (run,) = session.runs.values()
    kept = Candidate(run.id, (1, 0), "lm", 0.2, 0.1, 3)
    session.runs.rename(run, " b ")
    session.runs.rename(run, "")
    session.runs.rename(run, "b")
    session.change({"seed": 1})
    session.runs.pin("node", kept)
    session.runs.pin("node", None)

    def look() -> object:
        return run.name, session.words.get("seed"), [*session.runs.pinned.values()]

    seen = asyncio.run(_both_ways(session, look, 4))
    assert seen[:4] == [("b", 1, [kept]), ("b", 1, []), ("b", None, []), ("a", None, [])]
    assert seen[4:] == [("b", None, []), ("b", 1, []), ("b", 1, [kept]), ("b", 1, [])]
    assert can(session, "undo")
    assert not can(session, "redo")


def test_a_file_that_another_of_its_name_replaced_comes_back(tmp_path: Path) -> None:
    """Also one that is not of the table; and a run is out of date while a file is not the one it has read."""
    session = Session(tmp_path)
    session.table.name, session.table.files = "t.csv", {"sex.csv"}

    async def walk() -> list[object]:
        await receive_file(session, "sex.csv", _body("F;*\n"))
        await receive_other(session, "later.csv", _body("1\n"))
        session.change({"privacy": {"k": 2}, "quasi_identifiers": ["sex"], "hierarchies": {"sex": "sex.csv"}})
        run = session.restore_run(_SAID | {"words": session.words})
        assert session.is_current(run)
        await receive_file(session, "sex.csv", _body("F;any;*\n"))
        await receive_other(session, "later.csv", _body("2\n"))

        def look() -> object:
            later = (session.others / "later.csv").read_text()
            return later, (session.inputs / "sex.csv").read_text(), session.is_current(run)

        assert look() == ("2\n", "F;any;*\n", False)
        return await _both_ways(session, look, 2)

    (tmp_path / "t.csv").write_text("sex\nF\n")
    (tmp_path / "t.csv").replace(session.inputs / "t.csv")
    old, new = ("1\n", "F;*\n", True), ("2\n", "F;any;*\n", False)
    assert asyncio.run(walk()) == [("1\n", "F;any;*\n", False), old, ("1\n", "F;any;*\n", False), new]


def test_accepting_a_finding_is_taken_back_by_undo(tmp_path: Path) -> None:
    session = _session(tmp_path, "a")
    (run,) = session.runs.values()
    run.state = "done"
    run.figures["findings"] = [asdict(ReleaseFinding("date:seen", "There is an exact date."))]
    run.written[RECORD] = run.folder.put(RECORD, "{}")
    answer(session, run, "date:seen", "Known to everybody anyway.")

    def look() -> object:
        return len(run.accepted), len(json.loads((run.folder.outputs / RECORD).read_text())["accepted"])

    seen = asyncio.run(_both_ways(session, look, 1))
    assert seen == [(0, 0), (1, 1)]
    with pytest.raises(InputError, match="at least 10 characters"):
        answer(session, run, "date:seen", "no")
    assert asyncio.run(_both_ways(session, lambda: len(run.accepted), 1)) == [0, 1]


def test_changes_beyond_those_remembered_keep_their_order_with_what_is_done_beside(tmp_path: Path) -> None:
    session = _session(tmp_path, "a")
    (run,) = session.runs.values()
    for seed in range(210):
        session.change({"seed": seed})
    session.runs.rename(run, "b")
    for seed in range(3):
        session.change({"seed": -seed - 1})
    seen = asyncio.run(_both_ways(session, lambda: (session.words["seed"], run.name), 4))
    assert seen[:4] == [(-2, "b"), (-1, "b"), (209, "b"), (209, "a")]


@pytest.mark.slow
def test_tables_and_a_project_in_their_place_come_back_one_after_the_other(tmp_path: Path) -> None:
    """A project takes the place of table, files, words, runs and pins; undo brings back all of them."""

    async def walk() -> None:
        session, projects = Session(tmp_path), Projects(tmp_path / "projects")
        await receive(session, "first.csv", _body("sex,age\nF,1\nM,2\n"))
        projects.save(session, "kept", "correct horse")
        await receive(session, "second.csv", _body("sex\nF\nM\nM\n"))
        await receive_file(session, "sex.csv", _body("F;*\nM;*\n"))
        session.change({"privacy": {"k": 2}, "hierarchies": {"sex": "sex.csv"}})
        session.restore_run(_SAID | {"words": session.words})
        await projects.open(session, "kept", "correct horse")

        def look() -> object:
            held = sorted(path.name for path in session.inputs.iterdir())
            table = session.table
            return table.name, table.size["n_rows"], held, len(session.runs), "hierarchies" in table.words

        project = ("first.csv", 2, ["first.csv"], 0, False)
        second = ("second.csv", 3, ["second.csv", "sex.csv"], 1, True)
        assert look() == project
        seen = await _both_ways(session, look, 3)
        assert [seen[0], seen[1][-1], seen[2][:3]] == [second, False, ("first.csv", 2, ["first.csv"])]
        assert [seen[4][0], seen[5]] == ["second.csv", project]
        session.wipe()

    asyncio.run(walk())


@pytest.mark.slow
def test_reading_other_columns_is_taken_back_with_what_was_said_of_the_old_ones(tmp_path: Path) -> None:
    async def walk() -> None:
        session = Session(tmp_path)
        await receive(session, "odd.csv", _body("a;b|c\n1;2|3\n4;5|6\n"))
        words = {**session.words, "quasi_identifiers": ["a"], "seed": 7}
        session.change(words)
        await read_again(session, {"delimiter": "|"})
        assert session.table.size["columns"] == ["a;b", "c"]
        assert "seed" not in session.words
        await undo(session)
        assert (session.table.size["columns"], session.words) == (["a", "b|c"], words)
        session.wipe()

    asyncio.run(walk())


def test_words_for_one_run_alone_do_not_make_it_out_of_date(tmp_path: Path) -> None:
    """A node of a lattice is published by the settings of now and its own levels."""
    session = Session(tmp_path)
    session.table.name = "t.csv"
    (session.inputs / "t.csv").write_text("sex\nF\n")
    session.change({"privacy": {"k": 2}, "quasi_identifiers": ["sex"], "budget": "9s"})
    alone = {"levels": [1], "budget": None}
    run = session.restore_run(_SAID | {"words": {**session.words, **alone}, "only_here": alone})
    assert session.is_current(run)
    session.change({**session.words, "privacy": {"k": 3}})
    assert not session.is_current(run)
