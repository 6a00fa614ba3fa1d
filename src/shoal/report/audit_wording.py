"""Sentences about an audit as a whole."""

from __future__ import annotations

from shoal.audit.findings import Audit
from shoal.report.figures import counted, listed

LIMITS = (
    "An audit tries what is known to work. That an attack was stopped says nothing about attacks nobody has thought "
    "of, nor about people who know more than the quasi-identifiers named here."
)
OUTCOMES = (
    "An attack succeeds if it reveals something about a person that the release should hide. It gains something if it "
    "does better than guessing, but exposes nobody. It is stopped if it does no better than guessing."
)
COUNSEL = (
    "These are the figures that such texts refer to, and their values for this release. Whether they are sufficient "
    "depends on who receives the release and what they may do with it; that is for counsel to decide."
)
INTERNAL = "This audit used the original table to count correct guesses; do not pass it on."


def audit_headline(found: Audit) -> str:
    """One line: how many attacks were tried, and which succeed."""
    tried = [risk for risk in found.risks if risk.outcome != "not run"]
    names = list(dict.fromkeys(risk.attack for risk in found.falling))
    n = len({risk.attack for risk in tried})
    audit = {"quick": "quick ", "usual": "", "thorough": "thorough "}[found.pace]
    succeed = f"{listed(names)} succeed{'s' if len(names) == 1 else ''}" if names else "none succeeds"
    return f"The {audit}audit tried {counted(n, 'attack')} on {counted(found.n_records, 'record')}: {succeed}."


def what_is_known(found: Audit) -> str:
    """What the adversary was assumed to know."""
    knows = listed([*found.quasi_identifiers])
    people = counted(found.n_people, "person", "people")
    return f"The adversary knows {knows} of {people} and reads the release as it is printed."
