"""pycanon, somebody else's checker: RELEASE COLUMN...; the k that it finds."""

import sys

import pandas as pd
import pycanon.anonymity

print("RESULT", pycanon.anonymity.k_anonymity(pd.read_csv(sys.argv[1], dtype=str), sys.argv[2:]))
