"""The steward's statement about a release: recipients, purpose, controls, and responsibility."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Literal

from shoal.errors import InputError, did_you_mean

STEWARD = "for the data steward"
"""The placeholder for an answer that only a person can give."""


Subject = Literal["release", "governance"]
"""The subject of a question: the data and its recipients, or the governance by the data holder."""


def _asked(question: str, *, public: bool = False, about: Subject = "release") -> str:
    """A field with the question that it answers, and whether the answer is public."""
    text: str = field(default="", metadata={"question": question, "public": public, "about": about})
    return text


def _governance(question: str, *, public: bool = False) -> str:
    return _asked(question, public=public, about="governance")


@dataclass(frozen=True)
class Statement:
    """The answers; empty where the steward has not answered yet."""

    title: str = _asked("Name of the release", public=True)
    holder: str = _asked("Data holder", public=True)
    description: str = _asked("What the data is, and how it was collected", public=True)
    population: str = _asked("The population that the people belong to", public=True)
    purpose: str = _asked("Purpose of the release", public=True)
    recipient: str = _asked("Recipients", public=True)
    access: str = _asked("Access: public, on application, or in an enclave", public=True)
    controls: str = _asked("Controls on recipients: contracts, training, security, audits")
    legal_basis: str = _asked("Legal basis, and any consent or approval")
    harm: str = _asked("Possible harm to a person who is identified, or to a group about which something is learned")
    sources: str = _asked("Registers and data sets in which people could be looked up")
    other_releases: str = _asked("Other releases about the same people, and what links them to this one")
    confidential: str = _asked(
        "Other people and confidential business information in the data, and how they were removed"
    )
    retention: str = _asked("How long the release and the original are kept")
    contact: str = _asked("Contact for questions, and if somebody is identified", public=True)
    procedures: str = _governance("Policies and procedures that were followed")
    impact_assessment: str = _governance("The data protection impact assessment, or why there is none")
    stakeholders: str = _governance("Who was consulted: the people concerned, other data holders, recipients")
    transparency: str = _governance("What the people in the data are told", public=True)
    training: str = _governance("Training of those who prepare and use the release")
    monitoring: str = _governance("How new data sets, new techniques and attempts at re-identification are monitored")
    incidents: str = _governance("What happens if somebody is identified, or if the release is lost")
    prepared_by: str = _governance("Who prepared the release, and their qualification")
    reviewed_by: str = _governance("Who reviewed it, such as a disclosure review board")
    approved_by: str = _governance("Who approves it")
    review_date: str = _governance("Date of the next review", public=True)

    def __post_init__(self) -> None:
        try:
            if self.review_date:
                date.fromisoformat(self.review_date)
        except ValueError:
            raise InputError(f"review_date must be a date such as 2027-01-31, got {self.review_date!r}.") from None

    @classmethod
    def said(cls, given: Mapping[str, object]) -> Statement:
        """Build a statement from given answers.

        Raises:
            InputError: an unknown entry, or an invalid review date.
        """
        known = [one.name for one in fields(cls)]
        for name in given:
            if name not in known:
                raise InputError(f"A dossier has no entry {name!r}.{did_you_mean(name, known)}")
        return cls(**{name: str(value).strip() for name, value in given.items()})

    def answers(self, about: Subject) -> list[list[str]]:
        """The questions about one subject, with the answers or a placeholder for the steward."""
        return [
            [one.metadata["question"], getattr(self, one.name) or STEWARD]
            for one in fields(self)
            if one.metadata["about"] == about
        ]

    def public_answers(self) -> list[list[str]]:
        """Public questions that have been answered, with their answers."""
        return [
            [one.metadata["question"], getattr(self, one.name)]
            for one in fields(self)
            if one.metadata["public"] and getattr(self, one.name)
        ]


QUESTIONS: dict[str, str] = {one.name: one.metadata["question"] for one in fields(Statement)}
"""The question of each entry, in the order of the dossier."""
