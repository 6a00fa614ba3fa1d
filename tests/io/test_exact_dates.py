"""Sets of exact dates are told, and do not pass for a small loss."""

from __future__ import annotations

from typing import Any

import polars as pl

import shoal

BORN = pl.DataFrame(
    {
        "born": [f"{1 + i % 28:02d}.{1 + i % 12:02d}.{1940 + i % 50}" for i in range(40)],
        "ill": ["flu", "gout"] * 20,
    }
)
SAID: dict[str, Any] = {"quasi_identifiers": ["born"], "sensitive": ["ill"], "privacy": {"k": 2}, "quick": True}


def test_dates_that_were_read_as_texts_are_told_and_what_their_cells_still_tell() -> None:
    notes = " ".join(shoal.anonymize(BORN, **SAID).notes)
    assert "'born' looks like dates that were read as texts" in notes
    assert "--dates born=%d.%m.%Y" in notes
    assert "of the cells of 'born' print exact dates" in notes


def test_dates_by_years_print_none() -> None:
    read: dict[str, Any] = {"dates": {"born": "%d.%m.%Y"}, "hierarchies": {"born": "dates:levels=year/decade"}}
    notes = " ".join(shoal.anonymize(BORN, **SAID, **read).notes)
    assert "read as texts" not in notes
    assert "print exact dates" not in notes
