"""The verbs as methods of frames give what the functions give."""

from __future__ import annotations

import importlib
from typing import Any

import polars as pl
import pytest

import shoal
import shoal.frames

WORDS: dict[str, Any] = {"quasi_identifiers": ["age", "zip"], "privacy": shoal.KAnonymity(2)}
ROWS = {"age": [30, 31, 40, 41], "zip": ["a", "a", "b", "b"]}


def _frames() -> list[Any]:
    pandas = pytest.importorskip("pandas")
    return [pl.DataFrame(ROWS), pandas.DataFrame(ROWS)]


def test_a_frame_is_anonymized_as_by_the_function_and_stays_its_kind() -> None:
    for frame in _frames():
        result = frame.shoal.anonymize(**WORDS, seed=1)
        same = shoal.anonymize(frame, **WORDS, seed=1)
        assert isinstance(result.to_frame(), type(frame))
        assert result.to_frame().equals(same.to_frame())


@pytest.mark.usefixtures("trials_here")
def test_every_verb_answers() -> None:
    for frame in _frames():
        release = frame.shoal.anonymize(**WORDS).to_frame()
        assert release.shoal.verify(**WORDS).holds
        assert not frame.shoal.verify(**WORDS).holds
        assert frame.shoal.inspect().as_data() == shoal.inspect(frame).as_data()
        assert isinstance(frame.shoal.audit(release, quasi_identifiers=["age", "zip"]), shoal.Audit)
        assert frame.shoal.usefulness(release, quasi_identifiers=["age", "zip"])
        compared = frame.shoal.compare(
            quasi_identifiers=["age", "zip"], goals=[shoal.KAnonymity(2)], algorithms=["mondrian"]
        )
        assert isinstance(compared, shoal.Comparison)


def test_a_misspelt_word_is_refused() -> None:
    with pytest.raises(shoal.InputError, match="quasi_identifiers"):
        pl.DataFrame(ROWS).shoal.anonymize(quasi_identifier=["age"])  # type: ignore[attr-defined]


def test_without_pandas_polars_still_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.warns(UserWarning, match="overrid"):
        importlib.reload(shoal.frames)
    assert pl.DataFrame(ROWS).shoal.anonymize(**WORDS).verdicts[0].holds  # type: ignore[attr-defined]
