"""Coding a column of values: a numbered domain and a code per row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.domain import Domain, Kind
from shoal.core.hierarchy import MISSING, Hierarchy
from shoal.core.number_texts import exact
from shoal.core.schema import HierarchyBuilder
from shoal.core.table import SensitiveColumn
from shoal.errors import InputError, did_you_mean
from shoal.io.dictionaries import dictionary_of
from shoal.io.kinds import days, guess_kind, numbers


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column as integers: its domain, the code of each row, and its hierarchy if it has one."""

    domain: Domain
    codes: Codes
    hierarchy: Hierarchy | None

    def counted(self, codes: Codes, times: Offsets | None = None) -> CodedColumn:
        """The same column for rows with these codes, each of which stands for as many rows as ``times`` says."""
        counts = np.bincount(codes, times, self.domain.n_leaves).astype(np.int64)
        return CodedColumn(replace(self.domain, counts=counts), codes, self.hierarchy)


def sensitive_column(coded: CodedColumn) -> SensitiveColumn:
    """The column as seen by privacy models for sensitive values: equal numbers, such as 0, 0.0 and -0.0, are one value.

    In a text file they are different texts, and would count as two values.
    """
    domain, points = coded.domain, coded.domain.points
    is_number = domain.kind == "numeric" and coded.hierarchy is None and domain.values.dtype == pl.String
    if not is_number or np.unique(points).size == points.size:
        return SensitiveColumn(domain, coded.codes, coded.hierarchy)
    firsts: dict[object, int] = {}
    known = [None if leaf == domain.missing else exact(text) for leaf, text in enumerate(domain.texts)]
    same = np.array([firsts.setdefault(number, leaf) for leaf, number in enumerate(known)], np.int32)
    codes = same[coded.codes]
    counts = np.bincount(codes, minlength=domain.n_leaves).astype(np.int64)
    return SensitiveColumn(replace(domain, counts=counts), codes, None)


def encode_column(
    values: pl.Series,
    kind: Kind | None = None,
    order: Sequence[str] | None = None,
    hierarchy: Hierarchy | HierarchyBuilder | None = None,
) -> CodedColumn:
    """Number the values of a column, along its hierarchy or in the order of its kind. O(rows + values log values).

    Raises:
        InputError: a value is outside the given order or hierarchy, or does not fit the kind.
    """
    raw, distinct = _dictionary(values)
    texts = distinct.cast(pl.String)
    kind = "ordinal" if order is not None else kind or guess_kind(distinct)
    points, ranks = _arrange(distinct, texts, kind, order)
    tree = None
    if hierarchy is not None:
        in_order = [texts[int(i)] for i in np.argsort(ranks)]
        tree = hierarchy if isinstance(hierarchy, Hierarchy) else hierarchy.build(values.name, in_order, kind)
        counts = np.bincount(raw[raw >= 0], minlength=len(distinct))
        tree.require(values.name, texts.to_list(), counts.tolist())
        ranks = np.array([tree.code_of[text] for text in texts], np.int32)
    n = tree.n_leaves if tree else len(distinct)
    missing = n if (raw < 0).any() else None  # the last leaf
    n_leaves = n if missing is None else n + 1
    of_leaf, line = np.full(n_leaves, -1), np.full(n_leaves, np.nan)
    of_leaf[ranks] = np.arange(len(distinct))
    if points is None:
        line[:n] = np.arange(n)
    else:
        line[ranks] = points
    present = pl.Series(of_leaf).set(pl.Series(of_leaf < 0), None)
    leaves = tree.leaves if tree else texts.gather(present[:n]).to_list()
    codes = np.append(ranks, np.int32(n))[raw].astype(np.int32, copy=False)
    domain = Domain(
        name=values.name,
        kind=kind,
        texts=(*leaves, *([] if missing is None else [MISSING])),
        values=distinct.gather(present).alias(values.name),
        points=line,
        counts=np.bincount(codes, minlength=n_leaves).astype(np.int64),
        missing=missing,
    )
    return CodedColumn(domain, codes, tree.with_missing() if tree and missing is not None else tree)


def _dictionary(values: pl.Series) -> tuple[Codes, pl.Series]:
    """The distinct values that are present and, per row, the code of its value, −1 where missing."""
    if values.dtype.is_float():
        values = values.fill_nan(None)
        values = values.set((values == 0).fill_null(value=False), 0.0)  # −0.0 is 0.0
    if isinstance(values.dtype, pl.Categorical | pl.Enum):
        values = values.cast(pl.String)
    codes, distinct = dictionary_of(values)
    return codes, distinct.cast(values.dtype)


def _arrange(
    distinct: pl.Series, texts: pl.Series, kind: Kind, order: Sequence[str] | None
) -> tuple[Floats | None, Codes]:
    """The values' positions on a line, if they have any, and their ranks in the order of the kind."""
    points: Floats | None = None
    if kind == "numeric":
        points = numbers(distinct)
    elif kind == "date":
        points = days(distinct)
    if order is not None:
        ranks = _given_ranks(distinct.name, texts, order)
    elif points is not None:
        ranks = _ranks(_line_order(texts, points, are_numbers=kind == "numeric"))
    else:
        ranks = _ranks(distinct.arg_sort().to_numpy())
    return points, ranks


def _line_order(texts: pl.Series, points: Floats, *, are_numbers: bool) -> np.typing.NDArray[np.integer]:
    """The order of values on a line; numbers that are equal as floats (2^53 and 2^53 + 1) are compared exactly."""
    order = np.lexsort([texts.to_numpy().astype(str), points])
    if are_numbers and (np.diff(points[order]) == 0).any():
        numbers = [exact(text) for text in texts]
        order = np.array(sorted(range(len(numbers)), key=lambda i: (numbers[i], texts[i])))
    return order


def _ranks(order: np.typing.NDArray[np.integer]) -> Codes:
    ranks = np.empty(order.size, np.int32)
    ranks[order] = np.arange(order.size, dtype=np.int32)
    return ranks


def _given_ranks(name: str, texts: pl.Series, order: Sequence[str]) -> Codes:
    places = {str(text): place for place, text in enumerate(order)}
    for text in texts:
        if text not in places:
            raise InputError(f"The order of {name!r} lacks the value {text!r}.{did_you_mean(text, places)}")
    return _ranks(np.argsort([places[text] for text in texts], kind="stable"))
