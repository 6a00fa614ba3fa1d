"""Where a run takes place: in memory, within a memory limit, or on a Spark cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from shoal.cli import words
from shoal.core.progress import Progress
from shoal.engine.targets import Targets
from shoal.errors import InputError
from shoal.io.places import Place

_PANEL = "Large tables"


@dataclass(frozen=True)
class Where:
    """For tables that do not fit into memory or onto one machine."""

    memory: Annotated[
        str | None,
        typer.Option(
            metavar="4GiB", help="Use no more memory than this: rows in pieces, blocks on disk.", rich_help_panel=_PANEL
        ),
    ] = None
    backend: Annotated[
        str, typer.Option(metavar="local|spark", help="On this machine, or on Spark.", rich_help_panel=_PANEL)
    ] = "local"
    master: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="The Spark master: spark://host:7077, yarn, local[*].", rich_help_panel=_PANEL
        ),
    ] = None

    @property
    def is_elsewhere(self) -> bool:
        """Whether the table is not to be kept in memory."""
        words.one_of("--backend", self.backend, ("local", "spark"))
        if self.master and self.backend != "spark":
            raise InputError("--master names a Spark master; say --backend spark as well.")
        if self.memory and self.backend == "spark":
            raise InputError("--memory is for this machine; Spark's executors have settings of their own.")
        return self.memory is not None or self.backend == "spark"

    def run(self, source: Place, targets: Targets, progress: Progress, said: dict[str, Any]) -> Any:
        """Do it there."""
        from shoal.engine.scale import elsewhere

        if self.memory is not None:
            return elsewhere.run_within(source, targets, self.memory, progress, **said)
        return elsewhere.run_on_spark(source, targets, self.master or "local[*]", progress, **said)
