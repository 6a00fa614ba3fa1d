"""The Python tutorial: look, publish, see what was lost, change your mind, compute with the release."""

import shoal
from shoal.io.example import people

patients = people(5_000)  # a polars table of people who do not exist; pandas and pyarrow do as well

found = shoal.inspect(patients)
print(found.roles)  # what each column is, as far as its name and values tell
print(f"{found.n_unique:,} of {found.n_rows:,} rows are unique on the quasi-identifiers")

roles = {
    "identifiers": ["name", "ssn", "email"],
    "quasi_identifiers": ["birth_date", "sex", "postcode", "marital_status", "job"],
    "sensitive": ["diagnosis"],
    "others": ["stay_days"],
    "hierarchies": {"postcode": "mask"},  # 02139 → 0213* → 021** → …
}
result = shoal.anonymize(patients, privacy=[shoal.KAnonymity(5), shoal.LDiversity(2)], **roles)

print(result.to_frame().head())  # the release, of the kind that went in
print(*result.verdicts, sep="\n")  # every promise, counted again by other code
print(f"LM {result.metrics()['lm']:.3f}")  # the information loss: 0 is none, 1 is all

for risk in result.audit().falling:  # the attacks on the release that succeed, and what they come to
    print(risk.attack, "-", risk.says)

stricter = shoal.anonymize(patients, privacy=[shoal.KAnonymity(20)], quick=True, **roles)
print(f"LM {stricter.metrics()['lm']:.3f} for k = 20")

numbers = shoal.anonymize(patients, privacy=[shoal.KAnonymity(5)], quick=True, cells="center", **roles)
print(numbers.to_frame()["birth_date"].dtype)  # dates, not texts: the middle of each cell

result.write("release.parquet")
