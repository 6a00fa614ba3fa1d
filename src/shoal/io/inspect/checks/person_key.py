"""A person key that occurs in several rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Advice, Sight

PERSON_KEYS = (
    "(person|patient|patienten|user|customer|client|member|employee|staff|student|pupil|subject|participant|respondent|"
    "donor|kunden|versicherten|personal|probanden|sujet|sujeto|paciente|paziente|individu|assure) "
    "(id|ids|key|code|ref|#), pid, mrn, medical record*, patientennummer, kundennummer, versichertennummer, "
    "(id|num|no|code|key) (patient|person|paciente|paziente|client|sujet|assure|individu)"
)
"""Names of columns that tell which person a row belongs to."""

PEOPLE = (
    "patient, patienten, patientin, person, subject, proband, participant, member, client, paciente, paziente, sujet"
)

_CODE = re.compile(r"[A-Za-z]{0,4}[-_ /]?\d{2,}")
_FEWEST_PEOPLE = 5


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find the column named like a person key whose values repeat: then people must be counted, not rows."""
    named = [column for column in columns if _names_people(column)]
    keys = [column for column in named if _FEWEST_PEOPLE <= column.n_distinct < 0.98 * column.n_present]
    if keys:
        key = max(keys, key=lambda column: column.n_distinct)
        what = f"{key.name!r} identifies {key.n_distinct:,} people in {key.n_present:,} rows: people have several rows."
        yield Advice((key.name,), what, {"person": key.name})


def _names_people(column: Sight) -> bool:
    """Whether the name means a person key, or means a person while the values are numbers or codes."""
    if hints.has(PERSON_KEYS, column.normal):
        return True
    return hints.has(PEOPLE, column.normal) and all(_CODE.fullmatch(text) for text in column.sample)
