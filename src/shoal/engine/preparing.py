"""Turns settings into the preparation of a table before it is anonymized."""

from __future__ import annotations

from pathlib import Path

from shoal.engine.vocabulary import AnonymizeWords, Coarsening
from shoal.errors import InputError
from shoal.io import preparation
from shoal.io.preparation.contract import Step


def preparation_of(words: AnonymizeWords, folder: Path) -> preparation.Preparation:
    """The preparation steps in the order in which they are applied; a relative path of a key starts at ``folder``.

    Dates are shifted first, so that limits and bands apply to what is published; pseudonyms come last.

    Raises:
        InputError: a step is impossible, or a setting that another one needs is missing.
    """
    key, shifted, named = _key(words, folder), list[Step](), list[Step]()
    if key is not None:
        if words.shift_dates and words.person is None:
            raise InputError(
                "shift_dates moves all dates of a person by the same number of days; name the column that identifies "
                "people (person)."
            )
        if words.shift_days < 1:
            raise InputError(f"shift_days must be at least 1, got {words.shift_days}.")
        person, most = words.person or "", words.shift_days
        shifted += [preparation.ShiftedDates(column, person, most, key) for column in words.shift_dates]
        named += [preparation.Pseudonyms(column, key) for column in words.pseudonyms]
    plain = coarsening_of(words, words.person).steps
    if not 0 < words.sample_share <= 1:
        raise InputError(f"sample_share must be above 0 and at most 1, got {words.sample_share:g}.")
    return preparation.Preparation((*shifted, *plain, *named), words.sample_share, words.person, key)


def coarsening_of(words: Coarsening, person: str | None = None) -> preparation.Preparation:
    """The steps that anybody, including an adversary, may know and repeat: without key and sampling."""
    steps: list[Step] = [
        *(preparation.TopCoding(column, limit) for column, limit in words.top.items()),
        *(preparation.BottomCoding(column, limit) for column, limit in words.bottom.items()),
        *(preparation.Rounding(column, step) for column, step in words.rounding.items()),
        *(preparation.Banding(column, spec) for column, spec in words.bands.items()),
        *(preparation.RareCategories(column, least, person) for column, least in words.rare.items()),
    ]
    return preparation.Preparation(tuple(steps), person=person)


def _key(words: AnonymizeWords, folder: Path) -> preparation.SecretKey | None:
    wanting = [name for name in ("pseudonyms", "shift_dates") if getattr(words, name)]
    if wanting and words.key_file is None:
        raise InputError(
            f"{wanting[0]} needs a secret key; name its file (key_file, --key-file). It is created if missing, "
            "readable by you alone."
        )
    if words.key_file is None:
        return None
    if not wanting:
        raise InputError("key_file is for pseudonyms and shift_dates; use one of them, or leave it out.")
    return preparation.SecretKey.at(folder / Path(words.key_file).expanduser())
