"""What is found out about pseudonyms and shifted dates without the key: all that can be, and nothing that cannot."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal
from shoal.io.preparation import Pseudonyms, SecretKey
from shoal.io.undoing import undo_pseudonyms

KEY = SecretKey(Path("key"), bytes(range(32)))
IDS = pl.Series("id", ["a"] * 3 + ["b"] * 2 + ["c", "d", "e"])
ALONE = np.zeros(8, np.int32)


def keyed(ids: pl.Series) -> pl.Series:
    return Pseudonyms("id", KEY).apply(ids.alias("id").to_frame())["id"]


def test_frequency_names_those_who_occur_as_often_as_no_other() -> None:
    found = undo_pseudonyms("id", IDS, keyed(IDS), ALONE, keyed)
    assert (found.n_pseudonyms, found.n_hashed, found.n_counted) == (5, 0, 2)


def test_a_wrong_guess_by_frequency_does_not_count() -> None:
    """Two rows of a were suppressed: a occurs once in the release, and b's count is taken for nobody's but b's."""
    found = undo_pseudonyms("id", IDS, keyed(IDS[2:]), ALONE[2:], keyed)
    assert found.n_counted == 1
    swapped = undo_pseudonyms("id", IDS, keyed(pl.Series(["b"] * 3 + ["a"] * 2 + ["c", "d", "e"])), ALONE, keyed)
    assert swapped.n_counted == 0


def test_any_usual_hash_is_found_also_cut_and_in_capitals() -> None:
    for made in (
        lambda text: hashlib.md5(text.encode(), usedforsecurity=False).hexdigest().upper(),
        lambda text: hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:10],
        lambda text: hashlib.sha256(b"secret" + text.encode()).hexdigest(),
    ):
        printed = pl.Series([made(text) for text in IDS])
        assert undo_pseudonyms("id", IDS, printed, ALONE, None).n_hashed == 5


def test_records_of_a_pseudonym_are_put_together() -> None:
    shapes = np.array([0, 1, 2, 0, 1, 0, 1, 2], np.int32)
    assert undo_pseudonyms("id", IDS, keyed(IDS), shapes, keyed).n_singled_out == 2
    twins = pl.Series(["a", "a", "b", "b", "c"])
    assert undo_pseudonyms("id", twins, keyed(twins), np.array([0, 1, 0, 1, 2]), keyed).n_singled_out == 0


def test_a_pseudonym_lets_all_dates_of_a_person_be_compared(tmp_path: Path) -> None:
    """One date a row tells nothing; a pseudonym that joins a person's rows gives the days between them away."""
    days = [0, 3, 0, 4, 0, 4, 0, 9]
    frame = pl.DataFrame(
        {
            "q": ["a"] * 8,
            "who": [i // 2 for i in range(8)],
            "link": [f"n{i // 2}" for i in range(8)],
            "came": [date(2024, 1, 1) + timedelta(days=i + day) for i, day in enumerate(days)],
        }
    )
    said: dict[str, Any] = {
        "quasi_identifiers": ["q"], "others": ["came"], "privacy": {"k": 2}, "person": "who", "shift_dates": ["came"],
        "key_file": tmp_path / "key", "audit": "off",
    }  # fmt: skip
    [alone] = shoal.anonymize(frame.drop("link"), **said).audit(attacks=["aligned-dates"]).risks
    assert alone.outcome == "stopped"
    said["others"] = ["came", "link"]
    made = shoal.anonymize(frame, **said, pseudonyms=["link"])
    [joined] = made.audit(attacks=["aligned-dates"]).risks
    assert joined.outcome == "falls"
    assert joined.figures["right"] == 2
    coarse = shoal.anonymize(frame, **said, pseudonyms=["link"], bands={"came": "quarter"})
    assert coarse.audit(attacks=["aligned-dates"]).risks[0].outcome == "not run"


def test_pseudonyms_and_shifted_dates_are_judged_by_their_own_attacks_not_as_they_are(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": ["a"] * 6, "id": [f"n{i}" for i in range(6)]})
    made = shoal.anonymize(
        frame, quasi_identifiers=["q"], others=["id"], privacy={"k": 2}, pseudonyms=["id"], key_file=tmp_path / "key"
    )
    assert made.audited is not None
    assert made.audited.of("as-is")[0].outcome == "stopped"
    assert made.audited.of("pseudonyms")[0].outcome == "stopped"
    assert "fail" in made.audited.of("pseudonyms")[0].says
