"""Weighted samples: individual and household risk by their definitions, as promises, in audits, and bad weights."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.audit.sample_risk import sample_risk
from shoal.audit.suda import suda
from shoal.errors import InputError
from shoal.models.population_frequencies import household_risk, individual_risk
from support.sdcmicro import compatible


def _by_series(f: int, people: float) -> float:
    """The mean of 1 over a negative binomial number of people, term by term."""
    p = min(1.0, f / people)
    chance, total = p**f, 0.0
    for count in range(f, 200_000):
        total += chance / count
        chance *= count / (count - f + 1) * (1 - p)
        if chance < 1e-18 and count > f / p:
            break
    return total


@pytest.mark.parametrize(
    ("f", "people"), [(1, 1), (1, 7.5), (2, 3), (2, 41), (3, 3), (3, 100), (8, 9), (8, 400), (40, 90)]
)
def test_the_risk_is_the_mean_of_one_over_the_people(f: int, people: float) -> None:
    assert individual_risk(np.array([f]), np.array([people]))[0] == pytest.approx(_by_series(f, people), rel=1e-8)


@given(st.integers(1, 30), st.floats(1, 500), st.integers(1, 30), st.floats(1, 500))
def test_a_union_is_no_riskier_than_the_riskier_part(f: int, a: float, g: int, b: float) -> None:
    one, other, both = individual_risk(np.array([f, g, f + g]), np.array([f * a, g * b, f * a + g * b]))
    assert both <= max(one, other) * (1 + 1e-9)
    assert 0 < both <= 1 / (f + g) * (1 + 1e-9)


def test_no_overflow_in_large_classes() -> None:
    found = individual_risk(np.array([10**6, 10**6]), np.array([10.0**6, 10.0**9]))
    assert found == pytest.approx([1e-6, 1e-9], rel=1e-3)


@given(st.data())
def test_compatible_records_by_comparing_all_pairs(data: st.DataObject) -> None:
    m, n = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 8))
    cell = st.sampled_from([None, 0, 1])
    rows = data.draw(st.lists(st.tuples(*[cell] * m), min_size=n, max_size=n))
    weights = np.array(data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n)), float)
    codes = np.array([[0 if v is None else v for v in row] for row in rows], np.int32).T
    missing = np.array([[v is None for v in row] for row in rows]).T
    fits = [[all(a is None or b is None or a == b for a, b in zip(x, y, strict=True)) for y in rows] for x in rows]
    records, people = compatible(np.ascontiguousarray(codes), missing, weights)
    assert records.tolist() == [sum(row) for row in fits]
    assert people.tolist() == [float(weights[np.array(row)].sum()) for row in fits]


def test_household_risk_by_hand() -> None:
    found = household_risk(np.array([0.1, 0.2, 0.5, 1.0, 0.0]), np.array([0, 0, 1, 2, 2]))
    assert found == pytest.approx([0.28, 0.28, 0.5, 1.0, 1.0])


def _suda(rows: list[tuple[object, ...]]) -> tuple[list[float], list[list[float]]]:
    """Scores and shares of columns, by trying all sets of columns on all rows."""
    m, scores, shares = len(rows[0]), [], []
    for at, row in enumerate(rows):
        found: list[tuple[int, ...]] = []
        for k in range(1, m + 1):
            for key in combinations(range(m), k):
                whole = all(row[c] is not None for c in key)
                alone = whole and all(any(o[c] != row[c] for c in key) for i, o in enumerate(rows) if i != at)
                if alone and not any(set(one) < set(key) for one in found):
                    found.append(key)
        worth = [float(np.prod(range(1, m - len(key) + 1))) for key in found]
        scores.append(sum(worth))
        total = sum(worth) or 1.0
        shares.append([sum(w for w, key in zip(worth, found, strict=True) if c in key) / total for c in range(m)])
    return scores, shares


@given(st.data())
def test_suda_finds_what_trying_all_sets_finds(data: st.DataObject) -> None:
    m, n = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 9))
    rows = data.draw(st.lists(st.tuples(*[st.sampled_from([None, 0, 1, 2])] * m), min_size=n, max_size=n))
    codes = np.array([[0 if v is None else v for v in row] for row in rows], np.int32).T
    missing = np.array([[v is None for v in row] for row in rows]).T
    found = suda(np.ascontiguousarray(codes), missing)
    scores, shares = _suda(rows)
    assert found.scores == pytest.approx(scores)
    assert pytest.approx(np.array(shares)) == found.contributions.T
    assert ((found.dis > 0) == (found.scores > 0)).all()
    assert (found.dis <= 1).all()


def test_suda_counts_the_same_where_keys_are_too_many_for_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.random.default_rng(0).integers(0, 6, (4, 200)).astype(np.int32)
    plain = suda(codes)
    monkeypatch.setattr("shoal.audit.suda._DENSE", 4)
    assert suda(codes).scores.tolist() == plain.scores.tolist()


def test_too_many_columns_for_suda_are_refused() -> None:
    with pytest.raises(InputError, match=r"30 columns have 1,073,741,823 sets of up to 30, more than 20,000"):
        suda(np.zeros((30, 4), np.int32))
    assert suda(np.zeros((30, 4), np.int32), most=2).n_special == 0


DICE = np.random.default_rng(3)
SURVEY = pl.DataFrame(
    {
        "age": DICE.integers(20, 80, 300),
        "sex": DICE.integers(0, 2, 300),
        "region": DICE.integers(0, 6, 300),
        "household": np.repeat(np.arange(100), 3),
        "weight": DICE.uniform(5, 50, 300).round(1),
        "ill": DICE.integers(0, 4, 300),
    }
)
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "sex", "region"],
    "sensitive": ["ill"],
    "sample_weight": "weight",
    "seed": 1,
}


@pytest.mark.parametrize("algorithm", ["auto", "lattice", "mondrian"])
def test_individual_risk_as_a_promise(algorithm: str) -> None:
    trees = {"age": "intervals:width=10"} if algorithm == "lattice" else {}
    found = shoal.anonymize(
        SURVEY,
        privacy={"individual-risk": 0.01},
        algorithm=algorithm,
        hierarchies=trees,
        identifiers=["household"],
        **ROLES,
    )
    frame = found.to_frame()
    assert "weight" not in frame.columns
    assert found.verdicts[0].holds
    weights = SURVEY["weight"].to_numpy()
    classes = found.release.classes
    risks = [_by_series(len(rows := classes.of(c)), float(weights[rows].sum())) for c in range(len(classes))]
    assert max(risks) <= 0.01
    assert found.verdicts[0].achieved == pytest.approx(max(risks))
    assert found.audited is not None
    told = found.audited.figures.sample
    assert told is not None
    assert told.individual.highest == pytest.approx(max(risks))
    assert told.population == pytest.approx(float(weights.sum()))
    assert told.expected == pytest.approx(sum(r * len(classes.of(c)) for c, r in enumerate(risks)))


@pytest.mark.parametrize("algorithm", ["lattice", "mondrian"])
def test_household_risk_as_a_promise(algorithm: str) -> None:
    found = shoal.anonymize(
        SURVEY, privacy={"household-risk": 0.02}, person="household", algorithm=algorithm, suppression_limit=0.2,
        hierarchies={"age": "intervals:width=10"}, **ROLES,
    )  # fmt: skip
    assert found.verdicts[0].holds
    assert "household" not in found.to_frame().columns
    classes, weights = found.release.classes, SURVEY["weight"].to_numpy()
    safe: dict[int, float] = {}
    for c in range(len(classes)):
        rows = classes.of(c)
        risk = _by_series(len(rows), float(weights[rows].sum()))
        for row in rows.tolist():
            safe[row // 3] = safe.get(row // 3, 1.0) * (1 - risk)
    assert max(1 - chance for chance in safe.values()) <= 0.02 + 1e-9
    assert found.verdicts[0].achieved == pytest.approx(max(1 - chance for chance in safe.values()))
    told = found.audit().figures
    assert told.sample is not None
    assert told.sample.household is not None
    assert told.sample.expected_households == pytest.approx(sum(1 - chance for chance in safe.values()))
    assert told.special is not None
    assert [name for name, _ in told.special.columns] == ["age", "sex", "region"]


def test_weights_are_adjusted_for_rows_that_were_left_out() -> None:
    told = sample_risk(np.array([2, 4]), np.array([10.0, 40.0]), np.array([0, 0, 1, 1, 1, 1]), None, 100.0)
    assert told.adjusted is not None
    assert told.adjusted.highest == pytest.approx(float(individual_risk(np.array([2]), np.array([20.0]))[0]))
    assert sample_risk(np.array([2]), np.array([10.0]), np.array([0, 0]), None, 10.0).adjusted is None


def test_an_audit_of_any_release_tells_the_risk_of_the_sample() -> None:
    found = shoal.anonymize(
        SURVEY, privacy={"k": 3}, algorithm="lattice", hierarchies={"age": "intervals:width=10"}, audit="off",
        identifiers=["household"], **ROLES,
    )  # fmt: skip
    told = shoal.audit_release(
        SURVEY, found.to_frame(), quasi_identifiers=["age", "sex", "region"], sensitive=["ill"], sample_weight="weight",
        hierarchies={"age": "intervals:width=10"}, seed=1, attacks=["linking"],
    )  # fmt: skip
    own = found.audit().figures.sample
    assert told.figures.sample is not None
    assert own is not None
    assert told.figures.sample.individual.highest == pytest.approx(own.individual.highest)
    assert told.figures.sample.expected == pytest.approx(own.expected)
    assert told.figures.special is not None


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([1.0, None, 2.0, 3.0], r"1 of 4 rows have no sample weight in 'w'; fill them in, or leave them out\."),
        ([1.0, -2.0, 2.0, 3.0], r"The sample weights in 'w' must be above 0, got -2\."),
        ([1.0, 0.0, 2.0, 3.0], r"The sample weights in 'w' must be above 0, got 0\."),
        (["1", "many", "2", "3"], r"The sample weights in 'w' must be numbers; some are not\."),
        ([1.0, float("nan"), 2.0, 3.0], r"1 of 4 rows have no sample weight in 'w'"),
        ([1.0, float("inf"), 2.0, 3.0], r"The sample weights in 'w' must be numbers; some are not\."),
    ],
)
def test_bad_weights_are_refused_in_a_sentence(weights: list[object], says: str) -> None:
    people = pl.DataFrame({"age": [1, 1, 2, 2], "w": weights})
    with pytest.raises(InputError, match=says):
        shoal.anonymize(people, quasi_identifiers=["age"], privacy={"individual-risk": 0.5}, sample_weight="w")
    with pytest.raises(InputError, match=says):
        shoal.audit_release(people, people.select("age"), quasi_identifiers=["age"], sample_weight="w")


def test_a_weight_is_neither_known_nor_published() -> None:
    people = pl.DataFrame({"age": [1, 1, 2, 2], "w": [1.5, 2.5, 3.5, 4.5]})
    with pytest.raises(InputError, match="is named as quasi-identifier and as sample weight; choose one role"):
        shoal.anonymize(people, quasi_identifiers=["age", "w"], privacy={"k": 2}, sample_weight="w")
    with pytest.raises(InputError, match="has no column 'x'"):
        shoal.anonymize(people, quasi_identifiers=["age"], privacy={"k": 2}, sample_weight="x")
    with pytest.raises(InputError, match="has no column 'x'"):
        shoal.audit_release(people, people.select("age"), quasi_identifiers=["age"], sample_weight="x")
    found = shoal.anonymize(people, quasi_identifiers=["age"], privacy={"k": 2}, sample_weight="w")
    assert found.to_frame().columns == ["age"]
