"""Masks postcodes and other codes character by character."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shoal.core.builders.nesting import check_depth, under_star
from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.core.parameters import CheckedFields, checked, one_character, whole_number, yes_or_no
from shoal.errors import InputError


@dataclass(frozen=True)
class Mask(CheckedFields):
    """One more character is replaced by ``char`` on each level, from the right or from the left; then the star.

    ``levels`` limits how many characters are replaced one by one before the star. Texts of different lengths are
    aligned at the end that is kept, and level j hides the j outermost positions of the *longest* text; a shorter
    text stays unchanged until the hidden positions reach it. Among five-character codes, ``021`` is ``021`` on
    level 1, joins ``02139`` in ``021**`` on level 2, and both are in ``02***`` on level 3. A node contains the texts
    with the same kept part, so nodes are nested.

    With ``pad``, shorter texts are first filled with that character on the left: with ``pad="0"`` the code
    ``2139`` is masked like ``02139``. This is the default for numeric columns, where leading zeros are lost.
    O(values · levels).

    >>> Mask().build("zip", ["02138", "02139", "94103"], "nominal").to_rows()[1]
    ['02139', '0213*', '021**', '02***', '0****', '*']
    >>> Mask(levels=1).build("zip", ["2139", "94103"], "numeric").labels[1]
    ('0213*', '9410*')
    """

    char: str = field(default="*", metadata=checked(one_character, "char"))
    from_right: bool = field(default=True, metadata=checked(yes_or_no, "from_right"))
    levels: int | None = field(default=None, metadata=checked(whole_number, "levels", least=1))
    pad: str | None = field(default=None, metadata=checked(one_character, "pad"))

    def build(self, name: str, texts: Sequence[str], kind: Kind) -> Hierarchy:
        """The hierarchy over these texts.

        Raises:
            InputError: a numeric column has anything but digits; texts so long that they cannot be codes.
        """
        longest = max(map(len, texts), default=0)
        filled = self._filled(name, texts, longest, kind)
        hidden = range(1, min(longest - 1, self.levels or longest) + 1)
        check_depth(name, len(hidden), "say with levels how many characters to mask one by one")
        return under_star(name, texts, [[self._masked(text, longest - j, j) for text in filled] for j in hidden])

    def _filled(self, name: str, texts: Sequence[str], longest: int, kind: Kind) -> Sequence[str]:
        if kind == "numeric":
            _check_digits(name, texts)
        pad = "0" if kind == "numeric" and self.pad is None else self.pad
        return texts if pad is None else [text.rjust(longest, pad) for text in texts]

    def _masked(self, text: str, n_kept: int, n_hidden: int) -> str:
        if len(text) < n_kept:
            return text
        kept = text[:n_kept] if self.from_right else text[-n_kept:]
        return kept + self.char * n_hidden if self.from_right else self.char * n_hidden + kept


def _check_digits(name: str, texts: Sequence[str]) -> None:
    for text in texts:
        if not text.isdecimal():
            raise InputError(
                f"The builder 'mask' needs whole numbers without a sign in the numeric column {name!r}, got {text!r}; "
                "use 'intervals', or make the column nominal."
            )
