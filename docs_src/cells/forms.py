"""The forms of cells, and what an analyst does with them."""

import polars as pl

import shoal

people = pl.DataFrame({"age": [20 + i * i % 61 for i in range(600)], "town": ["Ely", "Truro", "Ripon"] * 200})
said = {"quasi_identifiers": ["age", "town"], "privacy": shoal.KAnonymity(10), "quick": True}

release = shoal.anonymize(people, cells="bounds", **said)
print(release.to_frame().columns)  # age_low, age_high, town

release = shoal.anonymize(people, cells={"age": "center", "town": "codes"}, **said)
table, codebook = release.to_frames()
print(table["age"].mean(), codebook.head())

shoal.anonymize(people, **said).write("release.csv")

bounds = shoal.read_release("release.csv", cells="bounds", kind="pandas")
intervals = shoal.read_release("release.csv", cells="intervals", kind="pandas")
print(bounds.dtypes, intervals["age"].dtype)

draws = shoal.read_release("release.csv", cells="sampled", draws=5, seed=1)
means = [draw["age"].mean() for draw in draws]
variances = [draw["age"].var() / draw.height for draw in draws]
pooled = shoal.pool_estimates(means, variances)
print(pooled.estimate, pooled.interval(), pooled.missing_information)
