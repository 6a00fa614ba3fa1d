"""The tour of the README: from a frame to a verified release."""

import polars as pl

import shoal

patients = pl.DataFrame(
    {
        "name": ["Ann", "Bob", "Cem", "Dee", "Eve", "Fay", "Gus", "Hal"],
        "age": [34, 36, 41, 47, 29, 52, 58, 31],
        "zip": ["02139", "02139", "02142", "02142", "02139", "02141", "02141", "02138"],
        "disease": ["flu", "asthma", "flu", "diabetes", "asthma", "flu", "diabetes", "flu"],
    }
)
result = shoal.anonymize(
    patients,  # or a path, or a pandas or pyarrow table; the same kind comes back
    identifiers=["name"],
    quasi_identifiers=["age", "zip"],
    sensitive=["disease"],
    hierarchies={"zip": "mask"},  # 02139 → 0213* → 021** → …
    privacy=[shoal.KAnonymity(3), shoal.LDiversity(2, of="disease")],
)
print(result.to_frame())  # the published table
print(*result.verdicts, sep="\n")  # each promise: holds, achieved
print(result.metrics())  # what was lost: LM, GCP, ...
