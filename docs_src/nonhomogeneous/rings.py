"""Cells of their own for every record, and their owners drawn."""

import polars as pl

import shoal

patients = pl.DataFrame(
    {
        "age": [34, 36, 41, 47, 29, 52, 58, 31, 44, 39],
        "town": ["Ely", "Ely", "Ripon", "Ripon", "Ely", "Truro", "Truro", "Ely", "Ripon", "Truro"],
        "disease": ["flu", "asthma", "flu", "gout", "asthma", "flu", "gout", "flu", "asthma", "gout"],
    }
)
result = shoal.anonymize(
    patients,
    quasi_identifiers=["age", "town"],
    sensitive=["disease"],
    privacy=[shoal.UniformMatching(3), shoal.LDiversity(2)],
    algorithm="nonhomogeneous",  # or shoal.NonHomogeneous(partition="mondrian"), or shoal.Freeform("hungarian")
)
print(result.to_frame())  # every record with ranges and sets of its own
print(*result.verdicts, sep="\n")
