"""ISO/IEC 27559:2022, privacy enhancing data de-identification framework."""

from __future__ import annotations

from shoal.report.dossier.frameworks.field import Field, Framework, data, governed
from shoal.report.dossier.sections import (
    ATTACKS,
    BY_MODEL,
    EVERY_VARIABLE,
    PROMISES,
    RISK,
    SIGN_OFF,
    SIGNING,
    SUMMARY,
    THREAT_MODELS,
    THREATS,
    VARIABLES,
)

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
