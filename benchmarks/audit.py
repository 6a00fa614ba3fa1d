"""The audit beside the anonymization, kernels warm, in CPU seconds.

The quick look, and linking and matching of everybody, each by itself (matching works out the links too).
``python benchmarks/audit.py [rows …]``; the last columns show that memory grows with the rows.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import polars as pl

import shoal
from data import eight_columns, resampled

ALGORITHMS = ("mondrian", "mondrian:relaxed", "hilbert")


def with_values(frame: pl.DataFrame) -> pl.DataFrame:
    """One column as the sensitive one."""
    return frame.rename({frame.columns[-1]: "sensitive"})


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = process_time()
    found = work()
    return process_time() - start, found


def main(sizes: list[int]) -> None:
    name, frame = eight_columns()
    heads = ["anonymize", "quick look", "linking", "matching", "peak MiB", "bytes a row"]
    print(f"{'table':<9}{'rows':>10}  {'algorithm':<18}" + "".join(f"{head:>12}" for head in heads))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for n in [sizes[0], *sizes]:  # the first time loads the kernels and is not shown again
        table = with_values(frame if n <= frame.height else resampled(frame, n))
        quasi = [column for column in table.columns if column != "sensitive"]
        for algorithm in ALGORITHMS:
            whole, made = timed(lambda a=algorithm, t=table, q=quasi: anonymized(t, q, a, "quick"))
            plain, _ = timed(lambda a=algorithm, t=table, q=quasi: anonymized(t, q, a, "off"))
            linked, _ = timed(lambda m=made: m.audit(attacks=["linking"]))
            matched, found = timed(lambda m=made: m.audit(attacks=["matching"]))
            assert found.of("matching")[0].outcome == "stopped"
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            shown = [plain, whole - plain, linked, matched]
            print(
                f"{name:<9}{n:>10,}  {algorithm:<18}"
                + "".join(f"{number:>12.2f}" for number in shown)
                + f"{peak / 1024:>12,.0f}{1024 * (peak - before) / n:>12,.0f}",
                flush=True,
            )


def anonymized(table: pl.DataFrame, quasi: list[str], algorithm: str, audit: Any) -> shoal.Result:
    return shoal.anonymize(
        table,
        quasi_identifiers=quasi,
        sensitive=["sensitive"],
        privacy=[shoal.KAnonymity(10)],
        algorithm=algorithm,
        audit=audit,
        seed=1,
    )


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [30_162, 250_000, 1_000_000])
