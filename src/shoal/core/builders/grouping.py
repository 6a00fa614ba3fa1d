"""Groups that the user lists explicitly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from shoal.core.builders.nesting import under_star
from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.errors import InputError, did_you_mean


@dataclass(frozen=True)
class Grouping:
    """Explicit groups, nested to any depth: ``{"north": ["ME", "VT"], "south": {"gulf": ["TX"]}}``.

    ``others`` names a group for all values that are in no group; if a top-level group has that name, they join it.
    Without ``others``, such a value is refused. Listed values that do not occur are left out of the hierarchy; to
    keep them, use ``Hierarchy.from_dict``. O(values · levels).

    >>> Grouping({"north": ["ME", "VT"]}, others="elsewhere").build("state", ["ME", "TX"], "nominal").to_rows()
    [['ME', 'north', '*'], ['TX', 'elsewhere', '*']]
    """

    groups: Mapping[str, object]
    others: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.groups, Mapping):
            raise InputError(f"The groups of a hierarchy must map names to lists of values, got {self.groups!r}.")
        if self.others is not None and (not isinstance(self.others, str) or not self.others):
            raise InputError(f"others must be the name of a group, got {self.others!r}.")
        _ = self._rows

    @cached_property
    def _rows(self) -> dict[str, list[str]]:
        """The groups above each listed value, without the root."""
        return {leaf: above[:-1] for leaf, *above in Hierarchy.from_dict(self.groups, name="Grouping").to_rows()}

    def build(self, name: str, texts: Sequence[str], kind: Kind) -> Hierarchy:
        """The hierarchy over these texts.

        Raises:
            InputError: a value is in no group, and there is no group for others.
        """
        rows = [self._rows[text] if text in self._rows else self._other(name, text) for text in texts]
        return under_star(name, texts, list(zip(*rows, strict=True)))

    def _other(self, name: str, text: str) -> list[str]:
        if self.others is None:
            raise InputError(
                f"The value {text!r} of the column {name!r} is in no group; add it to one, or name a group "
                f"for all others with others.{did_you_mean(text, list(self._rows)[:1000])}"
            )
        depth = len(next(iter(self._rows.values())))
        return [text] * (depth - 1) + [self.others]
