"""What only the steward can say about a release: for whom, for what, under which controls, and who answers for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date

from shoal.errors import InputError, did_you_mean

STEWARD = "for the steward"
"""What stands where only a person can say something, and has not."""


def _asked(question: str, *, public: bool = False) -> str:
    """A field, with the question that it answers, and whether the answer may go out."""
    text: str = field(default="", metadata={"question": question, "public": public})
    return text


@dataclass(frozen=True)
class Statement:
    """The answers, each empty where the steward has not said anything yet."""

    title: str = _asked("What the release is called", public=True)
    holder: str = _asked("Who holds the data", public=True)
    description: str = _asked("What the data is, and how it came about", public=True)
    population: str = _asked("The population that the people belong to", public=True)
    purpose: str = _asked("What the release is for", public=True)
    recipient: str = _asked("Who gets it", public=True)
    access: str = _asked("How they get it: publicly, on application, in an enclave", public=True)
    controls: str = _asked("What binds recipients: contracts, training, security, audits")
    legal_basis: str = _asked("The legal basis, and the consent or approval there is")
    harm: str = _asked("What somebody would suffer who was identified")
    retention: str = _asked("How long the release and the original are kept")
    contact: str = _asked("Whom to tell when somebody is identified, or has a question", public=True)
    prepared_by: str = _asked("Who prepared the release, and with which qualification")
    reviewed_by: str = _asked("Who reviewed it")
    approved_by: str = _asked("Who approves it")
    review_date: str = _asked("When this is looked at again", public=True)

    def __post_init__(self) -> None:
        try:
            if self.review_date:
                date.fromisoformat(self.review_date)
        except ValueError:
            raise InputError(f"review_date must be a date such as 2027-01-31, got {self.review_date!r}.") from None

    @classmethod
    def said(cls, given: Mapping[str, object]) -> Statement:
        """From what was said.

        Raises:
            InputError: a word that does not exist, or a review date that is none.
        """
        known = [one.name for one in fields(cls)]
        for name in given:
            if name not in known:
                raise InputError(f"A release has no {name!r} to tell of.{did_you_mean(name, known)}")
        return cls(**{name: str(value).strip() for name, value in given.items()})

    def answers(self, *, public: bool = False) -> list[list[str]]:
        """Questions and answers; in public those that may go out and have an answer."""
        return [
            [one.metadata["question"], getattr(self, one.name) or STEWARD]
            for one in fields(self)
            if not public or (one.metadata["public"] and getattr(self, one.name))
        ]


QUESTIONS: dict[str, str] = {one.name: one.metadata["question"] for one in fields(Statement)}
"""The words and what each answers, in the order of the dossier."""
