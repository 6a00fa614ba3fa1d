"""Dates in texts, however they are read."""

from __future__ import annotations

from datetime import UTC, datetime

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.io.kinds import microseconds

DAYS = st.one_of(
    st.dates().map(str),
    st.builds("{:04}-{:02}-{:02}".format, st.integers(1, 9999), st.integers(0, 13), st.integers(0, 32)),
)
TIMES = st.sampled_from(["", " 09:30", "T09:30", " 09:30:15", " 25:00", " 09:30:15.5"])


def read(text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None


@given(st.lists(st.none() | DAYS), st.lists(st.tuples(DAYS, TIMES).map("".join)))
def test_days_are_read_alike_alone_and_beside_times(days: list[str | None], times: list[str]) -> None:
    for texts in (days, [*days, *times]):
        found = microseconds(pl.Series(texts, dtype=pl.String)).dt.replace_time_zone("UTC")
        wanted = pl.Series([read(text) for text in texts], dtype=pl.Datetime("us", "UTC"))
        assert found.to_list() == wanted.to_list()
