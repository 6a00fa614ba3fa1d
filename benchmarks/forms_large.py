"""What each form of cells costs more than labels: a million records printed, written, read again and judged.

One release of a million rows of Adult's eight columns (drawn independently of each other, so nearly all rows differ) is
made by Mondrian, k = 10. From there on the forms differ: cells are printed, the file is written, read again and
checked. That part is run for every form in turn, several times over, and the least CPU seconds count; a machine on
which others work makes the clock useless. ``python benchmarks/forms_large.py [ROWS] [ENDING …]``.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import process_time

import shoal
from data import eight_columns, resampled
from shoal.core.randomness import Randomness
from shoal.core.release import publish
from shoal.engine.forms_of_cells import in_forms
from shoal.engine.result import Result
from shoal.engine.vocabulary import FormWords
from shoal.io.cell_forms import FORMS
from shoal.io.labels import to_frame

ROUNDS, ALLOWED = 3, 1.0


def made(n_rows: int) -> Result:
    """The release, with numbers among its columns."""
    frame = resampled(eight_columns()[1], n_rows)
    frame = frame.with_columns(frame["age"].cast(int)) if "age" in frame.columns else frame
    return shoal.anonymize(
        frame, quasi_identifiers=frame.columns, privacy=shoal.KAnonymity(10), algorithm="mondrian", audit="off", seed=1
    )


def seconds(result: Result, form: str, target: Path) -> tuple[float, float]:
    """CPU seconds of printing, and of writing and checking."""
    publication = publish(result.release, Randomness(1))
    start = process_time()
    frame = to_frame(publication)
    words = FormWords.said({"cells": form})
    printed = in_forms(publication, frame, result.schema, words, Randomness(2))
    told, start = process_time() - start, process_time()
    replace(result, frame=frame, printed=printed).write(target)
    return told, process_time() - start


def main(n_rows: int, endings: list[str]) -> None:
    result = made(n_rows)
    print(f"{n_rows:,} rows x {len(result.schema.quasi_identifiers)}, k = 10, Mondrian; CPU s, least of {ROUNDS}")
    print("| file | form | printed | written and checked | more than labels |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for ending in endings:
            found: dict[str, tuple[float, float]] = {}
            for _ in range(ROUNDS):
                for form in FORMS:
                    spent = seconds(result, form, Path(folder, f"release{ending}"))
                    found[form] = min(found.get(form, spent), spent, key=sum)
            for form, (told, wrote) in found.items():
                more = told + wrote - sum(found["labels"])
                print(f"| {ending} | {form} | {told:.2f} | {wrote:.2f} | {more:+.2f} |", flush=True)
            worst = max(map(sum, found.values())) - sum(found["labels"])
            print(f"{ending}: at most {worst:.2f} s more than labels, {ALLOWED:g} allowed.", file=sys.stderr)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, sys.argv[2:] or [".csv", ".parquet"])
