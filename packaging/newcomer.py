"""What a newcomer does: ``python packaging/newcomer.py FOLDER`` clones the project into FOLDER and follows the README.

Nothing of the caller's environment is used but the programs in the system's own folders: the first command makes the
virtual environment, and the others run in it, one by one, as they stand in the README. Needs a way to the packages. The
exit status is 1 if a command fails, or if the example prints something else than the README shows.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SYSTEM = "/usr/local/bin:/usr/bin:/bin"


def main(folder: Path) -> int:
    """Clone, then every command of the README that ends."""
    clone, work = folder / "shoal", folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    if not clone.exists():
        _run(["git", "clone", "--quiet", str(ROOT), str(clone)], folder, SYSTEM)
    page = (clone / "README.md").read_text(encoding="utf-8")
    _run(["make", "demo"], clone, SYSTEM)
    programs = f"{clone / '.venv' / 'bin'}:{SYSTEM}"
    for block in re.findall(r"```shell\n(.*?)```", page, flags=re.DOTALL):
        for command in block.strip().splitlines():
            _run(["sh", "-c", command], work, programs)
    (work / "example.py").write_text(re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)[0], encoding="utf-8")
    printed = _run(["python", "example.py"], work, programs)
    shown = re.findall(r"```text\n(.*?)```", page.partition("```python")[2], flags=re.DOTALL)[0]
    return int(sorted(printed.splitlines()) != sorted(shown.splitlines()))


def _run(command: list[str], folder: Path, programs: str) -> str:
    sys.stdout.write(f"$ {' '.join(command)}\n")
    sys.stdout.flush()
    bare = {"HOME": str(folder.parent), "PATH": programs, "LANG": "C.UTF-8"}
    done = subprocess.run(command, cwd=folder, env=bare, stdout=subprocess.PIPE, text=True)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ends with {done.returncode}.\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
