"""The interface to who fits which record, however it was computed."""

from __future__ import annotations

from typing import Protocol

from shoal.core.arrays import Codes, Offsets


class WhoFits(Protocol):
    """People of equal type and records of equal shape are grouped; see ``Links`` and ``Fits``."""

    @property
    def types(self) -> Codes:
        """The type of each person."""

    @property
    def shapes(self) -> Codes:
        """The shape of each record."""

    @property
    def people(self) -> Offsets:
        """The number of people of each type."""

    @property
    def records(self) -> Offsets:
        """The number of records of each shape."""

    @property
    def n_types(self) -> int:
        """Number of types."""

    @property
    def n_shapes(self) -> int:
        """Number of published shapes."""

    @property
    def records_fitting(self) -> Offsets:
        """The number of records that fit a person of each type."""

    @property
    def people_fitting(self) -> Offsets:
        """The number of people who fit a record of each shape."""

    def shapes_of(self, chosen: Codes) -> tuple[Offsets, Codes]:
        """The shapes that fit each of some types: ``found[starts[i]:starts[i + 1]]``."""
