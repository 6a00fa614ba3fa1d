"""The folder of a run, with subfolders for its inputs, its downloads and the data shown on pages.

Uploads are only in ``inputs``, under the names their users gave them; all other files have fixed names and were written
by the run or the workbench. So the name of an upload can never clash with one of our files.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError
from shoal.web.folders import share

INPUTS, OUTPUTS, SHOWN = "inputs", "outputs", "shown"


@dataclass(frozen=True)
class RunFolder:
    """The subfolders of a run."""

    path: Path

    @property
    def inputs(self) -> Path:
        """The inputs: uploads, and hierarchies made on the pages."""
        return self.path / INPUTS

    @property
    def outputs(self) -> Path:
        """The files that can be downloaded."""
        return self.path / OUTPUTS

    @property
    def shown(self) -> Path:
        """The data shown on pages, and the release for conversion to other formats."""
        return self.path / SHOWN

    def make(self) -> None:
        """Create the folders; only their owner may enter them."""
        for folder in (self.path, self.inputs, self.outputs, self.shown):
            folder.mkdir(parents=True, mode=0o700)

    def take_in(self, source: Path) -> None:
        """Keep a file as it is now, even if another is uploaded under its name later."""
        share(source, self.inputs / source.name)

    def has_as_it_is(self, source: Path) -> bool:
        """Whether a file is the one that the run has read, not another uploaded under its name since."""
        read = self.inputs / source.name
        return read.is_file() and source.is_file() and read.stat().st_mtime_ns == source.stat().st_mtime_ns

    def put(self, name: str, text: str) -> str:
        """Write a text file to the outputs.

        Returns:
            Its hash.
        """
        (self.outputs / name).write_text(text, "utf-8", newline="\n")
        return self.hash_of(name)

    def hash_of(self, name: str) -> str:
        """The hash of an output; empty if it does not exist or is a link."""
        path = self.outputs / name
        if path.is_symlink() or not path.is_file():
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def fetch(self, name: str, recorded: str) -> Path:
        """The path of an output, if it is unchanged since it was written."""
        if not recorded or self.hash_of(name) != recorded:
            raise InputError("This file is not the one that the run wrote, so it cannot be downloaded; run it again.")
        return self.outputs / name
