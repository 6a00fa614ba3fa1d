"""What a policy that cannot be kept would cost, in rows and information loss: every figure is that of a real run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.io.example import people

TWO: dict[str, Any] = {"quasi_identifiers": ["postcode", "sex"]}


def said_of(data: Any, **words: Any) -> str:
    with pytest.raises((shoal.GoalNotMet, shoal.ImpossibleGoal)) as caught:
        shoal.anonymize(data, policy="public-release", **words)
    return str(caught.value)


def visits() -> pl.DataFrame:
    """Sixty people, most of them with one visit and some with up to eight, which too few people have."""
    people_ = [i for i in range(60) for _ in range(1 + (i % 9 == 0) * (i // 9 + 1))]
    return pl.DataFrame({"id": people_, "age": [20 + i * 7 % 50 for i in range(len(people_))]})


def test_policies_that_can_be_kept_are_told_with_their_loss_the_nearest_first() -> None:
    table = people(600).select("postcode", "sex").head(8)
    told = said_of(table, **TWO)
    assert "No release of this table can meet it" in told
    kept = re.findall(r"([\w-]+) \(k = (\d+)\) for a loss of ([\d.]+) \(lm\)", told)
    assert [(name, int(k)) for name, k, _ in kept] == [("controlled-access", 5), ("internal-use", 2)]
    for name, _, loss in kept:
        made = shoal.anonymize(table, policy=name, quick=True, audit="off", **TWO)
        assert made.metrics()["lm"] == pytest.approx(float(loss), abs=6e-4)
    with pytest.raises(shoal.ShoalError):
        shoal.anonymize(table, policy="cms-cell-size", quick=True, **TWO)


def test_a_local_algorithm_says_what_leaving_out_rows_would_lose() -> None:
    words: dict[str, Any] = {"person": "id", "linked": "histories", "quasi_identifiers": ["age"], "quick": True}
    told = said_of(visits(), **words)
    rows, loss = re.search(r"met by leaving out (\d+) of 88 rows, for a loss of ([\d.]+) \(lm\)", told).groups()  # type: ignore[union-attr]
    made = shoal.anonymize(visits(), policy="public-release", suppression_limit=f"{rows} rows", audit="off", **words)
    assert made.release.n_suppressed == int(rows)
    assert made.metrics()["lm"] == pytest.approx(float(loss), rel=0.05), "ties are broken at random"


def test_linked_tables_tell_the_loss_of_each() -> None:
    patients = pl.DataFrame({"id": range(60), "sex": ["mf"[i % 2] for i in range(60)]})
    tables: dict[str, Any] = {
        "patients": {"input": patients, "key": "id", "quasi_identifiers": ["sex"]},
        "visits": {"input": visits(), "links": {"id": "patients"}, "quasi_identifiers": ["age"]},
    }
    with pytest.raises(shoal.GoalNotMet) as caught:
        shoal.anonymize_tables(tables, policy="public-release", quick=True)
    found = re.search(
        r"out (\d+) of 148 rows, for losses of ([\d.]+) of patients, ([\d.]+) of visits", str(caught.value)
    )
    assert found
    rows, *losses = found.groups()
    made = shoal.anonymize_tables(tables, policy="public-release", quick=True, suppression_limit=f"{rows} rows")
    assert [*made.losses().values()] == pytest.approx([float(loss) for loss in losses], rel=0.05)


def test_where_another_algorithm_keeps_the_policy_that_is_told_with_its_loss() -> None:
    """Twelve rows that are alike make a class, which leaves the greedy no partner for the last one."""
    table = pl.DataFrame({"a": [*"xxxxxxxxxxxx", "y"], "b": [1] * 13})
    greedy = {"name": "patterns", "outliers": False, "max_stars": 1}
    told = said_of(table, algorithm=greedy, quasi_identifiers=["a", "b"])
    loss = re.search(r"default algorithm \(auto\) meets it, for a loss of ([\d.]+) \(lm\)", told)
    assert loss, told
    made = shoal.anonymize(table, policy="public-release", quick=True, audit="off", quasi_identifiers=["a", "b"])
    assert made.metrics()["lm"] == pytest.approx(float(loss[1]), abs=6e-4)


def test_what_the_algorithm_says_already_is_not_said_again() -> None:
    table = people(600).select("postcode", "sex")
    told = said_of(table, levels=[1, 0], hierarchies={"postcode": "mask"}, **TWO)
    assert told.count("for a loss of") == 1
    assert "None of the policies that require less can be met either" in told


def test_promises_said_besides_the_policy_stay_in_the_price_of_others() -> None:
    """A table of one sensitive value keeps no policy once l-diversity is asked for as well."""
    table = people(600).select("postcode", "sex", ill=pl.lit("flu")).head(8)
    told = said_of(table, sensitive=["ill"], privacy={"l": 2}, **TWO)
    assert "can be met:" not in told


def test_the_command_line_tells_it_in_one_message_and_writes_nothing(tmp_path: Path, capsys: Any) -> None:
    people(600).select("postcode", "sex").head(8).write_csv(tmp_path / "few.csv")
    said = ["anonymize", str(tmp_path / "few.csv"), "--quasi", "postcode,sex", "--policy", "public-release", "-q"]
    assert main([*said, "-o", str(tmp_path / "r.csv")]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert re.search(r"controlled-access \(k = 5\) for a loss of [\d.]+ \(lm\)", told)
    assert [path.name for path in tmp_path.iterdir()] == ["few.csv"]


def test_within_a_memory_limit_the_policies_are_named_without_a_loss(tmp_path: Path) -> None:
    people(600).select("postcode", "sex").head(8).write_csv(tmp_path / "few.csv")
    with pytest.raises(shoal.ImpossibleGoal, match=r"Policies that require less: cms-cell-size \(k = 11\)"):
        shoal.anonymize_file(tmp_path / "few.csv", tmp_path / "r.csv", policy="public-release", memory="8GiB", **TWO)
