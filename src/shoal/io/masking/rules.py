"""Patterns for references to people inside texts, in English, German, French, Spanish, Italian and Dutch."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Rule:
    """Matches of a pattern are replaced by a mark; the group ``cue``, which only introduces the match, is kept."""

    mark: str
    written: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when first used: the longest patterns take a twentieth of a second."""
        return re.compile(self.written)

    @property
    def replacement(self) -> str:
        """The mark, after the cue."""
        return rf"\g<cue>[{self.mark}]" if "cue" in self.pattern.groupindex else f"[{self.mark}]"


_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪİĶĹĽŁŃŅŇŐŒŔŘŚŞŠŢŤŪŮŰŸŹŻŽΑ-ΩА-Я"
_LETTER = r"[^\W\d_]"
_WORD = rf"[{_UPPER}](?:{_LETTER}|['’-](?={_LETTER}))*"
_PARTICLE = r"(?:von|vom|zu|zur|van|der|den|de|la|le|du|des|del|della|di|da|dos|ten|ter|bin|el|al)\s+"
_PEOPLE = rf"(?:[{_UPPER}]\.\s?){{0,2}}(?:{_PARTICLE}){{0,2}}{_WORD}(?:\s(?:{_PARTICLE}){{0,2}}{_WORD})?"
_TITLES = (
    "Mr|Mrs|Ms|Miss|Mx|Sir|Dr|Drs|Prof|Doctor|Nurse|Rev|Herrn?|Frau|Frl|Doktor|Professor|Mme|Mlle|Monsieur|Madame|"
    "Docteur|Sr|Sra|Srta|Señora?|Don|Doña|Doctora?|Sig|Signora?|Dott|Dottoressa|Dottore|Dhr|Mevr|Mevrouw|Meneer"
)
_NAME_CUES = (
    "names?|name is|named|called|signed(?: by)?|wife|husband|son|daughter|mother|father|brother|sister|heißt|namens|"
    "geb|geborene|gez|s'appelle|nommée?|née?|épouse|mari|fils|fille|esposa|marido|hijo|hija|hermano|hermana|se llama|"
    "llamad[oa]|moglie|marito|figlio|figlia|fratello|sorella|si chiama|zoon|dochter|moeder|broer|zus|heet|genaamd"
)
_MONTH = (
    "jan(?:uar[iy]?|vier|uary)?|jänner|enero|gennaio|feb(?:ruar[iy]?|ruary)?|févr(?:ier)?|febrero|febbraio|mar(?:ch|zo|s)?|"
    "märz|maart|apr(?:il)?|avr(?:il)?|abril|aprile|ma[iy]|mayo|maggio|mei|june?|juni|juin|junio|giugno|jul[iy]?|"
    "juil(?:let)?|julio|luglio|aug(?:ust|ustus)?|août|agosto|sept?(?:ember|embre|tiembre|iembre)?|settembre|"
    "o[ck]t(?:ober|obre|ubre)?|ottobre|nov(?:ember|embre|iembre)?|de[cz](?:ember|embre)?|déc(?:embre)?|diciembre|dicembre"
)
_YEAR = r"(?:19|20)\d{2}"
_ID_CUES = (
    r"mrn|ssn|nhs|id|case|patient(?:en)?|pat|fall|akte|aktenzeichen|dossier|expediente|historia|cartella|record|chart|"
    r"file|insurance|policy|versicherung\w*|konto|account|passport|reisepass|ausweis|room|zimmer|bed|bett|dni|nif|bsn|nr|"
    r"no|num|number|nummer|número|numéro|numero|n[°º]"
)
_STREET_EN = "Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Boulevard|Blvd|Way|Court|Place|Close|Square|Terrace|Crescent"
_OF = r"(?:de\s+las?\s+|de\s+los\s+|de\s+l['’]|d['’]|du\s+|des\s+|de\s+|del\s+|della\s+|dei\s+)?"

_GIVEN = (
    # English
    "James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew Anthony Steven "
    "Paul Andrew Joshua Kenneth Kevin Brian George Edward Ronald Timothy Jason Jeffrey Ryan Jacob Nicholas Jonathan "
    "Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Alexander Patrick Raymond Dennis Jerry Tyler Aaron "
    "Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Lisa Nancy Betty Sandra Margaret Ashley "
    "Kimberly Emily Donna Michelle Carol Amanda Dorothy Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia "
    "Kathleen Amy Angela Shirley Anna Brenda Pamela Emma Nicole Helen Samantha Katherine Christine Rachel Olivia "
    # German
    "Hans Peter Wolfgang Klaus Jürgen Jurgen Dieter Manfred Uwe Günter Günther Horst Bernd Werner Helmut Heinz Gerhard "
    "Stefan Andreas Jörg Markus Matthias Torsten Thorsten Sven Jens Ralf Rainer Holger Karsten Ursula Monika Petra "
    "Sabine Renate Helga Brigitte Ingrid Erika Christa Gisela Susanne Birgit Karin Heike Katrin Kerstin Ulrike Martina "
    "Claudia Gabriele Jutta Anke Silke Nadine Hannelore Hildegard Elfriede Lukas Leon Jonas Finn Felix Maximilian "
    # French
    "Jean Pierre Michel André Philippe Jacques Bernard Alain Patrice Christophe Laurent François Françoise Nicolas "
    "Julien Thierry Guillaume Mathieu Sébastien Olivier Marie Monique Isabelle Nathalie Sylvie Catherine Martine "
    "Jacqueline Véronique Valérie Sandrine Céline Aurélie Émilie Camille Chloé Hélène Geneviève Benoît Étienne "
    # Spanish and Portuguese
    "José Juan Antonio Francisco Javier Miguel Ángel Carlos Jesús Alejandro Rafael Pedro Manuel Luis Fernando Diego "
    "Sergio Pablo Jorge Alberto Álvaro María Carmen Josefa Isabel Pilar Lucía Cristina Marta Teresa Raquel Beatriz "
    "Joao João Gonçalo Tiago Inês Conceição Rocío Begoña Íñigo Guadalupe "
    # Italian
    "Giuseppe Giovanni Mario Luigi Franco Angelo Vincenzo Salvatore Domenico Paolo Roberto Stefano Giorgio Luca Matteo "
    "Alessandro Lorenzo Giulia Francesca Chiara Paola Giovanna Rosaria Concetta Federica Elisabetta Antonella "
    # Dutch and Nordic
    "Johannes Cornelis Hendrik Willem Pieter Gerrit Jeroen Maarten Joost Sjoerd Sanne Fleur Anneke Marieke Saskia "
    "Femke Lars Anders Johan Erik Bjørn Björn Astrid Sigrid Ingeborg Kristina "
    # Turkish, Arabic, Polish, Russian and other frequent names
    "Mehmet Mustafa Ahmet Hüseyin Fatma Ayşe Emine Hatice Mohamed Mohammed Muhammad Ahmed Fatima Aisha Omar Hassan "
    "Ibrahim Khadija Yusuf Krzysztof Agnieszka Katarzyna Małgorzata Piotr Wojciech Ewa Ivan Dmitri Sergei Olga Natalia "
    "Svetlana Tatiana Vladimir Priya Rahul Sanjay Wei Hiroshi Yuki Nguyen"
)
"""Common given names that are not ordinary words, as written, for texts that name people without a title."""


def _rule(mark: str, *patterns: str) -> Rule:
    return Rule(mark, "|".join(patterns))


RULES: tuple[Rule, ...] = (
    _rule("E-MAIL", r"[^\s@,;:<>()\[\]]+\s?(?:@|\(at\)|\[at\])\s?[^\s@,;<>()]+\.[^\W\d_]{2,}"),
    _rule(
        "WEB",
        r"(?i:\b(?:https?|ftp)://\S+|\bwww\.\S+)",
        r"\b(?:\d{1,3}\.){3}\d{1,3}\b",
        r"(?i:\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b)",
        r"(?<!\w)@\w{3,}",
    ),
    _rule(
        "NUMBER",
        r"(?i:\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)",
        r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b",
        r"\b\d{3}-\d{2}-\d{4}\b",
    ),
    _rule(
        "DATE",
        rf"\b{_YEAR}[./-]\d{{1,2}}[./-]\d{{1,2}}(?:[T ]\d{{1,2}}:\d{{2}}\S*)?(?!\d)",
        r"\b\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:\d{4}|\d{2})\b",
        r"\b\d{1,2}\.\d{1,2}\.(?!\d)",
        rf"(?i:\b\d{{1,2}}(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+)?(?:{_MONTH})\b\.?(?:,?\s+(?:del?\s+)?\d{{4}}\b)?)",
        rf"(?i:\b(?:{_MONTH})\b\.?,?\s+(?:del?\s+)?{_YEAR}\b)",
        r"\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
        r"Nov(?:ember)?|Dec(?:ember)?)\b\.?\s+\d{1,2}(?:st|nd|rd|th)?\b(?:,?\s+\d{4}\b)?",
        rf"\b(?:0?[1-9]|1[0-2])/{_YEAR}\b",
    ),
    _rule(
        "ADDRESS",
        rf"\b(?:{_WORD}\s)?[{_UPPER}]?\w*(?:[Ss]tra(?:ß|ss)e|[Ss]tr\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Rr]ing|[Dd]amm|"
        r"straat|laan|plein|gracht|kade)\s?\d+\s?[a-z]?\b",
        rf"\b\d+[A-Za-z]?,?\s+(?:{_WORD}\.?\s+){{1,4}}(?:{_STREET_EN})\b\.?",
        rf"(?i:\b\d+\w?,?\s+(?:bis\s+|ter\s+)?(?:rue|avenue|boulevard|bd|place|chemin|allée|impasse|quai)\s+{_OF})"
        rf"{_WORD}(?:\s+{_WORD})*",
        rf"(?i:\b(?:calle|c/|avenida|avda\.?|plaza|paseo|via|viale|piazza|corso|rua)\s+{_OF}){_WORD}(?:\s+{_WORD})*"
        r",?\s*(?:n[º°.]\s*)?\d+",
        r"(?i:\bP\.?\s?O\.?\s?Box\s+\d+|\bPostfach\s+\d+)",
        rf"\b\d{{5}}(?:-\d{{4}})?\s+{_WORD}",
        rf"\b\d{{4}}\s?[A-Z]{{2}}\b(?:\s+{_WORD})?",
        r"\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b",
    ),
    _rule(
        "PHONE",
        r"\+\d[\d ()./-]{6,}\d",
        r"\(\d{2,5}\)\s?\d{2,4}(?:[-. ]?\d{2,4})+",
        r"\b\d{3}[-. ]\d{3}[-. ]\d{3,4}\b",
        r"\b0\d(?:[ .]\d{2}){4}\b",
        r"\b0\d{1,5}\s?[ /-]\s?\d{3,}(?:[ /.-]?\d{2,})*",
        r"\b[6-9]\d{2}(?: \d{2,3}){2,3}\b",
        r"\b\d{3}-\d{4}\b",
        r"(?P<cue>(?i:\b(?:tel|télé?phone|phone|fax|handy|mobile|móvil|telefon\w?|teléfono|cell\w*)\b)[.:\s]+)\d[\d\s()./-]{3,}\d",
    ),
    _rule(
        "NUMBER",
        rf"(?i:\b(?:{_ID_CUES})(?:\s?(?:no|nr|num|number|nummer|id))?[ .:#-]*)(?:[A-Z]{{0,4}}[-/ ]?)?\d{{3,}}[\w/-]*",
        r"\b[A-Za-z]{1,6}[-_/]?\d{3,}[\w/-]*",
        r"\b\d{3}(?:[. ]\d{3,4}){2,}(?:[. ]\d{2,4})*\b",
        r"\b\d{5,}[A-Za-z]?\b",
        r"\b\d{2,}[-/]\d{3,}[\w/-]*",
    ),
    _rule("AGE", r"\b(?:9\d|1[0-2]\d)(?=[\s-]*(?i:years?|yrs?|y/?o\b|jahre?|jährig|ans\b|años|anni|jaar))"),
    _rule("NAME", rf"(?P<cue>\b(?i:{_TITLES})\b\.?\s+(?:(?:med|dent|Dr|Prof|Dipl)\.?\s+)*){_PEOPLE}"),
    _rule("NAME", rf"(?P<cue>\b(?i:{_NAME_CUES})(?:\.|\b)[\s:,]+){_PEOPLE}"),
    _rule(
        "NAME",
        rf"(?P<cue>(?:^|[,;:(]\s?|\b(?:by|von|par|por|da|door)\s))(?:[{_UPPER}]\.\s?){{1,3}}{_WORD}",
        rf"(?<![\w.])(?:[{_UPPER}]\.\s?){{2,3}}{_WORD}",
        rf"\b(?:{'|'.join(sorted(_GIVEN.split(), key=len, reverse=True))})\b(?:[\s-](?:{_PARTICLE}){{0,2}}{_WORD})?",
    ),
)
"""Applied in this order, each to the output of the one before. Names are recognized by their capital letters."""
