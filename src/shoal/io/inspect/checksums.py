"""Check digits, which distinguish a national number from other numbers of the same length."""

from __future__ import annotations

import re
from collections import Counter

_SEPARATORS = str.maketrans("", "", " -")
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_NIR = re.compile(r"[1-478]\d{4}(?:\d{2}|2[AB])\d{8}")


def is_iban(text: str) -> bool:
    """Whether this is an IBAN: with its first four characters moved to the end, read as digits, it is 1 modulo 97.

    >>> is_iban("GB82 WEST 1234 5698 7654 32")
    True
    """
    compact = text.translate(_SEPARATORS).upper()
    if not _IBAN.fullmatch(compact):
        return False
    return int("".join(str(int(sign, 36)) for sign in compact[4:] + compact[:4])) % 97 == 1


def is_nhs_number(text: str) -> bool:
    """Whether this is a British NHS number: ten digits whose sum, weighted 10 to 1, is a multiple of 11."""
    digits = text.translate(_SEPARATORS)
    if not _are_digits(digits, 10) or len(set(digits)) == 1:
        return False
    return sum((10 - place) * int(digit) for place, digit in enumerate(digits)) % 11 == 0


def is_french_nir(text: str) -> bool:
    """Whether this is a French NIR: thirteen characters and the key 97 − (number mod 97); 2A is 19, 2B is 18."""
    compact = text.translate(_SEPARATORS).upper()
    if not _NIR.fullmatch(compact):
        return False
    number = int(compact[:13].replace("2A", "19").replace("2B", "18"))
    return 97 - number % 97 == int(compact[13:])


def is_german_tax_id(text: str) -> bool:
    """Whether this is a German tax ID: eleven digits, ISO 7064 (11, 10), one of the first ten two or three times."""
    digits = text.translate(_SEPARATORS)
    if not _are_digits(digits, 11) or digits[0] == "0":
        return False
    repeats = sorted(count for count in Counter(digits[:10]).values() if count > 1)
    if repeats not in ([2], [3]):
        return False
    rest = 10
    for digit in digits[:10]:
        rest = ((rest + int(digit)) % 10 or 10) * 2 % 11
    return (11 - rest) % 10 == int(digits[10])


def is_card_number(text: str) -> bool:
    """Whether this is a payment card number: 13 to 19 digits that begin with 2 to 6 and pass the Luhn test."""
    digits = text.translate(_SEPARATORS)
    if not (13 <= len(digits) <= 19 and _are_digits(digits, len(digits)) and digits[0] in "23456"):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


def _are_digits(text: str, length: int) -> bool:
    return len(text) == length and text.isascii() and text.isdigit()
