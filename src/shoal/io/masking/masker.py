"""Masking references to people in one text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from shoal.io.masking.known_words import own_words
from shoal.io.masking.rules import RULES

_TOKEN = re.compile(r"\[[A-Z-]+\]|\w+(?:['’/-]\w+)*|[^\W\d_]+")
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
"""Invisible characters, which would hide a name from every pattern."""


@dataclass(frozen=True, eq=False)
class Masker:
    """Replaces matches of rules, names from the table, and a row's own values by marks such as ``[NAME]``.

    ``names`` are words of the table's identifiers in lower case; they are masked wherever they begin with a capital. A
    row's own values are masked in any spelling. Anything that no rule matches stays: masking is no guarantee. O(text).
    """

    names: frozenset[str] = frozenset()
    counts: Counter[str] = field(default_factory=Counter)
    """How often each mark has been used so far."""

    def mask(self, text: str | None, own: Iterable[str | None] = ()) -> str | None:
        """Return the text with marks.

        >>> Masker().mask("Mrs Bell called on 3 March 2020: bell@example.org")
        'Mrs [NAME] called on [DATE]: [E-MAIL]'
        >>> Masker(frozenset({"bell"})).mask("Bell is 63, from York", ["63", "York"])
        '[NAME] is [VALUE], from [VALUE]'
        """
        if text is None:
            return None
        masked = unicodedata.normalize("NFC", text).translate(_UNSEEN)
        for rule in RULES:
            masked, n_found = rule.pattern.subn(rule.replacement, masked)
            self.counts[rule.mark] += n_found
        mine = own_words(own)
        return _TOKEN.sub(lambda found: self._word(found[0], mine), masked)

    def _word(self, word: str, mine: frozenset[str]) -> str:
        """A word, or its mark if it is known; a compound word is known if one of its parts is."""
        if word.startswith("["):
            return word
        parts = {word, *re.split(r"['’/-]", word)}
        if any(part[:1].isupper() and part.casefold() in self.names for part in parts):
            return self._marked("NAME")
        if any(part.casefold() in mine for part in parts):
            return self._marked("VALUE")
        return word

    def _marked(self, mark: str) -> str:
        self.counts[mark] += 1
        return f"[{mark}]"
