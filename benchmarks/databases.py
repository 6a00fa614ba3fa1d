"""A million rows out of PostgreSQL, anonymized, and back into it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import shoal
from census import QUASI, census
from shoal.io.databases import address_of, write_table

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support import postgres


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with postgres.server() as host, TemporaryDirectory() as folder:
        os.environ["PGPASSWORD"] = postgres.PASSWORD
        url = f"postgresql://owner@{host}/postgres"
        people = address_of(f"{url}#people")
        assert people is not None
        write_table(census(n), people, {})
        start = perf_counter()
        release = shoal.anonymize(
            f"{url}#people",
            quasi_identifiers=QUASI,
            sensitive=["occupation"],
            privacy=shoal.KAnonymity(10),
            audit="off",
        )
        read = perf_counter()
        release.write(f"{url}#release", folder=folder)
        end = perf_counter()
        print(
            f"{n:,} x 9 from PostgreSQL, k = 10: {read - start:.1f} s to a checked release, {end - read:.1f} s to write"
        )
        print(f"in all {end - start:.1f} s; " + ", ".join(f"{k} {v:.1f}" for k, v in release.seconds.items()))


if __name__ == "__main__":
    main()
