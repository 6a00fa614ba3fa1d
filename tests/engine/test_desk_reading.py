"""A table that was read in another way, dates as dates, is tried out as it was read, not read a second time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shoal.engine.desk import Desk
from shoal.engine.job import Job
from shoal.engine.release_findings import findings

READING: dict[str, Any] = {"dates": {"born": "%m/%d/%Y"}, "missing_values": ["?"], "fold": ["town"]}


def _words(**more: Any) -> dict[str, Any]:
    hierarchies = {"born": {"builder": "dates"}, "town": {"builder": "mask"}}
    roles = {"quasi_identifiers": ["born", "town"], "sensitive": ["ill"], "hierarchies": hierarchies}
    return {**roles, "privacy": {"k": 2}, "reading": READING, **more}


def _job(words: dict[str, Any]) -> Job:
    return Job.said({**words, "input": "visits.csv", "output": "out.csv"}, "The job")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    rows = "".join(
        f"{1 + i % 12:02d}/{1 + i % 28:02d}/{1950 + i % 40},{['Ulm', 'Bonn', '?'][i % 3]},{'ab'[i % 11 == 0]}\n"
        for i in range(120)
    )
    (tmp_path / "visits.csv").write_text(f"born,town,ill\n{rows}")
    return Desk(tmp_path / "visits.csv", tmp_path, **READING)


def test_records_of_a_node_are_shown(desk: Desk) -> None:
    found = desk.node(_job(_words()), [4, 3])
    assert found["n_records"] == 120


def test_a_fix_is_tried_out(desk: Desk) -> None:
    words = _words()
    found = [one for one in findings(desk._anonymize(_job(words))) if one["promises"]]
    assert found
    tried = desk.fix(_job(words), words, found[:1])
    assert tried["words"]["reading"] == READING
    assert tried["after"]["loss"] >= tried["before"]["loss"]
