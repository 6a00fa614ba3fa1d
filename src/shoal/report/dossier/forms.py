"""The parts filled in by people: the steward's answers, the motivated-intruder test, and the sign-off."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.report.dossier.document import Blank, Block
from shoal.report.dossier.statement import Statement
from shoal.report.grids import Grid

_N_ATTEMPTS = 8


def answers_grid(answers: list[list[str]], caption: str = "Answers of the data steward") -> Grid:
    """The questions to the steward, with the answers."""
    return Grid(caption, ["Question", "Answer"], answers)


_INTRUDER = (
    "A competent tester tries to find people in the release within a set time. The tester has no special knowledge and "
    "no access to the original and uses no criminal means, but may use search engines, social media, registers, "
    "newspapers and anything else that is open to the public. The data holder says which claims are correct, and "
    "nothing else."
)


def intruder_form() -> Iterator[Block]:
    """The form for a motivated-intruder test: the tester's means, actions and claims, and the data holder's verdict."""
    yield _INTRUDER
    yield Blank("Tester, and why they are competent and have no special knowledge")
    yield Blank("Date and time allowed")
    yield Blank("Sources used", 2)
    yield Blank("How records or people were chosen: at random, unusual ones, people known to the tester", 2)
    heads = ["No.", "Record or person", "Source", "Claim, and how certain", "Correct? (data holder)"]
    yield Grid("Attempts", heads, [[str(n + 1), "", "", "", ""] for n in range(_N_ATTEMPTS)])
    yield Blank("Outcome: attempts, claims, correct claims, and what was changed as a result", 2)


_SIGNING = (("Prepared by", "prepared_by"), ("Reviewed by", "reviewed_by"), ("Approved by", "approved_by"))

_TRIGGERS = (
    "Review the release before that date if another release about the same people is planned, if a register or data "
    "set appears that contains more than the quasi-identifiers named here, if somebody claims to have found a person, "
    "or if recipients, purpose or controls change."
)


def sign_off(statement: Statement) -> Iterator[Block]:
    """Governance of the release, signatures, and the review date."""
    yield answers_grid(statement.answers("governance"), "Governance: answers of the data steward")
    rows = [[role, getattr(statement, name), "", ""] for role, name in _SIGNING]
    yield Grid("Sign-off", ["Role", "Name", "Date", "Signature"], rows)
    yield f"Review date: {statement.review_date}." if statement.review_date else Blank("Review date")
    yield _TRIGGERS
