"""Lists the patterns that a set of rules allows on a table, before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import algorithms
from shoal.algorithms.patterns.base import PatternAlgorithm
from shoal.algorithms.patterns.mask import Allowance, allowance
from shoal.core.contracts import Algorithm
from shoal.core.domain import Kind
from shoal.core.plugins import build
from shoal.engine.job import read_job
from shoal.engine.plan import schema_from
from shoal.engine.source import load
from shoal.engine.vocabulary import PatternWords
from shoal.errors import InputError
from shoal.io.encode import encode


def list_patterns(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str] = (),
    algorithm: str | Mapping[str, Any] | Algorithm = "patterns",
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    recodings: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    folder: str | Path = ".",
    delimiter: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    sheet: str | int | None = None,
    missing_values: Sequence[str] = (),
    query: str | None = None,
    skip_rows: int = 0,
    header_rows: int = 1,
    missing_codes: Mapping[str, Sequence[str]] | None = None,
    dates: Mapping[str, str] | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    units: Mapping[str, str] | None = None,
    spellings: Mapping[str, Mapping[str, str]] | None = None,
    fold: Sequence[str] = (),
    **more: Any,
) -> Allowance:
    """Count and list the patterns that a set of rules allows on a table; the settings are those of ``anonymize``.

    Args:
        data: A path, the address of a database table, or a pandas, polars or pyarrow table.
        quasi_identifiers: Columns that an adversary may know; they are generalized. Quote names with a comma:
            '"last, first",zip'.
        algorithm: As in anonymize: patterns:max_stars=2,never=sex,together=a+b|c+d,at_most_one=e+f,costs=age:2.
        hierarchies: Per column a file, a builder or groups: zip=zip.csv, zip=mask, age=intervals:width=10.
        kinds: Per column its type, if the guess is wrong: numeric, ordinal, nominal or date.
        orders: Per ordinal column its values in order, as in size=S,M,L.
        recodings: Per column its recoding, if not the default: tree, range, sets or suppress.
        weights: Per column its importance for the metric and the algorithm (default 1).
        folder: Where relative paths of hierarchies start.
        delimiter: The field separator; detected if not given.
        encoding: The text encoding, such as utf-8 or cp1252; detected if not given.
        quote: The quote character, empty for none; detected if not given.
        sheet: The sheet of a workbook, by name or number.
        missing_values: Texts that mean a missing value, in addition to the empty field.
        query: For a database: a query instead of a table.
        skip_rows: Number of rows above the header to skip, such as a title.
        header_rows: Number of header rows; their names are joined.
        missing_codes: Per column the values that mean missing, as in age=-9,99.
        dates: Per column how its dates are written: %d.%m.%Y, %m/%d/%y, iso (with time zones), excel (day numbers).
        decimal: The decimal mark of numbers, if not a point.
        thousands: The thousands separator of numbers.
        units: Per column the unit written with its numbers, to be removed; several spellings as in age=years|yrs.
        spellings: Replace one spelling of a value by another, as in 'sex:MALE=male'; may be repeated.
        fold: Columns whose values are merged if they differ only in blanks or in the coding of accents.
        more: Any other keyword is refused; the error suggests the one that was meant.

    Raises:
        InputError: the algorithm has no patterns, or its rules do not fit the columns.

    Example:
        >>> import shoal
        >>> from shoal.io.example import people
        >>> table = people(60).select("sex", "job", "diagnosis")
        >>> words = {"quasi_identifiers": ["sex", "job"], "sensitive": ["diagnosis"]}
        >>> rules = {"name": "patterns", "max_stars": 1}
        >>> found = shoal.list_patterns(table, quasi_identifiers=["sex", "job"], algorithm=rules)
        >>> found.n_patterns
        4
    """
    words = PatternWords.called_with(locals())
    return _allowed(words, data, Path(folder))


def list_job_patterns(path: Path) -> Allowance:
    """The patterns allowed by a job file."""
    job, folder = read_job(path), path.resolve().parent
    return _allowed(PatternWords.said(job.of(PatternWords)), job.source(folder), folder)


def _allowed(words: PatternWords, data: Any, folder: Path) -> Allowance:
    algorithm = words.algorithm
    made = algorithm if isinstance(algorithm, Algorithm) else build("algorithm", algorithm, algorithms.ALL)
    if not isinstance(made, PatternAlgorithm):
        known = [name for name, one in algorithms.ALL.items() if issubclass(one, PatternAlgorithm)]
        raise InputError(f"The algorithm {made.name!r} has no patterns; take one of {', '.join(known)}.")
    frame = load(data, **words.loading).frame
    others = tuple(name for name in frame.columns if name not in words.quasi_identifiers)
    schema = replace(schema_from(words, folder), others=others)
    return allowance(made, encode(frame, schema).table.quasi)
