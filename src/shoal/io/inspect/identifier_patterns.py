"""Values whose format, or check digit, identifies a person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address


@dataclass(frozen=True)
class Pattern:
    """A format: its name, a test for a text, and how many matching texts are needed to be sure.

    Bare digits with a check digit need several, because one number in eleven passes by chance.
    """

    label: str
    fits: Callable[[str], bool]
    n_needed: int = 1


_SHARE = 0.9
_N_FIRST_LOOK = 8

_EMAIL = re.compile(r"[^\s@,;<>]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+")
_URL = re.compile(r"(?:https?|ftp)://\S+|www\.[^\s.]+\.\S+", re.IGNORECASE)
_UUID = re.compile(r"\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?", re.IGNORECASE)
_MAC = re.compile(r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}", re.IGNORECASE)
_SSN = re.compile(r"\d{3}-\d{2}-\d{4}")
_PHONE = re.compile(
    r"\+\d[\d ()./-]{6,20}"  # +44 20 7946 0958
    r"|(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}"  # (212) 555-0123
    r"|(?!\d{5}-\d{4}$)(?=(?:\D*\d){9})"  # not a US postcode, and more digits than a date
    r"0\d{1,5}[ /-]\d{2,4}[ -]?\d{2,4}(?:[ -]?\d{2,4})?"  # 030 901820, 020 7946 0958
    r"|0\d(?:[ .]\d{2}){4}"  # 01 99 00 12 34
)
_STREET = re.compile(
    r"\d+\w?,? .*\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|way|court|ct|place|close|square)\b.*"
    r"|\d+\w?,? (?:bis |ter )?(?:rue|avenue|boulevard|bd|place|chemin|all[ée]e|quai)\b.*"
    r"|.*(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse) ?\d+\w?(?:,.*)?"
    r"|(?:calle|avenida|via|viale|piazza|rua)\b.* \d+\w?(?:,.*)?",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[^\W\d_]*|-?\d{1,8}(?:\.\d{1,8})?")
"""A word, or a short number: no pattern matches such a text."""
_SEPARATORS = str.maketrans("", "", " -")
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_NIR = re.compile(r"[1-478]\d{4}(?:\d{2}|2[AB])\d{8}")
_PERSON = re.compile(r"[^\W\d_]+(?:[ ,.'’-]{1,2}[^\W\d_]+){0,6}\.?")


def is_phone_number(text: str) -> bool:
    """Whether a text looks like a phone number: a plus, brackets, groups or a leading zero; seven to fifteen digits."""
    return bool(_PHONE.fullmatch(text)) and 7 <= sum(sign.isdigit() for sign in text) <= 15


def is_network_address(text: str) -> bool:
    """Whether this is an IPv4, IPv6 or MAC address."""
    if _MAC.fullmatch(text):
        return True
    if text.count(".") != 3 and text.count(":") < 2:
        return False
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def looks_like_a_person(text: str) -> bool:
    """Whether a text is words without digits, like a name. So is much else: the column's name must agree."""
    return bool(_PERSON.fullmatch(text)) and len(text) <= 60


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


PATTERNS = (
    Pattern("e-mail addresses", lambda text: bool(_EMAIL.fullmatch(text))),
    Pattern("web addresses", lambda text: bool(_URL.fullmatch(text))),
    Pattern("UUIDs", lambda text: bool(_UUID.fullmatch(text))),
    Pattern("network addresses", is_network_address),
    Pattern("bank accounts (IBAN)", is_iban),
    Pattern("US social security numbers", lambda text: bool(_SSN.fullmatch(text))),
    Pattern("French social security numbers", is_french_nir, 2),
    Pattern("NHS numbers", is_nhs_number, 5),
    Pattern("German tax numbers", is_german_tax_id, 5),
    Pattern("payment cards", is_card_number, 5),
    Pattern("phone numbers", is_phone_number),
    Pattern("street addresses", lambda text: bool(_STREET.fullmatch(text)), 2),
)
"""Tried in this order; the first that fits nine in ten values describes the column."""


def recognise(texts: Sequence[str]) -> str | None:
    """What nearly all of these distinct values are, if it identifies a person."""
    if all(_PLAIN.fullmatch(text) for text in texts[:_N_FIRST_LOOK]):
        return None
    for pattern in PATTERNS:
        if len(texts) >= pattern.n_needed and mostly(pattern.fits, texts):
            return pattern.label
    return None


def mostly(fits: Callable[[str], bool], texts: Sequence[str]) -> bool:
    """Whether nine in ten fit; a check of the first few often saves checking the rest."""
    if not texts or sum(map(fits, texts[:_N_FIRST_LOOK])) < _SHARE * min(len(texts), _N_FIRST_LOOK) / 2:
        return False
    return sum(map(fits, texts)) >= _SHARE * len(texts)
