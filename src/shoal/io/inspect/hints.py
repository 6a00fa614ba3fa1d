"""Lists of words that tell from a column's name what it holds.

A space between words matches any separator or none, ``*`` more letters, ``#`` any way to write *number*. English comes
first, then what German, French, Spanish, Italian and Dutch tables use. ``normal`` makes names comparable.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

IDENTIFIERS: Mapping[str, str] = {
    "an e-mail address": "*email*, e mail, mail, mail address, courriel, correo*",
    "a phone number": "*phone*, tel, mobile, mobile #, fax, telefon*, handynummer, cellulare, movil",
    "a national number": "ssn, social security*, sozialversicherung*, national id*, national insurance*, nino, nhs, "
    "nhs #, nir, numero secu*, steuer id*, tax id*, tin, bsn, dni, nie, nif, cpf, curp, aadhaar, pesel, "
    "personnummer, codice fiscale, passport*, reisepass*, passeport*, pasaporte*, id card*, identity card*, "
    "personalausweis*",
    "a bank account or card": "iban, bank account*, account #, kontonummer, credit card*, card #, kreditkarte*",
    "a licence or number plate": "licen[cs]e #, licen[cs]e plate*, driv* licen[cs]e*, number plate*, vin, kennzeichen",
    "a patient or insurance number": "mrn, medical record*, patient #, patient id*, patient key, hospital #, "
    "case id, case #, chart #, insurance #, insurance id, policy #, fallnummer, patientennummer, versicherten*",
    "a person's number": "(person|user|customer|client|member|employee|staff|student|pupil|subject|participant|"
    "respondent|donor|account|personal|kunden?) (id|ids|key|code|#)",
    "a user name": "user name, login*, screen name, account name, benutzername",
    "a device or network address": "ip, ip addr*, mac addr*, imei, device id, cookie id",
    "a web address": "url, web site, home page",
    "an address": "*address*, addr, street*, strasse*, adresse*, anschrift, rue, calle, direccion, domicil*, indirizzo",
    "a picture or print of the person": "signature*, photo*, portrait*, fingerprint*, biometric*",
}
"""Believed if the column has many values; a pattern found in the values takes precedence."""

PERSON_NAMES = (
    "name, full name, first name, last name, middle name, maiden name, given name, family name, nick name, "
    "birth name, surname, forename, patient name, person name, customer name, client name, "
    "employee name, mother* name, father* name, nom, prenom, nom de famille, nachname, vorname, familienname, "
    "nombre, apellido*, nome, cognome, achternaam, voornaam, naam"
)
"""Believed if the values are words without digits, or many."""

PEOPLE = "patient, person"
"""The same, but only if the whole name is one of these: ``patient sex`` is not a name."""

NOTES = (
    "note, notes, comment*, remark*, free text, memo, narrative, anamnes*, bemerkung*, kommentar*, notiz*, "
    "commentaire*, remarque*, observacion*, comentario*, osservazion*, commento, opmerking*"
)
"""Columns for free text; believed if the values are phrases."""

NOT_PEOPLE = (
    "hospital, clinic, ward, drug*, product*, company, firm, file*, department*, school*, event*, brand*, item*, "
    "course*, team*, project*, disease*, species, animal*, variable*, column*, field*, data*, table*, bank*, store, "
    "shop, station*, city, town, country, region, state, county, street, job, test"
)
"""Things other than people that have names."""

GENERIC_IDS = (
    "id, ids, hid, hhid, (household|haushalts?|hh|family) (id|#|key), uid, guid, uuid, identifier*, "
    "(record|row|entry|serial|reference) (key|#)"
)
"""Believed if the column has many values: the id of a hospital identifies no patient."""

SENSITIVE: Mapping[str, str] = {
    "a diagnosis or disease": "*diagnos*, dx, dx #, pdx, *disease*, illness*, icd*, condition*, disorder*, "
    "comorbid*, symptom*, "
    "patholog*, *krankheit*, *befund*, maladie*, enfermedad*, malattia, ziekte, cancer*, tumou?r*, injur*, migraine*",
    "an infection or a test for one": "hiv*, aids, hepatitis*, covid*, infect*, test result*, lab result*",
    "treatment or medication": "medication*, *medikation*, wirkstoff*, arznei*, atc*, farmaco*, medicament*, "
    "rezept*, medicine*, drug*, treatment*, therap*, prescription*, procedure*, "
    "surger*, operation, vaccin*, medikament*, behandlung*, traitement*, tratamiento*",
    "the mind, addiction or disability": "mental*, psych*, depress*, addict*, alcohol*, smok*, raucher*, "
    "tabac*, fumeu*, fumador*, fumator*, rok*, disab*, handicap*, "
    "pregnan*",
    "genes": "gene, genes, genetic*, genom*, genotype*, dna*",
    "income or wealth": "salary, salaries, *income*, wage, wages, earning*, pay, bonus, wealth, net worth, debt*, "
    "loan*, credit score, benefit*, capital gain*, capital loss*, gehalt*, lohn, einkommen*, salaire*, revenu*, "
    "salario*, ingresos, *reddito*, stipendio, *inkomen*, expend*, dividend*, bill, bills, amt, amount*, "
    "limit bal, balance*, taxinc, loan*, *betrag, savings, assets, debts, *kosten, cost, "
    "costs, cout*, coste*, costo, costi, tax, *tax, profit*, revenue*, sales, agi, sparguthaben, ersparnis*, "
    "vermoegen*, vermogen*",
    "religion or belief": "religio*, faith, church*, konfession*, creed, belief*",
    "political views or membership": "politic*, labou?r union*, gewerkschaft*, party, vote*, voting, "
    "union member*, trade union*, partei",
    "sex life": "sexual*, orientation, contracept*",
    "crime": "crime*, crimin*, offen[cs]e*, convict*, arrest*, prison*, sentence*",
}
"""What people would not want known: the special categories of data protection law, and money."""

QUASI: Mapping[str, str] = {
    "age or birth": "age, ages, *birth*, dob, yob, alter, geburt*, geb, naissance*, nacimiento*, edad, eta, nascita, "
    "leeftijd, geboorte*",
    "a place": "zip*, post code*, postal*, plz, postleitzahl*, code postal, codigo postal, city, cities, town*, "
    "village*, county, counties, state, province*, region*, country*, countries, district*, municipal*, commune*, "
    "borough*, neighbou?rhood*, tract, canton*, bundesland, stadt, wohnort, ort, land, gemeinde*, ville, pays, "
    "ciudad, pais, citta, paese, plaats, lat, latitude*, lon, lng, longitude*, location*, residence*, place, geo*",
    "sex or gender": "sex, *geschlecht, gender*, geschlecht*, sexe, sexo, sesso, geslacht",
    "origin": "race, etni*, ethnic*, nation, national*, citizen*, language*, mother tongue*, immigra*, migrant*, "
    "migration*, origin, ancestry, staatsangeh*, nazionalita",
    "family": "marital*, *civil, marstat, relat, parents, *kinder*, hijos, enfants, figli, kinderen, "
    "burgerlijke staat, "
    "marriage*, married, civil stat*, family*, household*, child*, kids, relationship*, spouse*, "
    "familienstand*, etat civil, estado civil, stato civile, situation familiale",
    "work": "job*, worker*, occu*, *occu, occupation*, profession*, employ*, work class*, industry, beruf*, "
    "metier*, emploi*, trabajo*, "
    "lavoro*, beroep*, position, department*",
    "schooling": "educ*,  school*, degree*, universit*, college*, qualification*, bildung*, schul*, abschluss*, "
    "diploma*",
    "a home": "roof, wall, walls, water, electcon, electricity, dwelling*, housing, urbrur, urban*, rural*, rooms, "
    "wohn*",
    "looks": "height*, weight*, bmi, eye colou?r*, hair colou?r*, groesse, grosse, gewicht, taille, poids",
    "time in care": "admission*, admit*, discharge*, visit*, death*, died, arriv*, aufnahme*, entlass*",
}
"""What neighbours, employers and registers know about a person."""

AGES = "age, ages, alter, edad, eta, leeftijd"
"""Names of columns of ages."""

FLAGS = "has, is, was, num, n, count, number of, opt in"
"""First words of columns that say whether or how many, rather than what."""

AGES_AND_DATES = "age, date, year"
"""First words that outweigh what follows: ``age at diagnosis`` is an age, not a diagnosis."""


_BORDERS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_NUMBER = "(?:n|no|nr|num|number|nummer|numero)"
_LONGEST = 200
_CHOICES = re.compile(r"[(\[|?]")
_GAPS = re.compile("[ *#]")


def normal(name: str) -> str:
    """The words of a column's name in lower case, without accents, joined by underscores.

    >>> normal("DateOfBirth"), normal("Prénom 2")
    ('_date_of_birth_', '_prenom_2_')
    """
    plain = unicodedata.normalize("NFKD", name[:_LONGEST].replace("ß", "ss")).encode("ascii", "ignore").decode()
    words = re.split(r"[^a-z0-9]+", _BORDERS.sub("_", plain).lower())
    return "_" + "_".join(word for word in words if word) + "_"


def has(words: str, name: str) -> bool:
    """Whether a normalized name contains one of the listed words."""
    return any(hint.search(name) for hint in _possible(words, name))


def is_any(words: str, name: str) -> bool:
    """Whether a normalized name is one of the listed words."""
    return any(hint.fullmatch(name) for hint in _possible(words, name))


def starts_with(words: str, name: str) -> bool:
    """Whether a normalized name begins with one of the listed words."""
    return any(hint.match(name) for hint in _possible(words, name))


def find(table: Mapping[str, str], name: str) -> str | None:
    """The first label one of whose words a normalized name contains."""
    return next((label for label, words in table.items() if has(words, name)), None)


def _possible(words: str, name: str) -> Iterator[re.Pattern[str]]:
    """The patterns of the hints whose longest piece occurs in the name; compiling all patterns would take 0.1 s."""
    return (_pattern(hint) for hint, piece in _pieces(words) if piece in name)


@lru_cache(maxsize=256)
def _pieces(words: str) -> list[tuple[str, str]]:
    """The hints of a list, each with the longest run of letters that a matching name must contain ("" if none)."""
    hints = [hint.strip() for hint in words.split(",")]
    return [(hint, "" if _CHOICES.search(hint) else max(_GAPS.split(hint), key=len)) for hint in hints]


@lru_cache(maxsize=1024)
def _pattern(hint: str) -> re.Pattern[str]:
    """The regular expression for a hint."""
    return re.compile("_(?:" + hint.replace(" ", "_?").replace("*", "[a-z]*").replace("#", _NUMBER) + ")_")
