"""HIPAA expert determination, 45 CFR 164.514(b)(1), following the questions of the guidance on it."""

from __future__ import annotations

from shoal.report.dossier.frameworks.field import Field, Framework, data, governed
from shoal.report.dossier.sections import (
    BY_MODEL,
    BY_ROW,
    ERRORS,
    EVERY_VARIABLE,
    FILES,
    LOOKED_UP,
    MAKING,
    PROMISES,
    RISK,
    SETTINGS,
    SUMMARY,
    THREAT_MODELS,
    THREATS,
    UTILITY,
    VARIABLES,
)

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
