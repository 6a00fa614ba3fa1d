"""Run every benchmark, one after the other."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
for script in ("mondrian", "end_to_end", "peers"):
    print(f"== {script} ==", flush=True)
    runpy.run_path(str(HERE / f"{script}.py"), run_name="__main__")
