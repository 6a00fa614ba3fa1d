"""Formatting numbers and texts for readers."""

from __future__ import annotations

import math
from collections.abc import Sequence

MAX_TEXT = 60
"""Maximum length of a value or name in a report."""

_DIRECTION_MARKS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def figure(value: float) -> str:
    """Three significant digits; integers in full, with thousands separators.

    >>> figure(20000), figure(0.21049), figure(1234.5), figure(0.00001), figure(float("inf"))
    ('20,000', '0.21', '1,234', '< 0.001', '∞')
    """
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    if value == round(value) or abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    if abs(value) < 0.001:
        return "< 0.001" if value > 0 else "> −0.001"
    return f"{value:.3g}".replace("-", "−")


def limit_text(limit: float | str) -> str:
    """A limit on suppressed rows: a share, or a number of rows as given.

    >>> limit_text(0.05), limit_text("29 rows")
    ('5%', '29 rows')
    """
    return limit if isinstance(limit, str) else percent(limit)


def percent(share: float) -> str:
    """A share between 0 and 1; only exact 0 and 1 read as 0% and 100%.

    >>> percent(0.1234), percent(0.0), percent(1.0), percent(0.00001), percent(0.99999)
    ('12.3%', '0%', '100%', '< 0.1%', '> 99.9%')
    """
    if 0 < share < 0.001:
        return "< 0.1%"
    if 0.999 < share < 1:
        return "> 99.9%"
    return f"{100 * share:.3g}%"


def seconds(value: float) -> str:
    """A duration.

    >>> seconds(0.0042), seconds(0.5), seconds(75.2)
    ('4.2 ms', '0.5 s', '75.2 s')
    """
    return f"{1000 * value:.3g} ms" if value < 0.1 else f"{value:,.3g} s"


def counted(n: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(2000, "class", "classes")
    ('1 row', '2,000 classes')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], at_most: int = 1_000_000) -> str:
    """Names in a sentence.

    >>> listed(["age", "zip", "sex"]), listed(["age", "zip", "sex"], 1)
    ('age, zip and sex', 'age and 2 more')
    """
    shown = [*names[:at_most], f"{len(names) - at_most:,} more"] if len(names) > at_most else [*names]
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def cut(text: str, limit: int = MAX_TEXT) -> str:
    r"""At most ``limit`` characters on one line, without characters that control terminals or text direction.

    >>> cut("a" * 10, 5), cut(" one\n two\x1b[31m ")
    ('aaaa…', 'one two�[31m')
    """
    line = " ".join(text[: 4 * limit].split())
    shown = "".join("�" if _steers(character) else character for character in line)
    return shown if len(shown) <= limit and len(text) <= 4 * limit else shown[: limit - 1] + "…"


def _steers(character: str) -> bool:
    point = ord(character)
    return point < 32 or 127 <= point < 160 or point in _DIRECTION_MARKS
