"""The floor under coverage: it rises with what is measured, and nothing lowers it."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOOR = runpy.run_path(str(ROOT / "packaging" / "coverage_floor.py"))
SOURCES = ROOT / "src" / "shoal"
KEPT: dict[str, float] = json.loads((ROOT / "tests" / "coverage_floor.json").read_text())


def test_every_part_has_a_room_its_tests_and_a_floor() -> None:
    assert set(KEPT) == set(FLOOR["PARTS"])
    for part in FLOOR["PARTS"]:
        assert (SOURCES / part).is_dir()
        assert (ROOT / "tests" / part).is_dir()


def test_no_package_is_without_a_floor() -> None:
    """A new package is measured with the one it is in, or has to be named: it cannot be forgotten."""
    packages = [file.parent.relative_to(SOURCES) for file in SOURCES.rglob("*.py") if file.parent != SOURCES]
    assert {Path(part) for part in FLOOR["PARTS"]} <= set(packages)
    for package in packages:
        assert {str(folder) for folder in (package, *package.parents)} & set(KEPT), package


def test_more_raises_the_floor_and_less_is_told_and_does_not_lower_it() -> None:
    after, below = FLOOR["judged"]({"core": 91.26, "models": 70.0}, {"core": 90.0, "models": 80.0, "kernels": 33.0})
    assert after == {"core": 91.2, "models": 80.0, "kernels": 33.0}
    assert below == ["models"]


def test_a_little_less_is_no_loss_and_does_not_lower_it_either() -> None:
    """Tests that are stopped by the clock are not all stopped alike."""
    after, below = FLOOR["judged"]({"core": 89.8}, {"core": 90.0})
    assert (after, below) == ({"core": 90.0}, [])


def test_below_the_floor_the_exit_status_is_one_and_the_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "floor.json"
    kept.write_text('{"core": 90.0}')
    measured = {"core": 50.0}
    names = FLOOR["main"].__globals__
    monkeypatch.setitem(names, "FLOORS", kept)
    monkeypatch.setitem(names, "measured", measured.__getitem__)
    assert FLOOR["main"](["core"]) == 1
    assert json.loads(kept.read_text()) == {"core": 90.0}
    measured["core"] = 95.0
    assert FLOOR["main"](["core"]) == 0
    assert json.loads(kept.read_text()) == {"core": 95.0}
