"""anonypy's Mondrian on a CSV file: sets and ranges, nothing suppressed. Words: see timing.py."""

import anonypy
import pandas as pd
from timing import ASKED, timed

frame = pd.read_csv(ASKED.original)
for name in ASKED.features:
    if frame[name].dtype == object:
        frame[name] = frame[name].astype("category")
rows = timed(lambda: anonypy.Preserver(frame, ASKED.features, ASKED.columns[-1]).anonymize_k_anonymity(k=ASKED.k))
made = pd.DataFrame(rows)
made = made.loc[made.index.repeat(made["count"])].drop(columns="count")
for name in ASKED.features:
    made[name] = [",".join(map(str, v)) if isinstance(v, (list, tuple, set)) else str(v) for v in made[name]]
made.to_csv(ASKED.release, index=False)
