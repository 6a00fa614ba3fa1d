"""Merges a fixed number of neighbouring values on each level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.core.builders.nesting import under_star
from shoal.core.domain import Kind
from shoal.core.hierarchy import STAR, Hierarchy, quoted
from shoal.core.parameters import several, whole_number
from shoal.errors import InputError

_MOST_MEMBERS = 5


@dataclass(frozen=True)
class FanOut:
    """``fanout`` neighbours become one group on each level, until a single group, the star, remains.

    Values are neighbours in their own order, or in ``order``, which has to name every value that occurs
    and may name others. The last group of a level may be smaller.

    Ordered values, and those with an ``order``, are labelled by their ends, ``[first..last]``. Nominal values are
    labelled as sets, ``{a, b, c}``; with more than five members only the ends are named, ``{a, ..., k}``. A group
    of one is labelled by its value. Texts that would be ambiguous inside a label are quoted. O(values · levels).

    >>> FanOut(2).build("grade", ["1", "2", "3"], "ordinal").to_rows()[0]
    ['1', '[1..2]', '*']
    >>> FanOut(2).build("job", ["cook", "nurse", "smith"], "nominal").labels[1]
    ('{cook, nurse}', '{cook, nurse}', 'smith')
    """

    fanout: int = 3
    order: Sequence[str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "fanout", whole_number("fanout", self.fanout, least=2))
        if self.order is not None:
            order = tuple(map(str, several("order", self.order)))
            if len(set(order)) < len(order):
                twice = next(text for text in order if order.count(text) > 1)
                raise InputError(f"The order of the builder 'fanout' names {twice!r} twice; name each value once.")
            object.__setattr__(self, "order", order)

    def build(self, name: str, texts: Sequence[str], kind: Kind) -> Hierarchy:
        """The hierarchy over these texts.

        Raises:
            InputError: ``order`` lacks a value.
        """
        ordered = self._ordered(name, texts)
        is_set = kind == "nominal" and self.order is None
        levels, size = [], self.fanout
        while size < len(ordered):
            groups = [ordered[first : first + size] for first in range(0, len(ordered), size)]
            levels.append([text for group in groups for text in [_label(group, is_set)] * len(group)])
            size *= self.fanout
        return under_star(name, ordered, levels)

    def _ordered(self, name: str, texts: Sequence[str]) -> Sequence[str]:
        if self.order is None:
            return texts
        ranks = {text: rank for rank, text in enumerate(self.order)}
        for text in texts:
            if text not in ranks:
                raise InputError(
                    f"The order of the builder 'fanout' lacks the value {text!r} of the column {name!r}; add it."
                )
        return sorted(texts, key=ranks.__getitem__)


def _label(group: Sequence[str], is_set: bool) -> str:
    if len(group) == 1:
        return _member(group[0])
    if not is_set:
        return f"[{_member(group[0])}..{_member(group[-1])}]"
    if len(group) > _MOST_MEMBERS:
        return "{" + f"{_member(group[0])}, ..., {_member(group[-1])}" + "}"
    return "{" + ", ".join(map(_member, group)) + "}"


def _member(text: str) -> str:
    """The text, quoted if it could be mistaken for part of a label, so that no two labels of a level are equal."""
    is_plain = text == text.strip() and text not in ("", STAR) and ".." not in text and not set(text) & set(',{}[]"\\')
    return text if is_plain else quoted(text)
