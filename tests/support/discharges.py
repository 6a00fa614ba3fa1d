"""A messy file of hospital discharges, as such files come: US dates, identifiers, notes with phone numbers."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta

PHONE = re.compile(r"\b\d{3}-\d{3}-\d{4}\b")
EXACT_DATE = re.compile(r"\b\d{1,2}/\d{1,2}/\d{4}\b|\b\d{4}-\d{2}-\d{2}\b")

_NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jon")
_DIAGNOSES = ("asthma", "flu", "fracture", "diabetes", "stroke", "migraine")


def discharges(n: int, seed: int = 3) -> str:
    """A CSV file of ``n`` rows about people who do not exist."""
    draw = random.Random(seed)
    lines = ["MRN,Patient Name,DOB,Admitted,Sex,ZIP,Diagnosis,Notes"]
    for number in range(n):
        born = date(1930, 1, 1) + timedelta(days=draw.randrange(32_000))
        admitted = date(2023, 1, 1) + timedelta(days=draw.randrange(365))
        phone = f"{draw.randrange(200, 999)}-555-{draw.randrange(10_000):04d}"
        name = f"{draw.choice(_NAMES)} {draw.choice(_NAMES)}son"
        notes = f"Discharged home; call {phone} about the follow-up visit {number}"
        day = "N/A" if number % 97 == 0 else f"{admitted:%m/%d/%Y}"
        row = [
            f"M{100_000 + number}",
            name,
            f"{born:%m/%d/%Y}",
            day,
            draw.choice("MF"),
            f"0{draw.randrange(1000, 1060)}",
        ]
        lines.append(",".join([*row, draw.choice(_DIAGNOSES), notes]))
    return "\n".join(lines) + "\n"
