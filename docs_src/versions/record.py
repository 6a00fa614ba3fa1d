"""The private record of a run, whatever version wrote it."""

import polars as pl

import shoal

people = pl.DataFrame({"age": [30, 31, 32, 40, 41, 42], "sex": ["f", "m"] * 3})
shoal.anonymize(people, quasi_identifiers=["age", "sex"], privacy=shoal.KAnonymity(3)).write("release.csv")

said = shoal.read_record("release.run.json")
said["privacy"], said["achieved"]
