"""Privacy models: one promise a file."""

from __future__ import annotations

from shoal.core.contracts import PrivacyModel
from shoal.core.plugins import collect
from shoal.models.k_anonymity import KAnonymity
from shoal.models.l_diversity import LDiversity

ALL: dict[str, type[PrivacyModel]] = collect("shoal.models", (KAnonymity, LDiversity))
"""Every model by name; the command line, job files and contract tests find them here."""
