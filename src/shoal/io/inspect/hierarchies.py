"""Suggesting hierarchies by what columns hold; the first kind of content that fits is used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Sight

_OLDEST, _TOP = 130, 90
_CUTS = "/".join(str(age) for age in range(0, _TOP + 5, 5))

_BIRTHS = "*birth*, dob, geburt*, geb, *naiss*, *nacimiento*, nascita, *nascita, geboorte*, geboren"

_ATC = r"^[ABCDGHJLMNPRSV]\d{2}[A-Z]{2}\d{2}$"
_ICD = r"^[A-TV-Z]\d[0-9AB](?:\.?[0-9A-Z]{1,4})?[!*+]?$"
_FEWEST_CODES = 3

_POSTCODES = "zip*, post code*, postal*, plz, postleitzahl*, code postal, codigo postal, cap, cp, postcode*"
_WHY_POSTCODES = "postcodes digit by digit: the first ones stand for larger areas"

_FEWEST_COUNTRIES, _MOSTLY = 4, 0.9
_ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Fit:
    """The hierarchy as in a job file, and the reason; ``is_code`` if it also suits sensitive columns."""

    spec: Any
    why: str
    is_code: bool = False


def best_fit(column: Sight) -> Fit | None:
    """Return the hierarchy that suits a column, if one is known."""
    fits = (fit(column) for fit in ALL.values()) if column.n_distinct > 1 else iter(())
    return next((found for found in fits if found is not None), None)


def _ages(column: Sight) -> Fit | None:
    """Match integers in the range of ages, if the column is named like an age: bands, with the oldest in one group."""
    if column.kind != "numeric" or not hints.has(hints.AGES, column.normal):
        return None
    are_ages = column.numbers.is_between(0, _OLDEST).all() and (column.numbers == column.numbers.round()).all()
    if not are_ages or float(column.numbers.max()) < 15:  # type: ignore[arg-type]
        return None
    why = f"ages in bands of 5, 10 and 20 years; everybody from {_TOP} on is one group, since the oldest are few"
    return Fit(f"intervals:cuts={_CUTS},factors=2/2", why)


def _dates(column: Sight) -> Fit | None:
    """Match dates: dates of birth by year, since a day alone singles people out; other dates also by month."""
    if column.kind != "date":
        return None
    if hints.has(_BIRTHS, column.normal):
        return Fit("dates:levels=year/decade", "dates of birth by years, since the day singles people out")
    has_time = column.texts.str.len_chars().max() != 10
    levels = "day/month/year/decade" if has_time else "month/year/decade"
    return Fit(f"dates:levels={levels}", "dates by months, years and decades")


def _medical_codes(column: Sight) -> Fit | None:
    """Match columns whose codes all have the format of ATC (medicines) or of ICD-10 (diagnoses)."""
    if not column.is_text or column.n_distinct < _FEWEST_CODES:
        return None
    if column.texts.str.contains(_ATC).all():
        return Fit("prefixes:lengths=5/4/3/1", "ATC codes by subgroup, group and organ system", is_code=True)
    if column.texts.str.contains(_ICD).all():
        return Fit("icd10", "ICD-10 codes by category and chapter", is_code=True)
    return None


def _postcodes(column: Sight) -> Fit | None:
    """Match codes of digits, or of digits and letters, if the column is named like a postcode."""
    if not hints.has(_POSTCODES, column.normal):
        return None
    if column.texts.str.contains(r"^\d{3,10}$").all():
        return Fit("mask", _WHY_POSTCODES)
    if column.texts.str.contains(r"^[A-Za-z0-9][A-Za-z0-9 -]{2,9}$").all():
        return Fit("prefixes:lengths=4/3/2/1", _WHY_POSTCODES)
    return None


def _countries(column: Sight) -> Fit | None:
    """Match names or codes of countries, nearly all of them known; the others form a group of their own."""
    known = _known_countries()
    if not column.is_text or not _FEWEST_COUNTRIES <= column.n_distinct <= len(known):
        return None
    regions = {text: known.get(text.casefold().strip().replace("-", " ").replace("_", " ")) for text in column.texts}
    n_known = sum(region is not None for region in regions.values())
    if n_known < max(_FEWEST_COUNTRIES, _MOSTLY * len(regions)):
        return None
    groups: dict[str, list[str]] = defaultdict(list)
    for text, region in sorted(regions.items()):
        groups[region or _ELSEWHERE].append(text)
    return Fit(dict(groups), "countries by region of the world")


@cache
def _known_countries() -> dict[str, str]:
    return {
        name.casefold().replace("-", " "): region
        for region, rows in REGIONS.items()
        for row in rows.split(";")
        for name in row.strip().split("|")
    }


ALL: dict[str, Callable[[Sight], Fit | None]] = {
    "ages": _ages,
    "dates": _dates,
    "medical codes": _medical_codes,
    "postcodes": _postcodes,
    "countries": _countries,
}
"""The kinds of content with a known hierarchy."""

REGIONS: Mapping[str, str] = {
    "Western Europe": (
        "DE|DEU|Germany|Deutschland|Allemagne|Alemania|Germania|Duitsland; FR|FRA|France|Frankreich|Francia|"
        "Frankrijk; AT|AUT|Austria|Österreich|Autriche|Oostenrijk; CH|CHE|Switzerland|Schweiz|Suisse|Suiza|"
        "Svizzera|Zwitserland; BE|BEL|Belgium|Belgien|Belgique|Bélgica|Belgio|België; NL|NLD|Netherlands|The "
        "Netherlands|Niederlande|Pays-Bas|Países Bajos|Paesi Bassi|Nederland|Holand-Netherlands|Holland; LU|LUX|"
        "Luxembourg|Luxemburg; LI|LIE|Liechtenstein; MC|MCO|Monaco"
    ),
    "Northern Europe": (
        "GB|GBR|UK|United Kingdom|Great Britain|England|Scotland|Wales|Großbritannien|Royaume-Uni|Reino Unido|"
        "Regno Unito; IE|IRL|Ireland|Irland|Irlande|Irlanda|Ierland; DK|DNK|Denmark|Dänemark|Danemark|Dinamarca; "
        "SE|SWE|Sweden|Schweden|Suède|Suecia|Svezia; NO|NOR|Norway|Norwegen|Norvège|Noruega|Norvegia; FI|FIN|"
        "Finland|Finnland|Finlande|Finlandia; IS|ISL|Iceland|Island; EE|EST|Estonia|Estland; LV|LVA|Latvia|"
        "Lettland; LT|LTU|Lithuania|Litauen"
    ),
    "Southern Europe": (
        "IT|ITA|Italy|Italien|Italie|Italia; ES|ESP|Spain|Spanien|Espagne|España|Spagna|Spanje; PT|PRT|Portugal|"
        "Portogallo; GR|GRC|Greece|Griechenland|Grèce|Grecia; HR|HRV|Croatia|Kroatien|Croatie; RS|SRB|Serbia|"
        "Serbien|Serbie; SI|SVN|Slovenia|Slowenien; BA|BIH|Bosnia|Bosnia and Herzegovina|Bosnien; AL|ALB|Albania|"
        "Albanien; MK|MKD|North Macedonia|Macedonia|Mazedonien; ME|MNE|Montenegro; MT|MLT|Malta; XK|Kosovo; "
        "Yugoslavia|Jugoslawien"
    ),
    "Eastern Europe": (
        "PL|POL|Poland|Polen|Pologne|Polonia; CZ|CZE|Czechia|Czech Republic|Tschechien; SK|SVK|Slovakia|"
        "Slowakei; HU|HUN|Hungary|Ungarn|Hongrie|Hungría|Ungheria; RO|ROU|Romania|Rumänien|Roumanie|Rumania; BG|"
        "BGR|Bulgaria|Bulgarien|Bulgarie; UA|UKR|Ukraine|Ucrania|Ucraina; RU|RUS|Russia|Russland|Russie|Rusia|"
        "Russian Federation; BY|BLR|Belarus; MD|MDA|Moldova|Moldau"
    ),
    "Northern America": (
        "US|USA|United States|United States of America|United-States|Vereinigte Staaten|États-Unis|Etats-Unis|"
        "Estados Unidos|Stati Uniti|Verenigde Staten; CA|CAN|Canada|Kanada|Canadá; BM|BMU|Bermuda; GL|GRL|"
        "Greenland; Outlying-US(Guam-USVI-etc)"
    ),
    "Latin America and the Caribbean": (
        "MX|MEX|Mexico|Mexiko|Mexique|México|Messico; BR|BRA|Brazil|Brasilien|Brésil|Brasil|Brasile; AR|ARG|"
        "Argentina|Argentinien|Argentine; CL|CHL|Chile; CO|COL|Colombia|Columbia|Kolumbien; PE|PER|Peru|Perú; VE|"
        "VEN|Venezuela; EC|ECU|Ecuador; BO|BOL|Bolivia; PY|PRY|Paraguay; UY|URY|Uruguay; CU|CUB|Cuba|Kuba; DO|"
        "DOM|Dominican Republic|Dominican-Republic; HT|HTI|Haiti; JM|JAM|Jamaica; PR|PRI|Puerto Rico|"
        "Puerto-Rico; GT|GTM|Guatemala; HN|HND|Honduras; SV|SLV|El Salvador|El-Salvador; NI|NIC|Nicaragua; CR|"
        "CRI|Costa Rica; PA|PAN|Panama; TT|TTO|Trinadad&Tobago|Trinidad and Tobago; BS|BHS|Bahamas; BB|BRB|"
        "Barbados"
    ),
    "Northern Africa and Western Asia": (
        "TR|TUR|Turkey|Türkei|Turquie|Turquía|Turchia|Türkiye; SY|SYR|Syria|Syrien|Syrie|Siria; IQ|IRQ|Iraq|"
        "Irak; IL|ISR|Israel; LB|LBN|Lebanon|Libanon|Liban|Líbano; JO|JOR|Jordan|Jordanien; SA|SAU|Saudi Arabia|"
        "Saudi-Arabien; AE|ARE|United Arab Emirates; KW|KWT|Kuwait; QA|QAT|Qatar; YE|YEM|Yemen; AM|ARM|Armenia; "
        "AZ|AZE|Azerbaijan; GE|GEO|Georgia|Georgien; CY|CYP|Cyprus|Zypern; EG|EGY|Egypt|Ägypten|Égypte|Egipto|"
        "Egitto; MA|MAR|Morocco|Marokko|Maroc|Marruecos|Marocco; DZ|DZA|Algeria|Algerien|Algérie|Argelia; TN|TUN|"
        "Tunisia|Tunesien|Tunisie|Túnez; LY|LBY|Libya|Libyen; SD|SDN|Sudan"
    ),
    "Sub-Saharan Africa": (
        "NG|NGA|Nigeria; GH|GHA|Ghana; KE|KEN|Kenya|Kenia; ET|ETH|Ethiopia|Äthiopien; ER|ERI|Eritrea; SO|SOM|"
        "Somalia; ZA|ZAF|South Africa|Südafrika|Afrique du Sud; CM|CMR|Cameroon|Kamerun|Cameroun; CI|CIV|Ivory "
        "Coast|Côte d'Ivoire; SN|SEN|Senegal|Sénégal; CD|COD|Congo; AO|AGO|Angola; TZ|TZA|Tanzania|Tansania; UG|"
        "UGA|Uganda; ZW|ZWE|Zimbabwe; ZM|ZMB|Zambia; MZ|MOZ|Mozambique; ML|MLI|Mali; NA|NAM|Namibia; RW|RWA|"
        "Rwanda; MG|MDG|Madagascar"
    ),
    "Eastern and South-eastern Asia": (
        "CN|CHN|China|Chine|Cina; JP|JPN|Japan|Japon|Japón|Giappone; KR|KOR|Korea|South|South Korea|Südkorea|"
        "Corée du Sud; KP|PRK|North Korea; TW|TWN|Taiwan; HK|HKG|Hong Kong|Hong; MN|MNG|Mongolia; VN|VNM|Vietnam|"
        "Viet Nam; TH|THA|Thailand|Thaïlande; PH|PHL|Philippines|Philippinen|Filipinas|Filippine; ID|IDN|"
        "Indonesia|Indonesien; MY|MYS|Malaysia; SG|SGP|Singapore|Singapur; KH|KHM|Cambodia|Kambodscha; LA|LAO|"
        "Laos; MM|MMR|Myanmar|Burma"
    ),
    "Central and Southern Asia": (
        "IN|IND|India|Indien|Inde; PK|PAK|Pakistan; BD|BGD|Bangladesh; LK|LKA|Sri Lanka; NP|NPL|Nepal; AF|AFG|"
        "Afghanistan; IR|IRN|Iran; KZ|KAZ|Kazakhstan|Kasachstan; UZ|UZB|Uzbekistan; TM|TKM|Turkmenistan; KG|KGZ|"
        "Kyrgyzstan; TJ|TJK|Tajikistan"
    ),
    "Oceania": (
        "AU|AUS|Australia|Australien|Australie; NZ|NZL|New Zealand|Neuseeland|Nouvelle-Zélande; FJ|FJI|Fiji; PG|"
        "PNG|Papua New Guinea; WS|WSM|Samoa; TO|TON|Tonga"
    ),
}
"""The countries of each region of the United Nations' geographical scheme, separated by semicolons.

Each has names in several languages and ISO codes of two and three letters, separated by bars.
"""
