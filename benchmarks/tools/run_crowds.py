"""crowds' OLA on a CSV file: one level of each hierarchy, up to 5% of the rows left out. Words: see timing.py."""

import pandas as pd
from crowds.kanonymity import ola
from crowds.kanonymity.generalizations import GenRule
from timing import ASKED, timed

frame = pd.read_csv(ASKED.original, dtype=str)
rules = {}
for name in ASKED.features:
    lines = ASKED.levels_of(name)
    levels = [{line[0]: line[level] for line in lines} for level in range(1, len(lines[0]) - 1)]
    rules[name] = GenRule([level.__getitem__ for level in levels])  # it adds the value itself and its own top
made = timed(lambda: ola.anonymize(frame, rules, k=ASKED.k, max_sup=5)[0])
made.to_csv(ASKED.release, index=False)
