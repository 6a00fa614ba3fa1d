"""Top coding, rounding and joined categories in the library."""

import polars as pl

import shoal

people = pl.DataFrame(
    {
        "age": [20 + i % 75 for i in range(300)],
        "town": ["Ely", "Ripon", "Truro"] * 100,
        "income": [900 * (i % 120) for i in range(300)],
        "job": ["nurse", "baker", "clerk", "clerk", "nurse"] * 59 + ["bishop"] * 5,
    }
)

release = shoal.anonymize(
    people,
    quasi_identifiers=["age", "town"],
    others=["income", "job"],
    privacy=shoal.KAnonymity(5),
    quick=True,
    top={"age": 85, "income": 90_000},
    rounding={"income": 1_000},
    rare={"job": 10},
)
print(release.to_frame()["income"].max())  # 90000
print(release.to_frame()["job"].unique().to_list())  # no bishop
print(release.notes)  # what was done to which column
