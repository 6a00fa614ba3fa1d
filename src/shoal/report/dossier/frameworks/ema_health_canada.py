"""The anonymization report of EMA's Policy 0070 and Health Canada's public release of clinical information."""

from __future__ import annotations

from shoal.report.dossier.frameworks.field import Field, Framework, data, governed
from shoal.report.dossier.sections import (
    ATTACKS,
    BY_MODEL,
    BY_ROW,
    CRITERIA,
    ERRORS,
    EVERY_VARIABLE,
    LOOKED_UP,
    PROMISES,
    RISK,
    SUMMARY,
    THREAT_MODELS,
    THREATS,
    UTILITY,
    VARIABLES,
)

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
