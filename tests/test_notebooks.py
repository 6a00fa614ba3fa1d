"""Results show themselves in a notebook, and the tutorial runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal

DOCS = Path(__file__).parent.parent / "docs"
PEOPLE = pl.DataFrame(
    {
        "age": [20 + i % 30 for i in range(60)],
        "<b>town</b>": ["<b>here</b>" if i % 2 else "there" for i in range(60)],
        "ill": ["flu", "gout", "<i>cold</i>"] * 20,
    }
)


@pytest.fixture(scope="module")
def result() -> shoal.Result:
    said: dict[str, Any] = {
        "quasi_identifiers": ["age", "<b>town</b>"],
        "sensitive": ["ill"],
        "privacy": shoal.KAnonymity(5),
    }
    return shoal.anonymize(PEOPLE, **said)


def test_results_tables_releases_and_audits_show_themselves(result: shoal.Result) -> None:
    for shown, words in (
        (result, ["5-anonymity", "LM"]),
        (result.release.table, ["60 rows", "age", "quasi-identifier", "ill", "sensitive"]),
        (result.release, ["60 records", "0 rows suppressed", "town"]),
        (result.audit(), ["linking", "outcome"]),
    ):
        page = shown._repr_html_()
        assert [word for word in words if word not in page] == []
        assert "<b>" not in page
        assert "<i>" not in page


def test_tables_and_releases_show_no_row(result: shoal.Result) -> None:
    for shown in (result.release.table, result.release):
        assert "gout" not in shown._repr_html_()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tutorial", "forms"])
def test_a_notebook_of_the_docs_runs(name: str, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(DOCS / f"{name}.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "commit the notebook without outputs"
    nbclient.NotebookClient(notebook, timeout=180, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [out for cell in notebook.cells for out in cell.get("outputs", []) if out.output_type == "execute_result"]
    assert len(shown) >= 4
