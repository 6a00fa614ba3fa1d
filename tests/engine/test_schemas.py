"""What is said about columns: the same words, and the same refusals, wherever the rows lie."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.engine.backends.anonymize_file import anonymize_file
from shoal.engine.plan import schema_from
from shoal.engine.vocabulary import AnonymizeWords
from shoal.errors import InputError

PEOPLE = pl.DataFrame({"age": [30, 31, 32, 33], "sex": ["f", "m", "f", "m"]})


def in_memory(folder: Path, **words: Any) -> None:
    shoal.anonymize(PEOPLE, privacy=shoal.KAnonymity(2), **words)


def on_disk(folder: Path, **words: Any) -> None:
    PEOPLE.write_csv(folder / "people.csv")
    said = {"memory": "2GiB", "privacy": shoal.KAnonymity(2), **words}
    anonymize_file(folder / "people.csv", folder / "release.csv", **said)


@pytest.mark.parametrize("run", [in_memory, on_disk])
@pytest.mark.parametrize("word", ["quasi_identifiers", "sensitive", "identifiers", "others"])
def test_a_text_for_a_list_is_refused_everywhere(run: Callable[..., None], word: str, tmp_path: Path) -> None:
    said = {"quasi_identifiers": ["age"], word: "sex"}
    with pytest.raises(
        InputError, match=rf"{word} takes a list( of column names)?, got the text 'sex'; write \['sex'\]"
    ):
        run(tmp_path, **said)
    assert not (tmp_path / "release.csv").exists()


def test_relative_hierarchies_start_at_the_folder(tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("f;*\nm;*")
    words = AnonymizeWords.said({"quasi_identifiers": ["sex"], "hierarchies": {"sex": "sex.csv"}})
    schema = schema_from(words, tmp_path)
    assert schema.hierarchies["sex"].leaves == ("f", "m")  # type: ignore[union-attr]
    with pytest.raises(InputError):
        schema_from(words, tmp_path / "elsewhere")
