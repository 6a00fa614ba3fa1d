"""Groups hierarchical codes such as ICD, NUTS and ISCO by their first characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from shoal.core.builders.nesting import check_depth, under_star
from shoal.core.domain import Kind
from shoal.core.hierarchy import STAR, Hierarchy
from shoal.core.parameters import several, whole_number
from shoal.errors import InputError


@dataclass(frozen=True)
class Prefixes:
    """Values with the same first characters form a group: ``J45.0``, ``J45*``, ``J*``, the star.

    ``lengths`` (3 and 1 by default) are the lengths of the prefixes, longest first; a shorter value stays
    unchanged on that level. With a ``separator`` instead, each level cuts one more part off the longest
    values: ``a.b.c``, ``a.b``, ``a``, the star. The label is the bare prefix, or ``a.*`` if ``a``
    is itself a value of the group. Groups by length whose prefixes are ``hidden`` are merged under zeros, ``000``, as
    is usual for postcodes of areas with few people. O(values · levels).

    >>> Prefixes().build("icd", ["I10", "J45.0", "J45.1", "J46"], "nominal").to_rows()[1]
    ['J45.0', 'J45*', 'J*', '*']
    >>> Prefixes(separator=".").build("icd", ["I10", "J45.0", "J45.1"], "nominal").labels[1]
    ('I10', 'J45', 'J45')
    """

    lengths: Sequence[int] | None = None
    separator: str | None = None
    hidden: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "hidden", tuple(map(str, several("hidden", self.hidden))))
        if self.separator is None:
            self._check_lengths()
        elif self.hidden:
            raise InputError(
                "The builder 'prefixes' hides prefixes by length, not parts between separators; leave one out."
            )
        elif self.lengths is not None:
            raise InputError("The builder 'prefixes' takes lengths or a separator, not both; leave one out.")
        elif not isinstance(self.separator, str) or not self.separator:
            raise InputError(f"separator must be a text such as '.', got {self.separator!r}.")

    def _check_lengths(self) -> None:
        given = (3, 1) if self.lengths is None else several("lengths", self.lengths)
        lengths = tuple(whole_number("A length of Prefixes", length, least=1) for length in given)
        if not lengths:
            raise InputError("The builder 'prefixes' needs at least one length, got none.")
        for one, next_one in pairwise(lengths):
            if one <= next_one:
                raise InputError(f"The lengths of the builder 'prefixes' must descend, but {next_one} follows {one}.")
        object.__setattr__(self, "lengths", lengths)

    def build(self, name: str, texts: Sequence[str], kind: Kind) -> Hierarchy:
        """The hierarchy over these texts.

        Raises:
            InputError: values with so many separators that they cannot be codes.
        """
        if self.separator is not None:
            return under_star(name, texts, _cut_at(self.separator, name, texts))
        return under_star(name, texts, [[self._cut(text, length) for text in texts] for length in self.lengths or ()])

    def _cut(self, text: str, length: int) -> str:
        if text.startswith(tuple(self.hidden)):
            return "0" * length
        return text if len(text) < length else text[:length] + STAR


def _cut_at(separator: str, name: str, texts: Sequence[str]) -> list[list[str]]:
    """The labels of each level; each level drops one more part."""
    paths = [text.split(separator) for text in texts]
    deepest = max(map(len, paths), default=0)
    check_depth(name, deepest, "choose another separator, or lengths")
    values = set(texts)
    levels = []
    for n_parts in range(deepest - 1, 0, -1):
        prefixes = [separator.join(path[:n_parts]) for path in paths]
        sizes = Counter(prefixes)
        levels.append([p + separator + STAR if sizes[p] > 1 and p in values else p for p in prefixes])
    return levels
