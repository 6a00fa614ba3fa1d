"""The example of the README: from a frame to a checked release."""

import polars as pl

import shoal

rows = [("Ann", 34, "02139", "flu"), ("Bob", 36, "02139", "asthma"), ("Cem", 41, "02142", "flu")]
rows += [("Dee", 47, "02142", "diabetes"), ("Eve", 29, "02138", "asthma"), ("Fay", 52, "02141", "flu")]
patients = pl.DataFrame(rows, schema=["name", "age", "zip", "disease"], orient="row")

roles = {"identifiers": ["name"], "quasi_identifiers": ["age", "zip"], "sensitive": ["disease"]}
result = shoal.anonymize(patients, **roles, hierarchies={"zip": "mask"}, privacy={"k": 3, "l": 2})
print(result.to_frame())
print(*result.verdicts, sep="\n")
print(f"information loss (LM): {result.metrics()['lm']:.2f}")
