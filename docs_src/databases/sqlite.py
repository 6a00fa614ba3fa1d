"""From a table of a database to a new table beside it."""

import sqlite3

import shoal

with sqlite3.connect("ward.db") as database:
    database.execute("CREATE TABLE people (name TEXT, age INTEGER, sex TEXT, smokes BOOLEAN, disease TEXT)")
    rows = [(f"person {i}", 20 + i % 50, "fm"[i % 2], i % 3 == 0, ["flu", "gout", "cold"][i % 3]) for i in range(300)]
    database.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", rows)

release = shoal.anonymize(
    "sqlite:///ward.db#people",  # postgresql://host/database#table and duckdb:///file.db#table work alike
    identifiers=["name"],
    quasi_identifiers=["age", "sex", "smokes"],
    sensitive=["disease"],
    privacy=[shoal.KAnonymity(10), shoal.LDiversity(2)],
)
release.write("sqlite:///ward.db#release")
