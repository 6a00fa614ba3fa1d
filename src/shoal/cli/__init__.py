"""The command line: one file per command, imported only when that command is called."""

from shoal.cli.entry import main

__all__ = ["main"]
