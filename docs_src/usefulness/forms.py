"""What each form of a release keeps of what analysts do."""

import numpy as np
import polars as pl

import shoal

rng = np.random.default_rng(1)
age, hours = rng.integers(20, 70, 400), rng.integers(10, 60, 400)
rich = age + hours + rng.normal(0, 15, 400) > 80
people = pl.DataFrame({"age": age, "hours": hours, "rich": np.where(rich, "yes", "no")})

release = shoal.anonymize(
    people, quasi_identifiers=["age", "hours"], others=["rich"], privacy=shoal.KAnonymity(10), quick=True
)
found = release.usefulness("rich", measures=[], forms=["bounds", "center", "sampled"])
print(found["center: quantiles"], found["sampled: quantiles"])
print(found["sampled: intervals"], found["sampled: gradient-boosting"])
