"""NIST SP 800-188, De-Identifying Government Datasets: Techniques and Governance."""

from __future__ import annotations

from shoal.report.dossier.frameworks.field import Field, Framework, data, governed
from shoal.report.dossier.sections import (
    ATTEMPTS,
    BY_MODEL,
    ERRORS,
    EVERY_VARIABLE,
    INTRUDER,
    LOOKED_UP,
    LOSSES,
    MAKING,
    RISK,
    SETTINGS,
    UTILITY,
    VARIABLES,
)

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
