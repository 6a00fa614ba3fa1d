"""Groups numbers into intervals, and these into wider ones."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from shoal.core.builders.nesting import under_star
from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.core.number_texts import Exact, exact
from shoal.core.parameters import finite_number, several, whole_number
from shoal.errors import InputError


@dataclass(frozen=True)
class Intervals:
    """Bins of equal ``width`` (5 by default) counted from ``origin``, or the bins between ``cuts``.

    A bin includes its lower bound, not its upper one. Each factor adds a level that merges that many
    neighbouring bins, counted from the origin or the first cut; the star is on top. Cuts leave an open bin at
    either end; values below the first cut stay in a bin of their own up to the star.

    Labels name the bins, not the values that occur: ``[20..24]`` with both ends included if values and bounds
    are whole numbers, otherwise ``[1.5..2.5)`` with the upper end excluded; open bins are ``[..17]`` and ``[65..]``.
    Bounds are exact decimals, so 0.3 is in ``[0.3..0.4)``. O(values · levels).

    >>> Intervals(5, factors=[2]).build("age", ["-3", "20", "24", "27"], "numeric").to_rows()[1:3]
    [['20', '[20..24]', '[20..29]', '*'], ['24', '[20..24]', '[20..29]', '*']]
    >>> Intervals(cuts=[18, 65], factors=[]).build("age", ["7", "18", "80"], "numeric").labels[1]
    ('[..17]', '[18..64]', '[65..]')
    """

    width: float | None = None
    factors: Sequence[int] = (2, 2)
    origin: float = 0
    cuts: Sequence[float] | None = None

    def __post_init__(self) -> None:
        factors = tuple(whole_number("A factor of Intervals", f, least=2) for f in several("factors", self.factors))
        object.__setattr__(self, "factors", factors)
        object.__setattr__(self, "origin", finite_number("origin", self.origin))
        if self.cuts is None:
            self._check_width()
        else:
            self._check_cuts()

    def _check_width(self) -> None:
        width = finite_number("width", 5 if self.width is None else self.width)
        if width <= 0:
            raise InputError(f"width must be above 0, got {width}.")
        object.__setattr__(self, "width", width)

    def _check_cuts(self) -> None:
        if self.width is not None or self.origin != 0:
            raise InputError("The builder 'intervals' takes cuts, or a width and an origin, not both; leave one out.")
        cuts = tuple(finite_number("A cut of Intervals", cut) for cut in several("cuts", self.cuts))
        if not cuts:
            raise InputError("The builder 'intervals' needs at least one cut, got none.")
        for one, next_one in pairwise(cuts):
            if one >= next_one:
                raise InputError(
                    f"The cuts of the builder 'intervals' must ascend, but {next_one} follows {one}; sort them."
                )
        object.__setattr__(self, "cuts", cuts)

    def build(self, name: str, texts: Sequence[str], kind: Kind) -> Hierarchy:
        """The hierarchy over these numbers.

        Raises:
            InputError: a text is not a finite number.
        """
        pairs = sorted(((_number(name, text), text) for text in texts), key=lambda pair: pair[0])
        bins = self._bins()
        is_whole = bins.is_whole and all(isinstance(number, int) for number, _ in pairs)
        numbers = [bins.number(value) for value, _ in pairs]
        levels, span = [], 1
        for factor in (1, *self.factors):
            span *= factor
            numbers = [number // factor for number in numbers]
            labels = {n: _label(bins.bound(n * span), bins.bound((n + 1) * span), is_whole) for n in set(numbers)}
            levels.append([labels[number] for number in numbers])
        return under_star(name, [text for _, text in pairs], levels)

    def _bins(self) -> _Even | _Cut:
        if self.cuts is not None:
            return _Cut(tuple(exact(str(cut)) for cut in self.cuts))
        return _Even(exact(str(self.width)), exact(str(self.origin)))


@dataclass(frozen=True)
class _Even:
    """Bins of equal width, numbered from the origin in both directions."""

    width: Exact
    origin: Exact

    @property
    def is_whole(self) -> bool:
        return isinstance(self.width, int) and isinstance(self.origin, int)

    def number(self, value: Exact) -> int:
        return int((value - self.origin) // self.width)

    def bound(self, number: int) -> Exact:
        """The lower bound of a bin."""
        return self.origin + number * self.width


@dataclass(frozen=True)
class _Cut:
    """Bins between cuts, numbered from the first cut; −1 is below it."""

    cuts: tuple[Exact, ...]

    @property
    def is_whole(self) -> bool:
        return all(isinstance(cut, int) for cut in self.cuts)

    def number(self, value: Exact) -> int:
        return bisect_right(self.cuts, value) - 1

    def bound(self, number: int) -> Exact | None:
        """The lower bound of a bin; None below the first cut and behind the last."""
        return self.cuts[number] if 0 <= number < len(self.cuts) else None


def _number(name: str, text: str) -> Exact:
    try:
        return exact(text)
    except ValueError:
        raise InputError(
            f"The builder 'intervals' needs finite numbers in the column {name!r}, got {text!r}; "
            "clean the column or choose another builder."
        ) from None


def _label(low: Exact | None, high: Exact | None, is_whole: bool) -> str:
    """The label of the bin from ``low`` up to but excluding ``high``; None means unbounded."""
    if high is None:
        return f"[{_bound(low)}..]"
    if not is_whole:
        return f"[{_bound(low)}..{_bound(high)})"
    return _bound(low) if low == high - 1 else f"[{_bound(low)}..{_bound(high - 1)}]"


def _bound(number: Exact | None) -> str:
    if isinstance(number, Fraction) and number.denominator > 1:
        return repr(float(number))
    return "" if number is None else str(number)
