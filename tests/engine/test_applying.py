"""New rows with a saved recoding: values that were not seen before, and classes that are published already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.builders import BUILDERS
from shoal.engine.saved_recoding import builder_data, covering
from shoal.errors import GoalNotMet, InputError
from shoal.io.hierarchies import parse_hierarchy

CUTS = {"builder": "intervals", "cuts": [30, 60, 90], "factors": []}


def _people(ages: list[Any], zips: list[str] | None = None) -> pl.DataFrame:
    ills = ["ab"[row % 2] for row in range(len(ages))]
    return pl.DataFrame({"age": ages, "zip": zips or ["1"] * len(ages), "ill": ills})


def _learned(
    folder: Path, tree: Any = CUTS, ages: tuple[int, ...] = (25, 26, 27, 40, 41, 42, 91, 92, 93), **more: Any
) -> Path:
    said: dict[str, Any] = {
        "privacy": [shoal.KAnonymity(3), shoal.LDiversity(2)],
        "levels": [1, 0],
        "audit": "off",
        **more,
    }
    result = shoal.anonymize(
        _people(list(ages)), quasi_identifiers=["age", "zip"], sensitive=["ill"], hierarchies={"age": tree}, **said
    )
    result.save_recoding(folder / "recoding.json")
    result.write(folder / "first.csv")
    return folder / "recoding.json"


@pytest.mark.parametrize("has_builder", [True, False])
def test_a_value_never_seen_falls_into_its_interval(has_builder: bool, tmp_path: Path) -> None:
    recoding = _learned(tmp_path)
    if not has_builder:
        said = json.loads(recoding.read_text())
        assert said.pop("builders")["age"]["cuts"] == [30, 60, 90]
        recoding.write_text(json.dumps(said))
    result = shoal.apply(recoding, _people([108, 95, 110, 29, 31, 28, 27, 59, 45]), audit="off")
    assert sorted(result.frame["age"].unique()) == ["[..29]", "[30..59]", "[90..]"]


@pytest.mark.parametrize(
    ("spec", "old", "new", "label"),
    [
        ("dates", ["1960-04-25", "1961-05-01"], "1960-04-26", "1960-04"),
        ("intervals:width=5", ["20", "24", "31"], "108", "[105..109]"),
        ("mask", ["02138", "02139"], "02145", "0214*"),
    ],
)
def test_builders_place_new_values(spec: str, old: list[str], new: str, label: str) -> None:
    builder = parse_hierarchy(spec, Path(), "x")
    tree = builder.build("x", old, "nominal" if spec == "mask" else "date" if spec == "dates" else "numeric")  # type: ignore[union-attr]
    data = builder_data(builder)
    assert data is not None
    assert data["builder"] in BUILDERS
    grown = covering("x", tree.to_rows(), json.loads(json.dumps(data)), pl.Series([*old, new]))
    rows = {row[0]: row for row in grown.to_rows()}
    assert rows[new][1] == label
    assert all(rows[row[0]] == row for row in tree.to_rows()), "values that were there stay where they were"


@pytest.mark.parametrize(
    ("label", "inside", "outside"),
    [
        ("[90..]", ["90", "108"], ["89.9", "old", "-95"]),
        ("[..17]", ["17", "-3"], ["18"]),
        ("[1.5..2.5)", ["1.5", "2.4999"], ["2.5"]),
        ("[1960-01-01..1969-12-31]", ["1960-01-01", "1965-07-07"], ["1970-01-01", "1965"]),
        ("old", [], ["70"]),
    ],
)
def test_ranges_place_new_values_without_a_builder(label: str, inside: list[str], outside: list[str]) -> None:
    grown = covering("x", [["?", label, "*"], ["!", "other", "*"]], None, pl.Series([*inside, *outside]))
    assert set(grown.leaves) == {"?", "!", *inside}
    assert all(row[1] == label for row in grown.to_rows() if row[0] in inside)


def test_a_builder_that_would_move_old_values_is_not_believed() -> None:
    rows = [["1", "[0..4]", "*"], ["7", "[5..9]", "*"]]
    grown = covering("x", rows, {"builder": "intervals", "width": 5, "factors": []}, pl.Series(["1", "7", "2.5"]))
    assert {row[0]: row[1] for row in grown.to_rows()} == {"1": "[0..4]", "7": "[5..9]", "2.5": "[0..4]"}


def test_new_rows_join_classes_already_published(tmp_path: Path) -> None:
    recoding = _learned(tmp_path)
    new = _people([50, 99, 20, 33])
    with pytest.raises(GoalNotMet, match=r"--hold"):
        shoal.apply(recoding, new, audit="off")
    result = shoal.apply(recoding, new, published=[tmp_path / "first.csv"])
    assert sorted(result.frame["age"]) == ["[..29]", "[30..59]", "[30..59]", "[90..]"]
    assert all(verdict.holds for verdict in result.verdicts)
    assert any("together" in note for note in result.notes)
    result.write(tmp_path / "second.csv")
    union = pl.concat([pl.read_csv(tmp_path / name) for name in ("first.csv", "second.csv")])
    assert union.group_by("age", "zip").agg(pl.len(), pl.col("ill").n_unique())["len"].min() >= 3  # type: ignore[operator]


def test_only_rows_without_a_published_class_are_held(tmp_path: Path) -> None:
    recoding, hold = _learned(tmp_path), tmp_path / "held.parquet"
    new = _people([50, 99, 65, 33], ["1", "1", "1", "2"])
    result = shoal.apply(recoding, new, published=[tmp_path / "first.csv"], hold=hold, audit="off")
    assert sorted(result.frame["age"]) == ["[30..59]", "[90..]"]
    assert result.held is not None
    assert sorted(result.held["age"]) == [33, 65], "no class is published in zip 2, and none from 60 to 89"
    with pytest.raises(GoalNotMet, match=r"2 of 4 rows .* --hold"):
        shoal.apply(recoding, new, published=[tmp_path / "first.csv"], audit="off")


@pytest.mark.parametrize("limit", ["2 rows", 0.5, "50%"])
def test_rows_without_a_published_class_are_left_out_within_the_limit(limit: float | str, tmp_path: Path) -> None:
    recoding, first = _learned(tmp_path, suppression_limit=limit), [tmp_path / "first.csv"]
    new = _people([50, 99, 65, 33], ["1", "1", "1", "2"])
    assert shoal.apply(recoding, new, published=first, audit="off").frame.height == 2
    more = _people([50, 65, 33, 66], ["1", "1", "2", "2"])
    with pytest.raises(GoalNotMet, match=r"3 of 4 rows .* --hold"):
        shoal.apply(recoding, more, published=first, audit="off")


def test_diversity_counts_the_values_published_before(tmp_path: Path) -> None:
    recoding = _learned(tmp_path)
    new = pl.DataFrame({"age": [50], "zip": ["1"], "ill": ["a"]})
    assert shoal.apply(recoding, new, published=[tmp_path / "first.csv"], audit="off").frame.height == 1
    first = pl.read_csv(tmp_path / "first.csv").with_columns(
        ill=pl.when(pl.col("age") != "[30..59]").then("ill").otherwise(pl.lit("a"))
    )
    first.write_csv(tmp_path / "alike.csv")
    with pytest.raises(GoalNotMet, match="--hold"):
        shoal.apply(recoding, new, published=[tmp_path / "alike.csv"], audit="off")


@pytest.mark.parametrize(("ages", "said"), [(["x"] * 3, InputError), ([25, 40, 91], GoalNotMet), ([25], InputError)])
def test_every_refusal_names_the_way_out(ages: list[Any], said: type[Exception], tmp_path: Path) -> None:
    recoding = _learned(tmp_path, {"*": {"young": ["25", "26"], "old": ["40", "91"]}}, (25, 26, 25, 40, 91, 40))
    with pytest.raises(said, match="--hold FILE"):
        shoal.apply(recoding, _people(ages), audit="off")


def test_an_earlier_release_of_another_recoding(tmp_path: Path) -> None:
    recoding = _learned(tmp_path)
    pl.DataFrame({"age": ["x"]}).write_csv(tmp_path / "other.csv")
    with pytest.raises(InputError, match="has no column 'zip'"):
        shoal.apply(recoding, _people([25] * 4), published=[tmp_path / "other.csv"], audit="off")
