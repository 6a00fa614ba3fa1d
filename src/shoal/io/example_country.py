"""The fictional country of the example: ten regions, each with a town of several postcodes and many villages; names."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Flags, Offsets

# First two digits; number of postcodes in the town and people in each; villages. A few big towns, many villages.
_REGIONS = (
    ("12", 30, 420, 24),
    ("24", 18, 330, 36),
    ("65", 14, 300, 44),
    ("31", 9, 260, 40),
    ("83", 8, 240, 56),
    ("47", 6, 220, 48),
    ("01", 5, 200, 40),
    ("58", 4, 180, 52),
    ("06", 3, 170, 44),
    ("03", 2, 150, 60),
)


def _postcodes() -> tuple[list[str], Offsets, Flags]:
    codes: list[str] = []
    people: list[int] = []
    is_town: list[bool] = []
    for prefix, n_quarters, quarter, n_villages in _REGIONS:
        codes += [f"{prefix}{100 + number}" for number in range(1, n_quarters + 1)]
        people += [quarter - 4 * number for number in range(n_quarters)]
        codes += [f"{prefix}{200 + number * 37 % 800}" for number in range(n_villages)]
        people += [10 + 700 // (number + 5) for number in range(n_villages)]
        is_town += [True] * n_quarters + [False] * n_villages
    return codes, np.array(people, np.int64), np.array(is_town)


POSTCODES, PEOPLE, IS_TOWN = _postcodes()
"""Every postcode, its relative population, and whether it is part of a town."""


def _words(text: str) -> list[str]:
    return text.split()


WOMEN = _words(
    "Agatha Edith Mildred Winifred Olga Bertha Hedda Irma Gerda Elsbeth Ingrid Hilda Martha Ruth Edna Thelma "
    "Dorothy Margit Helga Ursula Renata Monica Gisela Brigid Karin Petra Heidi Sabina Linda Susan Angela Birgit "
    "Claudia Martina Andrea Silvia Nicole Tanja Simone Daniela Sandra Katrin Yvonne Melanie Stefania Nadine Jasmin "
    "Vanessa Julia Sarah Laura Lisa Anna Lena Sofia Leonie Marie Emilia Mila Ella Clara Ida Lotte Frieda"
)
"""64 first names, from the oldest to the youngest generation."""

MEN = _words(
    "Albert Ernest Wilfred Otto Hermann Alfred Rudolf Walter Edgar Oskar Emil Harold Conrad Erwin Gustav Herbert "
    "Kurt Gerald Horst Gunther Manfred Dieter Klaus Roland Norbert Werner Bernard Jurgen Rainer Wolfgang Peter Ulrich "
    "Martin Frank Stefan Thomas Andreas Ralf Torsten Jorg Markus Oliver Sven Dirk Carsten Bjorn Dennis Marcel "
    "Patrick Daniel Tobias Florian Philip Kevin Jonas Lukas Felix Leon Noah Elias Finn Theo Matteo Milo"
)
"""64 first names, from the oldest to the youngest generation."""

SURNAME_HEADS = _words(
    "Harl Wend Brack Thorn Ash Mal Stan Kel Hol Bran Wes Lang Ober Nied Stein Rosen Gold Silber Kall Fenn Brom Eller "
    "Kirk Marsh Oak Penn Quill Rav Sedg Tarn Ulm Veld Win Yar Zell Birk Dorn Eich Falk Grun Hart Ister Jern Kron Linn "
    "Mor Nor Ost"
)
SURNAME_TAILS = _words(
    "er mann wood berg ley son ford ham stad feld bach well by combe dahl egg hoff kamp low mere ner rup sted thal vik "
    "wick worth yard zig strom"
)
SURNAME_HEAD_WEIGHTS = [900 // (rank + 6) for rank in range(len(SURNAME_HEADS))]
SURNAME_TAIL_WEIGHTS = [900 // (rank + 4) for rank in range(len(SURNAME_TAILS))]

MAIL_HOSTS = ["example.org", "example.com", "example.net"]
"""Reserved for documentation (RFC 2606): nobody's address."""
MAIL_HOST_WEIGHTS = [6, 3, 1]
