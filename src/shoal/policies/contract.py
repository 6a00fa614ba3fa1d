"""What a policy is: words of the vocabulary under a name, with the text they come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from shoal.io.inspect import Inspection


class Policy:
    """Words of ``anonymize`` under a name. Whatever a user says stands; a policy says the rest.

    A policy is a starting point that can be named in a contract or a protocol, not legal advice: that its words hold is
    checked, that they are enough is for whoever signs.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """What it asks for, in a line."""
    dated: ClassVar[str]
    """The date of the text it follows."""
    source: ClassVar[str]
    """That text."""
    rationale: ClassVar[str]
    """Why these words follow from it."""
    needs_table: ClassVar[bool] = False
    """Whether what it says depends on the columns of the table."""

    def words(self) -> dict[str, Any]:
        """What it says of any table, in the words of ``anonymize`` as job files write them."""
        raise NotImplementedError

    def words_for(self, found: Inspection, frame: pl.DataFrame) -> dict[str, Any]:
        """What it says of this table.

        Args:
            found: what an inspection found.
            frame: the rows, as the inspection read them.

        Raises:
            InputError: something in the table stands against the policy.
        """
        return self.words()

    def notes_for(self, found: Inspection, frame: pl.DataFrame) -> tuple[str, ...]:
        """What it found in the table, in a sentence each."""
        return ()

    def in_folder(self, folder: Path) -> Policy:
        """The same with the relative paths of its options from this folder."""
        return self
