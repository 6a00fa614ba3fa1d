"""The titles of the dossier's sections, and which of them answers each field of the regulations that boards use.

Each field of a regulation, standard or guidance names the section that answers it, and the table or line there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shoal.report.dossier.document import Part
from shoal.report.dossier.statement import QUESTIONS, STEWARD
from shoal.report.grids import Grid

SUMMARY, DATA, VARIABLES, THREATS = "Summary", "Data and purpose", "Variables", "Threat models"
RISK, ATTACKS, INTRUDER = "Risk before and after", "Attacks tried", "Motivated-intruder test"
UTILITY, LIMITS, MAKING, SIGNING = "Utility", "Limits", "How it was made", "Sign-off and review"
ANNEX = "Where each regulation finds its answers"

# Captions and labels of tables and lines that answer several fields.
EVERY_VARIABLE = "Variables (loss by LM: 0 is none, 1 is all)"
LOOKED_UP = "How easily people are recognized by a variable"
THREAT_MODELS = "Threat models"
BY_MODEL = "Risk by threat model"
BY_ROW = "Risk of a row: 1 / size of its class"
CRITERIA = "The three questions of WP216"
ATTEMPTS = "Attempts"
OUTCOME = "Outcome: attempts, claims, correct claims, and what was changed as a result"
LOSSES = "Information loss (smaller is better)"
ERRORS = "Errors of answers from the release (0 is best)"
SETTINGS = "Settings"
FILES = "Files"
PROMISES = "Promises and whether they hold"
SIGN_OFF = "Sign-off"


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


EMA_HEALTH_CANADA = Framework(
    "EMA and Health Canada, anonymisation report",
    "EMA/90915/2016, version 1.3 (2017), chapter 3, with the report form that both agencies share; Health Canada, "
    "Public Release of Clinical Information, version 1.0 of 2019-03-12, section 6 and appendix F",
    (
        data("Submission: what is anonymized, which documents or tables", "description"),
        data("Submission: who is responsible, and whom to contact", "contact"),
        data("Context of disclosure: recipients and access", "access"),
        data("Context of disclosure: terms of use", "controls"),
        Field("Methodology: quantitative or not, and why", RISK, BY_MODEL),
        Field("Data variables: direct identifiers, and why", VARIABLES, EVERY_VARIABLE),
        Field("Data variables: indirect identifiers, and why", VARIABLES, EVERY_VARIABLE),
        Field("Data variables: replicable, distinguishable, knowable", VARIABLES, LOOKED_UP),
        Field("Techniques by variable: generalized, recoded, offset, removed, retained", VARIABLES, EVERY_VARIABLE),
        data("Sensitivity of the information, and possible harm", "harm"),
        Field("Adversaries and plausible attacks", THREATS, THREAT_MODELS),
        data("Data sources that an adversary may have", "sources"),
        data("Reference population", "population"),
        Field("Risk: threshold and its rationale", RISK, BY_MODEL),
        Field("Risk: initial, before anonymization", RISK, BY_MODEL),
        Field("Risk: residual, after anonymization", RISK, BY_MODEL),
        Field("Risk: outliers and unique records", RISK, BY_ROW),
        Field("Three criteria: singling out, linkability, inference", ATTACKS, CRITERIA),
        Field("Data utility, and how it was preserved", UTILITY, ERRORS),
        data("Other people named in the data, and confidential business information", "confidential"),
        Field("Conclusion", SUMMARY, PROMISES),
        governed("Advances in technology: when the assessment is reviewed", "monitoring"),
    ),
)
"""The anonymization report of EMA's Policy 0070 and Health Canada's public release of clinical information."""

ISO_27559 = Framework(
    "ISO/IEC 27559:2022",
    "first edition, 2022, by the clauses of its table of contents",
    (
        data("6.2 Context: the recipient's security and privacy practices", "controls"),
        Field("6.2 Context: threats, motives and capacity to re-identify", THREATS, THREAT_MODELS),
        governed("6.3 Context: transparency", "transparency"),
        governed("6.3 Context: stakeholders", "stakeholders"),
        data("6.3 Context: privacy-related harms", "harm"),
        Field("7.2 Data: principals, types, attributes, properties", VARIABLES, EVERY_VARIABLE),
        Field("7.3 Data: attacks modelled, on the population or the sample", THREATS, THREAT_MODELS),
        Field("7.3 Data: maximum and average risk", RISK, BY_MODEL),
        Field("7.3 Data: privacy models", SUMMARY, PROMISES),
        Field("8.2 Identifiability: quantified, against a threshold", RISK, BY_MODEL),
        Field("8.2 Identifiability: adversarial testing", ATTACKS, "Attacks that are stopped"),
        data("8.3 Mitigation: the environment reconfigured", "controls"),
        Field("8.3 Mitigation: the data transformed", VARIABLES, EVERY_VARIABLE),
        Field("8.3 Mitigation: re-evaluation", RISK, BY_MODEL),
        Field("9 Governance before: roles, responsibilities, record", SIGNING, SIGN_OFF),
        governed("9 Governance before: principles, policies, procedures", "procedures"),
        governed("9 Governance after: monitoring", "monitoring"),
        governed("9 Governance after: incidents", "incidents"),
        governed("9 Governance after: review", "review_date"),
    ),
)
"""ISO/IEC 27559:2022, privacy enhancing data de-identification framework."""

NIST_800_188 = Framework(
    "NIST SP 800-188",
    "final text, September 2023 (Techniques and Governance), by its section headings",
    (
        data("Governance: goals and intended uses", "purpose"),
        Field("Governance: probability of re-identification", RISK, BY_MODEL),
        data("Governance: adverse impacts of re-identification, and others", "harm"),
        governed("Governance: remediation", "incidents"),
        data("Governance: data life cycle", "retention"),
        data("Governance: data-sharing model, from publication to enclave", "access"),
        data("Governance: five safes (projects)", "purpose"),
        data("Governance: five safes (people)", "recipient"),
        data("Governance: five safes (data)", "description"),
        data("Governance: five safes (settings)", "controls"),
        Field("Governance: five safes (outputs)", RISK, BY_MODEL),
        governed("Governance: disclosure review board", "reviewed_by"),
        Field("Governance: standard, prescriptive or by performance", RISK, BY_MODEL),
        governed("Governance: education and training", "training"),
        data("Governance: defense in depth", "controls"),
        data("Steps: privacy, usability and access objectives", "purpose"),
        Field("Steps: data survey", VARIABLES, EVERY_VARIABLE),
        Field("Steps: direct identifiers removed or transformed", VARIABLES, EVERY_VARIABLE),
        Field("Steps: quasi-identifiers, numbers, dates, places, text", VARIABLES, EVERY_VARIABLE),
        Field("Steps: which variables can be looked up", VARIABLES, LOOKED_UP),
        data("Steps: aggregation, linked data and composition with other releases", "other_releases"),
        governed("Steps: post-release monitoring", "monitoring"),
        Field("Validation: privacy, with a motivated intruder", INTRUDER, ATTEMPTS),
        Field("Validation: usefulness", UTILITY, ERRORS),
        Field("Validation: accuracy lost", UTILITY, LOSSES),
        Field("Software: tool, version and settings", MAKING, SETTINGS),
    ),
)
"""NIST SP 800-188, De-Identifying Government Datasets: Techniques and Governance."""

HIPAA_EXPERT = Framework(
    "HIPAA expert determination, 45 CFR 164.514(b)(1)",
    "the rule, and the guidance of the Office for Civil Rights of 2012-11-26, by its questions 2.2 to 2.10 and table 1",
    (
        governed("2.2 Expert and qualification", "prepared_by"),
        Field("2.3 Very small risk: threshold and conclusion", RISK, BY_MODEL),
        governed("2.4 Term of the determination", "review_date"),
        data("2.5 Several solutions from the same data", "other_releases"),
        data("2.6 Anticipated recipient", "recipient"),
        Field("2.6 Steps: identifiability evaluated", RISK, BY_MODEL),
        Field("2.6 Steps: methods chosen and applied", VARIABLES, EVERY_VARIABLE),
        Field("2.6 Steps: the result evaluated and confirmed", SUMMARY, PROMISES),
        Field("Table 1: replicability of features over time", VARIABLES, LOOKED_UP),
        Field("Table 1: availability of data sources, by feature", VARIABLES, LOOKED_UP),
        data("Table 1: availability of data sources, list of sources", "sources"),
        Field("Table 1: distinguishability of features", VARIABLES, LOOKED_UP),
        Field("Table 1: risk assessed", RISK, BY_MODEL),
        Field("2.7 Approaches to assess the risk: who may link what", THREATS, THREAT_MODELS),
        Field("2.7 Approaches to assess the risk: uniqueness in the data", RISK, BY_ROW),
        data("2.7 Approaches to assess the risk: the population", "population"),
        Field("2.8 Approaches to mitigate: suppression, generalization, perturbation", VARIABLES, EVERY_VARIABLE),
        Field("2.8 Approaches to mitigate: remaining utility", UTILITY, ERRORS),
        Field("2.9 Codes derived from the data", VARIABLES, EVERY_VARIABLE),
        data("2.10 Data use agreement", "controls"),
        Field("(b)(1)(ii) Methods documented", MAKING, SETTINGS),
        Field("(b)(1)(ii) Results documented", MAKING, FILES),
    ),
)
"""HIPAA expert determination, 45 CFR 164.514(b)(1), following the questions of the guidance on it."""

ICO = Framework(
    "ICO, anonymisation guidance",
    "published on 2025-03-28, by the questions of its chapters on effective anonymisation and on governance",
    (
        Field("Effective: what the process should achieve", SUMMARY, PROMISES),
        Field("Effective: singling out, linkability, inferences", ATTACKS, CRITERIA),
        Field("Effective: means reasonably likely to be used, cost, time, technology", THREATS, THREAT_MODELS),
        data("Effective: who else may be able to identify people, and from what", "sources"),
        data("Effective: anonymised within the organisation, and how it is kept separate", "controls"),
        Field("Effective: motivated intruder, who and with what", INTRUDER, "Sources used"),
        Field("Effective: motivated intruder, attempts", INTRUDER, ATTEMPTS),
        Field("Effective: motivated intruder, outcome", INTRUDER, OUTCOME),
        governed("Effective: when the assessment is reviewed", "review_date"),
        data("Effective: release to the world or to limited recipients", "access"),
        Field("Effective: pseudonyms and keys", VARIABLES, EVERY_VARIABLE),
        governed("Governance: approach, policies, procedures", "procedures"),
        Field("Governance: who is responsible", SIGNING, SIGN_OFF),
        Field("Governance: records of the process", MAKING, FILES),
        governed("Governance: data protection impact assessment", "impact_assessment"),
        data("Governance: why personal data is anonymised", "purpose"),
        governed("Governance: work with other organisations", "stakeholders"),
        data("Governance: type of disclosure", "access"),
        data("Governance: safeguards of limited disclosure", "controls"),
        governed("Governance: monitoring of risks and of attempts at re-identification", "monitoring"),
        governed("Governance: transparency towards people", "transparency"),
        governed("Governance: training of staff", "training"),
        governed("Governance: security incidents and re-identification", "incidents"),
        data("Governance: legal basis and other law", "legal_basis"),
    ),
)
"""The guidance on anonymisation of the Information Commissioner's Office."""

ALL: tuple[Framework, ...] = (EMA_HEALTH_CANADA, ISO_27559, NIST_800_188, HIPAA_EXPERT, ICO)

HEADS = ["Field", "Section", "Where in it"]


def annex(parts: Sequence[Part]) -> list[Grid]:
    """A table for each framework, with section numbers; what the dossier cannot answer is left to the steward."""
    numbers = {part.title: f"{number}. {part.title}" for number, part in enumerate(parts, 1)}
    told = {part.title: set(part.texts()) for part in parts}
    return [
        Grid(
            f"{one.name}: {one.edition}",
            HEADS,
            [[asked, numbers[title], where if where in told[title] else STEWARD] for asked, title, where in one.fields],
        )
        for one in ALL
    ]
