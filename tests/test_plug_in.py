"""A package of somebody else's brings one plug-in of each kind: the template of the docs, installed and run."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from support.page_commands import commands

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow

ROLES = ("--quasi", "age,zip", "--sensitive", "disease")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that has the package."""
    folder = tmp_path_factory.mktemp("plug_in")
    shutil.copytree(ROOT / "docs_src/plug_in", folder / "source")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", folder / "site", folder / "source"], check=True, capture_output=True)
    paths = [str(folder / "site"), str(ROOT / "src")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _run(installed: dict[str, str], folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    lines = ["age,zip,disease", *(f"{30 + i},{'ab'[i % 2]},{('flu', 'gout', 'cold')[i % 3]}" for i in range(12))]
    (folder / "people.csv").write_text("\n".join(lines) + "\n")
    whole = [sys.executable, "-m", "shoal", *command]
    return subprocess.run(whole, cwd=folder, env=installed, capture_output=True, text=True)


def test_its_algorithm_makes_a_release_that_we_check(installed: dict[str, str], tmp_path: Path) -> None:
    asked = ("anonymize", "people.csv", *ROLES, "--k", "3", "--algorithm", "sorted", "-o", "out.csv")
    run = _run(installed, tmp_path, *asked)
    assert run.returncode == 0, run.stderr
    assert pl.read_csv(tmp_path / "out.csv").group_by("age", "zip").len()["len"].min() >= 3  # type: ignore[operator]


def test_the_commands_of_the_page_succeed(installed: dict[str, str], tmp_path: Path) -> None:
    for command in commands(ROOT / "docs" / "plug-ins.md"):
        run = _run(installed, tmp_path, *shlex.split(command)[1:])
        assert run.returncode == 0, f"{command}\n{run.stderr}"


def test_its_promise_is_kept_or_the_goal_is_not_met(installed: dict[str, str], tmp_path: Path) -> None:
    asked = ("anonymize", "people.csv", *ROLES, "--k", "3", "--quick", "--no-majority")
    run = _run(installed, tmp_path, *asked, "0.4", "-o", "out.csv")
    assert run.returncode == 0, run.stderr
    classes = pl.read_csv(tmp_path / "out.csv").group_by("age", "zip").agg(pl.col("disease").value_counts(), pl.len())
    for values, size in classes.select("disease", "len").iter_rows():
        assert max(value["count"] for value in values) <= 0.4 * size
    assert _run(installed, tmp_path, *asked, "0.3", "-o", "none.csv").returncode == 1
    assert not (tmp_path / "none.csv").exists()
    judged = _run(installed, tmp_path, "verify", "people.csv", *ROLES, "--no-majority", "0.4")
    assert judged.returncode == 1
    assert "a largest share of 40%" in judged.stdout


def test_its_attack_succeeds_on_the_original_and_is_stopped_by_classes(
    installed: dict[str, str], tmp_path: Path
) -> None:
    asked = ("--quasi", "age,zip", "--attack", "smallest-class", "--json")
    fallen = _run(installed, tmp_path, "audit", "people.csv", "people.csv", *asked)
    assert (fallen.returncode, [risk["outcome"] for risk in json.loads(fallen.stdout)["risks"]]) == (1, ["falls"])
    made = _run(installed, tmp_path, "anonymize", "people.csv", *ROLES, "--k", "3", "--quick", "-o", "out.csv")
    assert made.returncode == 0, made.stderr
    stopped = _run(installed, tmp_path, "audit", "people.csv", "out.csv", *asked)
    assert (stopped.returncode, [risk["outcome"] for risk in json.loads(stopped.stdout)["risks"]]) == (0, ["stopped"])


def test_its_measure_of_usefulness_is_among_the_others(installed: dict[str, str], tmp_path: Path) -> None:
    lines = ["age,zip,disease", *(f"*,{'ab'[i % 2]},flu" for i in range(12))]
    (tmp_path / "out.csv").write_text("\n".join(lines) + "\n")
    run = _run(installed, tmp_path, "usefulness", "people.csv", "out.csv", "--quasi", "age,zip", "--json")
    assert run.returncode == 0, run.stderr
    assert '"stars": 0.5' in run.stdout


def test_its_metric_is_known_by_name(installed: dict[str, str]) -> None:
    code = (
        "import polars as pl, shoal\n"
        "t = pl.DataFrame({'age': [30, 30, 40, 40]})\n"
        "r = shoal.anonymize(t, quasi_identifiers=['age'], privacy=shoal.KAnonymity(2), metric='widest')\n"
        "print(r.metrics()['widest'])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], env=installed, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) == 0.5


def test_without_the_package_the_name_is_refused(tmp_path: Path) -> None:
    asked = ("anonymize", "people.csv", *ROLES, "--k", "3", "--algorithm", "sorted", "-o", "out.csv")
    run = _run({**os.environ, "PYTHONPATH": str(ROOT / "src")}, tmp_path, *asked)
    assert run.returncode == 2
    assert "sorted" in run.stderr + run.stdout
