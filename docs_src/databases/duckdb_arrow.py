"""DuckDB in and out through Arrow, without a copy on the way."""

import duckdb

import shoal

database = duckdb.connect()
database.sql(
    "CREATE TABLE people AS SELECT 'person ' || i AS name, 20 + i % 50 AS age, i % 2 = 0 AS smokes, "
    "['flu', 'gout', 'cold'][1 + i % 3] AS disease FROM range(300) numbers(i)"
)

release = shoal.anonymize(
    database.sql("SELECT * FROM people WHERE age < 65"),  # a relation: rows are handed over as Arrow buffers
    identifiers=["name"],
    quasi_identifiers=["age", "smokes"],
    sensitive=["disease"],
    privacy=[shoal.KAnonymity(10), shoal.LDiversity(2)],
)
published = release.to_frame()  # an Arrow table, which DuckDB queries where it lies
print(database.sql("SELECT age, count(*) FROM published GROUP BY age ORDER BY age"))
