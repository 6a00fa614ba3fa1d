"""The code of docs/compare.md."""

import polars as pl

import shoal

people = pl.DataFrame(
    {
        "age": [20 + i * 7 % 45 for i in range(200)],
        "sex": ["F" if i % 3 else "M" for i in range(200)],
        "income": ["high" if i % 45 > 30 else "low" for i in range(200)],
    }
)
found = shoal.compare(
    people,  # or a path
    quasi_identifiers=["age", "sex"],
    goals=[shoal.KAnonymity(5), [shoal.KAnonymity(10), shoal.LDiversity(2, of="income")]],
    sensitive=["income"],
    algorithms=["mondrian:relaxed", "hilbert"],  # "all" where not given
    time_limit="60s",
)
print(found.frame)  # one row per algorithm and goal: losses, errors, risks, time, memory
print(found.best("5-anonymity").algorithm)
found.report("comparison.html")

result = shoal.anonymize(people, quasi_identifiers=["age", "sex"], sensitive=["income"], privacy=shoal.KAnonymity(5))
result.usefulness()  # errors of counts, sums, distributions, pairs, correlations
shoal.usefulness(people, result.to_frame(), quasi_identifiers=["age", "sex"])  # the same for any release
result.usefulness(measures=["count-queries:dimensions=1"])  # of one column each
