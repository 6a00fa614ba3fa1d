"""Preparation as words: applied before the table is anonymized, recorded, told, and attacked."""

from __future__ import annotations

import json
import stat
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.engine.backends.anonymize_file import anonymize_file
from shoal.errors import InputError

N = 240
PEOPLE = pl.DataFrame(
    {
        "id": [f"p{i // 2:03}" for i in range(N)],
        "age": [20 + i % 40 for i in range(N)],
        "town": ["Ely" if i % 3 else "Truro" for i in range(N)],
        "job": ["nurse" if i % 2 else "baker" if i % 5 else "king" for i in range(N)],
        "income": [1000 * (i % 90) + i for i in range(N)],
        "came": [date(2024, 1, 1) + timedelta(days=(i * 37) % 300) for i in range(N)],
    }
)
SAID: dict[str, Any] = {
    "quasi_identifiers": ["age", "town"],
    "sensitive": ["income"],
    "others": ["job", "came"],
    "privacy": {"k": 5},
    "algorithm": "mondrian",
    "seed": 3,
}


def published(**words: Any) -> Any:
    return shoal.anonymize(PEOPLE, **{**SAID, "identifiers": ["id"], **words})


def test_columns_of_any_role_are_prepared_before() -> None:
    made = published(
        top={"age": 45, "income": 50_000},
        bottom={"age": 25},
        rounding={"income": 1000},
        bands={"came": "month"},
        rare={"job": 60},
    )
    frame = made.to_frame()
    assert frame["income"].max() == 50_000
    assert (frame["income"] % 1000 == 0).all()
    assert set(frame["job"].unique()) == {"nurse", "baker", "other"}
    assert frame["came"].str.contains(r"^2024-\d\d$").all()
    ages = made.release.table.quasi[0].domain.values
    assert (ages.min(), ages.max()) == (25, 45)
    assert any("Values above 50000 are published as 50000" in note for note in made.notes)


def test_banded_quasi_identifiers_keep_their_order() -> None:
    made = published(bands={"age": 5})
    domain = made.release.table.quasi[0].domain
    assert domain.kind == "ordinal"
    assert domain.texts[0] == "20 to under 25"
    assert list(domain.texts) == sorted(domain.texts, key=lambda text: int(text.split()[0]))


def test_pseudonyms_are_linkable_across_releases_by_the_key_alone(tmp_path: Path) -> None:
    key = tmp_path / "key"
    words: dict[str, Any] = {
        "identifiers": [],
        "others": ["id", "job"],
        "sensitive": ["came"],
        "pseudonyms": ["id"],
        "key_file": key,
    }
    keyed = {**SAID, **words, "privacy": {"k": 5}}
    first = shoal.anonymize(PEOPLE.drop("income"), **keyed)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert any("new secret key" in note for note in first.notes)
    again = shoal.anonymize(PEOPLE.drop("income"), **keyed)
    assert not any("new secret key" in note for note in again.notes)
    assert set(first.to_frame()["id"]) == set(again.to_frame()["id"])
    assert not set(first.to_frame()["id"]) & set(PEOPLE["id"])
    assert first.to_frame()["id"].n_unique() == PEOPLE["id"].n_unique()
    other = shoal.anonymize(PEOPLE.drop("income"), **{**keyed, "key_file": tmp_path / "other"})
    assert not set(first.to_frame()["id"]) & set(other.to_frame()["id"])
    assert any("not give k-anonymity" in note for note in first.notes)


def test_nothing_that_is_written_has_the_key_or_an_id(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    key, out = tmp_path / "secret.key", tmp_path / "release.csv"
    said = [
        "anonymize",
        str(tmp_path / "people.csv"),
        "--quasi",
        "age,town",
        "--k",
        "5",
        "--algorithm",
        "mondrian",
    ]
    said += ["--others", "id,job,came", "--sensitive", "income", "--pseudonyms", "id", "--key-file", str(key)]
    said += ["--top", "income=50000", "--report", str(tmp_path / "r.html"), "--public-report", str(tmp_path / "p.txt")]
    said += ["--datapackage", str(tmp_path / "d.json"), "-o", str(out), "-q"]
    assert main(said) == 0
    secret = key.read_text().strip()
    for path in tmp_path.iterdir():
        text = path.read_text(encoding="utf-8")
        assert path == key or secret not in text
        assert path.name in ("people.csv", "r.html") or "p017" not in text
    record = json.loads((tmp_path / "release.run.json").read_text())
    assert [step["word"] for step in record["preparation"]["steps"]] == ["top", "pseudonyms"]
    assert "not give k-anonymity" in " ".join((tmp_path / "p.txt").read_text().split()).replace("- ", "-")
    assert "Values above 50000" in (tmp_path / "d.json").read_text()
    assert main([*said[:-2], str(key)]) == 2  # the release may not take the key's place


def test_a_failed_run_makes_no_key(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        published(others=["id"], identifiers=[], pseudonyms=["id"], key_file=tmp_path / "key", privacy={"k": 10_000})
    assert not (tmp_path / "key").exists()


def test_the_dates_of_a_person_move_together(tmp_path: Path) -> None:
    made = shoal.anonymize(
        PEOPLE, **{**SAID, "privacy": {"k": 2}}, person="id", shift_dates=["came"], shift_days=20,
        key_file=tmp_path / "key", rare={"job": 2},
    )  # fmt: skip
    assert made.keys is not None
    seen = made.frame.with_columns(made.keys.alias("id"), (pl.col("income")).alias("income"))
    moved = seen.join(PEOPLE.select("id", "income", true="came"), on=["id", "income"])
    days = moved.with_columns(days=(pl.col("came") - pl.col("true")).dt.total_days())
    assert days.height == made.frame.height
    assert (days.group_by("id").agg(pl.col("days").n_unique())["days"] == 1).all()
    assert days["days"].n_unique() > 10
    assert days["days"].abs().to_numpy().max() <= 20


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"pseudonyms": ["job"]}, "pseudonyms needs a secret key"),
        ({"key_file": "key"}, "key_file is for pseudonyms and shift_dates"),
        ({"shift_dates": ["came"], "key_file": "key"}, r"identifies people \(person\)"),
        ({"top": {"incom": 3}}, "no column 'incom'. Did you mean 'income'"),
        ({"top": {"id": 3}}, "an identifier, which is dropped"),
        ({"top": {"job": 3}}, "holds 'king', which is no number"),
        ({"sample_share": 0}, "sample_share must be above 0"),
        ({"rare": {"job": 0}}, "at least 1"),
    ],
)
def test_what_does_not_go_together_is_refused(words: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        published(**words)


def test_a_sample_of_rows_is_published() -> None:
    made = published(sample_share=0.5)
    assert 80 < made.frame.height < 160
    assert any("kept with the chance 0.5" in note for note in made.notes)


def test_on_disk_the_same_is_done_to_every_piece(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    words: dict[str, Any] = {
        "top": {"income": 50_000},
        "rounding": {"income": 1000},
        "bands": {"came": "quarter", "age": "10"},
    }
    more = {"pseudonyms": ["id"], "key_file": "key", "others": ["id", "job", "came"]}
    outcome = anonymize_file(
        tmp_path / "people.csv", tmp_path / "release.parquet", memory="8GiB", folder=tmp_path,
        **{**SAID, **words, **more},
    )  # fmt: skip
    made = pl.read_parquet(tmp_path / "release.parquet")
    whole = shoal.anonymize(tmp_path / "people.csv", folder=tmp_path, **{**SAID, **words, **more}).frame
    for name in ("income", "came", "id", "job"):
        assert sorted(made[name].to_list()) == sorted(whole[name].to_list())
    assert any("new secret key" in note for note in outcome.notes)
    assert made["age"].str.contains(r"^20 to under 30$|\.\.").any()
    assert json.loads((tmp_path / "release.run.json").read_text())["preparation"]["steps"]


@pytest.mark.parametrize("person", [None, "id"])
def test_on_disk_rare_categories_are_counted_over_all_rows(tmp_path: Path, person: str | None) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    words: dict[str, Any] = {**SAID, "rare": {"job": 60, "income": 3}, "rounding": {"income": 20_000}}
    words |= {"identifiers": ["id"]} if person is None else {"person": person, "identifiers": []}
    anonymize_file(tmp_path / "people.csv", tmp_path / "release.parquet", memory="8GiB", **words)
    made = pl.read_parquet(tmp_path / "release.parquet")
    whole = shoal.anonymize(tmp_path / "people.csv", **words).frame
    assert "other" in made["job"].to_list()
    for name in ("job", "income"):
        assert sorted(made[name].to_list()) == sorted(whole[name].to_list())


def test_on_disk_a_sample_is_one_sample(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    outcome = anonymize_file(
        tmp_path / "people.csv", tmp_path / "release.csv", memory="8GiB", **{**SAID, "identifiers": ["id"]},
        sample_share=0.5,
    )  # fmt: skip
    assert 80 < outcome.n_rows < 160
    assert outcome.n_records == outcome.n_rows


def test_a_recoding_of_a_prepared_release_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this run prepares them first"):
        published(algorithm="lattice", top={"income": 3}).save_recoding(tmp_path / "recoding.json")


def test_the_job_file_of_the_docs_does_as_it_says(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs_src" / "preparation" / "prepare.toml").read_text(encoding="utf-8")
    (tmp_path / "job.toml").write_text(text, encoding="utf-8")
    stays = PEOPLE.select(
        "age", "town", patient="id", diagnosis="job", admitted="came", cost=pl.col("income") * 2,
        case=pl.int_range(pl.len()).cast(pl.String) + "/24", discharged=pl.col("came") + pl.duration(days=3),
    )  # fmt: skip
    stays.write_csv(tmp_path / "stays.csv")
    assert main(["run", str(tmp_path / "job.toml"), "-q"]) == 0
    made = pl.read_csv(tmp_path / "release.csv", try_parse_dates=True)
    assert made["cost"].max() == 50_000
    assert ((made["discharged"] - made["admitted"]).dt.total_days() == 3).all()
    assert not set(made["case"]) & set(stays["case"])


def test_an_audit_does_to_the_original_what_anybody_can_do(tmp_path: Path) -> None:
    words: dict[str, Any] = {"top": {"age": 40}, "bands": {"income": 25_000}, "rare": {"town": 70}}
    said: dict[str, Any] = {
        "quasi_identifiers": ["age", "income", "town"],
        "privacy": shoal.KAnonymity(5),
        "quick": True,
    }
    made = shoal.anonymize(PEOPLE.select("age", "income", "town"), **said, audit="off", **words).frame
    quasi: dict[str, Any] = {"quasi_identifiers": said["quasi_identifiers"], "k": 5, "attacks": ["linking"]}
    found = shoal.audit_release(PEOPLE, made, **quasi, **words)
    assert found.withstands
    assert any("40" in note for note in found.notes)
    linking = next(risk for risk in found.risks if risk.attack == "linking")
    assert linking.outcome == "stopped"
    PEOPLE.write_csv(tmp_path / "people.csv")
    made.write_csv(tmp_path / "release.csv")
    files = [str(tmp_path / name) for name in ("people.csv", "release.csv")]
    options = [
        "--quasi",
        "age,income,town",
        "--k",
        "5",
        "--top",
        "age=40",
        "--band",
        "income=25000",
        "--rare",
        "town=70",
    ]
    assert main(["audit", *files, *options, "--attack", "linking", "-q"]) == 0
    with pytest.raises(InputError, match="the table has no column 'agee'"):
        shoal.audit_release(PEOPLE, made, **quasi, top={"agee": 40})  # type: ignore[dict-item]


def test_linked_tables_are_prepared_table_by_table() -> None:
    people = PEOPLE.select("id", "age", "town").unique("id", maintain_order=True)
    visits = PEOPLE.select(who="id", job="job", cost="income")
    tables = {
        "people": {"input": people, "key": "id", "quasi_identifiers": ["age", "town"], "top": {"age": 40}},
        "visits": {
            "input": visits, "links": {"who": "people"}, "quasi_identifiers": ["job"], "others": ["cost"],
            "rounding": {"cost": 1000}, "rare": {"job": 60},
        },
    }  # fmt: skip
    made = shoal.anonymize_tables(tables, privacy=shoal.KAnonymity(2), quick=True)
    assert (made.tables["visits"].frame["cost"] % 1000 == 0).all()
    assert made.tables["people"].release.table.quasi[0].domain.values.max() == 40
    assert "other" in made.tables["visits"].release.table.quasi[0].domain.texts
    assert any("people: age" in note for note in made.notes)
    with pytest.raises(InputError, match="pseudonyms"):
        shoal.anonymize_tables({**tables, "people": {**tables["people"], "pseudonyms": ["id"]}}, privacy={"k": 2})
