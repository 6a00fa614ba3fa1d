"""Records that need not look alike, with a bound on the chance of any link; and each step by itself."""

import numpy as np
import polars as pl

import shoal
from shoal.algorithms.concealment.bicycles import concealed
from shoal.algorithms.concealment.expansion import greedy
from shoal.algorithms.concealment.match_repair import repaired
from shoal.algorithms.concealment.requirements import Needs
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.algorithms.concealment.shrinking import shrunk
from shoal.core.schema import Schema
from shoal.io.encode import encode
from shoal.metrics import LM

patients = pl.DataFrame(
    {
        "age": [34, 36, 41, 47, 29, 52, 58, 31, 44, 39],
        "town": ["Ely", "Ely", "Ripon", "Ripon", "Ely", "Truro", "Truro", "Ely", "Ripon", "Truro"],
        "disease": ["flu", "asthma", "flu", "gout", "asthma", "flu", "gout", "flu", "asthma", "gout"],
    }
)
result = shoal.anonymize(
    patients,
    quasi_identifiers=["age", "town"],
    sensitive=["disease"],
    privacy=[shoal.KConcealment(4), shoal.LinkageBound(0.5), shoal.LDiversity(2)],
    algorithm=shoal.Concealment(budget=1),  # what "auto" takes for these promises, with a minute
)
print(*result.verdicts, sep="\n")
print(*result.notes, sep="\n")  # the likeliest link, and how many rows are above the bound

field = RowTree.of(encode(patients.select("age", "town"), Schema(("age", "town"))).table, LM())
order = np.arange(field.n_rows)  # in which rows are visited
draft = greedy(field, 4)  # Algorithm 2: every record holds 4 rows
draft = repaired(draft, 4, order)  # Algorithm 3: every row fits 4 records
draft = concealed(draft, 4, 4, order)  # Algorithm 5, for rows and for records
draft = shrunk(draft, Needs(4, 4, 4, 4))  # narrower where nothing is lost by it
print(f"{draft.loss:.3f}")
