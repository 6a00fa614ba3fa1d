"""Pseudonyms that do not correspond to people one to one are found, in memory and in a file."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from shoal.engine.backends.written_file import KEY, WrittenFile
from shoal.engine.whole_histories import check_pseudonyms
from shoal.errors import BrokenPromise

CASES = {
    "one to one": (["p", "p", "q"], ["a", "a", "b"], True),
    "two people share a pseudonym": (["p", "p", "p"], ["a", "a", "b"], False),
    "a person has two pseudonyms": (["p", "q", "r"], ["a", "a", "b"], False),
    "people exchange pseudonyms": (["p", "q", "p"], ["a", "a", "b"], False),
}


def _raised(fine: bool) -> AbstractContextManager[Any]:
    return nullcontext() if fine else pytest.raises(BrokenPromise, match="correspond one to one")


@pytest.mark.parametrize("case", CASES)
def test_in_memory(case: str) -> None:
    pseudonyms, people, fine = CASES[case]
    with _raised(fine):
        check_pseudonyms(pl.Series(pseudonyms), pl.Series(people))


@pytest.mark.parametrize("case", CASES)
def test_in_a_file(case: str, tmp_path: Path) -> None:
    pseudonyms, people, fine = CASES[case]
    pl.DataFrame({"who": pseudonyms, "age": [1, 2, 3]}).write_csv(tmp_path / "release.csv")
    pl.DataFrame({KEY: people}).write_parquet(tmp_path / "keys.parquet")
    columns: Any = SimpleNamespace(order=("who", "age"))
    with _raised(fine):
        WrittenFile(tmp_path / "release.csv", ".csv", columns, tmp_path / "keys.parquet").check_pseudonyms()
