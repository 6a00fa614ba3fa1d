"""What was published can be read back: each cell as the values that may lie behind it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import read_release
from shoal.core.hierarchy import Hierarchy
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.errors import InputError
from shoal.io.labels import to_frame
from shoal.io.write import write_frame
from support.tables import coded, groups_of, single


def cells(labels: list[str | None], **said: Any) -> list[tuple[Any, ...]]:
    read = read_release(pl.DataFrame({"q": labels}), quasi_identifiers=["q"], **said)
    return [tuple(cell.values()) for cell in read["q"]]


def test_numbers() -> None:
    assert cells(["[-5..-3]", "7", "*", None, "{1, 4}"]) == [
        ("range", -5, -3, None),
        ("value", 7, 7, [7]),
        ("any", None, None, None),
        ("missing", None, None, None),
        ("set", None, None, [1, 4]),
    ]
    assert cells(["[-0.5..1e3]"]) == [("range", -0.5, 1000.0, None)]


def test_dates() -> None:
    assert cells(["[2024-02-28..2024-03-01]"]) == [("range", date(2024, 2, 28), date(2024, 3, 1), None)]


def test_numbers_that_are_names_stay_texts() -> None:
    assert cells(["02139", "{02138, 02142}"])[0] == ("value", "02139", "02139", ["02139"])
    assert cells(["1", "2"], kinds={"q": "nominal"})[0][1] == "1"


def test_sets_with_awkward_members() -> None:
    assert cells(['{a, "b, c", "say \\"hi\\"", (missing), "(missing)"}']) == [
        ("set", None, None, ["a", "b, c", 'say "hi"', None, "(missing)"])
    ]


def test_nodes_of_a_hierarchy_become_their_values() -> None:
    tree = Hierarchy.from_dict({"north": ["a", "b"], "south": ["c"]}, root="anywhere")
    assert cells(["north", "south", "b", "anywhere"], hierarchies={"q": tree}) == [
        ("set", None, None, ["a", "b"]),
        ("value", "c", "c", ["c"]),
        ("value", "b", "b", ["b"]),
        ("any", None, None, None),
    ]


def test_ordinal_ranges_with_dots_need_the_order() -> None:
    with pytest.raises(InputError, match=r"can be read in 2 ways"):
        cells(["[a..b..c]"])
    assert cells(["[a..b..c]"], orders={"q": ["a", "b..c"]}) == [("range", "a", "b..c", None)]


@pytest.mark.parametrize(
    ("label", "said", "complaint"),
    [
        ("{a, b", {}, None),
        ("{a,b}", {}, "cannot be taken apart"),
        ("east", {"hierarchies": {"q": Hierarchy.flat(["a"])}}, "no node 'east'"),
        ("a", {"hierarchies": {"q": "mask"}}, "only a rule"),
    ],
)
def test_bad_labels(label: str, said: dict[str, Any], complaint: str | None) -> None:
    if complaint is None:  # not a set: a value that begins with a brace
        assert cells([label], **said)[0][0] == "value"
    else:
        with pytest.raises(InputError, match=complaint):
            cells([label], **said)


def test_an_unknown_column_is_named() -> None:
    with pytest.raises(InputError, match="Did you mean 'age'"):
        read_release(pl.DataFrame({"age": ["1"]}), quasi_identifiers=["agee"])


def test_cells_are_read_in_a_form_for_each_column() -> None:
    frame = pl.DataFrame({"age": ["[20..29]", "[30..39]"], "income": ["[0..9]", "[10..19]"]})
    read = read_release(frame, cells={"age": "center", "income": "labels"})
    assert read.to_dict(as_series=False) == {"age": [24, 34], "income": ["[0..9]", "[10..19]"]}


def test_typed_columns_stay_typed() -> None:
    read = read_release(pl.DataFrame({"q": [3, None]}), quasi_identifiers=["q"])
    assert [tuple(cell.values()) for cell in read["q"]] == [("value", 3, 3, [3]), ("missing", None, None, None)]


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), min_size=1, max_size=5)


@given(st.lists(NAMES, min_size=3, max_size=8, unique=True), st.data())
def test_sets_come_back_as_they_were(values: list[str], data: st.DataObject) -> None:
    taken = [value for value in values if value != "*" and not value.startswith(("{", "["))]
    n = len(taken)
    if n < 3:
        return
    table = single(taken, kinds={"q": "nominal"}, recodings={"q": "sets"})
    homes = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    lists = [[row for row in range(n) if homes[row] == home] for home in range(3)]
    release = Release.from_groups(table, groups_of([rows for rows in lists if rows]))
    frame = to_frame(publish(release, Randomness(1)))
    read = read_release(frame, quasi_identifiers=["q"], kinds={"q": "nominal"})["q"]
    expected = [{taken[row] for row in rows} for rows in lists for _ in rows]
    found = [set(taken) if cell["is"] == "any" else set(cell["values"]) for cell in read]
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.xlsx"])
def test_through_a_file(tmp_path: Path, name: str) -> None:
    table = coded({"age": [-5, 3, 40, 41], "town": ["=a", "b", "=a", "c"], "s": list("wxyz")}, ["age", "town"])
    release = Release.from_groups(table, groups_of([[0, 2], [1, 3]]))
    write_frame(to_frame(publish(release, Randomness(1))), tmp_path / name)
    read = read_release(tmp_path / name, quasi_identifiers=["age", "town"], kinds={"age": "numeric"})
    found = {(cell["low"], cell["high"]) for cell in read["age"]}
    assert found == {(-5, 40), (3, 41)}
    assert {tuple(cell["values"]) for cell in read["town"]} == {("=a",), ("b", "c")}
    assert sorted(read["s"]) == list("wxyz")
