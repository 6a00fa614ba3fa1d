"""A field of a regulation, standard or guidance, and where the internal edition answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from shoal.report.dossier.sections import DATA, SIGNING
from shoal.report.dossier.statement import QUESTIONS


class Field(NamedTuple):
    """The requirement, the section that answers it, and the table, line or steward's question in that section."""

    question: str
    section: str
    where: str


@dataclass(frozen=True)
class Framework:
    """A regulation, standard or guidance: the edition used, and its fields in order."""

    name: str
    edition: str
    fields: tuple[Field, ...]


def data(question: str, word: str) -> Field:
    """A field that the steward answers under Data and purpose, with the key of the question."""
    return Field(question, DATA, QUESTIONS[word])


def governed(question: str, word: str) -> Field:
    """A field that the steward answers under Sign-off and review, with the key of the question."""
    return Field(question, SIGNING, QUESTIONS[word])
