"""The audit, kernels warm: seconds by attack on Adult and on a million rows, beside the time the release took."""

from __future__ import annotations

import resource
import sys
from time import perf_counter

import polars as pl

import shoal
from data import eight_columns, resampled
from shoal.engine.auditing import audit_result


def with_values(frame: pl.DataFrame) -> pl.DataFrame:
    """One column as the sensitive one."""
    return frame.rename({frame.columns[-1]: "sensitive"})


def main(sizes: list[int]) -> None:
    name, frame = eight_columns()
    print(f"{'table':<10}{'rows':>10}{'anonymize s':>13}{'audit s':>9}  by attack, seconds; peak memory")
    for n in sizes:
        table = with_values(frame if n <= frame.height else resampled(frame, n))
        quasi = [column for column in table.columns if column != "sensitive"]
        for relaxed in ("false", "true"):
            start = perf_counter()
            made = shoal.anonymize(
                table,
                quasi_identifiers=quasi,
                sensitive=["sensitive"],
                privacy=[shoal.KAnonymity(10)],
                algorithm=f"mondrian:relaxed={relaxed}",
                seed=1,
            )
            between = perf_counter()
            audit_result(made, attacks=["linking"])  # load the kernels
            warm = perf_counter()
            found = audit_result(made)
            spent = perf_counter() - warm
            slow = sorted(found.seconds.items(), key=lambda pair: -pair[1])[:6]
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{name:<10}{n:>10,}{between - start:>13.2f}{spent:>9.2f}  {slow} {peak:,.0f} MiB", flush=True)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [30_162, 1_000_000])
