"""The guidance on anonymisation of the Information Commissioner's Office."""

from __future__ import annotations

from shoal.report.dossier.frameworks.field import Field, Framework, data, governed
from shoal.report.dossier.sections import (
    ATTACKS,
    ATTEMPTS,
    CRITERIA,
    EVERY_VARIABLE,
    FILES,
    INTRUDER,
    MAKING,
    OUTCOME,
    PROMISES,
    SIGN_OFF,
    SIGNING,
    SUMMARY,
    THREAT_MODELS,
    THREATS,
    VARIABLES,
)

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
