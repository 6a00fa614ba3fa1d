"""The sections of the dossier, and the tables and lines in them that others point to, by their titles."""

from __future__ import annotations

SUMMARY, DATA, VARIABLES, THREATS = "Summary", "Data and purpose", "Variables", "Threat models"
RISK, ATTACKS, INTRUDER = "Risk before and after", "Attacks tried", "Motivated-intruder test"
UTILITY, LIMITS, MAKING, SIGNING = "Utility", "Limits", "How it was made", "Sign-off and review"
ANNEX = "Where regulations find their answers"

# The tables and lines that answer several fields, by their captions and labels.
EVERY_VARIABLE = "Variables; loss by LM, 0 for none and 1 for all"
LOOKED_UP = "How easily people are recognised by a variable"
THREAT_MODELS = "Threat models"
BY_MODEL = "Risk by threat model"
BY_ROW = "Risk of a row: 1 / size of its class"
CRITERIA = "In the words of WP216"
ATTEMPTS = "Attempts"
OUTCOME = "Outcome: attempts, claims, right claims; what was changed because of it"
LOSSES = "Measures of loss; smaller is better"
ERRORS = "How wrong answers from the release are; 0 is best"
SETTINGS = "Settings"
FILES = "Files"
PROMISES = "Promises and whether they hold"
SIGN_OFF = "Sign-off"
