"""Hierarchy files find their columns by name."""

from __future__ import annotations

import pytest

from shoal.web.names import column_of

ADULT = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
]


@pytest.mark.parametrize("column", ADULT)
def test_files_named_as_arx_names_them(column: str) -> None:
    assert column_of(f"adult_hierarchy_{column}.csv", ADULT) == column


@pytest.mark.parametrize(
    ("file", "column"),
    [
        ("age.csv", "age"),
        ("AGE_hierarchy.csv", "age"),
        ("Marital Status.txt", "marital-status"),
        ("marital_status.csv", "marital-status"),
        ("class.csv", None),
        ("sexuality.csv", None),
        ("postage.csv", None),
        ("hierarchy.csv", None),
        (".csv", None),
    ],
)
def test_names_fit_by_whole_words(file: str, column: str | None) -> None:
    assert column_of(file, ADULT) == column


def test_the_longest_name_that_fits_is_taken() -> None:
    assert column_of("tree_home_zip.csv", ["zip", "home zip"]) == "home zip"
