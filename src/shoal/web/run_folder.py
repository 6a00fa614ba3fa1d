"""The folder of a run: what it reads, what can be taken away and what pages show, each in a folder of its own.

Uploads lie in ``inputs`` alone, under the names their users gave them; everything elsewhere has a name of our own and
was written by the run or by the workbench. No name of an upload can therefore meet the name of anything we made.
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
    """The places in the folder of a run."""

    path: Path

    @property
    def inputs(self) -> Path:
        """What the run reads: uploads, and hierarchies made on the pages."""
        return self.path / INPUTS

    @property
    def outputs(self) -> Path:
        """What can be taken away."""
        return self.path / OUTPUTS

    @property
    def shown(self) -> Path:
        """What pages show, and the release as other kinds of files are made of it."""
        return self.path / SHOWN

    def make(self) -> None:
        """Make the folders; only their owner may enter them."""
        for folder in (self.path, self.inputs, self.outputs, self.shown):
            folder.mkdir(parents=True, mode=0o700)

    def take_in(self, source: Path) -> None:
        """Have a file as it is now, whatever is uploaded later under its name."""
        share(source, self.inputs / source.name)

    def has_as_it_is(self, source: Path) -> bool:
        """Whether a file is the one that the run has read, not another that was uploaded under its name since."""
        read = self.inputs / source.name
        return read.is_file() and source.is_file() and read.stat().st_mtime_ns == source.stat().st_mtime_ns

    def put(self, name: str, text: str) -> str:
        """Write a text among the outputs.

        Returns:
            its hash.
        """
        (self.outputs / name).write_text(text, "utf-8", newline="\n")
        return self.hash_of(name)

    def hash_of(self, name: str) -> str:
        """The hash of an output; empty where there is none, or a link in its place."""
        path = self.outputs / name
        if path.is_symlink() or not path.is_file():
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def fetch(self, name: str, recorded: str) -> Path:
        """An output, if it is still what was recorded when it was written.

        Raises:
            InputError: it is not.
        """
        if not recorded or self.hash_of(name) != recorded:
            raise InputError("This file is not the one that the run wrote, so it cannot be downloaded; run it again.")
        return self.outputs / name
