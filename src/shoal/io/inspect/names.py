"""Compare the name of a column with lists of words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_BORDERS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_NUMBER = "(?:n|no|nr|num|number|nummer|numero)"
_LONGEST = 200


def normal(name: str) -> str:
    """The words of a column's name, lower case, without accents, between underscores.

    >>> normal("DateOfBirth"), normal("Prénom 2")
    ('_date_of_birth_', '_prenom_2_')
    """
    plain = unicodedata.normalize("NFKD", name[:_LONGEST].replace("ß", "ss")).encode("ascii", "ignore").decode()
    words = re.split(r"[^a-z0-9]+", _BORDERS.sub("_", plain).lower())
    return "_" + "_".join(word for word in words if word) + "_"


def has(words: str, name: str) -> bool:
    """Whether a normal name has one of the listed words somewhere."""
    return bool(_pattern(words).search(name))


def starts_with(words: str, name: str) -> bool:
    """Whether a normal name begins with one of the listed words."""
    return bool(_pattern(words).match(name))


def find(table: Mapping[str, str], name: str) -> str | None:
    """The first label whose words a normal name has."""
    return next((label for label, words in table.items() if has(words, name)), None)


@lru_cache(maxsize=256)
def _pattern(words: str) -> re.Pattern[str]:
    """One expression for a list of hints."""
    hints = [hint.strip().replace(" ", "_?").replace("*", "[a-z]*").replace("#", _NUMBER) for hint in words.split(",")]
    return re.compile("_(?:" + "|".join(hints) + ")_")
