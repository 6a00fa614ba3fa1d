"""The embedded example table: always the same, plausible, and about nobody."""

import hashlib
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.core.schema import Schema
from shoal.errors import InputError
from shoal.io.encode import encode
from shoal.io.example import ROLES, _numbers, hierarchies, people
from shoal.io.example_diagnoses import GROUPS as DIAGNOSIS_GROUPS
from shoal.io.example_jobs import GROUPS as JOB_GROUPS
from shoal.io.example_random import Draws, _mix
from shoal.io.hierarchies import parse_hierarchy


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    return people()


@pytest.fixture(scope="module")
def aged(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(age=2024 - pl.col.birth_date.dt.year())


def share(frame: pl.DataFrame, condition: pl.Expr) -> float:
    return frame.filter(condition).height / frame.height


def test_the_first_hundred_rows_never_change() -> None:
    digest = hashlib.sha256(people(100).write_csv(line_terminator="\n").encode()).hexdigest()
    assert digest == "96a12eae78e9403eaf6f6c67c606c005e3a0d6da7c8090251c214c76805ef1f0"


def test_a_row_does_not_depend_on_how_many_there_are(frame: pl.DataFrame) -> None:
    assert frame.height == 20_000
    assert people(137).equals(frame.head(137))


def test_the_generator_is_splitmix64() -> None:
    golden, seed = 0x9E3779B97F4A7C15, 1234567
    states = np.array([(seed + (i + 1) * golden) % 2**64 for i in range(3)], np.uint64)
    assert _mix(states).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_choices_follow_their_weights_and_never_a_zero() -> None:
    groups = np.arange(30_000, dtype=np.int32) % 2
    weights = np.array([[0, 3, 1], [1, 0, 1]], np.int64)
    chosen = Draws(30_000).choose_by("test", groups, weights)
    shares = np.array([np.bincount(chosen[groups == g], minlength=3) for g in (0, 1)]) / 15_000
    assert np.abs(shares - weights / weights.sum(axis=1, keepdims=True)).max() < 0.02
    assert shares[0, 0] == shares[1, 1] == 0


def test_types(frame: pl.DataFrame) -> None:
    texts = [*ROLES["identifiers"], "postcode", "sex", "marital_status", "job", "diagnosis"]
    assert all(frame.schema[name] == pl.String for name in texts)
    assert frame.schema["birth_date"] == pl.Date
    assert frame.schema["stay_days"] == pl.Int64
    assert people(0).schema == frame.schema


@pytest.mark.parametrize("n", [-1, 10**9])
def test_too_few_or_too_many_rows_are_refused(n: int) -> None:
    with pytest.raises(InputError, match="between 0 and"):
        people(n)


def test_nobody_has_these_numbers_and_addresses(frame: pl.DataFrame) -> None:
    assert frame["ssn"].n_unique() == frame.height
    assert all(re.fullmatch(r"(000|666|9\d\d)-\d{2}-\d{4}", ssn) for ssn in frame["ssn"])
    assert all(re.fullmatch(r"[a-z.0-9]+@example\.(org|com|net)", mail) for mail in frame["email"].drop_nulls())


def test_a_second_million_has_other_numbers() -> None:
    numbers = _numbers(1_000_001)
    assert numbers[-1].startswith("666-")
    assert numbers.n_unique() == 1_000_001


def test_postcodes(frame: pl.DataFrame) -> None:
    codes = frame["postcode"].drop_nulls()
    assert all(re.fullmatch(r"\d{5}", code) for code in codes.unique())
    assert 0.05 < codes.str.starts_with("0").to_numpy().mean() < 0.3
    sizes = codes.value_counts()["count"].sort(descending=True)
    assert 400 < len(sizes) < 700
    assert sizes[:50].sum() > 0.3 * len(codes)
    assert sizes[-100:].sum() < 0.1 * len(codes)


def test_missing_values(frame: pl.DataFrame) -> None:
    assert 0.02 < share(frame, pl.col.job.is_null()) < 0.03
    assert 0.005 < share(frame, pl.col.postcode.is_null()) < 0.015
    complete = [name for name in frame.columns if name not in ("job", "postcode", "email")]
    assert frame.select(complete).null_count().sum_horizontal().item() == 0


def test_ages(aged: pl.DataFrame) -> None:
    assert aged["age"].min() == 0
    assert 95 < max(aged["age"]) < 105
    assert share(aged, pl.col.age < 18) == pytest.approx(0.13, abs=0.04)
    assert share(aged, pl.col.age >= 65) == pytest.approx(0.36, abs=0.06)
    assert share(aged.filter(pl.col.age >= 90), pl.col.sex == "female") > 0.6
    assert aged["birth_date"].dt.ordinal_day().max() == 366


def test_jobs_depend_on_age_sex_and_place(aged: pl.DataFrame) -> None:
    assert set(aged.filter(pl.col.age.is_between(6, 15))["job"].drop_nulls()) == {"pupil"}
    assert share(aged.filter(pl.col.age >= 75), pl.col.job == "retired") > 0.9
    assert share(aged.filter(pl.col.job == "nurse"), pl.col.sex == "female") > 0.75
    assert share(aged.filter(pl.col.job == "electrician"), pl.col.sex == "male") > 0.9
    assert aged.filter((pl.col.job == "doctor") & (pl.col.age < 20)).height < 5
    in_town = pl.col.postcode.str.slice(2, 1) == "1"
    assert aged.filter((pl.col.job == "farmer") & in_town).is_empty()


def test_marital_states_depend_on_age_and_sex(aged: pl.DataFrame) -> None:
    assert set(aged.filter(pl.col.age < 18)["marital_status"]) == {"single"}
    old = aged.filter(pl.col.age >= 80)
    widows = share(old.filter(pl.col.sex == "female"), pl.col.marital_status == "widowed")
    widowers = share(old.filter(pl.col.sex == "male"), pl.col.marital_status == "widowed")
    assert widows > widowers + 0.2


def test_diagnoses_depend_on_age_sex_and_job(aged: pl.DataFrame) -> None:
    pregnant = aged.filter(pl.col.diagnosis.is_in(DIAGNOSIS_GROUPS["pregnancy and birth"]))
    assert pregnant.height > 200
    assert set(pregnant["sex"]) == {"female"}
    assert (pregnant["age"].min(), pregnant["age"].max()) == (15, 49)
    assert aged.filter(pl.col.diagnosis == "dementia")["age"].to_numpy().min() >= 50
    assert set(aged.filter(pl.col.diagnosis == "prostate cancer")["sex"]) == {"male"}
    trades = aged.filter(pl.col.job.is_in(JOB_GROUPS["trades"]))
    office = aged.filter(pl.col.job.is_in(JOB_GROUPS["office"]))
    assert share(trades, pl.col.diagnosis == "slipped disc") > 1.5 * share(office, pl.col.diagnosis == "slipped disc")
    assert share(office, pl.col.diagnosis == "burnout") > 2 * share(trades, pl.col.diagnosis == "burnout")


def test_diagnoses_are_skewed_but_none_rules(frame: pl.DataFrame) -> None:
    shares = frame["diagnosis"].value_counts(sort=True)["count"] / frame.height
    assert len(shares) > 30
    assert 0.05 < shares[0] < 0.15
    assert 0 < shares[-1] < 0.01


def test_stays_depend_on_diagnosis(frame: pl.DataFrame) -> None:
    days = dict(frame.group_by("diagnosis").agg(pl.col.stay_days.mean()).iter_rows())
    assert frame["stay_days"].to_numpy().min() >= 1
    assert days["schizophrenia"] > 4 * days["concussion"]


def test_roles_name_columns_once(frame: pl.DataFrame) -> None:
    named = [name for names in ROLES.values() for name in names]
    assert len(set(named)) == len(named)
    assert set(frame.columns) - set(named) == {"stay_days"}


def test_the_hierarchies_cover_the_table(frame: pl.DataFrame) -> None:
    parsed = {name: parse_hierarchy(spec, Path(), name) for name, spec in hierarchies().items()}
    schema = Schema(
        quasi_identifiers=tuple(ROLES["quasi_identifiers"]),
        sensitive=tuple(ROLES["sensitive"]),
        identifiers=tuple(ROLES["identifiers"]),
        hierarchies=parsed,
    )
    table = encode(frame, schema).table
    assert table.n_rows == frame.height
    assert table.sensitive[0].hierarchy is not None


def test_hierarchies_are_handed_out_fresh() -> None:
    groups = hierarchies()["job"]
    assert isinstance(groups, dict)
    groups.clear()
    assert hierarchies()["job"]
