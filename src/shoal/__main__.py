"""``python -m shoal`` is the command ``shoal``."""

from __future__ import annotations

from shoal.cli import run

if __name__ == "__main__":
    run()
