"""Safe Harbor, judged by rules written out here: what is dropped, and what values may be left."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.io.example import people
from shoal.io.inspect.inspection import inspect_frame
from shoal.policies.hipaa_safe_harbor import HipaaSafeHarbor
from shoal.policies.safe_harbor_kinds import KINDS, kind_of

POLICY = {"name": "hipaa-safe-harbor", "year": 2024}


def test_there_are_eighteen_kinds() -> None:
    assert [kind.letter for kind in KINDS] == list("ABCDEFGHIJKLMNOPQR")


def test_the_example_keeps_years_three_digits_and_no_identifier(tmp_path: Path) -> None:
    table = people(600)
    counts = table["postcode"].drop_nulls().unique().to_frame().select(
        pl.col("postcode"), pl.when(pl.col("postcode").str.starts_with("12")).then(9_000).otherwise(10).alias("people")
    )  # fmt: skip
    counts.write_csv(tmp_path / "zip.csv")
    areas = counts.group_by(pl.col("postcode").str.slice(0, 3).alias("area")).agg(pl.col("people").sum())
    large = set(areas.filter(pl.col("people") > 20_000)["area"])
    assert 0 < len(large) < areas.height
    made = shoal.anonymize(table, policy={**POLICY, "zip_population": "zip.csv"}, folder=tmp_path).to_frame()
    assert set(made.columns) == {"birth_date", "postcode", "sex", "marital_status", "job", "stay_days", "diagnosis"}
    years = set(made["birth_date"])
    assert "[..1934-12-31]" in years
    assert all(re.fullmatch(r"\d{4}", year) and int(year) >= 1935 for year in years - {"[..1934-12-31]"})
    shown = set(made["postcode"].drop_nulls()) - {"(missing)"}
    assert shown == {"000", *(f"{area}*" for area in large)}
    assert sorted(made["diagnosis"]) == sorted(table["diagnosis"])


def test_without_a_table_of_people_every_zip_code_is_000() -> None:
    made = shoal.anonymize(people(100), policy=POLICY).to_frame()
    assert set(made["postcode"].drop_nulls()) - {"(missing)"} == {"000"}


def test_ages_over_89_are_one_group_and_small_places_go() -> None:
    n = 120
    table = pl.DataFrame(
        {
            "age": [i % 101 for i in range(n)],
            "state": ["TX", "ME"] * (n // 2),
            "city": ["Austin", "Bangor", "Waco"] * (n // 3),
            "birth_month": [1 + i % 12 for i in range(n)],
            "yob": [1924 + i % 101 for i in range(n)],
            "ill": ["flu", "cold"] * (n // 2),
        }
    )
    result = shoal.anonymize(table, policy=POLICY)
    made = result.to_frame()
    assert set(made.columns) == {"age", "state", "yob", "ill"}
    assert set(made["age"].cast(pl.String)) == {*map(str, range(90)), "[90..]"}
    assert set(made["yob"].cast(pl.String)) == {*map(str, range(1935, 2025)), "[..1934]"}
    told = next(note for note in result.notes if note.startswith("By Safe Harbor"))
    assert "city: (B) geographic subdivisions smaller than a state, dropped" in told
    assert "birth_month: (C)" in told


@pytest.mark.parametrize(
    ("name", "values", "letter"),
    [
        ("name", [f"Ann Smith{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(60)], "A"),
        ("phone", [f"+1 212 555 {i:04}" for i in range(60)], "D"),
        ("fax", [f"+1 212 555 {i:04}" for i in range(60)], "E"),
        ("mail", [f"a{i}@example.org" for i in range(60)], "F"),
        ("ssn", [f"000-12-{i:04}" for i in range(60)], "G"),
        ("mrn", [f"{731 * i + 10_000}" for i in range(60)], "H"),
        ("insurance_number", [f"K{731 * i + 10_000}" for i in range(60)], "I"),
        ("iban", [f"XX{i:020}" for i in range(60)], "J"),
        ("license_number", [f"L{731 * i + 10_000}" for i in range(60)], "K"),
        ("license_plate", [f"M-AB {i + 100}" for i in range(60)], "L"),
        ("device_id", [f"{731 * i:08x}" for i in range(60)], "M"),
        ("homepage", [f"https://example.org/{i}" for i in range(60)], "N"),
        ("ip", [f"192.0.2.{i}" for i in range(60)], "O"),
        ("fingerprint", [f"{731 * i:08x}" for i in range(60)], "P"),
        ("photo", [f"{731 * i:08x}.jpg" for i in range(60)], "Q"),
        ("record_number", [f"{731 * i + 10_000}" for i in range(60)], "R"),
    ],
)
def test_each_kind_is_found_and_dropped(name: str, values: list[str], letter: str) -> None:
    frame = pl.DataFrame({name: values, "sex": ["f", "m"] * 30})
    found = inspect_frame(frame)
    words = HipaaSafeHarbor().words_for(found, frame)
    assert words["identifiers"] == [name]
    assert kind_of(next(one for one in found.columns if one.name == name)).letter == letter


def test_the_job_it_prints_does_the_same(tmp_path: Path) -> None:
    people(300).write_csv(tmp_path / "people.csv")
    assert main(["policy", "hipaa-safe-harbor:year=2024", str(tmp_path / "people.csv")]) == 0
    text = shoal.policy_job(POLICY, tmp_path / "people.csv")
    (tmp_path / "job.toml").write_text(text)
    assert main(["run", str(tmp_path / "job.toml"), "-q"]) == 0
    by_job = pl.read_csv(tmp_path / "people_release.csv", infer_schema=False)
    by_name = shoal.anonymize(tmp_path / "people.csv", policy=POLICY).to_frame().cast(pl.String)
    assert by_job.sort(by_job.columns).equals(by_name.select(by_job.columns).sort(by_job.columns))


def test_whoever_keeps_a_column_nevertheless_is_told() -> None:
    result = shoal.anonymize(people(100), policy=POLICY, others=["email"])
    assert result.policy is not None
    assert result.policy.changed == ("email not dropped, as you set it",)
    assert "email" in result.to_frame().columns


def test_a_table_of_people_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "zip.csv").write_text("zip,people\nabc,many\n")
    with pytest.raises(shoal.InputError, match="needs two columns: ZIP codes"):
        shoal.anonymize(people(100), policy={**POLICY, "zip_population": str(tmp_path / "zip.csv")})


def test_it_is_refused_where_nothing_would_be_left() -> None:
    with pytest.raises(shoal.InputError, match="nothing would be left"):
        shoal.anonymize(people(100).select("name", "ssn"), policy=POLICY)


def test_people_can_be_unique_in_it_as_the_page_says() -> None:
    page = (Path(__file__).parents[2] / "docs" / "policies.md").read_text("utf-8")
    (said,) = re.findall(r"of 2,000\s+rows of the embedded example, (\d+) are", page)
    release = shoal.anonymize(people(2_000), policy={"name": "hipaa-safe-harbor", "year": 2026}, quick=True)
    assert release.audit().figures.sample_uniques == int(said)
