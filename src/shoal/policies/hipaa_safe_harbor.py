"""HIPAA Safe Harbor: remove eighteen kinds of identifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from shoal.errors import InputError
from shoal.io.inspect import hints
from shoal.io.inspect.findings import Finding, Inspection
from shoal.io.read import read_frame
from shoal.policies.contract import Policy
from shoal.policies.safe_harbor_kinds import DATES, PLACES, Kind, kind_of

FEW_PEOPLE = 20_000
"""Three-digit ZIP areas with no more people than this become 000."""

OLDEST = 90
"""People of this age or older are one group."""

_ZIP = r"^\d{5}(?:-?\d{4})?$"
_POSTCODES = "zip*, post code*, postal*, postcode*, plz, cap"
_LARGE_PLACES = "state, states, country*, countries, nation*, citizen*"
_AGES = "age, ages, alter, edad, eta, leeftijd"
_BIRTHS = "*birth*, dob, yob, geburt*, naissance*, nacimiento*, nascita, geboorte*"
_PARTS = "month*, day, weekday, week, quarter, date"


@dataclass(frozen=True)
class Treated:
    """What is done to a column, and for which of the eighteen kinds; it is dropped if it has no hierarchy."""

    kind: Kind
    done: str
    hierarchy: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class HipaaSafeHarbor(Policy):
    """Columns of the eighteen kinds are dropped; dates become years, ages from 90 on one group, ZIP codes three digits.

    ``zip_population`` is a table of people by ZIP code or its first three digits; ``year`` is the year in which ages
    are computed from births, the current one if it is 0. A column that is of one of the kinds and cannot be made
    harmless by rule is dropped; users who know better can give it a role. The policy requires no class size, so check
    the audit: the rule's second condition, that the holder knows of no way to identify anybody, is the holder's own
    responsibility.
    """

    zip_population: str = ""
    year: int = 0

    name: ClassVar[str] = "hipaa-safe-harbor"
    summary: ClassVar[str] = "eighteen kinds of identifiers dropped; dates to years, ages over 89 together, ZIP3"
    dated: ClassVar[str] = "2012-11-26"
    source: ClassVar[str] = (
        "45 CFR 164.514(b)(2); HHS, Guidance regarding methods for de-identification of protected health information "
        "in accordance with the HIPAA Privacy Rule (2012-11-26)"
    )
    rationale: ClassVar[str] = (
        "Every column of one of the eighteen kinds is dropped or made as coarse as the rule allows. k = 1 requires "
        "no class size, because the rule requires none."
    )
    settings: ClassVar[dict[str, Any]] = {"privacy": {"k": 1}}
    needs_table: ClassVar[bool] = True

    def in_folder(self, folder: Path) -> HipaaSafeHarbor:
        """The same policy with the path of the population table resolved from this folder."""
        return replace(self, zip_population=str(folder / self.zip_population)) if self.zip_population else self

    def words_for(self, found: Inspection, frame: pl.DataFrame) -> dict[str, Any]:
        """Roles, hierarchies and levels for this table.

        Raises:
            InputError: every column is dropped, or the population table cannot be used.
        """
        treated = {one.name: treated for one in found.columns if (treated := self._treated(one, frame[one.name]))}
        dropped = [name for name, one in treated.items() if one.hierarchy is None]
        coarser = {name: dict(one.hierarchy) for name, one in treated.items() if one.hierarchy is not None}
        kept = [one for one in found.columns if one.name not in treated]
        quasi = [one.name for one in found.columns if one.name in coarser or (one in kept and _is_known(one))]
        quasi = quasi or [one.name for one in kept if one.role != "sensitive"][:1] or [one.name for one in kept[:1]]
        if not quasi:
            raise InputError(
                "Every column is of one of the eighteen kinds of identifiers; nothing would be left to publish."
            )
        sensitive = [one.name for one in kept if one.role == "sensitive" and one.name not in quasi]
        return {
            "identifiers": dropped,
            "quasi_identifiers": quasi,
            "sensitive": sensitive,
            "others": [one.name for one in kept if one.name not in {*quasi, *sensitive}],
            **self.words(),
            "levels": {name: int(name in coarser) for name in quasi},
            "hierarchies": coarser,
        }

    def notes_for(self, found: Inspection, frame: pl.DataFrame) -> tuple[str, ...]:
        """A sentence for each column that is dropped or generalized."""
        told = [
            f"{one.name}: {treated.kind}, {treated.done}"
            for one in found.columns
            if (treated := self._treated(one, frame[one.name]))
        ]
        return (f"By Safe Harbor: {'; '.join(told) or 'no column is of the eighteen kinds'}.",)

    def _treated(self, column: Finding, values: pl.Series) -> Treated | None:
        """What is done to a column; None if it is of none of the kinds."""
        name = hints.normal(column.name)
        if column.role in ("identifier", "person"):
            return Treated(kind_of(column), "dropped")
        if column.kind == "date":
            earliest = {"earliest": self._first_year} if hints.has(_BIRTHS, name) else {}
            return Treated(DATES, "as years", {"builder": "dates", "levels": ["year"], **earliest})
        if hints.has(_BIRTHS, name) or (hints.find(hints.QUASI, name) == "time in care" and hints.has(_PARTS, name)):
            return self._part_of_date(column, name)
        if hints.has(_AGES, name) and column.n_distinct:
            return _age(column)
        if hints.find(hints.QUASI, name) == "a place" and not hints.has(_LARGE_PLACES, name):
            return self._place(name, values)
        return None

    def _part_of_date(self, column: Finding, name: str) -> Treated | None:
        """Keep a year of birth except for the oldest; drop months and days, and anything that is not a number."""
        if hints.has(_PARTS, name) or column.kind != "numeric":
            return Treated(DATES, "dropped")
        years = [*range(self._first_year, self._this_year + 2)]
        return Treated(DATES, "the oldest together", {"builder": "intervals", "cuts": years, "factors": []})

    def _place(self, name: str, values: pl.Series) -> Treated:
        texts = values.drop_nulls().cast(pl.String).unique().sort()
        if not hints.has(_POSTCODES, name) or not len(texts) or not texts.str.contains(_ZIP).all():
            return Treated(PLACES, "dropped")
        prefixes = texts.str.slice(0, 3).unique().sort()
        people = self._people()
        hidden = [prefix for prefix in prefixes if people.get(prefix, 0) <= FEW_PEOPLE]
        done = "three digits, 000 where 20,000 people or fewer live"
        if not people:
            done = "all 000, since no table of people was given (zip_population=FILE)"
        return Treated(PLACES, done, {"builder": "prefixes", "lengths": [3], "hidden": hidden})

    def _people(self) -> dict[str, float]:
        """People by the first three digits of ZIP codes; empty if no table was given.

        Raises:
            InputError: the table does not have two columns, the ZIP codes and the numbers of people.
        """
        if not self.zip_population:
            return {}
        table = read_frame(self.zip_population).frame
        if table.width < 2:
            raise _not_people(self.zip_population)
        codes, counts = table.to_series(0).cast(pl.String), table.to_series(1).cast(pl.Float64, strict=False)
        if counts.null_count() or codes.null_count() or not codes.str.contains(r"^\d{3}(?:\d{2})?$").all():
            raise _not_people(self.zip_population)
        summed = pl.DataFrame({"area": codes.str.slice(0, 3), "people": counts}).group_by("area").sum()
        return dict(summed.iter_rows())

    @property
    def _this_year(self) -> int:
        return self.year or datetime.now(UTC).year

    @property
    def _first_year(self) -> int:
        """People born before this year may be 90 by the end of ``_this_year``."""
        return self._this_year - OLDEST + 1


def _age(column: Finding) -> Treated:
    if column.kind != "numeric":
        return Treated(DATES, "dropped, because its ages are not numbers")
    return Treated(DATES, "90 and over together", {"builder": "intervals", "cuts": [*range(OLDEST + 1)], "factors": []})


def _is_known(column: Finding) -> bool:
    return column.role == "quasi-identifier"


def _not_people(path: str) -> InputError:
    return InputError(
        f"The table of people {path!r} needs two columns: ZIP codes of five digits or their first three, and numbers."
    )
