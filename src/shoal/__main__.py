"""``python -m shoal`` is the command ``shoal``."""

from __future__ import annotations

import sys

from shoal.cli import main

if __name__ == "__main__":
    sys.exit(main())
