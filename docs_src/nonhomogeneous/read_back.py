"""Read a release back, its cells as values that can be computed with."""

import polars as pl

from shoal import read_release

released = pl.DataFrame({"age": ["[29..36]", "41", "*"], "town": ["{Ely, Truro}", "Ely", "Ripon"]})
cells = read_release(released, quasi_identifiers=["age", "town"])
print(cells["age"].struct.unnest())  # is, low, high, values

may_be_30 = pl.col("age").struct.field("low").fill_null(30) <= 30
may_be_30 &= pl.col("age").struct.field("high").fill_null(30) >= 30
print(cells.filter(may_be_30).height, "records may be a 30-year-old's")
