"""What the benchmarks are judged by: the judge that reads labels, the verdicts, and how results get into pages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import algorithms

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
QUASI = ["age", "town"]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """A script of the benchmarks by its name."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    before = set(sys.modules)
    yield import_module
    for name in set(sys.modules) - before:
        if str(BENCHMARKS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def people(tmp_path: Path) -> pl.DataFrame:
    """A table as a file, with hierarchies beside it named as the judge wants them."""
    rng = np.random.default_rng(3)
    ages, towns = rng.integers(20, 60, 300), rng.choice(["A1", "A2", "B1", "B2", "B3"], 300)
    frame = pl.DataFrame({"age": ages.astype(str), "town": towns})
    frame.write_csv(tmp_path / "table.csv")
    decades = [f"{age};{age // 10 * 10}s;*" for age in range(20, 60)]
    (tmp_path / "adult_hierarchy_age.csv").write_text("\n".join(decades))
    (tmp_path / "adult_hierarchy_town.csv").write_text("A1;A;*\nA2;A;*\nB1;B;*\nB2;B;*\nB3;B;*")
    return frame


def released(frame: pl.DataFrame, folder: Path, algorithm: str, *, trees: bool, limit: float = 0.0) -> shoal.Result:
    known = {name: folder / f"adult_hierarchy_{name}.csv" for name in QUASI} if trees else {}
    made = shoal.anonymize(
        frame,
        quasi_identifiers=QUASI,
        hierarchies=known,
        privacy=shoal.KAnonymity(4),
        algorithm=algorithm,
        suppression_limit=limit,
        audit="off",
    )
    made.to_frame().write_csv(folder / "release.csv")
    return made


@pytest.mark.parametrize(
    ("algorithm", "trees", "limit"), [("mondrian", True, 0.0), ("lattice", True, 0.1), ("mondrian", False, 0.0)]
)
def test_the_judge_finds_what_we_tell(
    people: pl.DataFrame,
    tmp_path: Path,
    script: Callable[[str], ModuleType],
    algorithm: str,
    trees: bool,
    limit: float,
) -> None:
    made = released(people, tmp_path, algorithm, trees=trees, limit=limit)
    found = script("judge").judge(tmp_path / "table.csv", tmp_path / "release.csv", tmp_path, QUASI)
    assert found["smallest class"] == made.verdicts[0].achieved
    assert found["rows"] == made.to_frame().height
    if trees:
        assert found["lm"] == pytest.approx(made.metrics()["lm"])
    assert found["gcp"] == pytest.approx(made.metrics()["gcp"])


def test_the_judge_sees_a_class_that_is_too_small(
    people: pl.DataFrame, tmp_path: Path, script: Callable[[str], ModuleType]
) -> None:
    found = script("judge").judge(tmp_path / "table.csv", tmp_path / "table.csv", tmp_path, QUASI)
    assert found["smallest class"] == people.group_by(QUASI).len()["len"].min()
    assert found["lm"] == found["gcp"] == 0


def test_the_judge_counts_rows_that_are_missing_as_lost(
    people: pl.DataFrame, tmp_path: Path, script: Callable[[str], ModuleType]
) -> None:
    people.head(270).write_csv(tmp_path / "release.csv")
    found = script("judge").judge(tmp_path / "table.csv", tmp_path / "release.csv", tmp_path, QUASI)
    assert found["missing"] == 30
    assert found["lm"] == found["gcp"] == pytest.approx(0.1)


def test_the_judge_does_not_guess(people: pl.DataFrame, tmp_path: Path, script: Callable[[str], ModuleType]) -> None:
    people.with_columns(town=pl.lit("elsewhere")).write_csv(tmp_path / "release.csv")
    with pytest.raises(ValueError, match="'elsewhere' cannot be read"):
        script("judge").judge(tmp_path / "table.csv", tmp_path / "release.csv", tmp_path, QUASI)


def test_verdicts_are_read_as_they_are_said(
    capsys: pytest.CaptureFixture[str], script: Callable[[str], ModuleType]
) -> None:
    verdicts = script("verdicts")
    verdicts.compare("equal", [1.0, 1.04], [1.0, 1.0])
    verdicts.compare("less", [0.5, 1.0], [1.0, 1.0])
    verdicts.compare("more", [0.5, 1.2], [1.0, 1.0], "of the order")
    read = [verdicts.Verdict.read(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one.table, one.outcome) for one in read] == [
        ("equal", "reproduced"),
        ("less", "better"),
        ("more", "differs"),
    ]
    assert read[2].why.endswith("of the order")
    assert verdicts.Verdict.read("a line of a table | 3 | 4") is None


@pytest.fixture
def reproduce(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: Callable[[str], ModuleType]
) -> tuple[ModuleType, Path]:
    """The module with a folder of its own for results, and that folder."""
    module = script("reproduce")
    monkeypatch.setattr(module, "RESULTS", tmp_path)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module, tmp_path


def test_what_a_script_prints_is_kept_and_summed_up(
    reproduce: tuple[ModuleType, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, folder = reproduce
    (folder / "good.py").write_text("print('verdict | table 1 | better | because'); print('| a | b |')")
    (folder / "bad.py").write_text("print('verdict | table 2 | reproduced | all'); raise SystemExit('it broke')")
    runs = [module.Run(name, ("python", f"{name}.py"), f"about {name}") for name in ("good", "bad")]
    monkeypatch.setattr(module, "RUNS", runs)
    for run in runs:
        module.write(run)
    assert (folder / "good.txt").read_text().startswith("$ python good.py\n# ")
    summary = module.summary()
    assert "| table 1 | better | because | [good](good.txt) |" in summary
    assert "| table 2 | reproduced | all | [bad](bad.txt) |" in summary
    assert "| about bad | failed | | [bad](bad.txt) |" in summary
    assert "it broke" in (folder / "bad.txt").read_text()


def test_a_script_that_takes_too_long_is_stopped_and_says_so(
    reproduce: tuple[ModuleType, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, folder = reproduce
    monkeypatch.setattr(module, "LIMIT", 2)
    (folder / "slow.py").write_text("import time; print('first', flush=True); time.sleep(60)")
    text = module.done(module.Run("slow", ("python", "slow.py"), "about slow"))
    assert "first" in text
    assert "stopped after 2 s" in text


def test_tables_are_written_between_their_marks(reproduce: tuple[ModuleType, Path]) -> None:
    module, folder = reproduce
    page = folder / "page.md"
    page.write_text("above\n<!-- some: written by make reproduce -->\n| old |\n<!-- end of some -->\nbelow\n")
    (folder / "some.txt").write_text("$ python some.py\n\n| new |\n|---|\nverdict | x | better | y\n| 1 |\n")
    module.write_into(page, "some")
    assert page.read_text() == (
        "above\n<!-- some: written by make reproduce -->\n| new |\n|---|\n| 1 |\n<!-- end of some -->\nbelow\n"
    )


def test_the_chart_is_drawn_from_the_saved_results(script: Callable[[str], ModuleType]) -> None:
    chart = script("chart")
    assert chart.TARGET.read_text(encoding="utf-8") == chart.drawn()
    assert {point.name for point in chart.arx() if not point.ours} == {"ARX"}
    assert all(point.seconds > 0 and 0 < point.loss < 1 for point in [*chart.python_packages(), *chart.arx()])


def test_every_script_that_is_run_exists(script: Callable[[str], ModuleType]) -> None:
    module = script("reproduce")
    for run in module.RUNS:
        words = [word for word in run.command if word.endswith(".py")]
        assert words
        assert all((module.ROOT / word).is_file() for word in words), run.name
    peers = script("peers")
    for tool in (*peers.OURS, *peers.THEIRS):
        assert (peers.TOOLS / f"run_{tool.package}.py").is_file()


def test_every_algorithm_has_a_promise_in_the_table_of_attacks(script: Callable[[str], ModuleType]) -> None:
    attacks = script("audit_adult")
    for name, made in algorithms.ALL.items():
        assert isinstance(attacks.promise(name, 10), made().serves), name


def test_a_release_of_two_tables_is_attacked_like_any_other(script: Callable[[str], ModuleType]) -> None:
    attacks = script("audit_adult")
    people = pl.DataFrame({"age": [20 + row % 9 for row in range(60)], "occupation": [*"abcdef"] * 10})
    loss, risks = attacks.attacked("anatomy", people, ["age"], {}, 5)
    assert loss == 0.0
    assert {"linking", "homogeneity"} <= set(risks)
    assert attacks.line("anatomy", 60, loss, risks).startswith("| anatomy | 60 | 0.000 | ")


@pytest.mark.parametrize("size", [2, 3, 5])
def test_greedy_groups_along_a_curve_have_different_values(script: Callable[[str], ModuleType], size: int) -> None:
    values = np.random.default_rng(size).choice(8, 203, p=[0.15, 0.15, 0.15, 0.15, 0.1, 0.1, 0.1, 0.1]).astype(np.int32)
    groups = script("hilbert_greedy").diverse_groups(values, size)
    members = [values[groups == group].tolist() for group in range(groups.max() + 1)]
    assert sum(map(len, members)) == values.size
    assert all(len(set(group)) == len(group) >= size for group in members)


def test_links_that_are_told_are_compared_with_those_that_are_counted(script: Callable[[str], ModuleType]) -> None:
    """A ring of three neighbours each: the estimate sees a third, the margin raises it above the truth."""
    chances = script("link_chances")
    fits = np.array([[(row - record) % 9 < 3 for record in range(9)] for row in range(9)])
    told, true = chances.both(fits)
    assert told.max() == pytest.approx((1 + 2.5 / 3) / 3, abs=1e-4)
    assert 1 / 3 < true.max() < told.max()


def test_the_model_for_more_cores_shares_all_but_the_first_thread(script: Callable[[str], ModuleType]) -> None:
    spent = script("cores").Spent(clock=6.0, all=10.0, first=2.0)
    assert [spent.on(n) for n in (1, 2, 8)] == [10.0, 6.0, 3.0]
