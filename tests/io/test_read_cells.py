"""Labels of all makes, read back to the values they stand for."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shoal.core.builders import Mask
from shoal.core.cells import Cells
from shoal.core.domain import Domain
from shoal.core.hierarchy import Hierarchy
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.io.encode import encode
from shoal.io.formula import disarmed
from shoal.io.label_reader import LabelReader
from shoal.io.labels import to_frame
from shoal.io.read_cells import plain_labels, read_cells, refuse_strange
from shoal.metrics import GCP
from support.effort import examples
from support.strategies import releases
from support.tables import coded, groups_of, single

AGES = [-5, 0, 3, 17, 18, 30, 31, 65, 70]
TREE = Hierarchy.from_dict({"north": ["Oslo", "Bergen"], "south": {"coast": ["Rome", "Bari"], "hills": ["Siena"]}})


def meant(table: Table, label: str | None, **declared: str) -> list[str] | None:
    """The values that one label stands for, or None where it is not understood."""
    read = read_cells(pl.Series("q", [label], dtype=pl.String), table.quasi[0], declared)
    if read.strange:
        return None
    texts = [*table.quasi[0].domain.texts, "nobody"]
    return [texts[code] for code in read.cells.leaves(int(read.cells.ids[0]))]


def meanings(labels: list[str | None], domain: Domain) -> list[list[int] | None]:
    """What many labels stand for that are read at once; None for those that are left to the reader of single ones."""
    found = plain_labels(labels, domain)
    sets = [found.members[found.owned == place].tolist() for place in range(len(labels))]
    spans = [[*range(low, high + 1)] if low >= 0 else [] for low, high in zip(found.low, found.high, strict=True)]
    return [one or own if is_known else None for one, own, is_known in zip(sets, spans, found.is_known, strict=True)]


@given(releases())
def test_labels_read_at_once_are_what_each_is_read_as(release: Release) -> None:
    publication = publish(release, Randomness(1))
    frame = to_frame(publication)
    for column in publication.quasi:
        reader = LabelReader(column.domain, None)
        labels = frame[column.name].cast(pl.String).unique().to_list()
        for label, meant in zip(labels, meanings(labels, column.domain), strict=True):
            read = reader.read(label)
            assert meant is None or (read is not None and read.tolist() == meant)


_ODD = st.text(alphabet='ab,.[]{}"* ', max_size=7)


@given(values=st.lists(_ODD), labels=st.lists(_ODD), is_ordered=st.booleans(), has_missing=st.booleans())
@example(values=["", "*", "["], labels=[], is_ordered=False, has_missing=False)
def test_odd_labels_read_at_once_are_what_each_is_read_as(
    values: list[str], labels: list[str], is_ordered: bool, has_missing: bool
) -> None:
    order = sorted({"a", *values})
    orders = {"q": order} if is_ordered else {}
    frame = pl.DataFrame({"q": pl.Series([*order, *([None] if has_missing else [])], dtype=pl.String)})
    domain = (
        encode(frame, Schema(("q",), kinds={} if is_ordered else {"q": "nominal"}, orders=orders)).table.quasi[0].domain
    )
    made: list[str | None] = [*labels, *(f"[{one}..{other}]" for one in order[:3] for other in values[:3])]
    made += [f"{{{', '.join(order[:3])}}}", "{(missing)}", "{a, (missing)}", "*", "[]", "{}", *values]
    reader = LabelReader(domain, None)
    for label, meant in zip(made, meanings(made, domain), strict=True):
        read = reader.read(label)
        assert meant is None or (read is not None and read.tolist() == meant)


def test_ranges_values_stars_and_sets_without_quotes_are_read_at_once() -> None:
    domain = single(AGES).quasi[0].domain
    labels = ["[17..30]", "17", "*", "{17, 30}", "{30, 17, 30}", "16", "[30..17]", "{17, 16}", '{"17", 30}', None]
    assert meanings([*labels], domain) == [
        [3, 4, 5], [3], [*range(9)], [3, 5], [3, 5], None, None, None, None, None,
    ]  # fmt: skip


def ages(*values: int) -> list[str]:
    return [str(value) for value in values]


@pytest.mark.parametrize(
    ("label", "values"),
    [
        ("17", [17]),
        ("17.0", [17]),
        ("[17..30]", [17, 18, 30]),
        ("[17-30]", [17, 18, 30]),
        ("17-30", [17, 18, 30]),
        ("17 - 30", [17, 18, 30]),
        ("17–30", [17, 18, 30]),
        ("17~30", [17, 18, 30]),
        ("17,30", [17, 18, 30]),
        ("[17, 30]", [17, 18, 30]),
        ("[17, 30[", [17, 18]),
        ("(17, 30]", [18, 30]),
        ("[17..31)", [17, 18, 30]),
        ("17 to 30", [17, 18, 30]),
        ("[-5-3]", [-5, 0, 3]),
        ("-5-3", [-5, 0, 3]),
        ("-5--1", [-5]),
        ("[..17]", [-5, 0, 3, 17]),
        ("[65..]", [65, 70]),
        ("[65, inf)", [65, 70]),
        ("(-∞, 3)", [-5, 0]),
        (">=65", [65, 70]),
        ("> 65", [70]),
        ("≤ 0", [-5, 0]),
        ("<0", [-5]),
        ("65+", [65, 70]),
        ("{17, 70}", [17, 70]),
        ("{3}", [3]),
    ],
)
def test_numbers(label: str, values: list[int]) -> None:
    assert meant(single(AGES), label) == ages(*values)


@pytest.mark.parametrize("label", ["*", "**", "∗", "***", "Any", "(suppressed)"])
def test_stars(label: str) -> None:
    assert meant(single(AGES), label) == ages(*AGES)
    assert meant(single(["a", "b"]), label) == ["a", "b"]


def test_a_value_that_nobody_has_is_nobodys() -> None:
    assert meant(single(AGES), "44") == ["nobody"]
    assert meant(single(AGES), "[40..44]") == ["nobody"]


@pytest.mark.parametrize("label", ["thirties", "", "[a..b]", "17-", "{17, old}", "?"])
def test_labels_that_mean_nothing(label: str) -> None:
    assert meant(single(AGES), label) is None


@pytest.mark.parametrize(
    ("label", "values"),
    [
        ("Oslo", ["Oslo"]),
        ("north", ["Oslo", "Bergen"]),
        ("south", ["Rome", "Bari", "Siena"]),
        ("{Oslo, Siena}", ["Oslo", "Siena"]),
        ("{north, Siena}", ["Oslo", "Bergen", "Siena"]),
        ("['Oslo', 'Rome']", ["Oslo", "Rome"]),
        ("Oslo,Rome", ["Oslo", "Rome"]),
        ("Oslo~Rome", ["Oslo", "Rome"]),
        ("B*ri", ["Bari"]),
        ("*", ["Oslo", "Bergen", "Rome", "Bari", "Siena"]),
    ],
)
def test_hierarchies_and_sets(label: str, values: list[str]) -> None:
    table = single(["Oslo", "Bergen", "Rome", "Bari", "Siena"], hierarchies={"q": TREE})
    assert meant(table, label) == values


def test_masks() -> None:
    zips = ["02138", "02139", "02144", "90210"]
    for table in (single(zips), single(zips, hierarchies={"q": Mask()})):
        assert meant(table, "0213*") == ["02138", "02139"]
        assert meant(table, "021**") == ["02138", "02139", "02144"]
        assert meant(table, "02*") == ["02138", "02139", "02144"]
        assert meant(table, "0213∗") == ["02138", "02139"]
        assert meant(table, "5****") is None


def test_dates_and_ordinals() -> None:
    dates = single(["2024-01-31", "2024-02-01", "2024-02-29", "2025-02-01"])
    assert meant(dates, "[2024-02-01..2024-12-31]") == ["2024-02-01", "2024-02-29"]
    assert meant(dates, "2024-01-01 - 2024-02-01") == ["2024-01-31", "2024-02-01"]
    assert meant(dates, "[..2024-02-01]") == ["2024-01-31", "2024-02-01"]
    assert meant(dates, "2024-02") == ["2024-02-01", "2024-02-29"]
    assert meant(dates, "2025") == ["2025-02-01"]
    grades = single(["low", "mid", "high"], orders={"q": ["low", "mid", "high"]})
    assert meant(grades, "[low..mid]") == ["low", "mid"]
    assert meant(grades, "low-mid") is None


def test_missing_and_quoted_members() -> None:
    table = single(["a, b", "c", "(missing)", None], kinds={"q": "nominal"})
    assert meant(table, None) == ["(missing)"]
    assert meant(table, '{"a, b", c}') == ["a, b", "c"]
    assert meant(single(["a", "b"]), None) == ["a", "b"]


def test_declared_labels() -> None:
    assert meant(single(AGES), "young", young="[..18]") == ages(-5, 0, 3, 17, 18)
    assert meant(single(AGES), "17", **{"17": "{17, 18}"}) == ages(17, 18)


def test_what_is_strange_is_listed_with_a_remedy() -> None:
    table = single(AGES)
    read = read_cells(pl.Series("q", ["thirties", "thirties", "17", "old"]), table.quasi[0])
    assert read.strange == (("thirties", 2), ("old", 1))
    with pytest.raises(
        InputError, match=r"2 labels .*q: 'thirties' \(2 records\), 'old' \(1 record\).*--hierarchy q=FILE"
    ):
        refuse_strange({"q": read})


def test_spreadsheet_safe_labels_are_read_as_they_were() -> None:
    table = single(["-x", "=y"], kinds={"q": "nominal"})
    assert meant(table, "'-x") == ["-x"]
    assert meant(table, "'=y") == ["=y"]


@given(releases())
def test_our_own_labels_are_read_back_exactly(release: Release) -> None:
    publication = publish(release, Randomness(1))
    if not publication.n_records:
        return
    frame = to_frame(publication)
    for column, cells in zip(publication.quasi, publication.cells, strict=True):
        read = read_cells(frame[column.name], column)
        assert not read.strange
        assert not read.nobodys
        for record in range(publication.n_records):
            wanted = set(cells.leaves(int(cells.ids[record])).tolist())
            found = set(read.cells.leaves(int(read.cells.ids[record])).tolist())
            assert found == wanted


def test_ranges_of_a_column_with_a_hierarchy() -> None:
    table = coded(
        {"age": ["1", "2", "8", "9"]},
        ["age"],
        hierarchies={"age": Hierarchy.from_dict({"odd": ["1", "9"], "even": ["2", "8"]})},
    )
    read = read_cells(pl.Series("age", ["[1..2]", "odd", "9"]), table.quasi[0])
    texts = table.quasi[0].domain.texts
    shown = [{texts[c] for c in read.cells.leaves(int(i))} for i in read.cells.ids]
    assert shown == [{"1", "2"}, {"1", "9"}, {"9"}]
    assert read.cells.are_sets
    assert np.asarray(read.cells.sizes).min() == 1


NASTY = st.one_of(
    st.text(st.sampled_from(",;|{}[]()\"'\\.*-+=@ \n\tab1~…"), min_size=1, max_size=7),
    st.sampled_from(["*", "(missing)", "[1..2]", "{a, b}", '"a"', "a ", " a", "a", "b", "1", "2", "1..2", "=a", "'=a"]),
    st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=4),
)


@settings(max_examples=examples(6))
@given(st.lists(NASTY, min_size=2, max_size=7, unique=True), st.sampled_from(["sets", "suppress", "range"]), st.data())
def test_whatever_the_values_our_labels_are_read_back_to_the_same_cells(
    values: list[str], recoding: str, data: st.DataObject
) -> None:
    homes = data.draw(st.lists(st.integers(0, 2), min_size=len(values) + 1, max_size=len(values) + 1))
    rows = [*values, data.draw(st.sampled_from([None, values[0]]))]
    said = {"orders": {"q": values}} if recoding == "range" else {"kinds": {"q": "nominal"}}
    table = single(rows, recodings={"q": recoding}, **said)
    groups = [[row for row in range(len(rows)) if homes[row] == home] for home in range(3)]
    publication = publish(Release.from_groups(table, groups_of([rows for rows in groups if rows])), Randomness(1))
    (cells,), (column,) = publication.cells, publication.quasi
    labels = to_frame(publication)["q"]
    in_a_file = pl.DataFrame({"q": labels}).select(disarmed(pl.col("q")))["q"]
    wanted = [cells.leaves(int(cell)).tolist() for cell in cells.ids]
    for printed, from_file in ((labels, False), (in_a_file, True)):
        read = read_cells(printed, column, from_file=from_file)
        assert not read.strange
        assert [read.cells.leaves(int(cell)).tolist() for cell in read.cells.ids] == wanted


def test_blanks_around_a_value_are_part_of_it_where_the_column_has_both() -> None:
    table = single(["a", "a ", " a"], kinds={"q": "nominal"})
    assert [meant(table, label) for label in ("a", "a ", " a")] == [["a"], ["a "], [" a"]]
    assert meant(single(["a", "b"], kinds={"q": "nominal"}), "a ") == ["a"]


BEYOND = st.lists(st.integers(2**53, 2**63 - 1) | st.integers(2**53, 2**53 + 20), min_size=2, max_size=8, unique=True)
DIGITS = st.integers(10**18, 10**18 + 30).map(lambda number: f"0.{number}")
DECIMALS = st.lists(DIGITS | st.integers(0, 2).map(str), min_size=2, max_size=8, unique=True)


@given(BEYOND.map(lambda numbers: [str(number) for number in numbers]) | DECIMALS, st.data())
def test_ranges_of_other_tools_are_exact_however_many_digits_they_have(texts: list[str], data: st.DataObject) -> None:
    """Integers beyond 2^53 and decimals of more than 17 digits share floats, and are different all the same."""
    column = encode(pl.DataFrame({"q": texts}), Schema(quasi_identifiers=("q",))).table.quasi[0]
    low, high = sorted(data.draw(st.lists(st.sampled_from(texts), min_size=2, max_size=2)), key=Decimal)
    tests: dict[str, Callable[[Decimal], bool]] = {
        f"{low}-{high}": lambda n: Decimal(low) <= n <= Decimal(high),
        f"[{low}, {high})": lambda n: Decimal(low) <= n < Decimal(high),
        f"({low}; {high}]": lambda n: Decimal(low) < n <= Decimal(high),
        f"> {low}": lambda n: n > Decimal(low),
        f"<= {high}": lambda n: n <= Decimal(high),
        f"+{low}": lambda n: n == Decimal(low),
    }
    reader = LabelReader(column.domain, None)
    for label, holds in tests.items():
        found = reader.read(label)
        assert found is not None
        assert {column.domain.texts[code] for code in found.tolist()} == {t for t in texts if holds(Decimal(t))}, label


@given(BEYOND | DECIMALS)
@example([2**53 + 1, 2**53 + 2, 2**53 + 4])
@example(["0.10000000000000001", "0.1000000000000002", "0.10000000000000035"])
def test_a_range_of_numbers_that_share_a_float_has_its_exact_price(values: list[int] | list[str]) -> None:
    column = encode(pl.DataFrame({"q": values}), Schema(quasi_identifiers=("q",))).table.quasi[0]
    numbers = sorted(Fraction(str(value)) for value in values)
    n = len(numbers)
    low, high = (np.array(codes, np.int32) for codes in zip(*combinations_with_replacement(range(n), 2), strict=True))
    prices = GCP().price(column, Cells(np.arange(low.size, dtype=np.int32), low, high))
    exact = [(numbers[j] - numbers[i]) / (numbers[-1] - numbers[0]) for i, j in zip(low, high, strict=True)]
    assert prices.tolist() == pytest.approx([float(price) for price in exact], abs=2e-12)


def test_an_exponent_beyond_all_bounds_makes_no_number() -> None:
    """Written out it would fill the memory."""
    column = encode(pl.DataFrame({"q": ["0", "1e-999999999"]}), Schema(quasi_identifiers=("q",))).table.quasi[0]
    assert column.domain.kind == "nominal"
    numeric = encode(pl.DataFrame({"q": ["0", "1"]}), Schema(quasi_identifiers=("q",))).table.quasi[0]
    assert LabelReader(numeric.domain, None).read("[0, 1e-999999999]") is None
    with pytest.raises(InputError, match="is not numeric"):
        encode(pl.DataFrame({"q": ["0", "1e-999999999"]}), Schema(quasi_identifiers=("q",), kinds={"q": "numeric"}))
