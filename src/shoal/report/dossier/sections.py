"""The titles of the dossier's sections, and of tables and lines that others refer to."""

from __future__ import annotations

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
