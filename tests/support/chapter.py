"""Ciriani et al., k-Anonymity: the table that its figures start from, and one of them that comes back."""

from __future__ import annotations

FIGURE_1 = [
    ("22030", "married", "F", "hypertension"),
    ("22030", "married", "F", "hypertension"),
    ("22030", "single", "M", "obesity"),
    ("22032", "single", "M", "HIV"),
    ("22032", "single", "M", "obesity"),
    ("22032", "divorced", "F", "hypertension"),
    ("22045", "divorced", "M", "obesity"),
    ("22047", "widow", "M", "HIV"),
    ("22047", "widow", "M", "HIV"),
    ("22047", "single", "F", "obesity"),
]

FIGURE_5C = [
    ("2203*", "been married", "F"),
    ("2203*", "been married", "F"),
    ("2203*", "never married", "M"),
    ("2203*", "never married", "M"),
    ("2203*", "never married", "M"),
    ("2203*", "been married", "F"),
    ("2204*", "been married", "M"),
    ("2204*", "been married", "M"),
    ("2204*", "been married", "M"),
]
"""Figure 18 has the same records, with a disease."""
