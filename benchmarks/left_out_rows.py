"""What leaving out records at random does for (k,k)-anonymity: ``python benchmarks/left_out_rows.py``, with SHOAL_DATA.

CMC (1,473 people, nine columns), k = 5, without a bound on links (``concealment:linkage=1``), seed 1. It counts people
with a single match, and people with a link above 2/k, for an adversary who knows everybody, but not who was left out: a
complete assignment gives every record to somebody.
"""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl

import shoal

K = 5
SHARES = (0.0, 0.01, 0.02, 0.05, 0.1)


def main() -> None:
    """One line per share."""
    folder = Path(os.environ["SHOAL_DATA"]) / "datasets" / "cmc"
    frame = pl.read_csv(folder / "cmc.csv", infer_schema=False)
    names = frame.columns[:9]
    trees = {"wife_age": "age", "num_children": "children", "wife_education": "Weducation"}
    files = {name: folder / "hierarchies" / f"cmc_hierarchy_{file}.csv" for name, file in trees.items()}
    print(f"{'left out':>8}{'one match':>11}{'above 2/k':>11}{'LM':>8}")
    for share in SHARES:
        release = shoal.anonymize(
            frame.select(names),
            quasi_identifiers=names,
            hierarchies=files,
            recodings={name: "suppress" for name in names if name not in trees},
            privacy={"kk": K},
            algorithm=shoal.Concealment(linkage=1, drop=share),
            suppression_limit=share,
            audit="off",
            seed=1,
        )
        found = release.audit(attacks=["matching", "posterior"])
        (matching,), (posterior,) = found.of("matching"), found.of("posterior")
        alone, above = matching.figures["people with one match"], posterior.figures["people above 2/k"]
        print(f"{share:>8.0%}{alone:>11,}{above:>11,}{release.metrics()['lm']:>8.4f}")


if __name__ == "__main__":
    main()
