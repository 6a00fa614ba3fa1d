"""Two columns together, before and after."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Heat:
    """How often parts of two columns occur together: ``before[row][column]`` rows, ``after`` records."""

    first: str
    second: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]

    @property
    def moved(self) -> float:
        """The share of the mass that is elsewhere afterwards: 0 where nothing changed, 1 where nothing is left."""
        was, now = sum(map(sum, self.before)) or 1.0, sum(map(sum, self.after)) or 1.0
        pairs = zip(self.before, self.after, strict=True)
        return sum(abs(b / was - a / now) for one, two in pairs for b, a in zip(one, two, strict=True)) / 2
