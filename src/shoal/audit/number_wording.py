"""Formatting of numbers in the sentences of attacks."""

from __future__ import annotations

import re
from collections.abc import Sequence


def counted(n: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "record"), counted(2000, "person", "people")
    ('1 record', '2,000 people')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def people(n: int) -> str:
    """A number of people."""
    return counted(n, "person", "people")


_IN_ROWS = (
    ("people who", "rows that"),
    ("nobody", "no row"),
    ("everybody else", "every other row"),
    ("everybody", "every row"),
    ("hardly anybody", "hardly any"),
    ("a person is theirs", "a row is its own"),
    ("a person", "a row"),
    ("person", "row"),
    ("people", "rows"),
)
"""Phrases about people, and their replacements if only rows can be counted."""


def in_rows(text: str) -> str:
    """Reword a sentence in terms of rows; text in quotes is a value from the table and stays.

    >>> in_rows("Everybody has a match, but 2 people who have 'people' fit 1 record: nobody's own.")
    "Every row has a match, but 2 rows that have 'people' fit 1 record: no row's own."
    """
    parts = re.split(r"""((?<!\w)'[^']*'(?!\w)|"[^"]*")""", text)
    for people_said, rows_said in _IN_ROWS:
        for said, instead in ((people_said, rows_said), (_capital(people_said), _capital(rows_said))):
            parts[::2] = [re.sub(rf"\b{said}\b", instead, part) for part in parts[::2]]
    return "".join(parts)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def have(n: int) -> str:
    """The verb "has" or "have", depending on the number."""
    return "has" if n == 1 else "have"


def fit(n: int) -> str:
    """The verb "fits" or "fit", depending on the number."""
    return "fits" if n == 1 else "fit"


def percent(share: float) -> str:
    """A share; only exact 0 and 1 read as 0% and 100%.

    >>> percent(0.1234), percent(0.0), percent(0.00001), percent(0.99999)
    ('12.3%', '0%', 'less than 0.1%', 'more than 99.9%')
    """
    if 0 < share < 0.001:
        return "less than 0.1%"
    if 0.999 < share < 1:
        return "more than 99.9%"
    return f"{100 * share:.3g}%"


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names in a sentence.

    >>> listed(["age", "zip", "sex"])
    'age, zip and sex'
    """
    shown = [*names[: most - 1], f"{len(names) - most + 1} more columns"] if len(names) > most else [*names]
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
