"""A field of a regulation, standard or guidance, and the place in the internal edition where it is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from shoal.report.dossier.sections import DATA, SIGNING
from shoal.report.dossier.statement import QUESTIONS


class Field(NamedTuple):
    """What is asked for, the section that answers it, and the table, line or question of the steward there."""

    question: str
    section: str
    where: str


@dataclass(frozen=True)
class Framework:
    """A regulation, standard or guidance: the edition that is followed, and its fields in its order."""

    name: str
    edition: str
    fields: tuple[Field, ...]


def data(question: str, word: str) -> Field:
    """A field that the steward answers under Data and purpose, by the word for it."""
    return Field(question, DATA, QUESTIONS[word])


def governed(question: str, word: str) -> Field:
    """A field that the steward answers under Sign-off and review, by the word for it."""
    return Field(question, SIGNING, QUESTIONS[word])
