from __future__ import annotations

import datetime as dt
import pickle
import subprocess
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal.errors import InputError
from shoal.io.column_rules import fresh
from shoal.io.frames import to_polars

PEOPLE = {"age": [30, 40, 50], "job": ["nurse", None, "smith"]}


def refused(native: object) -> str:
    with pytest.raises(InputError) as caught:
        to_polars(native)
    message = str(caught.value)
    assert "\n" not in message
    return message


def column(values: object, **options: object) -> pl.Series:
    """The column as it arrives, from a pandas frame whose row labels are of no use."""
    frame = pd.DataFrame({"c": pd.Series(values, **options)})
    frame.index = pd.Index(["same"] * len(frame))
    return to_polars(frame)[0]["c"]


KINDS = {
    "polars": pl.DataFrame(PEOPLE),
    "lazy": pl.LazyFrame(PEOPLE),
    "pandas": pd.DataFrame(PEOPLE),
    "pyarrow": pa.table(PEOPLE),
}


@pytest.mark.parametrize("kind", KINDS)
def test_there_and_back(kind: str) -> None:
    native = KINDS[kind]
    frame, restore = to_polars(native)
    assert frame.equals(pl.DataFrame(PEOPLE))
    back = restore(frame.head(2))
    assert type(back) is type(native)
    assert to_polars(back)[0].equals(pl.DataFrame(PEOPLE).head(2))


def test_pandas_comes_back_with_fresh_labels_and_types() -> None:
    native = pd.DataFrame(PEOPLE | {"when": [dt.date(2020, 1, 1)] * 3}, index=["x", "x", "y"])
    frame, restore = to_polars(native)
    back = restore(frame)
    assert isinstance(back, pd.DataFrame)
    assert isinstance(back.index, pd.RangeIndex)
    pd.testing.assert_frame_equal(back, native.reset_index(drop=True))


def test_pyarrow_comes_back_as_old_readers_know_it() -> None:
    frame, restore = to_polars(pa.table(PEOPLE))
    back = restore(frame)
    assert isinstance(back, pa.Table)
    assert back.schema.field("job").type == pa.large_string()
    assert back.schema.metadata is None


@pytest.mark.parametrize(
    "index",
    [
        pd.Index([7, 7, 7]),
        pd.Index([2, 1, 0]),
        pd.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 2)], names=["age", "job"]),
        pd.Index(["x", None, 1.5], dtype=object),
        pd.date_range("2020", periods=3, name="age"),
    ],
)
def test_row_labels_do_not_matter(index: pd.Index) -> None:
    frame, _ = to_polars(pd.DataFrame(PEOPLE).set_axis(index))
    assert frame.equals(pl.DataFrame(PEOPLE))


def test_levels_of_an_index_that_are_asked_for_are_columns() -> None:
    native = pd.DataFrame(PEOPLE)
    first = [name for name in native.columns if name != "age"]
    frame, restore = to_polars(native.set_index("age"), ["age", "nothing"])
    assert frame.equals(pl.DataFrame(PEOPLE).select("age", *first))
    restored: Any = restore(frame)
    assert list(restored) == ["age", *first]
    assert set(to_polars(native.set_index(["age", "job"]), PEOPLE)[0].columns) == set(PEOPLE)
    assert to_polars(native.set_index("age"))[0].columns == first


def test_columns_named_by_numbers_are_known_by_them_as_texts_and_get_them_back() -> None:
    native = pd.DataFrame({0: [1, 2], np.int64(7): ["a", "b"], "x": [1.5, 2.5]})
    frame, restore = to_polars(native)
    assert frame.columns == ["0", "7", "x"]
    pd.testing.assert_frame_equal(restore(frame), native)
    with pytest.raises(InputError, match="'0' occurs 2 times"):
        to_polars(pd.DataFrame({0: [1], "0": [2]}))


def test_the_input_is_not_changed() -> None:
    native = pd.DataFrame(PEOPLE | {"x": [1.0, np.nan, 2.0]}, index=[5, 5, 1])
    before = native.copy(deep=True)
    frame, restore = to_polars(native)
    restore(frame.with_columns(pl.lit(0).alias("x")))
    pd.testing.assert_frame_equal(native, before)


@pytest.mark.parametrize(
    ("values", "options", "dtype", "wanted"),
    [
        (["a", None], {}, pl.String, ["a", None]),
        (["a", None], {"dtype": object}, pl.String, ["a", None]),
        (["a", np.nan], {"dtype": object}, pl.String, ["a", None]),
        (["a", pd.NA], {"dtype": object}, pl.String, ["a", None]),
        (["a", None], {"dtype": "string[python]"}, pl.String, ["a", None]),
        (["a", None], {"dtype": "string[pyarrow]"}, pl.String, ["a", None]),
        ([None, None], {"dtype": object}, pl.String, [None, None]),
        (["b", None, "a"], {"dtype": "category"}, pl.String, ["b", None, "a"]),
        ([3, None, 1], {"dtype": "category"}, pl.Int64, [3, None, 1]),
        ([1, None], {"dtype": "Int64"}, pl.Int64, [1, None]),
        ([1, None], {"dtype": pd.ArrowDtype(pa.int32())}, pl.Int32, [1, None]),
        ([1, None], {}, pl.Float64, [1.0, None]),
        ([1.5, np.nan], {"dtype": "Float64"}, pl.Float64, [1.5, None]),
        ([True, None], {"dtype": "boolean"}, pl.Boolean, [True, None]),
        ([1, 2.5, None], {"dtype": object}, pl.Float64, [1.0, 2.5, None]),
        ([np.str_("a"), "b"], {"dtype": object}, pl.String, ["a", "b"]),
        ([np.int8(1), 2], {"dtype": object}, pl.Int64, [1, 2]),
        ([dt.date(2020, 1, 1), None], {"dtype": object}, pl.Date, [dt.date(2020, 1, 1), None]),
        ([pd.Timestamp("2020-01-01"), pd.NaT], {}, pl.Datetime("us"), [dt.datetime(2020, 1, 1), None]),
        ([pd.NaT, pd.Timestamp("2020-01-01")], {"dtype": object}, pl.Datetime("us"), [None, dt.datetime(2020, 1, 1)]),
        ([Decimal("1.5"), None], {"dtype": object}, pl.Float64, [1.5, None]),
    ],
)
def test_types_of_pandas(values: list[object], options: dict[str, object], dtype: pl.DataType, wanted: object) -> None:
    arrived = column(values, **options)
    assert arrived.dtype == dtype
    assert arrived.to_list() == wanted


def test_nan_is_missing_everywhere() -> None:
    for native in (pl.DataFrame({"x": [1.0, float("nan")]}), pa.table({"x": [1.0, float("nan")]})):
        assert to_polars(native)[0]["x"].to_list() == [1.0, None]


def test_categories_become_text() -> None:
    assert to_polars(pl.DataFrame({"c": pl.Series(["a"], dtype=pl.Categorical)}))[0].schema == {"c": pl.String}
    assert to_polars(pa.table({"c": pa.array(["a"]).dictionary_encode()}))[0].schema == {"c": pl.String}


@pytest.mark.parametrize(
    ("values", "first", "second"),
    [
        ([1, "a", None], "int", "str"),
        ([True, "a"], "bool", "str"),
        ([1, True], "bool", "int"),
        ([1.5, dt.date(2020, 1, 1)], "date", "float"),
        ([dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, 5)], "date", "datetime"),
        ([[1], "a"], "list", "str"),
    ],
)
def test_mixed_types(values: list[object], first: str, second: str) -> None:
    message = refused(pd.DataFrame({"ok": ["x"] * len(values), "bad": pd.Series(values, dtype=object)}))
    assert f"The column 'bad' holds values of type {first} and of type {second};" in message


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([1j, 2j]),
        pd.Series([2**70, 1], dtype=object),
        pd.Series([[1], [2]]),
        pd.Series([b"x", b"y"]),
        pd.Series(pd.to_timedelta([1, 2], unit="s")),
        pd.Series(pd.period_range("2020", periods=2, freq="M")),
        pd.Series(pd.interval_range(0, 2)),
        pd.Series([object(), object()]),
    ],
)
def test_columns_of_no_use(values: pd.Series) -> None:
    assert "The column 'bad' " in refused(pd.DataFrame({"ok": [1, 2], "bad": values}))


def test_names() -> None:
    assert "column name 'a' occurs 2 times in the frame" in refused(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    assert "column name 'a' occurs 2 times" in refused(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]))
    assert "column name 0.5 of the frame is of type float" in refused(pd.DataFrame([[1, 2]], columns=["a", 0.5]))
    pairs = pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])
    assert "is of type tuple" in refused(pd.DataFrame([[1, 2]], columns=pairs))
    assert "Column 1 of the frame has a blank name" in refused(pl.DataFrame({"": [1]}))
    for name in ("*", "^a.*$"):
        assert f"column name {name!r} of the frame would be taken for a pattern" in refused(pd.DataFrame({name: [1]}))


@pytest.mark.parametrize("native", [None, [1, 2], {"a": [1]}, np.zeros((2, 2)), pd.Series([1]), pl.Series([1]), 3])
def test_not_a_frame(native: object) -> None:
    assert "Give a path or a pandas, polars or pyarrow table, not a " in refused(native)


@pytest.mark.parametrize("native", [pl.DataFrame(), pd.DataFrame({"a": []}), pa.table({"a": pa.array([], pa.int64())})])
def test_no_rows_or_columns(native: object) -> None:
    assert "a table needs both" in refused(native)


def test_pandas_and_narwhals_are_imported_only_if_needed() -> None:
    code = (
        "import sys, polars as pl; from shoal.io.frames import to_polars; "
        "f, back = to_polars(pl.DataFrame({'a': [1]})); "
        "back(f); assert not {'pandas', 'narwhals', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- nothing under missing values -------------------------------------------------------------------------------


def hidden() -> pl.DataFrame:
    """A table whose second row was set to missing, and is still in memory."""
    frame = pl.DataFrame(
        {
            "text": ["a name that may be read", "SECRET, too long for a view"],
            "number": [1, 0x5EC2E75EC2E75EC2],
            "float": [1.0, 12345.678],
            "day": [dt.date(2000, 1, 1), dt.date(2020, 2, 29)],
            "time": [dt.datetime(2000, 1, 1), dt.datetime(2020, 2, 29, 3, 4, 5)],
            "flag": [False, True],
        }
    )
    return frame.select(pl.when(pl.col("number") == 1).then(pl.all()))


SECRETS = [
    b"SECRET",
    (0x5EC2E75EC2E75EC2).to_bytes(8, "little"),
    np.float64(12345.678).tobytes(),
    (18321).to_bytes(4, "little"),
]


def test_values_under_nulls_are_there_before_and_gone_after() -> None:
    before, after = hidden(), fresh(hidden())
    assert after.equals(before)
    assert after.schema == before.schema
    for secret in SECRETS:
        assert secret in pickle.dumps(before)
        assert secret not in pickle.dumps(after)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_given_back_hides_nothing(kind: str) -> None:
    _, restore = to_polars(KINDS[kind])
    back = restore(hidden())
    if isinstance(back, pl.LazyFrame):
        back = back.collect()
    content = pickle.dumps(back)
    assert not [secret for secret in SECRETS if secret in content]
