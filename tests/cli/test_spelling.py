from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.cli.spelling import names, one_of, pairs
from shoal.errors import InputError

NAMES = st.lists(st.text(min_size=1), min_size=1)


@given(NAMES)
def test_what_csv_writes_is_read(said):
    line = io.StringIO()
    csv.writer(line, lineterminator="", quoting=csv.QUOTE_ALL).writerow(said)
    assert names("--quasi", [line.getvalue()]) == tuple(said)


def test_names():
    assert names("--quasi", None) == ()
    assert names("--quasi", ["age, zip", "sex"]) == ("age", "zip", "sex")
    assert names("--quasi", ['"last, first",zip']) == ("last, first", "zip")
    assert names("--quasi", [""]) == ()
    for bad in ("a,,b", "a,", '"a', 'a"b"c,"d" e'):
        with pytest.raises(InputError, match="--quasi"):
            names("--quasi", [bad])


@given(st.text(min_size=1).filter(lambda t: t.strip()), st.text('abc=:,./ "', min_size=1).filter(lambda t: t.strip()))
def test_a_quoted_column_may_hold_anything(column, value):
    quoted = column.replace('"', '""')
    assert pairs("--hierarchy", [f'"{quoted}"={value}']) == {column: value.strip()}


def test_pairs():
    assert pairs("--kind", ["age=numeric", " zip = nominal "]) == {"age": "numeric", "zip": "nominal"}
    assert pairs("--hierarchy", ["age=intervals:width=5"]) == {"age": "intervals:width=5"}
    for bad in ("age", "=x", "age=", '"age=x', 'a"b=x'):
        with pytest.raises(InputError, match="column=value"):
            pairs("--kind", [bad])
    with pytest.raises(InputError, match="twice"):
        pairs("--kind", ["a=x", '"a"=y'])


def test_one_of():
    assert one_of("--kind", "date", ["date", "numeric"]) == "date"
    with pytest.raises(InputError, match="Did you mean 'date'"):
        one_of("--kind", "dat", ["date", "numeric"])
