"""What is published as it is: always listed, with how many records become unique for whoever knows it too."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.cli import main
from shoal.engine.backends import written_file
from shoal.engine.backends.anonymize_file import anonymize_file
from shoal.report.as_it_is import look_as_it_is

ROWS = st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 3), min_size=1, max_size=12)
PEOPLE = pl.DataFrame(
    {
        "age": [20 + i // 4 for i in range(40)],
        "stay": [i % 4 for i in range(40)],
        "ill": ["flu", "gout", "cold", "flu", "hiv"] * 8,
    }
)
ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "others": ["stay"], "sensitive": ["ill"], "privacy": {"k": 4}}


def uniques(rows: list[tuple[str | None, ...]]) -> int:
    return sum(n == 1 for n in Counter(rows).values())


@given(ROWS)
def test_counts_equal_an_obvious_twin(rows: list[tuple[str | None, ...]]) -> None:
    frame = pl.DataFrame(rows, {"q": pl.String, "x": pl.String, "s": pl.String}, orient="row")
    found = look_as_it_is(frame, ["q"], ["x"], ["s"])
    assert found.n_alone == uniques([row[:1] for row in rows])
    assert found.n_with_others == uniques([row[:2] for row in rows])
    assert found.n_with_all == uniques(rows)


def test_every_face_lists_it_with_the_risk_it_adds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = shoal.anonymize(PEOPLE, seed=1, quick=True, **ROLES)
    assert made.as_it_is is not None
    says = str(made.as_it_is)
    assert says.startswith(
        "Published unchanged: stay, ill. An adversary who knows stay as well as the quasi-identifiers finds 40 of 40 "
        "records unique (0 by the quasi-identifiers alone); with ill too, 40."
    )
    assert says in made.notes
    for name in ("report.html", "report.txt", "report.json"):
        for public in (False, True):
            text = " ".join(made.rendered(Path(name), public=public).split())
            assert says in text or ('"n_with_others": 40' in text and '"n_with_all": 40' in text), name
    PEOPLE.write_csv(tmp_path / "t.csv")
    said = [
        "anonymize",
        str(tmp_path / "t.csv"),
        "--quasi",
        "age",
        "--others",
        "stay",
        "--sensitive",
        "ill",
        "--k",
        "4",
    ]
    assert main([*said, "--quick", "-o", str(tmp_path / "r.csv")]) == 0
    assert says in " ".join(capsys.readouterr().err.split())


def test_nothing_is_said_where_everything_is_recoded_or_dropped() -> None:
    made = shoal.anonymize(PEOPLE.select("age"), quasi_identifiers=["age"], privacy={"k": 4}, quick=True)
    assert not made.as_it_is
    assert not any("Published unchanged" in note for note in made.notes)


def test_columns_that_were_prepared_are_not_called_unchanged() -> None:
    made = shoal.anonymize(PEOPLE, seed=1, rounding={"stay": "5"}, **ROLES)
    assert str(made.as_it_is).startswith(
        "Published unchanged: ill. Published as prepared: stay. An adversary who knows"
    )


def test_values_in_buckets_are_listed_and_not_tied_to_records() -> None:
    roles: dict[str, Any] = {**ROLES, "privacy": shoal.LDiversity(2), "algorithm": "anatomy"}
    says = str(shoal.anonymize(PEOPLE, seed=1, **roles).as_it_is)
    assert says.startswith(
        "Published unchanged: stay, ill. An adversary who knows stay as well as the quasi-identifiers finds"
    )
    assert "with ill too" not in says


@pytest.mark.parametrize("compared", [8_000_000, 10])
def test_within_a_memory_limit_the_written_file_is_counted(
    compared: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(written_file, "_COMPARED", compared)
    PEOPLE.write_parquet(tmp_path / "t.parquet")
    made = anonymize_file(tmp_path / "t.parquet", tmp_path / "r.csv", memory="8GiB", seed=1, **ROLES)
    written = look_as_it_is(pl.read_csv(tmp_path / "r.csv", infer_schema=False), ["age"], ["stay"], ["ill"])
    assert made.as_it_is is not None
    if compared == 10:
        assert "finds about " in str(made.as_it_is)
        assert made.as_it_is.n_with_others % 4 == 0
    else:
        assert made.as_it_is == written
    assert str(made.as_it_is) in made.notes
