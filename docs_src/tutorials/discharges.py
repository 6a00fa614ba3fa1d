"""Write discharges.csv: a hospital's file as files are, about people who do not exist."""

import random
from datetime import date, timedelta
from pathlib import Path

draw = random.Random(7)
diagnoses = ["E11.9", "I10", "J18.9", "K35.8", "N39.0", "S72.0", "F32.1", "C50.9"]
first_names, last_names = ["Anna", "Jörg", "Lena", "Paul", "Maja", "Timo"], ["Weiß", "Krüger", "Lang", "Sommer", "Vogt"]

lines = ["Patient_ID;Name;Date of birth;Sex;Postcode;Admitted;Main diagnosis;Cost (EUR);Notes"]
for patient in range(2_000):
    born = date(1930, 1, 1) + timedelta(days=draw.randrange(30_000))
    came = date(2025, 1, 1) + timedelta(days=draw.randrange(365))
    name = f"{draw.choice(first_names)} {draw.choice(last_names)}"
    sex = draw.choice(["male", "female", "Female ", "male"])
    postcode = draw.choice(["50667", "50668", "50733", "51063", "53111", "53113"])
    cost = f"{draw.lognormvariate(8, 0.6):.2f}".replace(".", ",") if draw.random() > 0.03 else "-9"
    note = draw.choice(["", f"call {name} at 0221 {draw.randrange(10**5, 10**6)}", "discharged in good health"])
    cells = [f"P{100_000 + patient}", name, f"{born:%d.%m.%Y}", sex, postcode, f"{came:%d.%m.%Y}"]
    lines.append(";".join([*cells, draw.choice(diagnoses), cost, note]))

with Path("discharges.csv").open("w", encoding="latin-1", newline="") as file:
    file.write("\n".join(lines) + "\n")
