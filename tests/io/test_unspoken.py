"""Columns that nobody spoke about: what they look like, and that they are not published by oversight."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest

from shoal.core.schema import Schema
from shoal.errors import InputError
from shoal.io.example import ROLES, people
from shoal.io.inspect.columns_without_role import refuse_unspoken, unspoken
from shoal.io.inspect.inspection import inspect_frame

N = 60
WORDS = ["fell", "at", "home", "while", "cleaning", "windows", "and", "called", "her", "son", "Peter"]
NOTES = [" ".join(WORDS[(i * j) % 11] for j in range(1, 7)) + f" on day {i}" for i in range(N)]
BASE = {"age": [i % 6 for i in range(N)], "sex": ["f", "m"] * (N // 2)}
QUASI = Schema(("age", "sex"))


def looks(**columns: list[object]) -> dict[str, str]:
    return {name: said.role for name, said in unspoken(pl.DataFrame({**BASE, **columns}), QUASI).items()}


def test_what_inspect_warns_about_is_refused() -> None:
    found = looks(
        patient=[f"Ann {chr(97 + i % 26)}sby" for i in range(N)],
        patient_id=[i // 2 for i in range(N)],
        birth=[date(1950, 1, 1) + timedelta(31 * i) for i in range(N)],
        notes=list(NOTES),
        diagnosis=["flu", "cold"] * (N // 2),
    )
    assert found == {
        "patient": "identifier",
        "patient_id": "identifier",
        "birth": "quasi-identifier",
        "notes": "identifier",
        "diagnosis": "sensitive",
    }


@pytest.mark.parametrize(
    "values",
    [["a"] * N, [None] * N, ["yes", "no"] * (N // 2), [i // 30 for i in range(N)], ["a phrase of four words"] * N],
)
def test_harmless_columns_are_not(values: list[object]) -> None:
    assert looks(x=values) == {}
    refuse_unspoken(pl.DataFrame({**BASE, "x": values}), QUASI)


@pytest.mark.parametrize("role", ["sensitive", "identifiers", "others"])
def test_a_role_settles_it(role: str) -> None:
    frame = pl.DataFrame({**BASE, "notes": NOTES})
    assert unspoken(frame, QUASI)
    spoken: dict[str, Any] = {role: ("notes",)}
    assert not unspoken(frame, Schema(("age", "sex"), **spoken))


def test_columns_that_single_out_only_with_the_quasi_identifiers() -> None:
    frame = pl.DataFrame({"p": [i // 30 for i in range(900)], "q": [i % 30 for i in range(900)]})
    assert unspoken(frame, Schema(("p",)))["q"].reason == "with the other quasi-identifiers singles out 100% more rows"
    assert not unspoken(frame.with_columns(q=pl.col("p") // 3), Schema(("p",)))


def test_a_dropped_column_is_no_company() -> None:
    frame = pl.DataFrame({"p": [0] * 900, "key": [i // 30 for i in range(900)], "q": [i % 30 for i in range(900)]})
    assert set(unspoken(frame, Schema(("p",)))) == {"key", "q"}
    assert not unspoken(frame, Schema(("p",), identifiers=("key",)))


def test_in_a_handful_of_rows_only_values_and_names_tell() -> None:
    frame = pl.DataFrame({"q": [1, 1, 2, 2], "x": [1, 2, 3, 4], "mail": ["a@b.org", "c@d.org", "e@f.org", "g@h.org"]})
    assert set(unspoken(frame, Schema(("q",)))) == {"mail"}


def test_the_refusal_names_columns_looks_and_ways_on() -> None:
    frame = pl.DataFrame({**BASE, "notes": NOTES, "birth": [date(1950, 1, 1) + timedelta(31 * i) for i in range(N)]})
    with pytest.raises(InputError) as refused:
        refuse_unspoken(frame, QUASI)
    said = str(refused.value)
    assert said.startswith("2 columns have no role")
    for part in ("'notes', which looks like an identifier (free text", "'birth'", "--others", "--roles suggested"):
        assert part in said


def test_very_many_columns_are_counted() -> None:
    frame = pl.DataFrame({"q": [0] * N, **{f"birth{i}": [j % 30 for j in range(N)] for i in range(50)}})
    with pytest.raises(InputError, match=r"50 columns have no role.*; and 10 more\. Give each"):
        refuse_unspoken(frame, Schema(("q",)))


def test_the_example_passes_with_its_roles_and_no_other_way() -> None:
    frame = people(2000)
    spoken: dict[str, Any] = {role: tuple(names) for role, names in ROLES.items()}
    refuse_unspoken(frame, Schema(**spoken))
    for role, names in ROLES.items():
        for name in names:
            left: dict[str, Any] = {r: tuple(n for n in given if n != name) for r, given in ROLES.items()}
            assert list(unspoken(frame, Schema(**left))) == [name], role


class TestFreeText:
    def test_it_is_a_kind_of_its_own_and_suggested_to_be_dropped(self) -> None:
        found = inspect_frame(pl.DataFrame({**BASE, "notes": NOTES, "x": NOTES})).columns
        assert [(one.kind, one.role) for one in found[2:]] == [("free text", "identifier")] * 2
        assert "free text" in found[2].reason

    def test_its_name_does_not_make_it_something_else(self) -> None:
        for name in ("diagnosis", "job", "occupation history", "treatment"):
            assert inspect_frame(pl.DataFrame({name: NOTES})).columns[0].kind == "free text"

    @pytest.mark.parametrize(
        "values",
        [
            ["Masters degree (MA MS MEng)", "Some college but no degree"] * 30,
            [f"v{i}" for i in range(N)],
            [f"{i} {i + 1} {i + 2} {i + 3} {i + 4}" for i in range(N)],
            ["one phrase of six plain words"] * N,
        ],
    )
    def test_code_lists_and_keys_are_not(self, values: list[str]) -> None:
        assert inspect_frame(pl.DataFrame({"x": values})).columns[0].kind != "free text"


def test_names_and_notes_that_repeat_with_their_person_are_not_recoded() -> None:
    """Whoever has several rows has the same name and note in each, so few values are new; sets would print them."""
    people = [f"{i % 60}" for i in range(120)]
    frame = pl.DataFrame(
        {
            "name": [f"N{who} S{who}" for who in people],
            "notes": [f"came with phone 555-{int(who):04d}" for who in people],
        }
    )
    found = {column.name: column for column in inspect_frame(frame).columns}
    assert found["name"].role == "identifier"
    assert found["notes"].role == "identifier"
    assert "free text" in found["notes"].reason


def test_one_of_several_columns_that_inspect_calls_quasi_identifiers_is_refused_whatever_roles_the_others_have() -> (
    None
):
    frame = pl.DataFrame({f"q{item}": [row // 3**item % 3 for row in range(81)] for item in range(4)})
    frame = pl.concat([frame, frame.head(4)])
    quasi = [column.name for column in inspect_frame(frame).columns if column.role == "quasi-identifier"]
    assert len(quasi) > 1
    for name in quasi:
        assert name in unspoken(frame, Schema(tuple(other for other in quasi if other != name)))
