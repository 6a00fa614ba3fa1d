"""Delimiter, decimal mark and encoding on the way out: what was written is what is read back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.cli import main
from shoal.errors import InputError
from shoal.io.read_back import read_text_back, same_values
from shoal.io.text_layout import DELIMITERS, TextLayout
from support.effort import examples

TEXTS = st.text(st.characters(codec="cp1252", exclude_categories=["Cc", "Cs"]), max_size=8) | st.sampled_from(
    ["a;b", 'say "x"', "1,5", "[1.5..2.5]", "a|b", " blank ", "é", "=1+1", "x\ty"]
)


@given(
    st.lists(st.tuples(TEXTS, st.floats(-1e6, 1e6).map(lambda x: round(x, 3))), min_size=1, max_size=5),
    st.sampled_from(DELIMITERS), st.sampled_from([None, ".", ","]),
    st.sampled_from([None, "utf-8-sig", "utf-16", "cp1252"]), st.sampled_from([".csv", ".tsv"]),
)  # fmt: skip
@settings(max_examples=examples(2.5), deadline=None)
def test_what_is_written_is_read_back(
    rows: list[tuple[str, float]], mark: str, decimal: str | None, encoding: str | None, ending: str
) -> None:  # fmt: skip
    import tempfile

    layout = TextLayout(mark, decimal, encoding)
    if decimal == "," == mark:
        with pytest.raises(InputError, match="be both separator and decimal mark"):
            layout.check(ending)
        return
    layout.check(ending)
    frame = pl.DataFrame({"label": [text for text, _ in rows], "cost": [cost for _, cost in rows]})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "release"
        layout.write(frame, path, ending)
        seen = read_text_back(path, ending, frame.columns, frame.columns, layout)
    assert same_values(frame["cost"], seen["cost"])
    assert [text.replace(",", ".") for text in seen["cost"]] == [str(cost) for cost in frame["cost"]]
    armed = [text for text in frame["label"] if text and text.lstrip()[:1] not in "=+-@'\t"]
    assert [text for text in seen["label"] if text in armed] == armed


def test_both_zeros_of_a_column_are_the_same_however_they_are_spelled() -> None:
    costs = pl.Series([0.0, -0.0, 1.5])
    assert same_values(costs, pl.Series(["0,0", "-0,0", "1,5"]))
    assert not same_values(costs, pl.Series(["0,0", "0,0", "1,5"]))


PEOPLE = pl.DataFrame(
    {"age": [20 + i % 9 for i in range(60)], "town": ["Ely", "Örebro"] * 30, "cost": [i * 1.5 for i in range(60)]}
)
SAID: dict[str, Any] = {
    "quasi_identifiers": ["age", "town"], "others": ["cost"], "privacy": {"k": 5}, "algorithm": "mondrian", "seed": 1,
}  # fmt: skip


def test_a_release_for_spreadsheets_of_other_countries(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    said = ["anonymize", str(tmp_path / "people.csv"), "--quasi", "age,town", "--others", "cost", "--k", "5", "-q"]
    said += ["--algorithm", "mondrian", "--seed", "1", "-o", str(tmp_path / "release.csv"), "--kind", "cost=numeric"]
    words = ["--output-delimiter", ";", "--output-decimal", ",", "--output-encoding", "cp1252"]
    assert main([*said[:-2], *words]) == 0
    text = (tmp_path / "release.csv").read_bytes().decode("cp1252")
    assert text.splitlines()[0] == "age;town;cost"
    assert "Örebro" in text
    made = shoal.anonymize(PEOPLE, **SAID)
    made.write(tmp_path / "again.csv", delimiter=";", decimal=",", encoding="utf-16")
    assert "16,5" in (tmp_path / "again.csv").read_text(encoding="utf-16")
    back = shoal.read_release(tmp_path / "again.csv", cells="labels", encoding="utf-16", decimal=",")
    assert sorted(float(cost) for cost in back["cost"]) == sorted(made.frame["cost"])


@pytest.mark.parametrize(
    ("target", "words", "says"),
    [
        ("r.parquet", {"delimiter": ";"}, "are for .csv and .tsv"),
        ("r.csv", {"delimiter": "x"}, "must be one of"),
        ("r.csv", {"decimal": "'"}, "a point or a comma"),
        ("r.csv", {"encoding": "utf-9"}, "no encoding 'utf-9'"),
        ("r.csv", {"decimal": ","}, "be both separator and decimal mark"),
        ("r.csv", {"encoding": "ascii"}, "has no 'Ö'"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(tmp_path: Path, target: str, words: Any, says: str) -> None:
    made = shoal.anonymize(PEOPLE, **SAID)
    with pytest.raises(InputError, match=says):
        made.write(tmp_path / target, **words)
    assert list(tmp_path.iterdir()) == []
