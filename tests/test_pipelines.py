"""The examples for dbt, Dagster and Airflow, run by the real packages in environments of their own.

``make pipelines`` runs these; without a way to the packages they are skipped, and say so.
"""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from support.environments import ROOT, kept_environment, settings

EXAMPLES = ROOT / "docs_src" / "pipelines"
SOURCE = str(ROOT / "src")
PEOPLE = pl.DataFrame(
    {
        "name": [f"person {i}" for i in range(60)],
        "age": [20 + i % 10 for i in range(60)],
        "sex": ["f", "m"] * 30,
        "disease": ["flu", "gout", "cold"] * 20,
    }
)
PROFILE = "shoal_demo: {target: dev, outputs: {dev: {type: duckdb, path: people.duckdb, threads: 1}}}\n"
PROJECT = "{name: shoal_demo, version: '1.0.0', config-version: 2, profile: shoal_demo}\n"
JOB = """
input = "people.csv"
output = "release.csv"
identifiers = ["name"]
quasi_identifiers = ["age", "sex"]
sensitive = ["disease"]
quick = true
privacy = { k = 5, l = 3 }
"""


class Dbt:
    """As much of dbt's object as a model uses."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self.configured: dict[str, object] = {}

    def config(self, **said: object) -> None:
        self.configured = said

    def ref(self, name: str) -> Any:
        return self._database.sql(f"SELECT * FROM {name}")


def test_the_dbt_model_makes_a_table_that_keeps_its_promises() -> None:
    duckdb = pytest.importorskip("duckdb", reason="the db extra is not installed: pip install 'shoal[db]'")
    database = duckdb.connect()
    database.register("people", PEOPLE.to_arrow())
    dbt = Dbt(database)
    release = runpy.run_path(str(EXAMPLES / "dbt_model.py"))["model"](dbt, database)
    database.register("release", release)
    assert dbt.configured == {"materialized": "table"}
    assert (
        database.sql((EXAMPLES / "dbt_test.sql").read_text().replace("{{ ref('release') }}", "release")).fetchall()
        == []
    )
    assert "name" not in release.column_names


@pytest.mark.slow
@pytest.mark.nightly
def test_dbt_builds_and_tests_the_model(tmp_path: Path) -> None:
    program = _installed(tmp_path, "dbt", "dbt-core<1.12", "dbt-duckdb").with_name("dbt")
    project = tmp_path / "project"
    for folder in ("models", "seeds", "tests"):
        (project / folder).mkdir(parents=True)
    PEOPLE.write_csv(project / "seeds" / "people.csv")
    shutil.copy(EXAMPLES / "dbt_model.py", project / "models" / "release.py")
    shutil.copy(EXAMPLES / "dbt_test.sql", project / "tests" / "release_is_5_anonymous.sql")
    (project / "profiles.yml").write_text(PROFILE)
    (project / "dbt_project.yml").write_text(PROJECT)
    own = settings(DBT_SEND_ANONYMOUS_USAGE_STATS="false", DBT_PROFILES_DIR=str(project), PYTHONPATH=SOURCE)
    done = _run(project, own, program, "build")
    assert done.returncode == 0, done.stdout[-3000:]
    assert "PASS=3" in done.stdout
    PEOPLE.head(4).write_csv(project / "seeds" / "people.csv")
    refused = _run(project, own, program, "build")
    assert refused.returncode == 1, "four people cannot be 5-anonymous, so the model fails and its test is skipped"
    assert "SKIP=1" in refused.stdout


@pytest.mark.slow
@pytest.mark.nightly
def test_dagster_makes_the_asset_and_checks_it(tmp_path: Path) -> None:
    python = _installed(tmp_path, "dagster", "dagster")
    done = _run(tmp_path, settings(PYTHONPATH=SOURCE), python, EXAMPLES / "dagster_assets.py")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "keeps_its_promises" in done.stderr
    assert pl.read_parquet(tmp_path / "release.parquet").group_by("age", "sex").len()["len"].min() >= 5  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.nightly
def test_airflow_runs_the_tasks_and_stops_where_one_fails(tmp_path: Path) -> None:
    python = _installed(tmp_path, "airflow", "apache-airflow>=3")
    PEOPLE.write_csv(tmp_path / "people.csv")
    (tmp_path / "job.toml").write_text(JOB)
    own = settings(
        AIRFLOW_HOME=str(tmp_path / "airflow"),
        AIRFLOW__CORE__LOAD_EXAMPLES="False",
        AIRFLOW__CORE__DAGS_FOLDER=str(EXAMPLES),
        AIRFLOW_VAR_SHOAL_FOLDER=str(tmp_path),
        PATH=f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        PYTHONPATH=SOURCE,
    )
    for said in (["db", "migrate"], ["dags", "test", "publish_people"]):
        done = _run(tmp_path, own, python, "-m", "airflow", *said)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert json.loads((tmp_path / "audit.json").read_text())["withstands"]
    for made in ("release.csv", "audit.json"):
        (tmp_path / made).unlink()
    (tmp_path / "job.toml").write_text(JOB.replace("k = 5", "k = 100"))
    assert _run(tmp_path, own, python, "-m", "airflow", "dags", "test", "publish_people").returncode == 1
    assert not (tmp_path / "release.csv").exists()
    assert not (tmp_path / "audit.json").exists()


def _installed(folder: Path, name: str, *packages: str) -> Path:
    """A Python that has these packages and what shoal needs beside them: in the tests' own they would not agree."""
    return kept_environment(folder, name, sys.executable, *packages)


def _run(folder: Path, own: dict[str, str], *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, timeout=600)
