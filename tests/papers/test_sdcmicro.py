"""The figures of sdcMicro's own tests and of the SDC practice guide, to the digits that they print."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.audit.log_linear import global_risks
from shoal.audit.suda import suda
from shoal.core.arrays import Codes, Flags, Floats
from shoal.models.population_frequencies import compatible, individual_risk

pytestmark = pytest.mark.data


def _reference() -> dict[str, Any] | None:
    path = Path(os.environ.get("SHOAL_DATA", ""), "reference", "sdcmicro.json")
    if not os.environ.get("SHOAL_DATA") or not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def _cases(*functions: str) -> list[Any]:
    """One parameter per case; one that explains the skip where there are none."""
    reference = _reference()
    if reference is None:
        return [pytest.param(None, marks=pytest.mark.skip("set SHOAL_DATA to the folder with reference/"))]
    return [pytest.param(case, id=case["id"]) for case in reference["cases"] if case["function"] in functions]


def _frame(case: dict[str, Any], folder: Path) -> pl.DataFrame:
    if case["data"].endswith(".csv"):
        return pl.read_csv(folder / "datasets" / "sdcmicro" / case["data"])
    reference = _reference()
    assert reference is not None
    said = reference["data"][case["data"]]
    return pl.DataFrame(said["rows"], schema=said["columns"], orient="row")


def _keys(case: dict[str, Any], frame: pl.DataFrame) -> tuple[Codes, Flags, Floats]:
    columns = [frame[name] for name in case["keyVars"]]
    codes = np.array([c.cast(pl.String).rank("dense").fill_null(0).to_numpy() for c in columns]).astype(np.int32)
    named = case["weights"] if case["weights"] in frame.columns else None
    weights = frame[named].cast(pl.Float64).to_numpy() if named else np.ones(frame.height)
    return codes, np.array([c.is_null().to_numpy() for c in columns]), weights


@pytest.mark.parametrize("case", _cases("freqCalc"))
def test_frequencies_of_keys(case: dict[str, Any], data_folder: Path) -> None:
    records, people = compatible(*_keys(case, _frame(case, data_folder)))
    expected = case["expected"]
    assert {"fk", "n1"} & {*expected}
    if "fk" in expected:
        assert records.tolist() == expected["fk"]
    if "Fk" in expected:
        assert people == pytest.approx(expected["Fk"])
    for name, size in (("n1", 1), ("n2", 2)):
        if name in expected:
            assert int((records == size).sum()) == expected[name]


@pytest.mark.parametrize("case", _cases("indivRisk"))
def test_individual_risks(case: dict[str, Any], data_folder: Path) -> None:
    """``qual`` multiplies the risk, which sdcMicro does not clip: twice a risk of 1 is 2 there, and no risk of ours."""
    records, people = compatible(*_keys(case, _frame(case, data_folder)))
    said = case["parameters"]
    risks = individual_risk(records, people, is_exact=said["method"] == "exact") * said["qual"]
    if not said["survey"]:
        risks = 1 / records
    assert risks == pytest.approx(case["expected"]["rk"], abs=0.51 * 10.0 ** -case["decimals_given"])


@pytest.mark.parametrize("case", _cases("measure_risk", "measure_risk (calcRisks)"))
def test_global_risks(case: dict[str, Any], data_folder: Path) -> None:
    records, people = compatible(*_keys(case, _frame(case, data_folder)))
    risks, expected = individual_risk(records, people, is_exact=False), case["expected"]
    for name, figure in {"global_risk": risks.mean(), "global_risk_ER": risks.sum()}.items():
        if name in expected:
            assert figure == pytest.approx(expected[name], rel=5e-4)
    if "risk" in expected:
        assert risks == pytest.approx(expected["risk"])
    if "records_with_risk_above_0_05" in expected:
        assert int((risks > 0.05).sum()) == expected["records_with_risk_above_0_05"]


@pytest.mark.parametrize("case", _cases("suda2"))
def test_suda_scores(case: dict[str, Any], data_folder: Path) -> None:
    codes, missing, _ = _keys(case, _frame(case, data_folder))
    said, expected = case["parameters"], case["expected"]
    kind = "original" if said["original_scores"] else "ihsn"
    found = suda(codes, missing, scores=kind, fraction=said.get("DisFraction", 0.01))  # type: ignore[arg-type]
    checked = 0
    for name, wanted in expected.items():
        given: Any = {"score": found.scores, "disScore": found.dis, "contribution": 100 * found.by_column}.get(name)
        if name.startswith("score["):
            first, _, last = name[6:-1].partition(":")
            given = found.scores[int(first) - 1 : int(last or first)]
            wanted = np.atleast_1d(wanted)
        assert given == pytest.approx(wanted, abs=0.005 if name.startswith("score[") else 1e-9)
        checked += 1
    assert checked


@pytest.mark.parametrize("case", _cases("modRisk"))
def test_log_linear_figures(case: dict[str, Any], data_folder: Path) -> None:
    codes, _, weights = _keys(case, _frame(case, data_folder))
    said, expected = case["parameters"], case["expected"]
    found = global_risks(codes, weights, said["method"], np.inf if said["bound"] is None else said["bound"])
    assert found == pytest.approx((expected["gr1"], expected["gr2"]), abs=0.00051)
