"""Within a memory limit people are counted too: by the written file and the original keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.core.block_tree import Cuts
from shoal.core.contracts import Algorithm, Goal
from shoal.core.node import chosen_levels
from shoal.engine.backends.colliding_blocks import Homes
from shoal.engine.backends.disk import Disk
from shoal.engine.backends.memory_limit import Memory
from shoal.engine.backends.pieces import RecodedRows
from shoal.engine.backends.written_file import WrittenFile
from shoal.engine.outcome_view import outcome_figures
from shoal.report.risk import RecordRisk
from support.people import PLACES, colliding_visits, visits
from support.people_judge import ROW, Judged, few_people_told, judge, people_of_classes

QUASI = ["age", "zip"]
SAID: dict[str, Any] = {"quasi_identifiers": QUASI, "sensitive": ["illness"], "others": [ROW], "person": "who"}

HIERARCHIES = {"age": shoal.Intervals(width=5), "zip": shoal.Mask()}


def prepared(folder: Path, n_rows: int = 3_000) -> Path:
    frame = visits(n_rows, seed=4, n_people=n_rows // 3).with_row_index(ROW)
    keyed = frame.with_columns(who=pl.when(pl.col(ROW) % 97 > 0).then("who"))
    keyed.write_csv(folder / "visits.csv")
    return folder / "visits.csv"


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_every_class_of_the_written_file_has_k_people(ending: str, tmp_path: Path) -> None:
    source, target = prepared(tmp_path), tmp_path / f"release{ending}"
    said = ["--quasi", "age,zip", "--sensitive", "illness", "--others", ROW, "--person", "who", "--k", "4", "-q"]
    assert main(["anonymize", str(source), *said, "--memory", "8GiB", "-o", str(target)]) == 0
    if ending == ".parquet":
        pl.read_parquet(target).write_csv(tmp_path / "release.csv")
    found = judge(tmp_path / "release.csv", source, QUASI, "who", "illness")
    assert found.fewest_people >= 4
    assert found.n_records == 3_000
    assert "who" not in found.columns
    assert not list(tmp_path.glob("**/keys.parquet"))


def test_levels_over_more_rows_of_people_than_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "distinct", 100)
    source = prepared(tmp_path, 300)
    with pytest.raises(shoal.InputError, match=r"distinct rows of people, and a search over them needs about"):
        shoal.anonymize_file(
            source, tmp_path / "release.csv", memory="8GiB", **SAID, privacy={"k": 3}, algorithm="lattice"
        )
    assert not (tmp_path / "release.csv").exists()


@pytest.mark.parametrize("privacy", [{"presence": 0.5}, {"household-risk": 0.5}], ids=str)
def test_promises_that_need_more_than_people_are_refused(privacy: dict[str, Any], tmp_path: Path) -> None:
    source, target = prepared(tmp_path, 300), tmp_path / "release.csv"
    with pytest.raises(
        shoal.InputError, match="can only be judged with all rows in memory; leave out the memory limit"
    ):
        shoal.anonymize_file(source, target, memory="8GiB", **SAID, privacy=privacy)
    assert not target.exists()


def test_without_a_population_k_map_is_about_the_people_of_the_table(tmp_path: Path) -> None:
    source, target = prepared(tmp_path, 300), tmp_path / "release.csv"
    made = shoal.anonymize_file(source, target, memory="8GiB", **SAID, privacy={"k-map": 3, "k": 2})
    assert [verdict.holds for verdict in made.verdicts] == [True, True]


PROMISES: list[tuple[dict[str, Any], Callable[[Judged], bool]]] = [
    ({"k": 3, "l": 2}, lambda found: found.fewest_people >= 3 and found.fewest_values >= 2),
    ({"k": 3, "l": "1.25:frequency"}, lambda found: float(found.largest_share) <= 0.8),
    ({"k": 3, "t": "0.5"}, lambda found: float(found.farthest) <= 0.5 + 1e-9),
    ({"p": "2,3"}, lambda found: found.fewest_people >= 3 and found.fewest_values >= 2),
    ({"alpha": "0.8,3"}, lambda found: found.fewest_people >= 3 and float(found.largest_share) <= 0.8),
    ({"linkage": 0.4}, lambda found: float(found.largest_part) <= 0.4 + 1e-9),
    ({"concealment": 4}, lambda found: found.fewest_people >= 4),
]


@pytest.mark.parametrize(("privacy", "is_kept"), PROMISES, ids=lambda said: str(said) if isinstance(said, dict) else "")
def test_promises_about_the_values_of_people_hold_in_the_written_file(
    privacy: dict[str, Any], is_kept: Callable[[Judged], bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Memory, "block", property(lambda self: 400))
    source, target = prepared(tmp_path), tmp_path / "release.csv"
    made = shoal.anonymize_file(source, target, memory="8GiB", **SAID, privacy=privacy)
    found = judge(target, source, QUASI, "who", "illness")
    assert is_kept(found), found
    assert found.n_records == 3_000
    assert made.risks["highest"] == pytest.approx(1 / found.fewest_people)
    assert outcome_figures(made, target)["highest_risk"] == made.risks["highest"]
    assert all("(people counted)" in verdict.promise and verdict.holds for verdict in made.verdicts)
    assert any("rows have no value in 'who'; each counts as a person of its own" in note for note in made.notes)


@pytest.mark.parametrize(("privacy", "is_kept"), PROMISES, ids=lambda said: str(said) if isinstance(said, dict) else "")
def test_levels_over_people_are_those_of_a_run_in_memory(
    privacy: dict[str, Any], is_kept: Callable[[Judged], bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Memory, "batch", 150)
    source, target = prepared(tmp_path, 700), tmp_path / "release.csv"
    said = {**SAID, "privacy": privacy, "hierarchies": HIERARCHIES, "suppression_limit": 0.2}
    said |= {"algorithm": "lattice"}
    made = shoal.anonymize_file(source, target, memory="8GiB", **said)
    local = shoal.anonymize(source, audit="off", **said)
    assert made.levels == chosen_levels(local.release)
    assert Counter(pl.read_csv(target, infer_schema=False).iter_rows()) == Counter(
        local.frame.with_columns(pl.all().cast(pl.String)).iter_rows()
    )
    assert made.losses["lm"] == pytest.approx(local.metrics()["lm"])
    assert [v.achieved for v in made.verdicts] == pytest.approx([v.achieved for v in local.verdicts])
    assert all("(people counted)" in verdict.promise and verdict.holds for verdict in made.verdicts)
    found = judge(target, source, QUASI, "who", "illness")
    assert is_kept(found), found
    assert "who" not in found.columns
    assert not list(tmp_path.glob("**/keys.parquet"))


def test_the_verdict_is_that_of_the_same_release_in_memory(tmp_path: Path) -> None:
    source = prepared(tmp_path, 600)
    promises = {"k": 3, "l": "1.2:entropy", "t": "0.9", "beta": 30}
    said = {**SAID, "privacy": promises, "algorithm": "mondrian", "seed": 1}
    on_disk = shoal.anonymize_file(source, tmp_path / "release.csv", memory="8GiB", **said)
    in_memory = shoal.anonymize(source, **said, audit="off")
    assert [v.promise for v in on_disk.verdicts] == [v.promise for v in in_memory.verdicts]
    assert [v.achieved for v in on_disk.verdicts] == pytest.approx([v.achieved for v in in_memory.verdicts])
    risk = RecordRisk.of_groups(in_memory.release.table, in_memory.release.classes)
    assert on_disk.risks == pytest.approx({"highest": risk.highest, "average": risk.average, "unique": 0.0})


def test_blocks_whose_classes_are_printed_alike_are_run_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "block", property(lambda self: 7))
    asked, run = [], Disk.map_blocks

    def watched(self: Disk, cuts: Cuts, homes: Homes, goal: Goal, algorithm: Algorithm) -> RecodedRows:
        asked.append(len(set(homes.numbers.tolist())))
        return run(self, cuts, homes, goal, algorithm)

    monkeypatch.setattr(Disk, "map_blocks", watched)
    source, target = tmp_path / "visits.csv", tmp_path / "release.csv"
    colliding_visits().with_row_index(ROW).write_csv(source)
    said = {**SAID, "quasi_identifiers": ["place", "age"], "hierarchies": {"place": PLACES}}
    shoal.anonymize_file(source, target, memory="8GiB", **said, privacy={"k": 6, "l": 2})
    found = judge(target, source, ["place", "age"], "who", "illness")
    assert asked == [3, 2]
    assert found.n_records == 21
    assert found.fewest_people >= 6
    assert found.fewest_values >= 2


def test_the_check_of_the_file_counts_people(tmp_path: Path) -> None:
    class Places:
        order = ("q",)
        quasi = (type("Column", (), {"name": "q"}),)

    pl.DataFrame({"q": ["a", "a", "b", "b"]}).write_csv(tmp_path / "release.csv")
    pl.DataFrame({"key": ["x", "y", "x", "x"]}).write_parquet(tmp_path / "keys.parquet")
    places: Any = Places()
    written = WrittenFile(tmp_path / "release.csv", ".csv", places, tmp_path / "keys.parquet")
    with pytest.raises(shoal.BrokenPromise, match=r"2-anonymity \(people counted\) DOES NOT HOLD: achieved 1"):
        written.check([shoal.KAnonymity(2).of_people()])


def notes_on_repeated(notes: tuple[str, ...]) -> list[str]:
    """The notes that speak of people, without what helps."""
    return [note.partition(" Name the column")[0] for note in notes if note.startswith("Rows were counted, not people")]


@pytest.mark.parametrize(
    ("k", "more", "has_few"),
    [
        (4, {"algorithm": "mondrian"}, True),
        (2, {"algorithm": "lattice", "hierarchies": HIERARCHIES, "suppression_limit": 0.05}, True),
        (2, {"levels": {"age": 4, "zip": 2}, "hierarchies": HIERARCHIES}, False),
    ],
    ids=["blocks", "levels and suppressed rows", "no class of few people"],
)
def test_an_identifier_that_repeats_is_told_with_a_memory_limit_as_without(
    k: int, more: dict[str, Any], has_few: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Memory, "block", 100)
    monkeypatch.setattr(Memory, "batch", 150)
    source, target, whole = prepared(tmp_path, 600), tmp_path / "release.csv", tmp_path / "whole.csv"
    said = {**SAID, **more, "person": None, "identifiers": ["who"], "privacy": {"k": k}}
    in_memory = shoal.anonymize(source, **said, audit="off")
    in_memory.write(whole)
    made = shoal.anonymize_file(source, target, memory="8GiB", **said)
    for notes, written in ((made.notes, target), (in_memory.notes, whole)):
        people = people_of_classes(written, source, QUASI, "who")
        assert notes_on_repeated(notes) == few_people_told(people, "who", k)
        assert has_few == any(n < k for n in people)
        assert "who" not in pl.read_csv(written).columns
    assert not list(tmp_path.glob("**/keys.parquet"))


def test_an_audit_of_the_written_file_counts_the_same_classes_of_few_people(tmp_path: Path) -> None:
    source, target = prepared(tmp_path, 600), tmp_path / "release.csv"
    said = {**SAID, "person": None, "identifiers": ["who"], "privacy": {"k": 4}, "algorithm": "mondrian"}
    shoal.anonymize_file(source, target, memory="8GiB", **said)
    (risk,) = shoal.audit_release(
        source, target, quasi_identifiers=QUASI, sensitive=["illness"], k=4, attacks=["repeated-people"]
    ).risks
    n_few = sum(n < 4 for n in people_of_classes(target, source, QUASI, "who"))
    assert (risk.outcome, risk.figures["classes of fewer than k people"]) == ("falls", n_few)


def test_classes_of_few_people_are_counted_before_cells_become_centers(tmp_path: Path) -> None:
    source, target = prepared(tmp_path, 600), tmp_path / "release.csv"
    said = {**SAID, "person": None, "identifiers": ["who"], "privacy": {"k": 4}, "algorithm": "mondrian", "seed": 1}
    centers = shoal.anonymize_file(source, target, memory="8GiB", **said, cells={"age": "center"})
    labels = shoal.anonymize_file(source, target, memory="8GiB", **said)
    assert notes_on_repeated(centers.notes) == notes_on_repeated(labels.notes) != []


def test_a_pseudonym_that_repeats_is_told_with_a_memory_limit_as_without(tmp_path: Path) -> None:
    source, target = prepared(tmp_path, 600), tmp_path / "release.csv"
    keyed = {"pseudonyms": ["who"], "key_file": tmp_path / "key", "others": [ROW, "who"]}
    said = {**SAID, **keyed, "person": None, "privacy": {"k": 3}}
    made = shoal.anonymize_file(source, target, memory="8GiB", **said, algorithm="mondrian")
    people = people_of_classes(target, source, QUASI, "who")
    assert any(n < 3 for n in people)
    assert notes_on_repeated(made.notes) == few_people_told(people, "who", 3)
    whole = shoal.anonymize(source, **said, algorithm="mondrian", audit="off")
    assert notes_on_repeated(whole.notes) == notes_on_repeated(made.notes)


def test_an_identifier_that_does_not_repeat_is_not_told(tmp_path: Path) -> None:
    visits(600, seed=4, n_people=200).with_row_index("number").drop("who").write_csv(tmp_path / "visits.csv")
    made = shoal.anonymize_file(
        tmp_path / "visits.csv", tmp_path / "release.csv", memory="8GiB", quasi_identifiers=QUASI,
        sensitive=["illness"], identifiers=["number"], privacy={"k": 4},
    )  # fmt: skip
    assert not [note for note in made.notes if "repeats" in note]
