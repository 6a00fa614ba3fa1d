"""What a plain run does not need is not imported: that is what a user of a small table waits for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shoal.io.example import people

LATER = {
    "fastexcel", "pandas", "pyarrow.compute", "pyarrow.parquet", "pyspark", "scipy.sparse", "uvicorn",
    "shoal.algorithms.histories", "shoal.algorithms.lattice", "shoal.engine.dossier", "shoal.engine.solution_space",
    "shoal.engine.linked", "shoal.engine.saved_recoding", "shoal.engine.backends.pieces", "shoal.report.html_edition",
    "shoal.web",
}  # fmt: skip
"""Modules for other kinds of files, other backends, reports, and algorithms that were not asked for."""

CODE = """
import sys
from shoal.cli import main
status = main(sys.argv[1:])
print("\\n".join(sys.modules))
sys.exit(status)
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    people(300).select("sex", "marital_status", "diagnosis").write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def imported(*said: str) -> set[str]:
    """The modules of a run of the command line in a process of its own."""
    done = subprocess.run([sys.executable, "-c", CODE, *said], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_a_plain_run_imports_only_what_it_needs(source: Path) -> None:
    words = ["--quasi", "sex,marital_status", "--sensitive", "diagnosis", "--k", "3", "--quick", "-q"]
    found = imported("anonymize", str(source), *words, "-o", str(source.with_name("release.csv")))
    assert "shoal.algorithms.mondrian" in found
    assert not found & LATER


def test_the_overview_imports_no_library_for_tables() -> None:
    found = imported("--help")
    assert not found & {"numba", "numpy", "polars", "pyarrow", "pydantic"}
