"""Forms of cells: what is printed can be read back, lies in its cell, and follows from the labels alone."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.hierarchy import Hierarchy
from shoal.core.randomness import Randomness
from shoal.core.release import publish
from shoal.errors import BrokenPromise, InputError
from shoal.io.cell_forms import FORMS, print_cells
from shoal.io.cell_forms.estimate import Drawn
from shoal.io.cell_forms.forms import check_inside
from shoal.io.cell_forms.printing import Printer, decoded
from shoal.io.cell_forms.taken_apart import Cell, CodedLabels, ColumnMeaning, take_apart
from shoal.io.labels import coded_labels, to_frame
from shoal.io.read_release import with_labels
from support.effort import examples
from support.tables import partitioned, single

RANDOM = Randomness(1)
NASTY = st.sampled_from(
    ["*", "[1..2]", "{a, b}", '"', "a, b", "a..b", "", " ", "(missing)", "=1+1", "é", "𝟙", "null", "1"]
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "whole numbers": st.integers(-(10**15), 10**15) | st.integers(-3, 3),
    "other numbers": st.floats(-1e9, 1e9, allow_subnormal=False).map(lambda x: x + 0.0) | st.sampled_from([0.1, -5.5]),
    "days": st.dates(date(1850, 1, 1), date(2150, 1, 1)),
    "moments": st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)),
    "texts": NASTY | st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=4),
    "truths": st.booleans(),
}


def printed(labels: list[Any], form: str, meaning: ColumnMeaning | None = None, **more: Any) -> pl.DataFrame:
    return print_cells(pl.DataFrame({"q": labels}), {"q": meaning or ColumnMeaning()}, form, RANDOM, **more).frames[0]


@st.composite
def releases(draw: st.DrawFn, kind: str | None = None) -> tuple[pl.DataFrame, dict[str, CodedLabels], ColumnMeaning]:
    """The labels of a small release of one column of this type, or of any, with missing values or without."""
    kinds = [*VALUES.values()] if kind is None else [VALUES[kind]]
    values = draw(st.lists(draw(st.sampled_from(kinds)), min_size=1, max_size=8))
    if draw(st.booleans()):
        values.append(None)
    table = single(values)
    homes = draw(st.lists(st.integers(0, 2), min_size=len(values), max_size=len(values)))
    lists = [[row for row in range(len(values)) if homes[row] == home] for home in range(3)]
    publication = publish(partitioned(table, [rows for rows in lists if rows]), Randomness(1))
    domain = table.quasi[0].domain
    return to_frame(publication), coded_labels(publication), ColumnMeaning(domain.kind, domain.values.dtype)


@pytest.mark.parametrize("kind", VALUES)
@given(data=st.data())
@settings(max_examples=examples(0.8))
def test_every_form_of_every_type_can_be_read_back(kind: str, data: st.DataObject) -> None:
    frame, coded, meaning = data.draw(releases(kind))
    for form in FORMS:
        made = print_cells(frame, {"q": meaning}, form, Randomness(2), coded=coded)
        shown = made.frames[0]
        assert shown.height == frame.height
        cells = take_apart(CodedLabels.of(frame["q"]), meaning)
        if "q" not in made.forms:
            assert shown.equals(frame)
            assert form == "labels" or made.notes
        elif form == "bounds":
            back = take_apart(CodedLabels.of(with_labels(shown, ["q"])["q"]), meaning)
            assert [back.cells[i] for i in back.ids] == [cells.cells[i] for i in cells.ids]
        elif form == "codes":
            read = shown if made.codebook is None else decoded(shown, made.codebook)
            assert read["q"].cast(pl.String).equals(frame["q"].cast(pl.String), null_equal=True)
        else:
            assert meaning.dtype in (pl.String, shown["q"].dtype)
            texts = shown["q"].cast(cells.dtype)
            assert all(lies_in(value, cells.cells[i]) for value, i in zip(texts, cells.ids, strict=True))


@pytest.mark.parametrize(
    "values", [[0.0, 0.0, 1e-300], [0.0, 5e-324, 1e-310], [-1.7e308, 0.1, 1.7e308], [1e-300, 0.5], [1e300, 1.0]]
)
def test_numbers_at_the_ends_of_what_a_float_holds_are_drawn_inside_their_cells(values: list[float]) -> None:
    publication = publish(partitioned(single(values), [[*range(len(values))]]), Randomness(1))
    frame, meaning = to_frame(publication), ColumnMeaning("numeric", pl.Float64())
    cells = take_apart(CodedLabels.of(frame["q"]), meaning)
    for form in ("center", "sampled"):
        made = print_cells(frame, {"q": meaning}, form, Randomness(2)).frames[0]["q"]
        assert all(lies_in(value, cells.cells[i]) for value, i in zip(made, cells.ids, strict=True))


def lies_in(value: Any, cell: Cell) -> bool:
    """Whether a cell may stand for a value, one by one."""
    if cell.what in ("any", "missing"):
        return cell.what == "any" or value is None
    return value in cell.values if cell.values is not None else cell.low <= value <= cell.high


@given(releases())
@settings(max_examples=examples(1))
def test_labels_read_from_all_records_say_the_same_as_distinct_ones(release: tuple[Any, ...]) -> None:
    frame, coded, meaning = release
    for form in FORMS:
        one, other = (print_cells(frame, {"q": meaning}, form, Randomness(2), coded=c) for c in (coded, None))
        assert one.frames[0].equals(other.frames[0])


@given(releases(), st.integers(1, 4))
@settings(max_examples=examples(1))
def test_records_that_come_in_pieces_are_printed_as_all_at_once(release: tuple[Any, ...], size: int) -> None:
    frame, _, meaning = release
    tallies = frame["q"].value_counts()
    counted = CodedLabels(tallies["q"], np.arange(tallies.height, dtype=np.int32), tallies["count"].to_numpy())
    for form in FORMS:
        whole = print_cells(frame, {"q": meaning}, form, Randomness(2))
        printer = Printer.learned(frame.columns, {"q": counted}, {"q": meaning}, form)
        assert printer.notes == whole.notes
        pieces = [frame[start : start + size] for start in range(0, frame.height, size)]
        printed = [printer.print(piece, printer.ids(piece), Randomness(2)) for piece in pieces]
        if form == "sampled":
            assert all(piece.schema == whole.frames[0].schema for piece in printed)
        else:
            assert pl.concat(printed).equals(whole.frames[0])
            assert (printer.codebook is None) == (whole.codebook is None)


def test_a_label_that_nobody_counted_is_our_bug() -> None:
    counted = CodedLabels.of(pl.Series("q", ["[1..2]", "3"]))
    printer = Printer.learned(["q"], {"q": counted}, {"q": ColumnMeaning()}, "bounds")
    for label in ("4", None):
        with pytest.raises(BrokenPromise, match="no record has"):
            printer.ids(pl.DataFrame({"q": ["3", label]}))


def test_bounds_have_their_types_and_tell_stars_from_missing_values() -> None:
    made = printed(["[31..44]", "7", "*", None, "[65..]", "[..17]"], "bounds")
    assert made.columns == ["q_low", "q_high", "q_missing"]
    assert made.dtypes == [pl.Int64, pl.Int64, pl.Boolean]
    assert made.rows() == [
        (31, 44, False), (7, 7, False), (None, None, False), (None, None, True), (65, None, False), (None, 17, False)
    ]  # fmt: skip
    assert printed(["[1.5..2]", "*"], "bounds").dtypes == [pl.Float64, pl.Float64]
    assert printed(["7", "8"], "bounds").to_dict(as_series=False) == {"q": [7, 8]}


@pytest.mark.parametrize(
    ("label", "ends"),
    [
        ("2024-02", (date(2024, 2, 1), date(2024, 2, 29))),
        ("2024-Q4", (date(2024, 10, 1), date(2024, 12, 31))),
        ("1999", (date(1999, 1, 1), date(1999, 12, 31))),
        ("1990s", (date(1990, 1, 1), date(1999, 12, 31))),
    ],
)
def test_periods_have_bounds(label: str, ends: tuple[date, date]) -> None:
    assert printed([label, "*"], "bounds", ColumnMeaning("date", pl.Date())).row(0) == ends
    moments = printed([label, "*"], "bounds", ColumnMeaning("date", pl.Datetime("us"))).row(0)
    assert moments == (datetime.combine(ends[0], time.min), datetime.combine(ends[1], time.max))


def test_names_of_bounds_meet_no_other_column() -> None:
    frame = pl.DataFrame({"q": ["[1..2]"], "q_low": ["x"], "q_high 2": ["y"]})
    made = print_cells(frame, {"q": ColumnMeaning()}, "bounds", RANDOM).frames[0]
    assert made.columns == ["q_low 2", "q_high", "q_low", "q_high 2"]


def test_codes_follow_the_order_of_cells_and_not_of_records() -> None:
    labels = ["[31..44]", "7", "*", None, "[20..50]"]
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]):
        made = print_cells(pl.DataFrame({"q": [labels[i] for i in order]}), {"q": ColumnMeaning()}, "codes", RANDOM)
        assert made.codebook is not None
        assert made.codebook["label"].to_list() == ["7", "[20..50]", "[31..44]", "*"]
        assert made.frames[0]["q"].to_list() == [[3, 1, 4, None, 2][i] for i in order]


def test_middles() -> None:
    assert printed(["[31..44]", "[30..31]", "7", None], "center")["q"].to_list() == [38, 30, 7, None]
    assert printed(["[1.0..2.5]"], "center")["q"].to_list() == [1.75]
    assert printed(["[2024-01-01..2024-01-03]"], "center")["q"].to_list() == [date(2024, 1, 2)]
    ordinal = ColumnMeaning("ordinal", order=["S", "M", "L", "XL"])
    assert printed(["[S..L]", "[L..XL]", "S"], "center", ordinal)["q"].to_list() == ["M", "L", "S"]
    assert printed(["{a, b}", "b", "b", "{a, c}", "a"], "center")["q"].to_list() == ["b", "b", "b", "a", "a"]


def test_a_star_has_the_median_of_what_the_release_says_in_its_middle() -> None:
    made = printed(["*", *["[10..12]"] * 9, "[90..100]"], "center")
    assert 10 <= made["q"][0] <= 12


def test_a_star_beside_groups_of_ordered_values_has_their_median_not_the_commonest() -> None:
    tree = Hierarchy.from_dict({"young": ["10", "20", "30"], "old": ["40", "50", "60"]}, root="*")
    numbers = ColumnMeaning("numeric", pl.Int64(), tree=tree)
    assert printed(["*", *["10"] * 3, "20", "30", "40", *["old"] * 3], "center", numbers)["q"][0] == 30
    sizes = ColumnMeaning("ordinal", order=["S", "M", "L", "XL"])
    assert printed(["*", "XL", "XL", "L", "M", "S", "S", "S"], "center", sizes)["q"][0] == "M"


def test_a_node_of_a_hierarchy_stays_the_node_unless_its_values_are_known() -> None:
    assert printed(["021**", "02139", "*"], "center", ColumnMeaning("nominal"))["q"].to_list()[:2] == ["021**", "02139"]
    tree = Hierarchy.from_dict({"north": ["a", "b"], "south": ["c", "d"]}, root="anywhere")
    drawn = printed(["north"] * 50 + ["b"] * 30, "sampled", ColumnMeaning("nominal", tree=tree))["q"]
    assert set(drawn[:50]) <= {"a", "b"}
    assert drawn[:50].to_list().count("b") > 25


def test_draws_follow_what_other_cells_say() -> None:
    labels = ["[0..99]"] * 2000 + ["[0..9]"] * 2000
    drawn = printed(labels, "sampled")["q"][:2000].to_numpy()
    assert (drawn < 10).mean() > 0.5
    assert drawn.min() >= 0
    assert drawn.max() <= 99


def test_every_value_that_a_set_names_is_drawn_for_about_one_record_however_rare_it_is() -> None:
    """A set names b because one of its records has it; that all other records have a says nothing against that."""
    labels = pl.DataFrame({"q": ["a"] * 900 + ["{a, b}"] * 100})
    draws = print_cells(labels, {"q": ColumnMeaning()}, "sampled", RANDOM, draws=200).frames
    rare = [int((frame["q"] == "b").sum()) for frame in draws]
    assert 0.8 < np.mean(rare) < 1.5
    assert not any((frame["q"][:900] == "b").any() for frame in draws)


def test_a_group_of_a_hierarchy_need_not_hold_every_value_that_it_may() -> None:
    tree = Hierarchy.from_dict({"vowels": ["a", "e"], "others": ["b"]})
    labels = pl.DataFrame({"q": ["a"] * 900 + ["vowels"] * 100 + ["b"]})
    draws = print_cells(labels, {"q": ColumnMeaning("nominal", tree=tree)}, "sampled", RANDOM, draws=20).frames
    assert not any((frame["q"] == "e").any() for frame in draws)


def test_draws_are_independent_and_a_seed_repeats_them() -> None:
    frame = pl.DataFrame({"q": ["[0..1000]"] * 200})
    made = print_cells(frame, {"q": ColumnMeaning()}, "sampled", Randomness(3), draws=3)
    again = print_cells(frame, {"q": ColumnMeaning()}, "sampled", Randomness(3), draws=3)
    assert all(one.equals(other) for one, other in zip(made.frames, again.frames, strict=True))
    first, second, _ = (frame["q"].to_numpy() for frame in made.frames)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.3


def test_a_form_for_all_columns_is_taken_by_those_that_can_have_it() -> None:
    frame = pl.DataFrame({"age": ["[1..2]"], "town": ["{a, b}"]})
    made = print_cells(frame, {"age": ColumnMeaning(), "town": ColumnMeaning()}, "bounds", RANDOM)
    assert made.frames[0].columns == ["age_low", "age_high", "town"]
    assert made.notes == ("The column 'town' is not ordered and has no bounds, so it is printed as labels.",)


@pytest.mark.parametrize(
    ("labels", "forms", "draws", "says"),
    [
        (["{a, b}"], {"q": "bounds"}, 1, "is not ordered and has no bounds; leave its cells as labels"),
        (["1"], {"p": "bounds"}, 1, "'p' is not a quasi-identifier"),
        (["1"], "bound", 1, "Did you mean 'bounds'"),
        (["1"], "center", 2, "say cells = sampled"),
        (["1"], "sampled", 0, "draws must be at least 1"),
    ],
)
def test_what_cannot_be_printed(labels: list[str], forms: Any, draws: int, says: str) -> None:
    with pytest.raises(InputError, match=says):
        print_cells(pl.DataFrame({"q": labels}), {"q": ColumnMeaning()}, forms, RANDOM, draws)


def test_cells_that_would_look_alike_are_not_printed_so() -> None:
    with pytest.raises(InputError, match="would look alike as bounds"):
        print_cells(pl.DataFrame({"q": ["1.0", "1.00"]}), {"q": ColumnMeaning("numeric")}, {"q": "bounds"}, RANDOM)


@pytest.mark.parametrize(("label", "value"), [("[1..5]", 6), ("{1, 3}", 2), ("4", None), ("4", 5)])
def test_a_value_outside_its_cell_is_our_bug(label: str, value: int | None) -> None:
    cells = take_apart(CodedLabels.of(pl.Series("q", [label, "9"])), ColumnMeaning("numeric"))
    with pytest.raises(BrokenPromise, match="cell"):
        check_inside(cells, Drawn(pl.Series("q", [value, 9], dtype=pl.Int64)))


def test_a_codebook_that_does_not_fit_is_refused() -> None:
    book = pl.DataFrame({"column": ["q"], "code": [1], "label": ["a"]})
    with pytest.raises(InputError, match="does not know the code '2'"):
        decoded(pl.DataFrame({"q": [1, 2]}), book)
    with pytest.raises(InputError, match="no column 'q'"):
        decoded(pl.DataFrame({"p": [1]}), book)
    with pytest.raises(InputError, match="column, code and label"):
        decoded(pl.DataFrame({"q": [1]}), book.rename({"code": "number"}))
