"""The figures of sdcMicro's own tests and of the SDC practice guide, to the digits that they print."""

from __future__ import annotations

import json
import os
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.audit.suda import suda
from shoal.core.arrays import Codes, Flags, Floats
from shoal.core.groups import GroupCounts
from shoal.core.release import Release
from shoal.engine.release_check import as_it_stands
from shoal.models.population_frequencies import individual_risk
from support.sdcmicro import compatible, global_risks

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


def _stars(frame: pl.DataFrame, keys: list[str], privacy: Any) -> tuple[pl.DataFrame, int]:
    """What local suppression publishes of these keys, and how many cells it stars."""
    made = shoal.anonymize(
        frame.select(keys).cast(pl.String), quasi_identifiers=keys, privacy=privacy, algorithm="local-suppression",
        recodings=dict.fromkeys(keys, "suppress"), audit="off", seed=1,
    )  # fmt: skip
    return made.frame, int((made.frame == "*").sum_horizontal().sum())


def _hidden(cells: Codes, hidden: tuple[tuple[int, int], ...]) -> Flags:
    flags = np.zeros(cells.shape, bool)
    for column, row in hidden:
        flags[column, row] = True
    return flags


def _classes(cells: Codes, hidden: Flags) -> list[int]:
    """Sizes of classes where an empty cell is a value like any other."""
    return [*Counter(map(tuple, np.where(hidden, -1, cells).T.tolist())).values()]


def test_two_empty_cells_are_enough_only_where_an_empty_cell_is_every_value(data_folder: Path) -> None:
    """sdcMicro's 2 is the least by its counting; whoever takes empty for a value sees records that stand alone."""
    (case,) = (one.values[0] for one in _cases("localSuppression / kAnon") if one.id == "localSuppression#2")
    frame = _frame(case, data_folder)
    cells, _, ones = _keys(case, frame)
    places = [(column, row) for column in range(cells.shape[0]) for row in range(cells.shape[1])]
    tried = [_hidden(cells, hidden) for hidden in combinations(places, 2)]
    enough = [flags for flags in tried if compatible(cells, flags, ones)[0].min() >= 2]
    assert enough, "two cells are enough"
    assert case["expected"]["sum_totalSupps"] == 2
    one_cell = [_hidden(cells, (place,)) for place in places]
    assert not any(compatible(cells, flags, ones)[0].min() >= 2 for flags in one_cell), "and one is not"
    assert all(min(_classes(cells, flags)) == 1 for flags in enough)
    published, _ = _stars(frame, case["keyVars"], {"k": 2})
    assert published.group_by(case["keyVars"]).len()["len"].min() >= 2  # type: ignore[operator]


def test_its_order_of_suppression_empties_twice_as_many_cells_as_need_be(data_folder: Path) -> None:
    """Five cells do by its own counting, where sdcMicro empties ten."""
    (case,) = (one.values[0] for one in _cases("localSuppression / kAnon") if one.id == "localSuppression#4")
    cells, _, ones = _keys(case, _frame(case, data_folder))
    pairs = [tuple(pair) for pair in cells[1:].T.tolist()]
    several = [pair for pair, n in Counter(pairs).items() if n > 1]
    alone = [row for row, pair in enumerate(pairs) if pair not in several]
    hidden = (*((0, pairs.index(pair)) for pair in several), *((2 - (row == alone[0]), row) for row in alone))
    assert compatible(cells, _hidden(cells, hidden), ones)[0].min() >= 2
    assert len(hidden) == 5 < case["expected"]["sum_totalSupps"]


@pytest.mark.parametrize("case", [one for one in _cases("localSuppression / kAnon") if one.id != "localSuppression#2"])
def test_what_it_asks_for_is_kept_where_an_empty_cell_is_a_value(case: dict[str, Any], data_folder: Path) -> None:
    """Its counts of empty cells belong to its heuristic and its counting of them; ours are more, and keep k as seen."""
    frame, keys, k = _frame(case, data_folder), case["keyVars"], case["parameters"]["k"]
    strata = [frame]
    if case["parameters"].get("strataVars"):
        strata = [part for _, part in frame.group_by(((pl.col("age") - 1) // 16).clip(0, 4))]
        assert sorted(part.height for part in strata) == [4, 6, 15, 23, 45]
    every = [shoal.KCombinations(k, every=n) for n in case["parameters"]["combs"] or [len(keys)]]
    for part in strata:
        published, _ = _stars(part, keys, [shoal.KAnonymity(k), *every])
        assert shoal.verify(published, quasi_identifiers=keys, privacy=every).holds
        assert published.group_by(keys).len()["len"].min() >= k


@pytest.mark.parametrize("case", _cases("ldiversity"))
def test_distinct_l_diversity_of_each_record(case: dict[str, Any], data_folder: Path) -> None:
    frame, checked = _frame(case, data_folder), 0
    for sensitive in case["parameters"]["ldiv_index"]:
        release = Release.identity(as_it_stands(frame, case["keyVars"], [sensitive]))
        found = shoal.LDiversity(1, of=sensitive).measure(release.table, release.pools)
        by_record = found[release.pools.ids(frame.height)]
        whole = case["expected"].get(f"{sensitive}_Distinct_Ldiversity")
        first = case["expected"].get(f"{sensitive}_Distinct_Ldiversity[1]")
        assert by_record.tolist() == whole or by_record[0] == first
        checked += 1
    assert checked


@pytest.mark.parametrize("case", _cases("print kAnon / kAnon_violations"))
def test_records_that_violate_k_anonymity(case: dict[str, Any], data_folder: Path) -> None:
    frame = _frame(case, data_folder)
    release = Release.identity(as_it_stands(frame, case["keyVars"], []))
    for said, wanted in case["expected"].items():
        few = release.classes.sizes[release.classes.sizes < int(said.removeprefix("k="))]
        assert few.sum() == wanted


@pytest.mark.parametrize("case", _cases("localSupp"))
def test_no_risk_rises_where_a_key_is_emptied_for_records_at_risk(case: dict[str, Any], data_folder: Path) -> None:
    cells, missing, weights = _keys(case, _frame(case, data_folder))
    before = individual_risk(*compatible(cells, missing, weights), is_exact=False)
    at = case["keyVars"].index(case["parameters"]["keyVar"])
    emptied = missing.copy()
    emptied[at] |= before > case["parameters"]["threshold"]
    assert emptied.any()
    after = individual_risk(*compatible(cells, emptied, weights), is_exact=False)
    assert (after <= before + 1e-12).all()


@pytest.mark.parametrize("case", _cases("riskyCells"))
def test_cells_below_a_threshold(case: dict[str, Any], data_folder: Path) -> None:
    """Its threshold is inclusive: up to 50 records are too few, which is 51-anonymity of that column."""
    release = Release.identity(as_it_stands(_frame(case, data_folder), case["keyVars"], []))
    at_most, key = case["parameters"]["threshold"][0], case["keyVars"][0]
    promise = shoal.KCombinations(at_most + 1, keys=((key,),))
    groups = np.bincount(release.table.codes[0])
    found = promise.judge_counts(release.table, lambda columns: GroupCounts(groups, groups))
    assert found.n_failing == case["expected"]["unsafe_cells[1]"]


def test_every_case_of_the_reference_is_covered() -> None:
    reference = _reference()
    if reference is None:
        pytest.skip("set SHOAL_DATA to the folder with reference/")
    covered = {
        "freqCalc", "indivRisk", "measure_risk", "measure_risk (calcRisks)", "suda2", "modRisk", "ldiversity",
        "localSuppression / kAnon", "print kAnon / kAnon_violations", "localSupp", "riskyCells",
    }  # fmt: skip
    assert {case["function"] for case in reference["cases"]} == covered
