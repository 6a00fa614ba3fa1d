"""Values whose format identifies a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from shoal.io.inspect import checksums


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


PATTERNS = (
    Pattern("e-mail addresses", lambda text: bool(_EMAIL.fullmatch(text))),
    Pattern("web addresses", lambda text: bool(_URL.fullmatch(text))),
    Pattern("UUIDs", lambda text: bool(_UUID.fullmatch(text))),
    Pattern("network addresses", is_network_address),
    Pattern("bank accounts (IBAN)", checksums.is_iban),
    Pattern("US social security numbers", lambda text: bool(_SSN.fullmatch(text))),
    Pattern("French social security numbers", checksums.is_french_nir, 2),
    Pattern("NHS numbers", checksums.is_nhs_number, 5),
    Pattern("German tax numbers", checksums.is_german_tax_id, 5),
    Pattern("payment cards", checksums.is_card_number, 5),
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
