"""A scikit-learn transformer: learns a global recoding once and applies it to new rows.

Needs scikit-learn (``pip install 'shoal[learn]'``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin  # type: ignore[import-untyped]
from sklearn.utils import check_random_state  # type: ignore[import-untyped]
from sklearn.utils.validation import check_is_fitted, validate_data  # type: ignore[import-untyped]

from shoal.core.arrays import Codes, Floats
from shoal.core.builders import FanOut
from shoal.core.cells import Cells
from shoal.core.hierarchy import STAR
from shoal.core.node import chosen_levels
from shoal.core.randomness import Randomness
from shoal.core.schema import refuse_unknown
from shoal.core.table import QuasiColumn
from shoal.engine.anonymizing import anonymize
from shoal.errors import InputError, did_you_mean
from shoal.io.cell_forms.forms import Center, Sampled
from shoal.io.cell_forms.taken_apart import CodedLabels, ColumnCells, ColumnMeaning, take_apart
from shoal.io.frames import to_polars
from shoal.models import KAnonymity

_MOST_NODES = 1_000_000
_MOST_LEVELS = 8


class Anonymizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Learns one level per column that makes the training table k-anonymous, and applies it to new rows.

    ``fit`` finds the full-domain recoding of least loss (``Lattice``); ``transform`` gives every row the cells of its
    class, printed as in a release. No row is dropped, because scikit-learn's pipelines require that: a row in a class
    of fewer than ``k`` rows of the training table, or in none, is masked, with all its quasi-identifiers ``*``. So
    every row that is not masked has the same cells as at least ``k`` rows of the training table.

    Frames are returned in the type they were given in, with all columns and, for pandas, the index; ``set_output``
    works as usual. ``cells`` says what cells become:

    * ``mean``: columns of numbers stay numbers, the mean of the training rows in the cell, or of all training rows if
      a row is masked; other columns get labels;
    * ``labels``: labels such as ``[20..29]``;
    * ``center``, ``sampled``: the middle of the cell, or a value drawn from it according to the distribution of values
      in the release of the training table (see docs/cells.md), with the type of the column.

    Args:
        k: the minimal size of a class of the training table.
        quasi_identifiers: names (or positions, for arrays) of the columns to recode; all by default. Other columns are
            left unchanged.
        hierarchies: per column, as in ``shoal.anonymize``; by default neighbouring numbers are merged.
        suppression_limit: the share of training rows that may be masked.
        metric: the information-loss metric to minimize.
        cells: what cells become.
        random_state: makes draws reproducible.

    Attributes:
        levels_: the level of each quasi-identifier; 0 is the value itself.
        n_classes_: number of classes of the training table that are not masked.
        n_masked_: number of training rows that are masked.
    """

    def __init__(
        self,
        k: int = 5,
        *,
        quasi_identifiers: Sequence[str | int] | None = None,
        hierarchies: Mapping[str, Any] | None = None,
        suppression_limit: float = 0.05,
        metric: str = "lm",
        cells: str = "mean",
        random_state: Any = None,
    ) -> None:
        self.k = k
        self.quasi_identifiers = quasi_identifiers
        self.hierarchies = hierarchies
        self.suppression_limit = suppression_limit
        self.metric = metric
        self.cells = cells
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Anonymizer:  # noqa: N803 (scikit-learn's name)
        """Learn the recoding."""
        validate_data(self, X, dtype=None, ensure_all_finite=_finite(X))
        frame = _frame(X)
        promise = KAnonymity(self.k)
        if self.cells not in FORMS_OF_CELLS:
            raise InputError(f"cells cannot be {self.cells!r}.{did_you_mean(str(self.cells), FORMS_OF_CELLS)}")
        self._names = [frame.columns[place] for place in _places(self.quasi_identifiers, frame.columns)]
        self._maps: list[_Map] | None = None
        self._kept: set[tuple[int, ...]] = set()
        self.levels_: tuple[int, ...] = (0,) * len(self._names)
        if frame.height >= promise.k:
            self._learn(frame, promise)
        self.n_classes_, self.n_masked_ = len(self._kept), int((~self._is_kept(self._keys(frame))).sum())
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Give every row the cells of its class; mask rows that have none."""
        check_is_fitted(self)
        validate_data(self, X, dtype=None, ensure_all_finite=_finite(X), reset=False)
        frame = _frame(X)
        keys = self._keys(frame)
        kept = self._is_kept(keys)
        seed = None if self.random_state is None else int(check_random_state(self.random_state).randint(2**31))
        randomness = Randomness(seed)
        changed = frame.with_columns(
            self._column(j, keys[j], kept, frame[name].dtype, randomness.child(name)).alias(name)
            for j, name in enumerate(self._names)
        )
        if not _is_array(X):
            same: Any = to_polars(X)[1](changed)
            return same.set_axis(X.index, axis=0) if hasattr(X, "set_axis") else same
        is_numeric = all(dtype.is_numeric() for dtype in changed.dtypes)
        numbers = changed.select(pl.all().cast(pl.Float64)) if is_numeric else changed
        return numbers.to_numpy().copy() if is_numeric else changed.to_numpy().astype(object)

    def _column(self, j: int, cells: Codes, kept: Any, dtype: pl.DataType, randomness: Randomness) -> pl.Series:
        """The values of a column after recoding, given the cell of each row."""
        if self._maps is None:
            return pl.Series([STAR] * cells.size, dtype=pl.String)
        return FORMS_OF_CELLS[self.cells](self._maps[j], np.where(kept, cells, -1), dtype, randomness)

    def __sklearn_tags__(self) -> Any:
        """Allow missing values and texts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _learn(self, frame: pl.DataFrame, promise: KAnonymity) -> None:
        hierarchies = {**_merging(frame, self._names), **(self.hierarchies or {})}
        result = anonymize(
            frame.select(self._names),
            quasi_identifiers=self._names,
            privacy=promise,
            hierarchies=hierarchies,
            algorithm="lattice" if len(self._names) <= 12 else "lattice:time_limit=30",
            suppression_limit=self.suppression_limit,
            metric=self.metric,
            audit="off",
        )
        release = result.release
        levels = chosen_levels(release)
        assert levels is not None
        columns = zip(release.table.quasi, release.table.codes, levels, strict=True)
        self.levels_ = tuple(levels)
        self._maps = [_Map.of(column, codes, level, codes[release.owners]) for column, codes, level in columns]
        self._kept = set(map(tuple, np.unique(self._keys(frame)[:, release.owners], axis=1).T.tolist()))

    def _keys(self, frame: pl.DataFrame) -> Codes:
        """``[column, row]``: the cell of each row, −1 if the value is unknown."""
        if self._maps is None:
            return np.full((len(self._names), frame.height), -1, np.int32)
        return np.array([one.cells(frame[name]) for one, name in zip(self._maps, self._names, strict=True)], np.int32)

    def _is_kept(self, keys: Codes) -> Any:
        return np.fromiter((key in self._kept for key in map(tuple, keys.T.tolist())), bool, keys.shape[1])


@dataclass(frozen=True, eq=False)
class _Map:
    """Maps values of one column to cells: ``labels[cell]`` and ``means[cell]``; the last is the suppressed cell."""

    values: dict[str | None, int]
    points: Floats | None
    of_point: Codes
    labels: list[str | None]
    means: Floats
    released: ColumnCells
    """The column of the training table as it would be released."""

    @classmethod
    def of(cls, column: QuasiColumn, codes: Codes, level: int, kept: Codes) -> _Map:
        """Build the map from the codes of all training rows, and of those that are not masked."""
        domain, nested = column.domain, column.recoding.nested
        nodes = Cells.of_intervals(nested.low[level], nested.high[level], np.full(domain.n_leaves, level, np.int32))
        cells, labels = nodes.ids, column.recoding.labels(nodes)
        is_known = np.arange(domain.n_leaves) != domain.missing  # a missing value is not a number: no mean has it
        counts = np.bincount(codes, minlength=domain.n_leaves) * is_known
        places = np.where(np.isfinite(domain.points), domain.points, 0.0)
        rows = np.bincount(cells, weights=counts)
        sums = np.bincount(cells, weights=counts * places)
        means = np.divide(sums, rows, out=np.full_like(sums, np.nan), where=rows > 0)
        stars = np.full(codes.size - kept.size, len(labels), np.int32)
        printed = CodedLabels(pl.Series(domain.name, [*labels, STAR], dtype=pl.String), np.append(cells[kept], stars))
        released = take_apart(printed, ColumnMeaning(domain.kind, domain.values.dtype))
        texts = [text if known else None for text, known in zip(domain.texts, is_known.tolist(), strict=True)]
        known = np.flatnonzero(is_known)
        order = known[np.argsort(domain.points[known], kind="stable")]
        is_number = domain.kind == "numeric"
        return cls(
            dict(zip(texts, cells.tolist(), strict=True)),
            domain.points[order] if is_number else None,
            cells[order].astype(np.int32),
            [*labels, STAR],
            np.append(means, float(sums.sum() / max(1.0, rows.sum()))),
            released,
        )

    def labelled(self, cells: Codes, dtype: pl.DataType, randomness: Randomness) -> pl.Series:
        """The label of each cell; −1 is masked."""
        return pl.Series(self.labels, dtype=pl.String).gather(np.where(cells < 0, len(self.labels) - 1, cells))

    def averaged(self, cells: Codes, dtype: pl.DataType, randomness: Randomness) -> pl.Series:
        """The mean of each cell's training rows for numeric columns, else the label."""
        if self.points is None or not dtype.is_numeric():
            return self.labelled(cells, dtype, randomness)
        return pl.Series(self.means[cells]).fill_nan(None)

    def centered(self, cells: Codes, dtype: pl.DataType, randomness: Randomness) -> pl.Series:
        """The middle of each cell."""
        return Center().column(self.released).records(self._ids(cells), randomness)[0]

    def sampled(self, cells: Codes, dtype: pl.DataType, randomness: Randomness) -> pl.Series:
        """A value drawn inside each cell."""
        return Sampled().column(self.released).records(self._ids(cells), randomness)[0]

    def _ids(self, cells: Codes) -> Codes:
        """The numbers of these cells in the release of the training table."""
        place = {label: at for at, label in enumerate(self.released.labels)}
        numbers = np.array([place[label] for label in self.labels], np.int32)
        return numbers[np.where(cells < 0, len(self.labels) - 1, cells)]

    def cells(self, series: pl.Series) -> Codes:
        """The cell of each value: by the nearest known number below it, else by its text; −1 if unknown."""
        if self.points is None:
            return np.array([self.values.get(text, -1) for text in series.cast(pl.String).to_list()], np.int32)
        numbers = series.cast(pl.Float64).fill_nan(None)
        place = np.searchsorted(self.points, numbers.fill_null(0.0).to_numpy(), side="right") - 1
        found = self.of_point[np.maximum(place, 0)]
        return np.where(numbers.is_null().to_numpy(), self.values.get(None, -1), found).astype(np.int32)


FORMS_OF_CELLS: dict[str, Callable[[_Map, Codes, pl.DataType, Randomness], pl.Series]] = {
    "mean": _Map.averaged,
    "labels": _Map.labelled,
    "center": _Map.centered,
    "sampled": _Map.sampled,
}
"""The forms that cells may be converted to."""


def _merging(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, FanOut]:
    """Hierarchies for numeric columns, with few enough levels to keep the lattice small."""
    levels = min(_MOST_LEVELS, math.floor(_MOST_NODES ** (1 / len(names)) + 1e-9))
    found = {}
    for name in names:
        n_values = frame[name].n_unique()
        if frame[name].dtype.is_numeric() and n_values > 2 and levels > 2:
            found[name] = FanOut(max(2, math.ceil(n_values ** (1 / (levels - 1)) - 1e-9)))
    return found


def _frame(data: Any) -> pl.DataFrame:
    if not _is_array(data):
        return to_polars(data)[0]
    array = np.asarray(data)
    if array.dtype == object or array.dtype.kind in "US":
        return pl.DataFrame({f"x{j}": [_text(value) for value in column] for j, column in enumerate(array.T)})
    frame = pl.DataFrame(np.ascontiguousarray(array), schema=[f"x{j}" for j in range(array.shape[1])])
    return frame.with_columns(pl.selectors.float().fill_nan(None))


def _text(value: Any) -> str | None:
    return None if value is None or value != value else str(value)


def _is_array(data: Any) -> bool:
    return not hasattr(data, "columns") and not hasattr(data, "column_names")


def _finite(data: Any) -> Any:
    """Refuse infinite numbers, allow missing ones; frames and texts are not checked."""
    is_text = _is_array(data) and np.asarray(data).dtype.kind not in "fiub"
    return False if is_text or not _is_array(data) else "allow-nan"


def _places(wanted: Sequence[str | int] | None, columns: Sequence[str]) -> list[int]:
    if wanted is None:
        return list(range(len(columns)))
    refuse_unknown((each for each in wanted if isinstance(each, str)), columns)
    places = []
    for each in wanted:
        place = columns.index(each) if isinstance(each, str) else int(each)
        if not 0 <= place < len(columns):
            raise InputError(f"The table has {len(columns)} columns, so there is none at {place}; count from 0.")
        places.append(place)
    return places
