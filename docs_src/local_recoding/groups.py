"""The same patients by three algorithms that make groups, and what each loses."""

import polars as pl

import shoal

patients = pl.DataFrame(
    {
        "age": [34, 36, 41, 47, 29, 52, 58, 31, 44, 39],
        "town": ["Ely", "Ely", "Ripon", "Ripon", "Ely", "Truro", "Truro", "Ely", "Ripon", "Truro"],
        "smokes": ["no", "no", "yes", "no", "no", "yes", "no", "yes", "yes", "no"],
        "disease": ["flu", "asthma", "flu", "gout", "asthma", "flu", "gout", "flu", "asthma", "gout"],
    }
)
said = {"quasi_identifiers": ["age", "town", "smokes"], "sensitive": ["disease"], "privacy": shoal.KAnonymity(2)}

for algorithm in ("mondrian", "agglomerative", shoal.Clustering(steps=1000)):
    result = shoal.anonymize(patients, algorithm=algorithm, seed=1, **said)
    print(algorithm, round(result.metrics()["lm"], 3))

stars = dict.fromkeys(said["quasi_identifiers"], "suppress")  # cells are kept or starred
result = shoal.anonymize(patients, algorithm=shoal.Factor(), recodings=stars, **said)
print(result.to_frame())  # at most 1.5 (here, with more than two values: 2) times the fewest stars there can be

program = shoal.ColumnGeneration(rounds=2)  # needs hierarchies, or stars
result = shoal.anonymize(patients, algorithm=program, recodings=stars, seed=1, **said)
print(round(result.metrics()["lm"], 3))
