"""What rules allow, and a release that obeys them."""

import polars as pl

import shoal

people = pl.DataFrame(
    {
        "age": [31, 31, 34, 34, 38, 38, 42, 42, 57, 58] * 3,
        "zip": ["02138", "02139", "02138", "02139", "02141", "02141", "02142", "02142", "02138", "02143"] * 3,
        "sex": ["f", "f", "m", "m", "f", "m", "f", "m", "f", "m"] * 3,
        "disease": ["flu", "HIV", "gout", "flu", "cold", "flu"] * 5,
    }
)
rules = {"name": "patterns-search", "max_stars": 1, "never": ["age"]}

allowed = shoal.list_patterns(people, quasi_identifiers=["age", "zip", "sex"], algorithm=rules)
release = shoal.anonymize(
    people,
    quasi_identifiers=["age", "zip", "sex"],
    sensitive=["disease"],
    privacy=[shoal.KAnonymity(4), shoal.LDiversity(2)],
    algorithm=rules,
)

assert allowed.n_patterns == 4  # nothing starred, zip or sex starred, and for outliers everything
assert all(verdict.holds for verdict in release.verdicts)
