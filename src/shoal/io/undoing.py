"""Attacks on preparation: pseudonyms without the key, shifted dates without the shift."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence

import polars as pl

from shoal.audit.knowledge import Pseudonymized, Shifted
from shoal.core.arrays import Codes

_HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b", "blake2s")
_KEYS = (b"", b"key", b"secret", b"salt", b"password", b"shoal")
"""Keys that any attacker would try."""

_MOST = 2_000
"""At most this many ids are hashed in every way: a single match proves that all can be found."""

_SHORTEST = 6
"""Shorter digests could match by chance."""

Truth = Callable[[pl.Series], pl.Series]
"""Returns the true pseudonyms of ids."""


def undo_pseudonyms(
    name: str, known: pl.Series, printed: pl.Series, shapes: Codes, true: Truth | None
) -> Pseudonymized:
    """Find out what an attacker who knows everybody's ids can infer from a column of pseudonyms.

    ``known`` is the id of each row of the original, as text; ``printed`` and ``shapes`` are the pseudonym and the class
    of each record. Without the ``true`` pseudonyms guesses by frequency count as correct if every row was published.
    """
    known, seen = known.drop_nulls(), pl.DataFrame({"printed": printed, "shape": shapes}).drop_nulls("printed")
    n_hashed, n_tried = _by_dictionary(known.unique(), seen["printed"].unique())
    counted = _by_frequency(known, seen["printed"])
    right = counted.height if known.len() == seen.height else 0
    if true is not None:
        right = int((true(counted["id"]) == counted["printed"]).sum())
    return Pseudonymized(name, seen["printed"].n_unique(), n_tried, n_hashed, right, _by_joining(seen))


def _by_dictionary(ids: pl.Series, printed: pl.Series) -> tuple[int, int]:
    """How many pseudonyms are a common digest of an id, extrapolated from the ids tried; and the number of tries."""
    wanted = {text.lower() for text in printed.to_list()} | set(printed.to_list())
    lengths = sorted({len(text) for text in wanted if len(text) >= _SHORTEST})
    some = ids.sort().head(_MOST).to_list()
    found = n_tried = 0
    for text in some:
        spelled = [digest[:length] for digest in _digests(text) for length in lengths if len(digest) >= length]
        n_tried += len(spelled)
        found += any(one in wanted for one in spelled)
    return round(found * ids.len() / max(1, len(some))), n_tried


def _digests(text: str) -> Iterator[str]:
    for name in _HASHES:
        digest = hashlib.new(name, text.encode(), usedforsecurity=False).digest()
        yield digest.hex()
        yield base64.urlsafe_b64encode(digest).decode().rstrip("=")
    for key in _KEYS:
        yield hmac.digest(key, text.encode(), "sha256").hex()
        yield hashlib.sha256(key + text.encode()).hexdigest()


def _by_frequency(known: pl.Series, printed: pl.Series) -> pl.DataFrame:
    """Pair ids and pseudonyms whose frequency is unique (``id``, ``printed``)."""
    alone = [
        values.alias(name).value_counts(name="n").filter(pl.col("n").is_unique())
        for name, values in (("id", known), ("printed", printed))
    ]
    return alone[0].join(alone[1], on="n")


def _by_joining(seen: pl.DataFrame) -> int:
    """Count pseudonyms of several records whose combination of classes no other pseudonym has."""
    joined = seen.group_by("printed").agg(pl.col("shape").sort().cast(pl.String).str.join(","), pl.len().alias("n"))
    return joined.filter((pl.col("n") > 1) & pl.col("shape").is_unique()).height


def undo_shift(
    known: pl.DataFrame,
    printed: pl.DataFrame,
    names: Sequence[str],
    person: str,
    unit: str | None,
    days: int,
    true: pl.DataFrame,
) -> Shifted:
    """Find out which people are recognizable by the intervals between their shifted dates, in columns of these names.

    ``known`` are the true dates and the ``person`` of each row, ``printed`` the records, ``true`` the known rows with
    their dates shifted, at most by ``days``. ``unit`` is a printed column of pseudonyms that joins a person's records;
    None if each record stands alone.
    """
    own, moved = (_patterns(frame, person if unit else None, names) for frame in (known, true))
    seen = _patterns(printed, unit, names)
    truth = own.join(moved.select("unit", moved="dates"), on="unit")
    guesses = truth.filter(pl.col("gaps").is_unique()).join(seen.filter(pl.col("gaps").is_unique()), on="gaps")
    right = guesses.filter(pl.col("moved") == pl.col("dates_right"))
    return Shifted(tuple(names), seen.height, guesses.height, right.height, 1 / (2 * days + 1), unit is not None)


def _patterns(frame: pl.DataFrame, unit: str | None, names: Sequence[str]) -> pl.DataFrame:
    """For each unit, or row, its dates (``dates``) and the days from the first to each (``gaps``), as texts."""
    whose = pl.col(unit) if unit else pl.int_range(pl.len())
    frame = frame.with_columns(unit=whose.cast(pl.String))
    long = pl.concat(
        frame.select(
            "unit", pl.lit(place).alias("column"), pl.col(name).cast(pl.Datetime("us")).cast(pl.Int64).alias("at")
        )
        for place, name in enumerate(names)
    ).drop_nulls()
    gap = pl.col("at") - pl.col("at").min().over("unit")
    spelled = pl.col("column").cast(pl.String) + ":"
    texts = long.select("unit", dates=spelled + pl.col("at").cast(pl.String), gaps=spelled + gap.cast(pl.String))
    return texts.group_by("unit").agg(pl.all().sort().str.join(","))
