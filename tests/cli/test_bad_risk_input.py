"""Bad input about risks, weights and populations: one sentence, on the command line and in Python; nothing written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main

ROWS: dict[str, list[Any]] = {"age": [30, 30, 40, 40, 50, 50], "w": [5.0, 6.0, 7.0, 8.0, 9.0, 10.0]}

WRONG: list[tuple[str, list[str], dict[str, Any], str]] = [
    ("", ["--largest-risk", "1.5"], {"privacy": {"largest-risk": 1.5}}, "The largest risk must be"),
    ("", ["--largest-risk", "0"], {"privacy": {"largest-risk": 0}}, "The largest risk must be"),
    ("", ["--average-risk=-0.1"], {"privacy": {"average-risk": -0.1}}, "The average risk must be"),
    ("", ["--risk-share", "0.2,2"], {"privacy": {"risk-share": "0.2,2"}}, "The share of records must be"),
    ("", ["--sample-uniqueness", "1.1"], {"privacy": {"sample-uniqueness": 1.1}}, "Sample uniqueness must be"),
    ("", ["--population-uniqueness", "2", "--population", "60"],
     {"privacy": {"population-uniqueness": 2}, "population": 60}, "Population uniqueness must be"),
    ("", ["--population-uniqueness", "0.1"], {"privacy": {"population-uniqueness": 0.1}}, "needs the number of people"),
    ("", ["--population-uniqueness", "0.1", "--population", "4"],
     {"privacy": {"population-uniqueness": 0.1}, "population": 4}, "a population of 4 is smaller than the 6 people"),
    ("", ["--estimated-k-map", "2", "--population", "5"],
     {"privacy": {"estimated-k-map": 2}, "population": 5}, "a population of 5 is smaller than the 6 people"),
    ("", ["--estimated-k-map", "2:significance=7", "--population", "60"],
     {"privacy": {"estimated-k-map": "2:significance=7"}, "population": 60}, "The significance must be"),
    ("", ["--k", "2", "--population", "0"], {"privacy": {"k": 2}, "population": 0}, "The population must be at least"),
    ("", ["--individual-risk", "0"], {"privacy": {"individual-risk": 0}}, "The individual risk must be"),
    ("", ["--household-risk", "3"], {"privacy": {"household-risk": 3}}, "The household risk must be"),
    ("", ["--k-combinations", "2:nobody"], {"privacy": {"k-combinations": "2:nobody"}}, "is not a quasi-identifier"),
    ("negative", ["--individual-risk", "0.5", "--sample-weight", "w"],
     {"privacy": {"individual-risk": 0.5}, "sample_weight": "w"}, "must be above 0, got -5."),
    ("missing", ["--individual-risk", "0.5", "--sample-weight", "w"],
     {"privacy": {"individual-risk": 0.5}, "sample_weight": "w"}, "1 of 6 rows have no sample weight in 'w'"),
    ("", ["--k", "2", "--sample-weight", "weight"], {"privacy": {"k": 2}, "sample_weight": "weight"}, "'weight'"),
    ("", ["--k", "2", "--adjust-weights"], {"privacy": {"k": 2}, "adjust_weights": True}, "name their column"),
    ("", ["--policy", "public"], {"policy": "public"}, "There is no policy 'public'"),
]  # fmt: skip


@pytest.mark.parametrize(("weights", "options", "words", "sentence"), WRONG, ids=lambda one: None)
def test_a_sentence_and_nothing_else(
    weights: str, options: list[str], words: dict[str, Any], sentence: str, tmp_path: Path, capsys: Any
) -> None:
    first = {"negative": -5.0, "missing": None}.get(weights, 5.0)
    table = pl.DataFrame({**ROWS, "w": [first, *ROWS["w"][1:]]})
    if "sample_weight" not in words:
        table = table.drop("w")
    with pytest.raises(shoal.InputError) as caught:
        shoal.anonymize(table, quasi_identifiers=["age"], **words)
    told = str(caught.value)
    assert sentence in told
    assert "\n" not in told
    source, release = tmp_path / "t.csv", tmp_path / "r.csv"
    table.write_csv(source)
    assert main(["anonymize", str(source), "--quasi", "age", *options, "-o", str(release), "-q"]) == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert sentence in shown
    assert "Traceback" not in shown
    assert not release.exists()
