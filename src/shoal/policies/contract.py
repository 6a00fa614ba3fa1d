"""What a policy is: settings under a name, with the text they come from."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from shoal.io.inspect.findings import Inspection


class Policy:
    """Settings of ``anonymize`` under a name. The user's own settings take precedence; a policy supplies the rest.

    A policy is a starting point that can be named in a contract or a protocol, not legal advice: shoal checks that its
    settings hold; whether they are sufficient is for the person who signs to decide.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """What it requires, in one line."""
    dated: ClassVar[str]
    """The date of the text it follows."""
    source: ClassVar[str]
    """The text it follows."""
    rationale: ClassVar[str]
    """Why these settings follow from it."""
    settings: ClassVar[dict[str, Any]]
    """Its settings for any table, as arguments of ``anonymize`` in the form that job files use."""
    needs_table: ClassVar[bool] = False
    """Whether its settings depend on the columns of the table."""

    def words(self) -> dict[str, Any]:
        """A copy of the settings for any table."""
        return deepcopy(self.settings)

    def words_for(self, found: Inspection, frame: pl.DataFrame) -> dict[str, Any]:
        """The settings for this table.

        Args:
            found: what an inspection found.
            frame: the rows, as the inspection read them.

        Raises:
            InputError: something in the table conflicts with the policy.
        """
        return self.words()

    def notes_for(self, found: Inspection, frame: pl.DataFrame) -> tuple[str, ...]:
        """What it found in the table, one sentence each."""
        return ()

    def in_folder(self, folder: Path) -> Policy:
        """The same policy with the relative paths of its options resolved from this folder."""
        return self
