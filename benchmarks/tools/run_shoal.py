"""shoal on a CSV file. Words: see timing.py; algorithm=NAME, quick=yes, trees=yes, limit=SHARE."""

import polars as pl
from timing import ASKED, timed

import shoal

frame = pl.read_csv(ASKED.original, infer_schema=False)
trees = {name: str(ASKED.tree_of(name)) for name in ASKED.features} if ASKED.more.get("trees") else {}


def work():
    return shoal.anonymize(
        frame,
        quasi_identifiers=ASKED.features,
        sensitive=ASKED.columns[-1:],
        hierarchies=trees,
        privacy=shoal.KAnonymity(ASKED.k),
        algorithm=ASKED.more.get("algorithm", "auto"),
        quick=ASKED.more.get("quick") == "yes",
        suppression_limit=float(ASKED.more.get("limit", 0)),
        audit="off",
    ).to_frame()


if ASKED.more.get("algorithm", "auto").find("budget") < 0:
    work()  # kernels are loaded now
timed(work).write_csv(ASKED.release)
