"""With linked = "histories" every person's whole published history equals that of at least k − 1 others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli import main
from support.histories_judge import complaints, read, worst_values
from support.people import visits
from support.random_histories import random_histories

QUASI = ["age", "town", "month"]
SAID: dict[str, Any] = {
    "quasi_identifiers": QUASI,
    "others": ["row", "illness"],
    "person": "who",
    "linked": "histories",
    "algorithm": "mondrian:relaxed",
    "audit": "off",
}


def judged(seed: int, folder: Path) -> list[str]:
    """What the judge says of the release of one random table, as it was written."""
    frame = random_histories(seed)
    original, written = folder / "original.csv", folder / "release.csv"
    frame.write_csv(original)
    k = 2 + seed % 3
    more: dict[str, Any] = {"publish_person": "pseudonym"} if seed % 2 else {}
    try:
        made = shoal.anonymize(frame, privacy={"k": k}, suppression_limit=1.0, **SAID, **more)
    except (shoal.ImpossibleGoal, shoal.GoalNotMet):
        return []
    made.write(written)
    return complaints(read(original), read(written), "who", QUASI, k)


def test_no_history_of_a_random_table_is_shared_by_fewer_than_k_people(tmp_path: Path) -> None:
    assert [found for seed in range(30) if (found := judged(seed, tmp_path))] == []


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1000, 5000, 500))
def test_no_history_of_thousands_of_tables_is_shared_by_fewer_than_k_people(first: int, tmp_path: Path) -> None:
    assert [found for seed in range(first, first + 500) if (found := judged(seed, tmp_path))] == []


def judged_values(seed: int, folder: Path) -> str | None:
    """What is wrong with the values of one random table that promises l or t; None where nothing is."""
    frame = random_histories(seed)
    original, written = folder / "original.csv", folder / "release.csv"
    frame.write_csv(original)
    goal = {"k": 2, "l": "2:illness"} if seed % 2 else {"k": 2, "t": "0.6:illness"}
    said = {**SAID, "others": ["row"], "sensitive": ["illness"], "privacy": goal, "suppression_limit": 1.0}
    try:
        shoal.anonymize(frame, **said).write(written)
    except (shoal.ImpossibleGoal, shoal.GoalNotMet):
        return None
    fewest, farthest = worst_values(read(original), read(written), "who", QUASI, "illness")
    is_right = fewest >= 2 if seed % 2 else farthest <= 0.6 + 1e-9
    return None if is_right else f"{seed}: {fewest} values, {float(farthest)} from all"


def test_promises_about_values_hold_of_people_with_equal_histories(tmp_path: Path) -> None:
    assert [found for seed in range(20) if (found := judged_values(seed, tmp_path))] == []


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(2000, 4000, 500))
def test_promises_about_values_hold_in_thousands_of_tables(first: int, tmp_path: Path) -> None:
    assert [found for seed in range(first, first + 500) if (found := judged_values(seed, tmp_path))] == []


def test_values_are_promised_of_some_tables_and_not_refused_of_all(tmp_path: Path) -> None:
    said = {**SAID, "others": ["row"], "sensitive": ["illness"], "suppression_limit": 0.5}
    for goal in ({"k": 3, "l": "2:illness"}, {"k": 3, "t": "0.5:illness"}):
        made = shoal.anonymize(equal_lengths(), **{**said, "privacy": goal})
        assert [verdict.holds for verdict in made.verdicts] == [True, True]


def test_the_judge_finds_fault_with_releases_that_keep_k_by_rows_alone(tmp_path: Path) -> None:
    frame = random_histories(5)
    frame.write_csv(tmp_path / "original.csv")
    made = shoal.anonymize(frame, privacy={"k": 2}, **{**SAID, "linked": "rows"})
    made.write(tmp_path / "release.csv")
    assert complaints(read(tmp_path / "original.csv"), read(tmp_path / "release.csv"), "who", QUASI, 2)


def equal_lengths(n_people: int = 40, n_rows: int = 3) -> pl.DataFrame:
    """Everybody with as many rows; sex and town never vary within a person."""
    rng = np.random.default_rng(2)
    who = np.repeat(np.arange(n_people), n_rows)
    return pl.DataFrame(
        {
            "row": np.arange(who.size),
            "who": who,
            "age": 20 + who % 11 + rng.integers(0, 2, who.size),
            "town": [["Ulm", "Jena", "Bonn"][one % 3] for one in who],
            "month": rng.integers(1, 13, who.size),
            "illness": rng.choice(["flu", "cold", "asthma"], who.size),
        }
    )


def test_what_never_varies_within_a_person_has_one_cell_in_all_their_records() -> None:
    made = shoal.anonymize(equal_lengths(), privacy={"k": 4}, publish_person="pseudonym", **SAID)
    assert made.frame.group_by("who").agg(pl.col("town").n_unique())["town"].max() == 1
    assert any("never vary within a person" in claim.claim and claim.came_to == "town" for claim in made.claims)
    assert made.release.n_suppressed == 0


def test_rows_that_too_few_people_have_are_left_out_only_where_the_limit_allows_it() -> None:
    frame = equal_lengths()
    frame = pl.concat([frame, frame.head(3).with_columns(pl.col("row") + 1000)])
    with pytest.raises(shoal.GoalNotMet, match=r"3 of 123 rows must be left out, because fewer than 5 people have"):
        shoal.anonymize(frame, privacy={"k": 5}, **SAID)
    made = shoal.anonymize(frame, privacy={"k": 5}, suppression_limit="3 rows", **SAID)
    assert made.release.n_suppressed == 3
    assert any("3 rows were left out because too few people have that many rows" in note for note in made.notes)


def test_a_person_with_a_hundred_thousand_rows_gives_up_all_that_others_have_not() -> None:
    frame = equal_lengths()
    many = pl.concat([frame.head(1)] * 100_000).with_columns(pl.lit(99).alias("who").cast(frame["who"].dtype))
    made = shoal.anonymize(pl.concat([frame, many]), privacy={"k": 4}, suppression_limit=1.0, **SAID)
    assert 99_997 <= made.release.n_suppressed <= 100_000
    assert made.verdicts[0].achieved >= 4


def test_long_histories_are_compared_at_some_places_and_hold_at_all() -> None:
    made = shoal.anonymize(equal_lengths(12, 150), privacy={"k": 3}, **SAID)
    assert (made.verdicts[0].achieved, made.release.n_suppressed) >= (3, 0)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"privacy": {"k": 41}}, r"k = 41 needs at least 41 people, but the table has 40"),
        ({"person": None}, r"name the column that identifies them"),
        ({"linked": "rows", "publish_person": "pseudonym"}, r"use linked = 'histories', or leave publish_person"),
        ({"publish_person": "pseudonym", "seed": 1}, r"leave out seed, or publish_person"),
        ({"algorithm": "lattice"}, r"'lattice' does not make groups with cells of their own"),
        ({"levels": [0, 0, 0]}, r"'levels' needs one recoding for all rows"),
        ({"privacy": {"kk": 3}}, r"cannot be promised of histories"),
    ],
)
def test_what_cannot_be_done_with_histories_is_said(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(shoal.InputError, match=sentence):
        shoal.anonymize(equal_lengths(), **{**SAID, "privacy": {"k": 3}, **more})


def test_one_person_alone_is_refused() -> None:
    with pytest.raises(shoal.ImpossibleGoal, match="needs at least 2 people, but the table has 1"):
        shoal.anonymize(equal_lengths(1, 8), privacy={"k": 2}, **SAID)


def test_the_default_loses_no_more_than_a_quick_run() -> None:
    said = {**SAID, "privacy": {"k": 4}}
    best = shoal.anonymize(equal_lengths(), **{**said, "algorithm": "auto", "seed": 1})
    quick = shoal.anonymize(equal_lengths(), **{**said, "algorithm": "auto", "quick": True, "seed": 1})
    assert best.metrics()["lm"] <= quick.metrics()["lm"]
    again = shoal.anonymize(equal_lengths(), **{**said, "algorithm": "auto", "seed": 1})
    assert again.frame.equals(best.frame)


def test_the_command_line_says_it_in_the_same_words(tmp_path: Path) -> None:
    visits(200, seed=3).write_csv(tmp_path / "visits.csv")
    said = ["--quasi", "age,zip", "--sensitive", "illness", "--person", "who", "--k", "3", "--linked", "histories"]
    more = [
        "--publish-person",
        "pseudonym",
        "--suppression-limit",
        "0.5",
        "--quick",
        "-o",
        str(tmp_path / "out.csv"),
    ]
    assert main(["anonymize", str(tmp_path / "visits.csv"), *said, *more]) == 0
    assert read(tmp_path / "out.csv")[0]["who"].startswith("p")


def households() -> pl.DataFrame:
    """Members of households as rows: all members alike from house to house, but never two houses together."""
    members = [("a", 30, "f"), ("a", 5, "m"), ("b", 30, "f"), ("b", 40, "m"), ("c", 5, "m"), ("c", 40, "m")]
    return pl.DataFrame(
        {"home": [h for h, _, _ in members], "age": [a for _, a, _ in members], "sex": [s for _, _, s in members]}
    )


def test_a_household_can_be_found_where_no_member_can_and_the_audit_says_both() -> None:
    said: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "person": "home", "algorithm": "mondrian:relaxed"}
    rows = shoal.anonymize(households(), privacy={"k": 2}, **said)
    figures = rows.audit().figures
    assert figures is not None
    assert figures.whole_history is not None
    assert (figures.prosecutor.highest, figures.whole_history.highest) == (0.5, 1.0)
    together = shoal.anonymize(households(), privacy={"k": 3}, linked="histories", **said)
    figures = together.audit().figures
    assert figures is not None
    assert figures.whole_history is not None
    assert figures.whole_history.highest == pytest.approx(1 / 3)


def test_a_report_is_written_where_there_are_more_histories_than_classes_of_records(tmp_path: Path) -> None:
    who = [one for one in range(12) for _ in range(one // 2 + 1)]
    frame = pl.DataFrame({"who": who, "age": [30] * len(who)})
    made = shoal.anonymize(
        frame, quasi_identifiers=["age"], person="who", linked="histories", privacy={"k": 2}, quick=True
    )
    made.report(tmp_path / "report.html")
    assert made.verdicts[0].n_groups == 6
    assert "2-anonymity of histories" in (tmp_path / "report.html").read_text(encoding="utf-8")
