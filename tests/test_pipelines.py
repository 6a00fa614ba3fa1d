"""The examples for dbt, Dagster and Airflow, with the real packages where they are installed.

``tests/test_docs.py`` runs the Dagster example as it stands; here are those that need something around them.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

EXAMPLES = Path(__file__).parent.parent / "docs_src" / "pipelines"
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


class Dbt:
    """As much of dbt's object as a model uses."""

    def __init__(self, database: Any) -> None:
        self._database, self.configured = database, {}

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
def test_dbt_builds_and_tests_the_model(tmp_path: Path) -> None:
    if (program := shutil.which("dbt")) is None:
        pytest.skip("dbt is not installed: pip install dbt-core dbt-duckdb")
    for folder in ("models", "seeds", "tests"):
        (tmp_path / folder).mkdir()
    PEOPLE.write_csv(tmp_path / "seeds" / "people.csv")
    shutil.copy(EXAMPLES / "dbt_model.py", tmp_path / "models" / "release.py")
    shutil.copy(EXAMPLES / "dbt_test.sql", tmp_path / "tests" / "release_is_5_anonymous.sql")
    (tmp_path / "profiles.yml").write_text(PROFILE)
    (tmp_path / "dbt_project.yml").write_text(PROJECT)
    settings = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_PROFILES_DIR": str(tmp_path)}
    done = subprocess.run([program, "build"], cwd=tmp_path, env=settings, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "PASS=3" in done.stdout


@pytest.mark.slow
def test_airflow_runs_the_tasks(tmp_path: Path) -> None:
    pytest.importorskip("airflow", reason="Airflow is not installed: pip install apache-airflow")
    PEOPLE.write_csv(tmp_path / "people.csv")
    (tmp_path / "job.toml").write_text(
        'input = "people.csv"\noutput = "release.csv"\nidentifiers = ["name"]\nquasi_identifiers = ["age", "sex"]\n'
        'sensitive = ["disease"]\nquick = true\nprivacy = { k = 5, l = 3 }\n'
    )
    settings = {
        **os.environ,
        "AIRFLOW_HOME": str(tmp_path / "airflow"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__DAGS_FOLDER": str(EXAMPLES),
        "AIRFLOW_VAR_SHOAL_FOLDER": str(tmp_path),
    }
    for said in (["db", "migrate"], ["dags", "test", "publish_people"]):
        command = [sys.executable, "-m", "airflow", *said]
        done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert (tmp_path / "release.csv").exists()
