import polars as pl

from shoal.audit.suda import suda

survey = pl.DataFrame({"sex": list("mmffff"), "age": [30, 30, 30, 41, 41, 41], "job": list("abccac")})
codes = survey.select(pl.all().rank("dense")).to_numpy().T  # one row per column
found = suda(codes)
print(found.scores)  # higher is more special
print(dict(zip(survey.columns, found.by_column.round(2), strict=True)))  # by which columns
