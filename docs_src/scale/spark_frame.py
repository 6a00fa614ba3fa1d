"""A Spark DataFrame in, a Spark DataFrame out."""

from pyspark.sql import SparkSession

import shoal.spark

session = SparkSession.builder.master("local[1]").getOrCreate()
rows = [(20 + i % 40, f"0213{i % 10}", "mf"[i % 2], ["flu", "asthma", "gout"][i % 3]) for i in range(200)]
frame = session.createDataFrame(rows, ["age", "zip", "sex", "disease"])

published = shoal.spark.anonymize(
    frame, quasi_identifiers=["age", "zip", "sex"], sensitive=["disease"], privacy=shoal.KAnonymity(5)
)
print(published.count(), "records")
