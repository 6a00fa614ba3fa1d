"""What is said about columns, in the words of ``anonymize``, as a schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from shoal.core.domain import Kind
from shoal.core.schema import Schema
from shoal.errors import InputError
from shoal.io.hierarchies import parse_hierarchy


def schema_of(
    quasi_identifiers: Sequence[str],
    *,
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    others: Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    recodings: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    missing: Literal["own", "drop"] = "own",
    folder: str | Path = ".",
) -> Schema:
    """The schema; hierarchies are read, from ``folder`` where their paths are relative.

    Raises:
        InputError: a text was given for a list, or a hierarchy cannot be read.
    """
    return Schema(
        quasi_identifiers=column_names("quasi_identifiers", quasi_identifiers),
        sensitive=column_names("sensitive", sensitive),
        identifiers=column_names("identifiers", identifiers),
        others=column_names("others", others),
        hierarchies={name: parse_hierarchy(given, Path(folder), name) for name, given in (hierarchies or {}).items()},
        kinds=kinds or {},
        orders=orders or {},
        recodings=recodings or {},
        weights=weights or {},
        missing=missing,
    )


def column_names(argument: str, names: Sequence[str]) -> tuple[str, ...]:
    """Names as a tuple; InputError where a text was given for a list."""
    if isinstance(names, str):
        raise InputError(f"{argument} takes a list of column names, got the text {names!r}; write [{names!r}].")
    return tuple(names)
