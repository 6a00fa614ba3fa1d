"""Messy tables of patients who do not exist, with switches: language, separators, forms of dates and numbers."""

# ruff: noqa: C408 (names without quotes read better in these lists)

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from hypothesis import strategies as st

LANGUAGES: dict[str, dict[str, str]] = {
    "en": dict(case="case no", name="patient name", birth="date of birth", age="age", sex="sex", post="zip code",
               city="city", admitted="admission date", dx="dx", cost="cost", severity="severity", smoker="smoker",
               note="notes", phone="phone", mail="e-mail", weight="sampling weight", view="satisfaction"),
    "de": dict(case="Fallnummer", name="Nachname", birth="Geburtsdatum", age="Alter", sex="Geschlecht", post="PLZ",
               city="Wohnort", admitted="Aufnahmedatum", dx="Hauptdiagnose", cost="Kosten", severity="Schweregrad",
               smoker="Raucher", note="Bemerkung", phone="Telefon", mail="E-Mail", weight="Gewichtungsfaktor",
               view="Zufriedenheit"),
    "fr": dict(case="num dossier", name="nom", birth="date de naissance", age="âge", sex="sexe", post="code postal",
               city="ville", admitted="date d'admission", dx="diagnostic", cost="coût", severity="gravité",
               smoker="fumeur", note="remarques", phone="téléphone", mail="courriel", weight="pondération",
               view="satisfaction"),
    "es": dict(case="id", name="apellidos", birth="fecha de nacimiento", age="edad", sex="sexo",
               post="código postal", city="ciudad", admitted="fecha de ingreso", dx="diagnóstico", cost="coste",
               severity="gravedad", smoker="fumador", note="observaciones", phone="teléfono", mail="correo",
               weight="factor de expansión", view="satisfacción"),
    "it": dict(case="id", name="cognome", birth="data di nascita", age="età", sex="sesso", post="CAP",
               city="città", admitted="data di ricovero", dx="diagnosi", cost="costo", severity="gravità",
               smoker="fumatore", note="note", phone="telefono", mail="email", weight="peso campionario",
               view="soddisfazione"),
    "nl": dict(case="id", name="achternaam", birth="geboortedatum", age="leeftijd", sex="geslacht", post="postcode",
               city="plaats", admitted="opnamedatum", dx="diagnose", cost="kosten", severity="ernst", smoker="roker",
               note="opmerkingen", phone="telefoon", mail="email", weight="weegfactor", view="tevredenheid"),
}  # fmt: skip
"""What the columns are called."""

WORDS: dict[str, dict[str, list[str]]] = {
    "en": dict(unit=["years"], yes=["yes", "no", "Y"], severity=["low", "medium", "high"], missing=["unknown"],
               view=["very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"]),
    "de": dict(unit=["Jahre"], yes=["ja", "nein", "Ja"], severity=["leicht", "mittel", "schwer"], missing=["k.A."],
               view=["sehr unzufrieden", "unzufrieden", "neutral", "zufrieden", "sehr zufrieden"]),
    "fr": dict(unit=["ans"], yes=["oui", "non", "Oui"], severity=["faible", "moyen", "élevé"],
               missing=["non renseigné"], view=["jamais", "rarement", "parfois", "souvent", "toujours"]),
    "es": dict(unit=["años"], yes=["sí", "no", "SÍ"], severity=["bajo", "medio", "alto"], missing=["sin dato"],
               view=["nunca", "rara vez", "a veces", "a menudo", "siempre"]),
    "it": dict(unit=["anni"], yes=["sì", "no", "Sì"], severity=["basso", "medio", "alto"], missing=["n.d."],
               view=["mai", "raramente", "a volte", "spesso", "sempre"]),
    "nl": dict(unit=["jaar"], yes=["ja", "nee", "JA"], severity=["laag", "midden", "hoog"], missing=["onbekend"],
               view=["1-2", "3-4", "5-6", "7-8", "9-10"]),
}  # fmt: skip

DATES = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%m/%d/%y", "%Y/%m/%d", "%Y%m%d", "iso with zone", "%d %b %Y")
ROLES = {
    "case": "identifier", "name": "identifier", "birth": "quasi-identifier", "age": "quasi-identifier",
    "sex": "quasi-identifier", "post": "quasi-identifier", "city": "quasi-identifier", "admitted": "quasi-identifier",
    "dx": "sensitive", "cost": "sensitive", "severity": "other", "smoker": "sensitive", "note": "identifier",
    "phone": "identifier", "mail": "identifier", "weight": "identifier", "view": "other",
}  # fmt: skip
KINDS = {"birth": "date", "admitted": "date", "age": "numeric", "cost": "numeric", "weight": "numeric",
         "severity": "ordinal", "view": "ordinal", "note": "free text"}  # fmt: skip
SECRET = ("case", "name", "note", "phone", "mail", "birth")
"""Columns of which no value may be found in a release."""


@dataclass(frozen=True)
class Messy:
    """A table as bytes of a file, and what is true of its columns: name, role, kind, order."""

    content: bytes
    truth: dict[str, tuple[str, str, list[str] | None]]
    secrets: dict[str, list[str]]
    rows: list[dict[str, str]]


@dataclass(frozen=True)
class Switches:
    """How a table is messed up."""

    language: str = "de"
    delimiter: str = ";"
    encoding: str = "utf-8"
    dates: str = "%d.%m.%Y"
    decimal: str = ","
    thousands: str = "."
    has_title: bool = False
    has_units: bool = True
    has_codes: bool = True
    seed: int = 0
    n_rows: int = 160

    def table(self) -> Messy:
        """Make it."""
        dice = random.Random(self.seed)
        names = LANGUAGES[self.language]
        rows = [self._row(dice, number) for number in range(self.n_rows)]
        lines = [self.delimiter.join(names.values())]
        lines += [self.delimiter.join(self._quoted(row[key]) for key in names) for row in rows]
        head = ["Export 2023", ""] if self.has_title else []
        truth = {
            names[key]: (ROLES[key], KINDS.get(key, "nominal"), WORDS[self.language].get(key) if key in KINDS else None)
            for key in names
        }
        secrets = {key: [row[key] for row in rows] for key in SECRET}
        return Messy("\n".join([*head, *lines, ""]).encode(self.encoding), truth, secrets, rows)

    def _quoted(self, text: str) -> str:
        return f'"{text}"' if self.delimiter in text else text

    def _row(self, dice: random.Random, number: int) -> dict[str, str]:
        words = WORDS[self.language]
        born = date(1930, 1, 1) + timedelta(dice.randrange(27_000))
        first, last = dice.choice(FIRST), dice.choice(LAST)
        age = str(2024 - born.year)
        unknown = self.has_codes and number % 19 == 7
        return {
            "case": str(710_000 + number), "name": f"{last} {first}", "birth": self._date(born),
            "age": "-9" if unknown else f"{age} {words['unit'][0]}" if self.has_units else age,
            "sex": dice.choice("mfMF"), "post": f"{dice.choice([10, 20, 50, 80])}{dice.randrange(100, 130)}",
            "city": dice.choice(["Aachen", "Bonn", "Bonn ", "Chur", "Delft", words["missing"][0]]),
            "admitted": self._date(date(2023, 1, 1) + timedelta(dice.randrange(360))),
            "dx": dice.choice(["J45.0", "I10", "E11.9", "H52.1", "F32.1", "C50.9"]),
            "cost": self._number(dice.lognormvariate(7, 1)), "severity": dice.choice(words["severity"]),
            "smoker": dice.choice(words["yes"]),
            "note": f"{first} {last} seen by Dr {dice.choice(LAST)} after a fall {number} times, doing well again",
            "phone": f"030 {dice.randrange(1_000_000, 9_999_999)}",
            "mail": f"{first}.{last}{number}@example.org".lower(), "weight": self._number(dice.uniform(40, 900), 4),
            "view": dice.choice(words["view"]),
        }  # fmt: skip

    def _date(self, day: date) -> str:
        if self.dates == "iso with zone":
            return f"{day.isoformat()}T00:00:00+01:00"
        return day.strftime(self.dates)

    def _number(self, number: float, digits: int = 2) -> str:
        text = f"{number:,.{digits}f}"
        return text.translate({ord(","): self.thousands, ord("."): self.decimal})


FIRST = "Ada Bo Cy Dora Eli Fay Gus Hal Ida Jo Kit Lea Max Noa Otto Pia".split()  # noqa: SIM905
LAST = "Abel Brand Conti Duval Evers Funke Greco Hahn Ibsen Jansen Klein Lopez Marin Noll Ortega Petit".split()  # noqa: SIM905

TEN = (
    Switches(),
    Switches("de", encoding="cp1252", has_title=True, seed=1),
    Switches("en", ",", dates="%m/%d/%Y", decimal=".", thousands="", seed=2),
    Switches("en", "\t", dates="%m/%d/%y", decimal=".", thousands=",", has_units=False, seed=3),
    Switches("fr", dates="%d/%m/%Y", thousands=" ", seed=4),
    Switches("fr", "|", "cp1252", "iso with zone", seed=5),
    Switches("es", dates="%d/%m/%Y", has_codes=False, seed=6),
    Switches("it", ";", "utf-16", "%Y/%m/%d", seed=7),
    Switches("nl", dates="%d %b %Y", has_units=False, has_title=True, seed=8),
    Switches("nl", ";", dates="%Y%m%d", thousands="", seed=9),
)
"""The ten tables that suggestions are graded by."""


def switches() -> st.SearchStrategy[Switches]:
    """Any mess."""
    marks = st.sampled_from([(",", "."), (",", ""), (",", " "), (".", ","), (".", "")])
    return st.builds(
        lambda mark, **more: Switches(decimal=mark[0], thousands=mark[1], **more),
        marks, language=st.sampled_from(sorted(LANGUAGES)), delimiter=st.sampled_from(";\t|"),
        encoding=st.sampled_from(["utf-8", "cp1252"]), dates=st.sampled_from(DATES), has_title=st.booleans(),
        has_units=st.booleans(), has_codes=st.booleans(), seed=st.integers(0, 10**6),
    )  # fmt: skip
