"""Five equal records hide who is who, and still give away what all of them have."""

import polars as pl

import shoal

rows = [(30 + i, "02139", "HIV") for i in range(5)] + [(60 + i, "02142", "flu") for i in range(5)]
patients = pl.DataFrame(rows, schema=["age", "zip", "disease"], orient="row")
roles = {"quasi_identifiers": ["age", "zip"], "sensitive": ["disease"]}

release = shoal.anonymize(patients, privacy=shoal.KAnonymity(5), quick=True, **roles)
print(release.verdicts[0])  # 5-anonymity holds: achieved 5
print([risk.attack for risk in release.audit().falling])  # homogeneity is among the attacks that succeed

safer = shoal.anonymize(patients, privacy=[shoal.KAnonymity(5), shoal.LDiversity(2)], quick=True, **roles)
print("homogeneity" in [risk.attack for risk in safer.audit().falling])  # False
