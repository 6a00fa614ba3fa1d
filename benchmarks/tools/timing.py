"""What the tools' scripts have in common: the words they are called with, and the clock. Plain Python, any version."""

import sys
import time
from pathlib import Path


class Asked:
    """ORIGINAL RELEASE K HIERARCHIES COLUMN... [NAME=VALUE ...]: the last column is no quasi-identifier."""

    def __init__(self, words):
        self.original, self.release, self.k = words[0], words[1], int(words[2])
        self.columns = [word for word in words[4:] if "=" not in word]
        self.features = self.columns[:-1]
        self.more = dict(word.split("=", 1) for word in words[4:] if "=" in word)
        self._folder = Path(words[3])

    def tree_of(self, name):
        """The path of a column's hierarchy."""
        return self._folder / f"adult_hierarchy_{name}.csv"

    def levels_of(self, name):
        """The lines of a column's hierarchy, labels from the value up."""
        return [line.split(";") for line in self.tree_of(name).read_text().splitlines() if line]


ASKED = Asked(sys.argv[1:]) if len(sys.argv) > 5 else None


def timed(work):
    """What the work made; its wall and CPU seconds go to whoever called this script."""
    start, cpu = time.perf_counter(), time.process_time()
    made = work()
    print("RESULT", time.perf_counter() - start, time.process_time() - cpu, flush=True)
    return made
