"""Changes to hierarchies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core import tree_edits
from shoal.core.builders import Mask
from shoal.core.hierarchy import Hierarchy
from shoal.errors import InputError
from shoal.io.example import hierarchies

ROWS = [
    ["a", "vowel", "letter", "*"],
    ["b", "other", "letter", "*"],
    ["e", "vowel", "letter", "*"],
    ["1", "odd", "digit", "*"],
]


def test_values_move_with_what_stands_above_their_new_group() -> None:
    moved = tree_edits.move(ROWS, ["e"], 1, "odd")
    assert moved[2] == ["e", "odd", "digit", "*"]
    assert moved[0] == ROWS[0]


def test_a_new_group_is_made_where_the_values_are() -> None:
    assert tree_edits.move(ROWS, ["b"], 1, "consonant")[1] == ["b", "consonant", "letter", "*"]


def test_on_a_higher_level_whole_groups_move() -> None:
    moved = tree_edits.move(ROWS, ["a"], 2, "digit")
    assert [row[2] for row in moved] == ["digit", "letter", "digit", "digit"]
    assert Hierarchy.from_rows(moved).n_levels == 4


def test_renaming_to_a_known_name_makes_one_group_of_two() -> None:
    renamed = tree_edits.rename(ROWS, 1, "vowel", "odd")
    assert renamed[0] == ["a", "odd", "digit", "*"]
    assert tree_edits.rename(ROWS, 1, "vowel", "sung")[2] == ["e", "sung", "letter", "*"]


def test_levels_come_and_go() -> None:
    assert tree_edits.remove_level(tree_edits.add_level(ROWS), 3) == ROWS
    assert tree_edits.remove_level(ROWS, 1)[0] == ["a", "letter", "*"]


def test_values_without_a_place_go_under_the_root() -> None:
    assert tree_edits.cover(ROWS, ["a", "z"])[-1] == ["z", "z", "z", "*"]


@pytest.mark.parametrize("level", [0, 3, 9])
def test_values_and_root_are_no_groups(level: int) -> None:
    with pytest.raises(InputError, match="levels 1 to 2"):
        tree_edits.move(ROWS, ["a"], level, "x")


def test_what_has_no_name_or_no_value_is_refused() -> None:
    with pytest.raises(InputError, match="needs a name"):
        tree_edits.rename(ROWS, 1, "vowel", "  ")
    with pytest.raises(InputError, match="No value was chosen"):
        tree_edits.move(ROWS, [], 1, "x")


@pytest.mark.parametrize("column", ["marital_status", "job", "diagnosis"])
def test_groups_of_job_files_come_back(column: str) -> None:
    groups = hierarchies()[column]
    assert tree_edits.as_groups(Hierarchy.from_dict(groups)) == groups  # type: ignore[arg-type]


def test_what_groups_cannot_say_is_not_said_by_them() -> None:
    assert tree_edits.as_groups(Hierarchy.from_rows([["a", "any"], ["b", "any"]])) is None
    assert tree_edits.as_groups(Mask().build("zip", ["123", "22"], "nominal")) is not None


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("pq")), min_size=1, max_size=8))
def test_groups_give_the_hierarchy_back_exactly_or_not_at_all(labels: list[tuple[str, str]]) -> None:
    rows = [[f"v{i}", f"{upper}{lower}", upper, "*"] for i, (lower, upper) in enumerate(labels)]
    made = Hierarchy.from_rows(rows)
    groups = tree_edits.as_groups(made)
    assert groups is not None
    assert Hierarchy.from_dict(groups).to_rows() == made.to_rows()
