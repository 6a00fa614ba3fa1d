"""``shoal hierarchy``: build the hierarchy of a column, or check one."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated, cast, get_args

import polars as pl
import typer

from shoal.cli.options import File, Said, bundled, options_of
from shoal.cli.output_mode import Shown, show_data, show_json
from shoal.cli.spelling import one_of
from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.core.schema import refuse_unknown
from shoal.engine.source import load
from shoal.engine.vocabulary import Reading
from shoal.errors import InputError
from shoal.io.domains import encode_column
from shoal.io.hierarchies import parse_hierarchy, write_hierarchy
from shoal.io.write import check_target, write_private

Column = Annotated[str, typer.Option("--column", help="The column.", show_default=False)]
Builder = Annotated[
    str,
    typer.Option(
        "--builder",
        metavar="SPEC",
        help="mask, intervals:width=10, dates, …: what follows --hierarchy zip= in anonymize. A file is checked.",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Where to write it, readable by you alone; otherwise it is printed."
    ),
]
KindOption = Annotated[
    str | None, typer.Option("--kind", help="numeric, ordinal, nominal or date, if the guess is wrong.")
]


@bundled
def command(
    file: File,
    column: Column,
    builder: Builder,
    reading: Annotated[Said, options_of(Reading)],
    shown: Shown,
    output: Output = None,
    kind: KindOption = None,
) -> None:
    """Build the hierarchy of a column, or check one against the values of a table.

    The hierarchy is printed or written in the form that anonymize reads: one line per value, value;level 1;…;root. If
    the builder is a file, the file is checked: every value of the table must be in it.

    shoal hierarchy people.csv --column zip --builder mask -o zip.csv
    """
    if kind is not None:
        one_of("--kind", kind, get_args(Kind))
    if output is not None:
        check_target(output, [file, Path(builder)], (".csv", ".txt"))
    source = load(file, **reading.words())
    made = build(source.frame, column, builder, cast("Kind | None", kind))
    text, n_nodes = io.StringIO(), [len(set(level)) for level in made.labels]
    write_hierarchy(made, text)
    if output is not None:
        write_private(text.getvalue(), output)
    elif shown.for_people:
        show_data(text.getvalue())
    if shown.json:
        written = None if output is None else str(output)
        show_json({"column": column, "n_nodes": n_nodes, "rows": made.to_rows(), "written": written})
    sizes = ", ".join(f"{n:,}" for n in n_nodes)
    shown.notes([*source.notes, f"The hierarchy of {column!r} has {made.n_levels} levels, of {sizes} nodes."])


def build(frame: pl.DataFrame, column: str, spec: str, kind: Kind | None) -> Hierarchy:
    """Build the hierarchy over the values that occur in the table."""
    refuse_unknown([column], frame.columns)
    present = frame[column].drop_nulls()
    if not len(present):
        raise InputError(f"The column {column!r} has nothing but missing values, which need no hierarchy.")
    made = encode_column(present, kind, None, parse_hierarchy(spec, Path(), column)).hierarchy
    return cast(Hierarchy, made)
