"""The eighteen kinds of identifiers of 45 CFR 164.514(b)(2)(i), and how to tell which of them a column is."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.io.inspect import hints
from shoal.io.inspect.findings import Finding


@dataclass(frozen=True)
class Kind:
    """One of the eighteen kinds: its letter, description, words for it in an inspection's reasons, and column names."""

    letter: str
    what: str
    reasons: tuple[str, ...] = ()
    names: str = ""

    def __str__(self) -> str:
        return f"({self.letter}) {self.what}"


NAMES = Kind("A", "names", ("names of people",))
PLACES = Kind("B", "geographic subdivisions smaller than a state", ("an address", "street addresses"))
DATES = Kind("C", "elements of dates but the year, and ages over 89")
OTHER = Kind("R", "any other unique number, characteristic or code")

KINDS = (
    NAMES,
    PLACES,
    DATES,
    Kind("D", "telephone numbers", ("phone number",)),
    Kind("E", "fax numbers", (), "fax*, telefax*"),
    Kind("F", "e-mail addresses", ("e-mail address",)),
    Kind("G", "social security numbers", ("social security", "national number", "NHS", "tax number")),
    Kind("H", "medical record numbers", ("patient or insurance",)),
    Kind("I", "health plan beneficiary numbers", (), "insurance*, beneficiary*, member*, policy*, versicher*, plan *"),
    Kind("J", "account numbers", ("bank account", "payment card")),
    Kind("K", "certificate or license numbers", ("licence or number plate",)),
    Kind("L", "vehicle identifiers and license plates", (), "vin, *plate*, vehicle*, kennzeichen"),
    Kind("M", "device identifiers and serial numbers", ("UUID",), "device*, imei, serial*, mac, mac addr*"),
    Kind("N", "web addresses (URLs)", ("web address",)),
    Kind("O", "IP addresses", ("network address",)),
    Kind("P", "biometric identifiers", ("picture or print",), "fingerprint*, biometric*, voice*"),
    Kind("Q", "full-face photographs", (), "photo*, portrait*, picture*, image*"),
    OTHER,
)
"""All kinds, in the order of the rule."""


def kind_of(column: Finding) -> Kind:
    """Which of the eighteen an identifier is: by its name if that tells, by the inspection's reason, or the last."""
    name = hints.normal(column.name)
    named = (kind for kind in KINDS if kind.names and hints.has(kind.names, name))
    said = (kind for kind in KINDS if any(reason in column.reason for reason in kind.reasons))
    return next(named, None) or next(said, OTHER)
