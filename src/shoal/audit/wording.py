"""Numbers in the sentences of attacks."""

from __future__ import annotations

from collections.abc import Sequence


def counted(n: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "record"), counted(2000, "person", "people")
    ('1 record', '2,000 people')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def people(n: int) -> str:
    """So many people."""
    return counted(n, "person", "people")


def have(n: int) -> str:
    """The verb for so many."""
    return "has" if n == 1 else "have"


def fit(n: int) -> str:
    """The verb for so many."""
    return "fits" if n == 1 else "fit"


def percent(share: float) -> str:
    """A share; what is not nothing or all never reads as if it were.

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
