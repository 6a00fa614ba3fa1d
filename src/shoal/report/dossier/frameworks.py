"""Which section of the dossier answers which question of which regulation, standard or guidance."""

from __future__ import annotations

from shoal.report.dossier.statement import STEWARD
from shoal.report.grids import Grid

DATA, VARIABLES, THREATS, RISK = "Data and purpose", "Variables", "Threat models", "Risk before and after"
ATTACKS, INTRUDER, UTILITY = "Attacks tried", "Motivated-intruder test", "Utility"
LIMITS, MAKING, SIGNING = "Limits", "How it was made", "Sign-off and review"
ANNEX = "Where regulations find their answers"

EMA = "EMA and Health Canada, anonymisation report"
ISO = "ISO/IEC 27559:2022"
NIST = "NIST SP 800-188, techniques and governance (2023)"
HIPAA = "HIPAA expert determination, 45 CFR 164.514(b)(1)"
ICO = "ICO, anonymisation guidance (2025)"

FIELDS: tuple[tuple[str, str, str], ...] = (
    (EMA, "Data and documents that were anonymized", DATA),
    (EMA, "Methodology: quantitative, and why", THREATS),
    (EMA, "Direct and quasi-identifiers, and how they were found", VARIABLES),
    (EMA, "Techniques by variable, with their rationale", VARIABLES),
    (EMA, "Reference population", DATA),
    (EMA, "Plausible attacks: deliberate, by chance, by a breach", THREATS),
    (EMA, "Threshold and its rationale", RISK),
    (EMA, "Risk before and after", RISK),
    (EMA, "Singling out, linkability, inference", ATTACKS),
    (EMA, "Utility of what is published", UTILITY),
    (EMA, "Residual risk and conclusion", LIMITS),
    (EMA, "Confidential business information", STEWARD),
    (ISO, "6.2 Context: the recipient's security and privacy practices", DATA),
    (ISO, "6.2 Context: threats, motives and capacity to re-identify", THREATS),
    (ISO, "6.3 Context: transparency and stakeholders", STEWARD),
    (ISO, "6.3 Context: privacy-related harms", DATA),
    (ISO, "7.2 Data: principals, types, attributes, properties", VARIABLES),
    (ISO, "7.3 Data: attacks modelled, on the population or the sample", THREATS),
    (ISO, "7.3 Data: maximum and average risk, privacy models", RISK),
    (ISO, "8.2 Identifiability: quantified", RISK),
    (ISO, "8.2 Identifiability: adversarial testing", ATTACKS),
    (ISO, "8.3 Mitigation: the environment reconfigured", DATA),
    (ISO, "8.3 Mitigation: the data transformed", VARIABLES),
    (ISO, "8.3 Mitigation: re-evaluation", RISK),
    (ISO, "9 Governance before: roles, responsibilities, record", SIGNING),
    (ISO, "9 Governance before: principles, policies, procedures", STEWARD),
    (ISO, "9 Governance after: monitoring, incidents, review", SIGNING),
    (NIST, "Goals and intended uses", DATA),
    (NIST, "Sharing model: public, agreement, enclave", DATA),
    (NIST, "Disclosure review board", SIGNING),
    (NIST, "Direct and quasi-identifiers", VARIABLES),
    (NIST, "Probability of re-identification", RISK),
    (NIST, "Adverse impact of re-identification", DATA),
    (NIST, "Re-identification study, motivated intruder", INTRUDER),
    (NIST, "Quality of the de-identified data", UTILITY),
    (NIST, "Software, its version and validation", MAKING),
    (NIST, "Post-release monitoring", SIGNING),
    (HIPAA, "Expert and qualification", SIGNING),
    (HIPAA, "Anticipated recipient", DATA),
    (HIPAA, "Distinguishability of features", VARIABLES),
    (HIPAA, "Replicability of features over time", STEWARD),
    (HIPAA, "Data sources that recipients could look features up in", STEWARD),
    (HIPAA, "Methods and results that justify the determination", RISK),
    (HIPAA, "Very small risk: threshold and conclusion", RISK),
    (HIPAA, "Term of the determination", SIGNING),
    (ICO, "Purpose, recipients and lawful basis", DATA),
    (ICO, "Identifiability: singling out, linkability, inferences", ATTACKS),
    (ICO, "Motivated intruder test", INTRUDER),
    (ICO, "Release model and safeguards", DATA),
    (ICO, "Governance: responsible person and records", SIGNING),
    (ICO, "Governance: training of staff", STEWARD),
    (ICO, "Data protection impact assessment", STEWARD),
    (ICO, "Transparency towards the people in the data", STEWARD),
    (ICO, "Review, and what happens after re-identification", SIGNING),
)
"""Framework, question, and the title of the section, or that it is for the steward."""


def annex(titles: list[str]) -> list[Grid]:
    """A table for each of them, with the numbers of the sections."""
    numbers = {title: f"{number}. {title}" for number, title in enumerate(titles, 1)}
    return [
        Grid(
            source, ["Question", "Section"], [[q, numbers.get(title, title)] for of, q, title in FIELDS if of == source]
        )
        for source in dict.fromkeys(source for source, _, _ in FIELDS)
    ]
