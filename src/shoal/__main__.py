"""``python -m shoal`` is the command ``shoal``."""

from __future__ import annotations

from shoal.cli import run_and_exit

if __name__ == "__main__":
    run_and_exit()
