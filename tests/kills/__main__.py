"""``python -m kills FOLDER MODE MOST [COMMAND…]``: one JSON object per command."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kills.harness import COMMANDS, run_all

if __name__ == "__main__":
    where, how, at_most, *chosen = sys.argv[1:]
    for answer in run_all(Path(where).resolve(), chosen or list(COMMANDS), int(how), int(at_most)):
        print(json.dumps(answer), flush=True)
