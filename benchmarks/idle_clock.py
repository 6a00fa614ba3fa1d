"""With the word "idle" on the command line the clock shows CPU seconds over cores: to be imported before shoal.

Time budgets are then spent as on a machine that does nothing else, however busy this one is.
"""

from __future__ import annotations

import os
import sys
import time

if "idle" in sys.argv:
    time.perf_counter = lambda: time.process_time() / (os.cpu_count() or 1)
