"""The proven optimum of a small table, the space it was chosen from, and a node chosen by hand."""

import polars as pl

import shoal

patients = pl.DataFrame(
    {
        "age": [23, 27, 31, 36, 38, 44, 47, 52, 58, 61, 63, 69] * 5,
        "town": ["Ulm", "Hof", "Bonn", "Essen", "Kiel", "Jever"] * 10,
        "disease": ["flu", "HIV", "gout", "flu", "cold"] * 12,
    }
)
said = {
    "quasi_identifiers": ["age", "town"],
    "sensitive": ["disease"],
    "hierarchies": {
        "age": "intervals:width=10",
        "town": {"north": ["Kiel", "Jever"], "west": ["Bonn", "Essen"], "south": ["Ulm", "Hof"]},
    },
    "privacy": [shoal.KAnonymity(3), shoal.LDiversity(2)],
    "suppression_limit": 0.1,
}

result = shoal.anonymize(patients, algorithm="lattice", metric="lm", **said)
space = result.exploration  # every node: levels, loss, suppressed rows, rows that break each promise

chosen = shoal.anonymize(patients, algorithm=shoal.Lattice(levels=(2, 1)), **said)

found = shoal.Lattice().search(result.release.table, result.goal)  # levels, score, nodes checked and pruned

assert result.metrics()["lm"] <= chosen.metrics()["lm"]
assert space.best == found.levels
assert found.is_optimal
