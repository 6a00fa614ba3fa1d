"""Tables that link to each other are published with all rows of a person hidden together, and with fresh keys."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.engine.linked.words import TablesWords

Tables = dict[str, pl.DataFrame]


def hospital(seed: int, n: int = 40) -> Tables:
    """Patients, their visits, and what was prescribed at each; some have no visit, some visits no prescription."""
    rng = np.random.default_rng(seed)
    patients = pl.DataFrame(
        {
            "patient_id": [f"P{i:03d}" for i in rng.permutation(n)],
            "birth": 1950 + rng.integers(0, 12, n),
            "sex": rng.choice(["f", "m"], n),
        }
    )
    of = np.repeat(np.arange(n), rng.choice([0, 1, 2, 3], n))
    visits = pl.DataFrame(
        {
            "visit_id": 1000 + rng.permutation(of.size),
            "patient_id": patients["patient_id"].gather(of),
            "month": rng.integers(1, 5, of.size),
            "diagnosis": rng.choice(["flu", "cold", "asthma"], of.size),
        }
    )
    at = np.repeat(np.arange(of.size), rng.choice([0, 1, 2], of.size))
    drugs = pl.DataFrame({"visit": visits["visit_id"].gather(at), "drug": rng.choice(["x", "y", "z"], at.size)})
    return {"patients": patients, "visits": visits, "prescriptions": drugs}


SAID: dict[str, dict[str, Any]] = {
    "patients": {"key": "patient_id", "quasi_identifiers": ["birth", "sex"]},
    "visits": {
        "key": "visit_id",
        "links": {"patient_id": "patients"},
        "quasi_identifiers": ["month"],
        "sensitive": ["diagnosis"],
    },
    "prescriptions": {"links": {"visit": "visits"}, "quasi_identifiers": ["drug"]},
}


def said(tables: Tables, **more: dict[str, Any]) -> dict[str, Any]:
    return {name: {"input": frame, **SAID[name], **more.get(name, {})} for name, frame in tables.items()}


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def joined(folder: Path) -> dict[str, tuple[Any, ...]]:
    """The whole published history of each patient, by the keys that were published, and nothing of shoal.

    Raises KeyError where a row links to none.
    """
    of_visit: dict[str, list[str]] = {row["visit_id"]: [] for row in read(folder / "visits.csv")}
    for row in read(folder / "prescriptions.csv"):
        of_visit[row["visit"]].append(row["drug"])
    of_patient: dict[str, list[Any]] = {row["patient_id"]: [] for row in read(folder / "patients.csv")}
    for row in read(folder / "visits.csv"):
        of_patient[row["patient_id"]].append((row["month"], tuple(sorted(of_visit[row["visit_id"]]))))
    cells = {row["patient_id"]: (row["birth"], row["sex"]) for row in read(folder / "patients.csv")}
    return {key: (*cells[key], *sorted(rows)) for key, rows in of_patient.items()}


@pytest.mark.parametrize("seed", range(6))
def test_every_joined_history_is_shared_by_k_patients_and_no_row_is_an_orphan(seed: int, tmp_path: Path) -> None:
    tables, k = hospital(seed), 2 + seed % 3
    made = shoal.anonymize_tables(said(tables), privacy={"k": k}, suppression_limit=0.9, algorithm="mondrian:relaxed")
    made.write({name: tmp_path / f"{name}.csv" for name in tables})
    assert min(Counter(joined(tmp_path).values()).values()) >= k
    assert made.n_rows == sum(frame.height for frame in tables.values())
    assert made.verdicts[0].achieved >= k
    old = {str(key) for frame in tables.values() for name in ("patient_id", "visit_id") if name in frame.columns
           for key in frame[name]}  # fmt: skip
    new = {value for name in tables for row in read(tmp_path / f"{name}.csv") for value in row.values()}
    assert not old & new


def test_sensitive_values_of_a_history_are_as_many_as_was_promised(tmp_path: Path) -> None:
    tables = hospital(3, 80)
    made = shoal.anonymize_tables(
        said(tables), privacy={"k": 3, "l": "2:diagnosis"}, suppression_limit=0.95, algorithm="mondrian:relaxed"
    )
    made.write({name: tmp_path / f"{name}.csv" for name in tables})
    found, values = joined(tmp_path), defaultdict(set)
    for row in read(tmp_path / "visits.csv"):
        values[found[row["patient_id"]]].add(row["diagnosis"])
    assert values
    assert min(map(len, values.values())) >= 2
    assert all(verdict.holds for verdict in made.verdicts)


def test_keys_are_fresh_in_every_release() -> None:
    tables = hospital(1)
    both = [
        shoal.anonymize_tables(said(tables), privacy={"k": 2}, suppression_limit=0.9, quick=True).to_frames()
        for _ in range(2)
    ]
    keys = [set(frames["patients"]["patient_id"]) for frames in both]
    assert keys[0]
    assert not keys[0] & keys[1]


def job(folder: Path, **more: str) -> Path:
    for name, frame in hospital(2).items():
        frame.write_csv(folder / f"{name}.csv")
    text = {
        "patients": 'key = "patient_id"\nquasi_identifiers = ["birth", "sex"]',
        "visits": 'key = "visit_id"\nlinks = { patient_id = "patients" }\nquasi_identifiers = ["month"]\n'
        'sensitive = ["diagnosis"]',
        "prescriptions": 'links = { visit = "visits" }\nquasi_identifiers = ["drug"]',
    } | more
    lines = ["suppression_limit = 0.9\nquick = true\n[privacy]\nk = 3\n"]
    lines += [
        f'[tables.{name}]\ninput = "{name}.csv"\noutput = "out/{name}.csv"\n{said}\n' for name, said in text.items()
    ]
    (folder / "out").mkdir()
    (folder / "job.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder / "job.toml"


def test_a_job_file_names_the_tables_and_their_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(job(tmp_path))]) == 0
    assert min(Counter(joined(tmp_path / "out").values()).values()) >= 3
    assert "3-anonymity of histories" in capsys.readouterr().out
    assert (tmp_path / "out" / "patients.run.json").exists()


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"visits": 'quasi_identifiers = ["month"]'}, "One table must have one row per person"),
        ({"visits": 'links = { patient_id = "patient" }\nquasi_identifiers = ["month"]'}, "Did you mean 'patients'"),
        ({"visits": 'key = "month"\nlinks = { patient_id = "patients" }\nquasi_identifiers = ["diagnosis"]'},
         "is not unique"),
        ({"prescriptions": 'links = { drug = "visits" }\nquasi_identifiers = ["visit"]'}, "no row of 'visits' has"),
        ({"prescriptions": 'links = { drug = "visits" }\nquasi_identifiers = ["drug"]'},
         "The column 'drug' of 'prescriptions' is a key, which is published with fresh random values; take it out of"),
        ({"prescriptions": 'links = { visit = "visits" }\nquasi_identifier = ["drug"]'}, "Did you mean 'quasi_ident"),
    ],
)  # fmt: skip
def test_links_that_lead_nowhere_are_refused_and_nothing_is_written(
    more: dict[str, str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(job(tmp_path, **more))]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())
    assert not list((tmp_path / "out").iterdir())


def test_what_is_published_as_it_is_is_listed_for_each_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    visits = (
        'key = "visit_id"\nlinks = { patient_id = "patients" }\nquasi_identifiers = ["month"]\nothers = ["diagnosis"]'
    )
    assert main(["run", str(job(tmp_path, visits=visits))]) == 0
    printed = " ".join(capsys.readouterr().err.split())
    rows = read(tmp_path / "out" / "visits.csv")
    known = Counter((row["month"], row["diagnosis"]) for row in rows)
    n_unique = sum(n == 1 for n in known.values())
    assert "visits: Published unchanged: diagnosis. An adversary who knows diagnosis as well as" in printed
    assert f"finds {n_unique} of {len(rows)} records unique" in printed
    assert "patients: Published unchanged" not in printed
    record = json.loads((tmp_path / "out" / "patients.run.json").read_text(encoding="utf-8"))
    listed = record["tables"]["visits"]["as_it_is"]
    assert (listed["others"], listed["n_with_others"]) == (["diagnosis"], n_unique)
    made = shoal.anonymize_tables(said(hospital(2)), privacy={"k": 3}, suppression_limit=0.9, quick=True)
    assert made.tables["visits"].as_it_is.sensitive == ("diagnosis",)
    assert not made.tables["patients"].as_it_is


def test_more_people_than_there_are_cannot_be_asked_for() -> None:
    with pytest.raises(shoal.ImpossibleGoal, match="k = 41 needs at least 41 people"):
        shoal.anonymize_tables(said(hospital(1)), privacy={"k": 41}, suppression_limit=0.9)


def test_every_word_is_told_in_the_docstring() -> None:
    told = " ".join((shoal.anonymize_tables.__doc__ or "").split())
    for name, one in TablesWords.vocabulary().items():
        assert f"{name}: {' '.join(one.help.split())}" in told


def test_the_job_file_of_the_docs_runs(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs_src" / "people" / "linked_tables.toml").read_text(encoding="utf-8")
    (tmp_path / "job.toml").write_text("quick = true\n" + text.replace('"5%"', '"90%"'), encoding="utf-8")
    tables = hospital(4, 80)
    wards = pl.Series("ward", ["a", "b"] * tables["visits"].height)[: tables["visits"].height]
    tables["patients"].rename({"birth": "birth_year"}).write_csv(tmp_path / "patients.csv")
    tables["visits"].with_columns(wards).write_csv(tmp_path / "visits.csv")
    tables["prescriptions"].rename({"visit": "visit_id"}).write_csv(tmp_path / "prescriptions.csv")
    (tmp_path / "release").mkdir()
    assert main(["run", str(tmp_path / "job.toml")]) == 0
    assert len(list((tmp_path / "release").glob("*.csv"))) == 3


def test_a_policy_is_followed_by_all_tables_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = shoal.anonymize_tables(said(hospital(7)), policy="controlled-access", suppression_limit=0.9, quick=True)
    assert made.policy is not None
    assert made.verdicts[0].wanted == 5
    assert made.verdicts[0].achieved >= 5
    asked: dict[str, Any] = {
        "policy": "controlled-access",
        "privacy": {"k": 3},
        "suppression_limit": 0.9,
        "quick": True,
    }
    weaker = shoal.anonymize_tables(said(hospital(7)), **asked)
    assert any("5-anonymity" in note and "3-anonymity" in note for note in weaker.notes)
    for name, frame in hospital(7).items():
        frame.write_csv(tmp_path / f"{name}.csv")
    job = tmp_path / "job.toml"
    job.write_text(
        'policy = "controlled-access"\nsuppression_limit = 0.9\nquick = true\n'
        '[tables.patients]\ninput = "patients.csv"\noutput = "p.csv"\nkey = "patient_id"\n'
        'quasi_identifiers = ["birth", "sex"]\n'
        '[tables.visits]\ninput = "visits.csv"\noutput = "v.csv"\nlinks = { patient_id = "patients" }\n'
        'identifiers = ["visit_id"]\nquasi_identifiers = ["month"]\nsensitive = ["diagnosis"]\n'
    )
    assert main(["run", str(job)]) == 0
    assert "Policy: controlled-access" in capsys.readouterr().out
    assert '"name": "controlled-access"' in (tmp_path / "p.run.json").read_text()


def test_a_policy_that_tables_cannot_meet_or_that_looks_at_one_table_is_refused() -> None:
    with pytest.raises(shoal.ShoalError, match=r"The policy public-release .* cannot be met"):
        shoal.anonymize_tables(said(hospital(7, n=8)), policy="public-release", quick=True)
    with pytest.raises(shoal.InputError, match="depends on the columns of a table"):
        shoal.anonymize_tables(said(hospital(7)), policy="hipaa-safe-harbor")
