"""What the columns are: roles, hierarchies, kinds, orders, recodings, weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import words
from shoal.core.parameters import real_number

_ROLES, _MORE = "Columns", "More about columns"

Quasi = Annotated[
    list[str] | None,
    typer.Option(
        "--quasi",
        metavar="NAMES",
        help="Columns that an adversary may know, as in age,zip; a name with a comma as in '\"last, first\",zip'.",
        rich_help_panel=_ROLES,
    ),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option(metavar="NAMES", help="Columns that must not be tied to a person.", rich_help_panel=_ROLES),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=KIND",
        help="numeric, ordinal, nominal or date, where the guess is wrong.",
        rich_help_panel=_MORE,
    ),
]
Orders = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN=VALUES", help="The order of values, as in size=S,M,L.", rich_help_panel=_MORE),
]


@dataclass(frozen=True)
class Roles:
    """The roles that a published table still has."""

    quasi: Quasi = None
    sensitive: Sensitive = None

    def words(self) -> dict[str, Any]:
        """The same in the words of the library."""
        return {
            "quasi_identifiers": words.names("--quasi", self.quasi),
            "sensitive": words.names("--sensitive", self.sensitive),
        }


@dataclass(frozen=True)
class Columns(Roles):
    """All that can be said about the columns of an original table."""

    identifiers: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Columns that name a person; dropped.", rich_help_panel=_ROLES),
    ] = None
    others: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Columns to publish as they are; need only be named where nearly unique.",
            rich_help_panel=_ROLES,
        ),
    ] = None
    hierarchy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=SPEC",
            help="zip=zip.csv, zip=mask or age=intervals:width=10; once per column.",
            rich_help_panel=_ROLES,
        ),
    ] = None
    kind: Kinds = None
    order: Orders = None
    recoding: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=RECODING",
            help="tree, range, sets or suppress, where the default is not wanted.",
            rich_help_panel=_MORE,
        ),
    ] = None
    weight: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=NUMBER", help="How much a column matters; 1 if not given.", rich_help_panel=_MORE),
    ] = None
    missing: Annotated[
        str,
        typer.Option(
            metavar="own|drop",
            help="Missing is a value of its own, or rows with a missing value are dropped.",
            rich_help_panel=_MORE,
        ),
    ] = "own"
    population: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Everybody of whom the rows are a sample, for promises that count people.",
            rich_help_panel=_MORE,
        ),
    ] = None

    def words(self) -> dict[str, Any]:
        """The same in the words of the library."""
        weights = words.pairs("--weight", self.weight)
        return {
            **super().words(),
            "identifiers": words.names("--identifiers", self.identifiers),
            "others": words.names("--others", self.others),
            "hierarchies": words.pairs("--hierarchy", self.hierarchy),
            "kinds": words.kinds(self.kind),
            "orders": words.orders(self.order),
            "recodings": words.pairs("--recoding", self.recoding),
            "weights": {
                name: real_number(f"The weight of {name!r}", weight, least=0) for name, weight in weights.items()
            },
            "missing": words.one_of("--missing", self.missing, ("own", "drop")),
            "population": self.population,
        }

    def files(self) -> list[Path]:
        """The hierarchy files and the population, which no output may overwrite."""
        said = words.pairs("--hierarchy", self.hierarchy).values()
        trees = [path for path in (Path(spec).expanduser() for spec in said) if path.is_file()]
        return [*trees, self.population] if self.population else trees
